"""Snapshots: values by name, and putting them in force again."""

import copy
import pickle
import threading
from pathlib import Path

import pytest
from live_state import config, place, result_in_thread
from states import AT, assigned, newer, state_of, values_of

import dynconf
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import find, name_in
from dynconf.errors import InvalidValueError
from dynconf.live.binding import bind
from dynconf.provenance import DEFAULT
from dynconf.release import RELEASES, Release, minor
from dynconf.state import State
from dynconf.store.snapshot import Snapshot


@pytest.mark.parametrize("module", MODULES)
def test_without_anything_set_there_are_the_defaults(module):
    """One for each setting of the release, by its newest name; no old name has an entry of its own."""
    for version in RELEASES:
        release = Release.named(version)
        settings = catalogue(module).at(release).settings.values()
        snapshot = Snapshot(state_of(release, [module]), module)
        assert (snapshot.torch, snapshot.release, snapshot.module) == (version, release, module)
        assert set(snapshot) == {name_in(module, each) for each in settings}
        for setting in settings:
            assert is_same_value(snapshot[name_in(module, setting)], setting.default_value())
        assert set(snapshot.origins.values()) <= {DEFAULT}
        assert not snapshot.only_set()


def test_flags_of_other_modules_have_full_names():
    """Bare names are those of the module of the snapshot, and come first."""
    whole = Snapshot(state_of())
    assert whole["recompile_limit"] == 8
    assert whole["functorch.static_weight_shapes"] is True
    assert "static_weight_shapes" not in whole
    alone = Snapshot(state_of(modules=["functorch", "dynamo"]), "functorch")
    assert alone["static_weight_shapes"] is alone["functorch.static_weight_shapes"] is True
    assert alone["dynamo.recompile_limit"] == 8
    with pytest.raises(KeyError, match="recompile_limit"):
        alone["recompile_limit"]
    assert list(alone) == sorted(alone, key=lambda name: (name.startswith("dynamo."), name))


def test_a_mapping_has_the_names_that_a_snapshot_shows():
    """Bare names in it are those of the module, too, so that what was printed is read back."""
    made = Snapshot({"cse": False, "dynamo.recompile_limit": 64}, "functorch")
    assert dict(made) == {"cse": False, "dynamo.recompile_limit": 64}
    assert dict(Snapshot(dict(made), "functorch")) == dict(made)
    with pytest.raises(InvalidValueError, match="expected one of dynamo, functorch, "):
        Snapshot({"cse": False}, "torch._functorch.config")


def test_a_flag_that_moved_is_found_in_both_modules():
    """It goes by its name in the newer one, in every release."""
    for release in ("2.6", RELEASES[-1]):
        snapshot = Snapshot(state_of(Release.named(release), **{"inductor.force_disable_caches": True}))
        assert list(snapshot.only_set()) == ["compiler.force_disable_caches"]
        assert snapshot["inductor.force_disable_caches"] is snapshot["compiler.force_disable_caches"] is True


def test_a_key_error_says_why():
    """The flag is misspelt, gone, or merely not in the snapshot."""
    snapshot = Snapshot({"verbose": True})
    with pytest.raises(KeyError, match="did you mean 'verbose'"):
        snapshot["verbos"]
    with pytest.raises(KeyError, match="recompile_limit is not in the snapshot"):
        snapshot["recompile_limit"]


def test_the_defaults_of_a_release_are_a_snapshot():
    """It covers all modules, and two of them show the changes between the releases."""
    old = dynconf.default_state("2.6")
    assert (old.torch, old["recompile_limit"], old["inductor.max_autotune"]) == ("2.6.0", 8, False)
    kinds = {change.kind for change in dynconf.diff(old, dynconf.default_state("2.13"))}
    assert kinds == {"added", "removed", "renamed", "default-changed"}
    with pytest.raises(InvalidValueError, match="is not a torch release"):
        dynconf.default_state("newest")


def test_a_snapshot_of_an_unknown_release_has_the_newest_flags() -> None:
    """A torch newer than the catalogue has a snapshot too."""
    snapshot = Snapshot(State(Release("2.99.0", "named")))
    assert (snapshot.torch, snapshot.release.minor) == ("2.99.0", minor(RELEASES[-1]))


@pytest.mark.parametrize(("text", "truth"), [("0", True), ("", False)])
def test_text_in_place_of_a_bool_counts_by_its_truth(text, truth):
    """That of TORCH_COMPILE_CPROFILE stays as it is in torch 2.13, which tests whether it is empty."""
    with config().patch(cprofile=text):
        state = dynconf.snapshot(pins=True)
        dynconf.save("state.json", pins=True)
        assert (dynconf.fingerprint(), dynconf.diff(state, {})) == (
            dynconf.fingerprint(state),
            dynconf.diff("state.json", {}),
        )
    assert state["cprofile"] is dynconf.load("state.json")["cprofile"] is truth
    with config().patch(cprofile=not truth), state.patch():
        assert config().cprofile is truth


def test_containers_are_copied_on_the_way_in_and_out() -> None:
    """Objects in them stay the same objects."""

    class Pass:
        def __call__(self) -> None: ...

    setting, chosen = find("ignore_logging_functions", AT), {"a": [Pass(), [1]]}
    state = assigned({setting: chosen})
    kept = chosen["a"][0]
    chosen["a"].append(1)
    chosen["a"][1].append(2)
    chosen["b"] = []
    for read in (state[setting].value, state.value(setting), Snapshot(state)["ignore_logging_functions"]):
        assert read == {"a": [kept, [1]]}
        read["a"][1].clear()
        read["a"].clear()
        read.clear()
    assert state.value(setting)["a"][0] is kept


def test_an_object_in_force_is_the_very_object() -> None:
    """It may be one that cannot be copied, such as a pass with a lock."""
    name, locks = "inductor.post_grad_custom_post_pass", [threading.Lock()]
    with (
        bind("inductor").module.patch(post_grad_custom_post_pass=locks[0]),
        bind().module.patch(reorderable_logging_functions=locks),
    ):
        state = dynconf.snapshot()
    assert state[name] is locks[0]
    assert state["reorderable_logging_functions"][0] is locks[0]
    assert state["reorderable_logging_functions"] is not locks


def test_copies_and_pickles_have_the_same_settings() -> None:
    """There is one object for each setting, in every copy; a flag that the catalogue lacks goes along."""
    state = state_of(verbose=True).only_set().with_entries(newer(1))
    for copied in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):  # noqa: S301
        assert values_of(copied) == {"verbose": True, "flag_of_tomorrow": 1}
        assert copied.value(find("verbose", AT)) is True
        assert Snapshot(copied)["flag_of_tomorrow"] == 1
    origins = Snapshot(state).origins
    assert pickle.loads(pickle.dumps(origins)) == origins  # noqa: S301  made in this line


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
    assert list(dynconf.snapshot().only_set()) == []


def test_a_loaded_state_is_installed_for_every_thread() -> None:
    """An installation is seen by other threads, says which line of the file it is from, and is taken back."""
    Path("my.toml").write_text("recompile_limit = 64\n")
    with dynconf.load("my.toml").install():
        assert result_in_thread(dynconf.snapshot)["cache_size_limit"] == 64
        origin = dynconf.origin("recompile_limit")
        assert (origin.kind, origin.file, origin.line) == ("file", "my.toml", 1)
    assert dynconf.snapshot()["cache_size_limit"] == 8


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
    assert list(dynconf.snapshot().only_set()) == []


def test_a_live_snapshot_can_be_put_into_force_again() -> None:
    """It has all flags of dynamo and those set elsewhere; its installation names the line that installs."""
    with dynconf.patch(recompile_limit=64, functorch={"static_weight_shapes": False}):
        state = dynconf.snapshot()
        functorch = dynconf.functorch.snapshot()
    assert set(state.only_set()) == {"functorch.static_weight_shapes", "recompile_limit"}
    assert list(functorch.only_set()) == ["static_weight_shapes"]
    assert len(functorch) > len(functorch.only_set())
    for each in (state, functorch):
        with each.patch():
            assert dynconf.functorch.origin("static_weight_shapes").kind == "patch"
            assert each is functorch or dynconf.diff(state, dynconf.snapshot()) == []
        with each.install():
            origin = dynconf.functorch.origin("static_weight_shapes")
            assert (origin.kind, origin.file) == ("install", __file__)
    assert list(dynconf.snapshot().only_set()) == []
    with pytest.raises(dynconf.InvalidValueError, match="scope"):
        state.install("elsewhere")  # type: ignore[arg-type]


def test_a_key_that_is_no_text_is_not_in_a_snapshot_nor_in_origins() -> None:
    """It is looked up in vain, as in any mapping."""
    for mapping in (Snapshot({"verbose": True}), dynconf.DynamoSettings().origins):
        for key in (3, None, ("verbose",)):
            assert key not in mapping
            assert mapping.get(key) is None
            with pytest.raises(KeyError):
                mapping[key]


def test_an_empty_snapshot_says_so() -> None:
    """Not as the beginning of a sentence that breaks off."""
    assert repr(Snapshot(State(AT))) == "<Snapshot of torch 2.13.0: nothing is set>"
    shown = "<Snapshot of torch 2.13.0: recompile_limit=64, 1 default>"
    state = assigned({find("recompile_limit", AT): 64})
    assert repr(Snapshot(state.with_entries(assigned({find("verbose", AT): False}, DEFAULT)))) == shown


@pytest.mark.known_shape
def test_flags_that_were_deleted_are_in_no_snapshot() -> None:
    """Of any module, whatever is installed for them; nor does `dynconf.save` write them."""
    flags = {"functorch.cse": False, "verify_correctness": True}
    with dynconf.install(flags):
        for each in flags:
            delattr(*place(each))
        assert not flags.keys() & dynconf.snapshot().keys()
        dynconf.save("state.json")
    dynconf.reset(*flags)
    assert not dynconf.load("state.json")
