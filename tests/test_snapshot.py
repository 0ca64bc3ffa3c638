"""Snapshots: what every flag of a release is once something is put over its defaults."""

import threading
from pathlib import Path

import pytest
from states import assigned, state_of

import dynconf
from dynconf.errors import InvalidValueError
from dynconf.flags.flag import qualified
from dynconf.flags.types import same
from dynconf.live.binding import bind
from dynconf.modules import MODULES, catalogue
from dynconf.names import find, split
from dynconf.origin import DEFAULT, Origin
from dynconf.release import RELEASES, Release, minor
from dynconf.snapshot import Snapshot, effective

HERE = Origin("env", "X", "1")


@pytest.mark.parametrize("module", MODULES)
def test_an_empty_layer_leaves_the_defaults(module):
    """Every name of the release is there, aliases with the value of the flag they forward to."""
    for version in RELEASES:
        release = Release.named(version)
        flags = catalogue(module).flags
        snapshot = effective(release, None, (module,))
        assert list(snapshot.values) == sorted(name for name in flags if flags[name].exists_in(release))
        assert (snapshot.torch, snapshot.module) == (version, module)
        assert snapshot.release == release
        assert snapshot.minor == minor(version)
        for name, value in snapshot.values.items():
            if flags[name].is_alias_in(release):
                target = qualified(*split(flags[name].renamed, module))
                assert snapshot.origins[name] == Origin("alias", target)
                assert same(value, find(target, release).default_value())
            else:
                assert snapshot.origins[name] == DEFAULT
                assert same(value, flags[name].default_in(release))


def test_flags_of_other_modules_have_full_names():
    """Bare names are those of the first module."""
    whole = effective(Release.named("2.13"), None)
    assert whole.values["recompile_limit"] == 8
    assert whole.values["functorch.static_weight_shapes"] is True
    assert "static_weight_shapes" not in whole.values
    alone = effective(Release.named("2.13"), None, ("functorch",))
    assert alone.values["static_weight_shapes"] is True
    (entry,) = alone.entries(["static_weight_shapes"])
    assert (entry.name, entry.key, entry.setting.module) == ("functorch.static_weight_shapes",) * 2 + (
        "functorch",
    )


@pytest.mark.parametrize(
    ("release", "names"),
    [("2.6", ["cache_size_limit"]), ("2.13.0", ["cache_size_limit", "recompile_limit"])],
)
def test_a_setting_stands_under_the_names_that_the_release_uses(release, names):
    """The layer knows the newest name only."""
    setting = catalogue("dynamo").at(Release.named(release)).setting("recompile_limit")
    snapshot = effective(Release.named(release), assigned({setting: 64}, HERE, Release.named(release)))
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


def test_a_loaded_state_is_put_into_force_by_patch() -> None:
    """The values are in force while the patch is entered, and the flags are unset again afterwards."""
    before = dynconf.fingerprint()
    Path("my.toml").write_text("recompile_limit = 64\nspecialize_int = true\n")
    loaded = dynconf.load("my.toml")
    patch = loaded.patch()
    assert patch.origin.file == __file__
    with patch:
        assert dynconf.fingerprint() == dynconf.fingerprint(loaded) != before
        assert bind().module.specialize_int is True
    assert dynconf.fingerprint() == before
    assert dynconf.snapshot().names_set() == []


def test_a_loaded_state_is_installed_for_every_thread() -> None:
    """An installation is seen by other threads, says which line of the file it is from, and is taken back."""
    Path("my.toml").write_text("recompile_limit = 64\n")
    seen: list[object] = []
    installation = dynconf.load("my.toml").install()
    thread = threading.Thread(target=lambda: seen.append(dynconf.snapshot().values["cache_size_limit"]))
    thread.start()
    thread.join()
    origin = dynconf.origin("recompile_limit")
    installation.uninstall()
    assert seen == [64]
    assert (origin.kind, origin.file, origin.line) == ("file", "my.toml", 1)
    assert dynconf.snapshot().values["cache_size_limit"] == 8


def test_a_live_snapshot_can_be_put_into_force_again() -> None:
    """A snapshot of the live state has the same two ways; its installation names the line that installs."""
    with dynconf.patch(recompile_limit=64):
        state = dynconf.snapshot()
    with state.patch():
        assert dynconf.diff(state, dynconf.snapshot()) == []
    with state.install():
        assert dynconf.origin("recompile_limit").file == __file__
        assert dynconf.origin("recompile_limit").kind == "install"
    assert dynconf.snapshot().names_set() == []
    with pytest.raises(dynconf.InvalidValueError, match="scope"):
        state.install("elsewhere")  # type: ignore[arg-type]


def test_the_wrong_values_of_a_file_change_nothing() -> None:
    """A file with one good and one bad entry is refused as a whole."""
    before = dynconf.fingerprint()
    Path("my.toml").write_text("recompile_limit = 64\nspecialize_int = 3\n")
    with pytest.raises(dynconf.StateFileError, match=r"my\.toml:2"):
        dynconf.load("my.toml")
    assert dynconf.fingerprint() == before


def test_values_that_torch_refuses_together_change_nothing() -> None:
    """The rules over several flags are checked before anything of a loaded state is put in force."""
    rules = bind().slot("suppress_errors").setting.rules
    if not any(here.rule.code == "DC001" and here.level == "error" for here in rules):
        pytest.skip("this torch accepts the pair")
    Path("my.toml").write_text("suppress_errors = true\nfail_on_recompile_limit_hit = true\n")
    loaded = dynconf.load("my.toml")
    for put_in_force in (loaded.install, loaded.patch):
        with pytest.raises(dynconf.ConflictError):
            put_in_force()
    assert dynconf.snapshot().names_set() == []


def test_a_snapshot_spans_modules() -> None:
    """It has all of dynamo and what is set elsewhere, and puts both in force again as one."""
    with dynconf.patch(recompile_limit=64, functorch={"static_weight_shapes": False}):
        state = dynconf.snapshot()
        functorch = dynconf.functorch.snapshot()
    assert set(state.names_set()) == {"functorch.static_weight_shapes", bind().slot("recompile_limit").name}
    assert functorch.names_set() == ["static_weight_shapes"]
    assert len(functorch.values) > len(functorch.names_set())
    for each in (state, functorch):
        with each.patch():
            assert dynconf.functorch.origin("static_weight_shapes").kind == "patch"
        with each.install():
            assert dynconf.functorch.origin("static_weight_shapes").kind == "install"
    assert dynconf.snapshot().names_set() == []


def test_a_key_that_is_no_text_is_not_in_a_snapshot_nor_in_origins() -> None:
    """As in any mapping."""
    for mapping in (dynconf.Snapshot({"verbose": True}), dynconf.DynamoSettings().origins):
        for key in (3, None, ("verbose",)):
            assert key not in mapping
            assert mapping.get(key) is None
            with pytest.raises(KeyError):
                mapping[key]


def test_an_empty_snapshot_says_so() -> None:
    """Not as the beginning of a sentence that breaks off."""
    assert repr(dynconf.Snapshot("2.13.0", {})) == "<dynconf.Snapshot of torch 2.13.0: nothing is set>"
