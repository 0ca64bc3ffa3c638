"""Tests of `dynconf.tools.show.selection`."""

import pytest
from states import AT, assigned, names_of, newer, state_of

import dynconf
from dynconf.catalogue.modules import MODULES
from dynconf.catalogue.names import find
from dynconf.release import Release
from dynconf.state import State
from dynconf.store.ignore import NOTHING
from dynconf.store.saving import saved_document
from dynconf.store.snapshot import Snapshot, with_defaults
from dynconf.tools.show.exports import to_python
from dynconf.tools.show.selection import by_topic, modules_named, select


def test_a_name_is_always_shown() -> None:
    """Old or new, of any module, in any release, and though the flag is a no-op."""
    for pattern, name in (
        ("cache_size_limit", "recompile_limit"),
        ("cache_size_lim*", "recompile_limit"),
        ("dynamic_shapes", "dynamic_shapes"),
        ("functorch.donated_buffer", "functorch.donated_buffer"),
        ("inductor.force_disable_caches", "compiler.force_disable_caches"),
        ("compiler.force_disable_caches", "compiler.force_disable_caches"),
    ):
        for release in ("2.6", "2.8", "2.13"):
            assert names_of(select(state_of(Release.named(release)), [pattern])) == [name]


@pytest.mark.parametrize("name", ["inductor", "inductor.triton"])
def test_a_module_or_group_is_answered_with_its_glob(name: str) -> None:
    """Whoever names one wants to see all of it; the glob is a pattern that is taken."""
    with pytest.raises(dynconf.UnknownFlagError, match=f"or '{name}.*' for all".replace("*", r"\*")):
        select(state_of(), [name])
    assert len(select(state_of(), [f"{name}.*"])) > 10


def test_a_flag_that_the_catalogue_lacks_is_shown() -> None:
    """It is found by name, by pattern, and in a topic of its own."""
    state = state_of().with_entries(newer(1))
    for pattern in ("flag_of_tomorrow", "*tomorrow"):
        assert names_of(select(state, [pattern])) == ["flag_of_tomorrow"]
    topics = by_topic(select(state, ["flag_of_tomorrow", "verbose"]))
    assert [each.newest for each in topics["newer than the catalogue"]] == ["flag_of_tomorrow"]
    assert list(topics)[-1] == "newer than the catalogue"


def test_a_flag_that_a_later_torch_has_dropped_stays_with_its_topic() -> None:
    """A release that has it lists it among its like, by any name."""
    old = find("inductor.max_template_fusion_benchmarked_choices", Release.named("2.13"))
    assert old is not None
    assert list(by_topic([old])) == ["inductor.autotune"]


def test_extra_settings_are_shown_where_no_pattern_says_which() -> None:
    """Such as those with mistakes."""
    setting = find("functorch.donated_buffer", AT)
    assert names_of(select(state_of(), changed=True, extra=[setting])) == ["functorch.donated_buffer"]
    assert names_of(select(state_of(), ["verbose"], extra=[setting])) == ["verbose"]


def test_set_means_the_same_to_all() -> None:
    """A value that another flag implies is set: save, --changed, diff, exports and snapshots agree."""
    release = Release.named("2.15")
    cause = find("inductor.numerics", release)
    state = with_defaults(assigned({cause: "strict"}, release=release))
    effects = ("eager_numerics.disable_ftz", "eager_numerics.division_rounding", "emulate_precision_casts")
    both = [*(f"inductor.{each}" for each in effects), cause.newest]
    assert all(state[find(name, release)].value is True for name in both[:-1])
    assert names_of(select(state, changed=True)) == both
    assert list(saved_document(state, NOTHING)["flags"]) == both
    assert list(Snapshot(state).only_set()) == both
    assert [change.flag for change in dynconf.diff(State(release), state)] == both
    assert all(name.partition(".")[2] in to_python(state.only_set()).text for name in both)
    assert sorted(names_of(state.only_set())) == both


def test_the_modules_that_patterns_name() -> None:
    """Names and globs of full names; a bare name is dynamo's."""
    assert modules_named([]) == ()
    assert modules_named(["verbose", "donated_buffer"]) == ("dynamo",)
    assert modules_named(["functorch.*"]) == ("functorch",)
    assert modules_named(["*"]) == MODULES
