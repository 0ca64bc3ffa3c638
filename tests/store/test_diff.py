"""The differences between two states, whether they are snapshots or files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from states import AT, SETTINGS, newer, state_of, values_of
from strategies import values

from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.modules import catalogue
from dynconf.errors import EnvironmentWarning, StateFileError
from dynconf.provenance import DEFAULT
from dynconf.release import Release
from dynconf.state import State
from dynconf.store.diff import Change, changes, diff
from dynconf.store.ignore import NOTHING
from dynconf.store.saving import saved_document, text_of
from dynconf.store.snapshot import Snapshot
from dynconf.store.writing import write


@given(data=st.data())
def test_a_state_does_not_differ_from_itself(data: st.DataObject) -> None:
    """diff(a, a) is empty, for the state, for its file, and for the two of them."""
    release = Release.at_hand()
    settings = [each for each in catalogue("dynamo").at(release).settings.values() if each.public]
    chosen = data.draw(st.lists(st.sampled_from(settings), max_size=4, unique=True))
    state = state_of(release, **{each.name: data.draw(values(each.type)) for each in chosen})
    write("state.json", text_of(saved_document(state, NOTHING)))
    for a, b in ((state, state), ("state.json", "state.json"), (state, "state.json")):
        assert diff(a, b, trust=True) == []


@given(data=st.data())
def test_exactly_the_changed_flag_is_reported(data: st.DataObject) -> None:
    """Two states that differ in one flag have one change, with both values, in either direction."""
    setting = data.draw(st.sampled_from(SETTINGS))
    name = setting.name
    before, after = (state_of(**{name: data.draw(values(setting.type))}) for _ in range(2))
    found = diff(before, after)
    first, second = before.value(setting), after.value(setting)
    if is_same_value(first, second):
        assert found == []
    else:
        assert found == [Change("changed", name, first, second)]
        assert diff(after, before) == [Change("changed", name, second, first)]


def test_two_releases_differ_in_flags_names_and_defaults() -> None:
    """Between two releases flags are added, removed and renamed, and defaults change."""
    found = changes(state_of(Release.named("2.6")), state_of(AT))
    by_kind = {kind: {each.flag for each in found if each.kind == kind} for kind in {e.kind for e in found}}
    assert "debug_backend_override" in by_kind["added"]
    assert "_ddp_optimization_mode" in by_kind["removed"]
    assert Change("renamed", "recompile_limit", "cache_size_limit", "recompile_limit") in found
    assert Change("default-changed", "automatic_dynamic_local_pgo", False, True) in found
    assert "changed" not in by_kind


def test_a_value_goes_with_its_renamed_flag() -> None:
    """A flag set to the same value under its old and its new name is only renamed."""
    before, after = state_of(Release.named("2.6"), recompile_limit=3), state_of(AT, recompile_limit=3)
    reported = [each for each in changes(before, after) if each.flag == "recompile_limit"]
    assert [each.kind for each in reported] == ["renamed"]


def test_machine_bound_defaults_do_not_differ(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The default of debug_dir_root follows the working directory; nobody changed it."""
    before = state_of()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert values_of(before)["debug_dir_root"] != values_of(state_of())["debug_dir_root"]
    assert diff(before, state_of()) == []


def test_a_file_has_the_defaults_of_what_it_does_not_mention() -> None:
    """Compared with a state, a settings file has the default of every flag that it leaves out."""
    Path("my.toml").write_text("verbose = true\n")
    assert [str(each) for each in diff("my.toml", state_of(recompile_limit=3))] == [
        "recompile_limit: changed, 8 to 3",
        "verbose: changed, True to False",
    ]


def test_a_file_is_read_for_the_release_of_the_other_state() -> None:
    """Compared with a state of torch 2.6, it may use any name; a flag that 2.6 lacks is warned of."""
    Path("my.toml").write_text('recompile_limit = 3\ndebug_backend_override = "0:eager"\nmissing = "error"\n')
    with pytest.warns(EnvironmentWarning, match="debug_backend_override"):
        found = diff(state_of(Release.named("2.6")), "my.toml")
    assert found == [Change("changed", "recompile_limit", 8, 3)]


def test_a_bad_file_is_refused() -> None:
    """Anything wrong in a file is an error that names it."""
    Path("my.toml").write_text("verbose = 3\n")
    with pytest.raises(StateFileError, match=r"my\.toml"):
        diff("my.toml", state_of())


def test_flags_newer_than_the_catalogue_are_compared() -> None:
    """A flag that only one of two live modules knows is added or removed."""
    tomorrow = newer(1, DEFAULT, Release("2.99.0", "loaded"))
    for states, change in (
        ((state_of(), tomorrow), Change("added", "flag_of_tomorrow", after=1)),
        ((tomorrow, state_of()), Change("removed", "flag_of_tomorrow", before=1)),
    ):
        assert [each for each in diff(*states) if each.flag == "flag_of_tomorrow"] == [change]


def test_a_newer_flag_at_rest_is_no_difference_from_a_file_of_the_same_torch() -> None:
    """A file does not mention it; where it is set, it is a difference."""
    assert diff(state_of(), newer(1, DEFAULT)) == diff(newer(1, DEFAULT), state_of()) == []
    assert diff(newer(1), state_of()) == [Change("removed", "flag_of_tomorrow", before=1)]


def test_flags_of_other_modules_go_by_their_full_names() -> None:
    """Also where only one of the two states mentions the module: the other has its defaults."""
    before = State(AT)
    after = state_of(**{"functorch.static_weight_shapes": False})
    found = [each for each in diff(before, after) if each.flag.startswith("functorch.")]
    assert [str(each) for each in found] == ["functorch.static_weight_shapes: changed, True to False"]
    alone = state_of(modules=["functorch"], **{"functorch.static_weight_shapes": False})
    assert diff(Snapshot(alone, "functorch"), after) == []


def test_changes_as_text_and_json() -> None:
    """Each kind of change reads in one line, and as JSON has the sides that there are."""
    shown = {
        Change("added", "verbose", after=False): ("verbose: added, False", {"after": False}),
        Change("removed", "verbose", before=True): ("verbose: removed, was True", {"before": True}),
        Change("renamed", "recompile_limit", "cache_size_limit", "recompile_limit"): (
            "recompile_limit: renamed, was cache_size_limit",
            {"before": "cache_size_limit", "after": "recompile_limit"},
        ),
        Change("default-changed", "verbose", False, True): (
            "verbose: default changed, False to True",
            {"before": False, "after": True},
        ),
    }
    for change, (line, sides) in shown.items():
        assert str(change) == line
        assert change.as_json() == {"kind": change.kind, "flag": change.flag, **sides}
    huge = Change("changed", "_dynamic_shapes_spec", 10**5000, 1)  # more digits than Python prints
    assert str(huge) == "_dynamic_shapes_spec: changed, <int of 16610 bits> to 1"
    sets = Change("changed", "ignore_logging_functions", set(), {print})
    assert sets.as_json()["after"] == ["builtins:print"]
