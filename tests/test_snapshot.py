"""Snapshots: what every flag of a release is once something is put over its defaults."""

import pytest
from states import state_of

from dynconf.errors import InvalidValueError
from dynconf.flags.types import same
from dynconf.modules import MODULES, catalogue
from dynconf.origin import DEFAULT, Origin
from dynconf.release import RELEASES, Release, minor
from dynconf.snapshot import Snapshot, effective
from dynconf.sources.layer import Layer

HERE = Origin("env", "X", "1")


@pytest.mark.parametrize("module", MODULES)
def test_an_empty_layer_leaves_the_defaults(module):
    """Every name of the release is there, aliases with the value of what they stand for."""
    for version in RELEASES:
        release = Release.named(version)
        flags = catalogue(module).flags
        snapshot = effective(release, Layer(), (module,))
        assert list(snapshot.values) == sorted(name for name in flags if flags[name].exists_in(release))
        assert (snapshot.torch, snapshot.module) == (version, module)
        assert snapshot.release == release
        assert snapshot.minor == minor(version)
        for name, value in snapshot.values.items():
            if flags[name].is_alias_in(release):
                assert snapshot.origins[name] == Origin("alias", flags[name].renamed)
                assert same(value, snapshot.values[flags[name].renamed])
            else:
                assert snapshot.origins[name] == DEFAULT
                assert same(value, flags[name].default_in(release))


def test_flags_of_other_modules_have_full_names():
    """Bare names are those of the first module."""
    whole = effective(Release.named("2.13"), Layer())
    assert whole.values["recompile_limit"] == 8
    assert whole.values["functorch.donated_buffer"] is True
    assert "donated_buffer" not in whole.values
    alone = effective(Release.named("2.13"), Layer(), ("functorch",))
    assert alone.values["donated_buffer"] is True
    (entry,) = alone.entries(["donated_buffer"])
    assert (entry.name, entry.key, entry.setting.module) == ("functorch.donated_buffer",) * 2 + ("functorch",)


@pytest.mark.parametrize(
    ("release", "names"),
    [("2.6", ["cache_size_limit"]), ("2.13.0", ["cache_size_limit", "recompile_limit"])],
)
def test_a_setting_stands_under_the_names_that_the_release_uses(release, names):
    """The layer knows the newest name only."""
    setting = catalogue("dynamo").at(Release.named(release)).setting("recompile_limit")
    snapshot = effective(Release.named(release), Layer({setting: 64}, {setting: HERE}))
    assert {name: snapshot.values.get(name) for name in names} == dict.fromkeys(names, 64)
    holder = names[-1]
    assert snapshot.origins[holder] == HERE
    assert all(snapshot.origins[name].kind == "alias" for name in names if name != holder)
    assert ("recompile_limit" in snapshot.values) == ("recompile_limit" in names)


def test_a_snapshot_of_an_unknown_release_answers_by_its_nearest():
    """A torch newer than the catalogue has a snapshot too."""
    assert Snapshot("2.99.0", {}, {}).minor == minor(RELEASES[-1])
    with pytest.raises(InvalidValueError, match="is not a torch release"):
        _ = Snapshot("newest", {}, {}).minor


def test_old_names_are_not_settings_of_their_own() -> None:
    """An alias has the value of the newer name, and counts as not set."""
    state = state_of(recompile_limit=3)
    assert state.values["cache_size_limit"] == 3
    assert state.names_set() == ["recompile_limit"]


def test_text_in_place_of_a_bool_counts_by_its_truth() -> None:
    """Up to 2.7 torch leaves the text of TORCH_COMPILE_DISABLE as it is, and tests whether it is empty."""
    state = state_of(Release.named("2.7"), disable="0", debug_dir_root="0")
    meanings = {entry.name: entry.meaning for entry in state.entries(["disable", "debug_dir_root"])}
    assert meanings == {"disable": True, "debug_dir_root": "0"}
    (entry,) = state_of(Release.named("2.7"), disable="").entries(["disable"])
    assert entry.meaning is False
