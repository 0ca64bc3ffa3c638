"""Binding by capability: the ways in which torch stores flags, an unknown one, implications, reading all."""

import sys
import types
from enum import Enum
from typing import Literal

import pytest
from conftest import fresh_config
from hypothesis import given
from hypothesis import strategies as st
from live_state import (
    LIMIT,
    NESTED,
    RawState,
    bind,
    both_modules,
    bound_in_place_of_dynamo,
    config,
    executed,
    in_force,
    patch_of_anything,
    patchable,
    result_in_thread,
    snapshot_values,
    torch_reads,
)
from strategies import values

import dynconf
from dynconf.catalogue.flags.types import Mismatch
from dynconf.catalogue.modules import catalogue
from dynconf.errors import ForcedFlagWarning
from dynconf.live import binding as binding_module
from dynconf.live.assignments import live_slot
from dynconf.live.binding import Binding, loaded
from dynconf.live.install import Installation
from dynconf.live.torch import internals as torch_internals
from dynconf.live.torch.dicts import DictStorage
from dynconf.provenance import Origin, caller
from dynconf.release import Release
from dynconf.state import SettingValue

# Any flags are drawn, and some pairs defeat each other.
pytestmark = pytest.mark.filterwarnings("ignore::dynconf.errors.ConflictWarning")


@pytest.mark.known_shape
@pytest.mark.parametrize("module", ["dynamo", "functorch", "inductor", "fx"])
def test_the_storage_is_found_by_what_the_module_can_do(module):
    """The module itself decides; the release only confirms it here."""
    made, minor = bind(module), bind().release.minor
    wanted = torch_internals.RecordStorage if minor >= (2, 6) else DictStorage
    assert type(made.storage) is wanted
    assert made.storage.per_context is (minor >= (2, 12))
    assert made.chain is bind().chain
    assert bind(module) is made


@pytest.mark.known_shape
@pytest.mark.catalogued
@pytest.mark.parametrize("module", ["dynamo", "functorch", "inductor", "fx"])
def test_names_are_flags(module):
    """Every flag of the catalogue is there under a name of the release, and nothing but flags."""
    made = bind(module)
    assert sorted(made.names()) == list(made.view.names)
    assert made.uncatalogued() == frozenset()
    assert made.slot("functorch.cse") is bind("functorch").slot("cse")
    assert repr(made.slot("functorch.cse")) == "Slot('functorch.cse')"
    assert made in loaded()


@pytest.mark.known_shape
@pytest.mark.since("2.6")  # older records declare no type
def test_a_word_that_a_newer_torch_has_is_taken(monkeypatch):
    """An annotation of its own names it; another word is still a mistake."""
    monkeypatch.setattr(Release, "is_beyond_catalogue", True)
    name = "max_autotune_gemm_search_space"
    with fresh_config(module="inductor") as module:
        module._config[name].value_type = Literal["DEFAULT", "EXHAUSTIVE", "NEW"]
        slot = binding_module.Binding(module, catalogue("inductor")).slot(name)
        assert [slot.check("NEW"), slot.check("EXHAUSTIVE")] == ["NEW", "EXHAUSTIVE"]
        with pytest.raises(Mismatch, match="did you mean 'NEW'"):
            slot.check("NEWS")


def test_a_release_without_a_module(monkeypatch):
    """The module has no flags there; whoever names one is told of the release that brought it."""
    known = catalogue("comms")
    bound = {name: made for name, made in binding_module._bindings.items() if name != "comms"}
    monkeypatch.setattr(binding_module, "_bindings", bound)
    monkeypatch.setitem(sys.modules, known.module, None)  # as Python remembers that it is not there
    assert "comms" not in {made.catalogue.name for made in loaded()}
    with pytest.raises(dynconf.UnknownFlagError, match="reorder_iterative_group_with_collectives"):
        dynconf.comms.patch(reorder_iterative_group_with_collectives=True)
    with dynconf.patch(comms={}):
        assert dynconf.comms.snapshot() == {}


@pytest.mark.known_shape
def test_aliases_keep_their_module():
    """A name that torch forwards is found in the module that it is forwarded to."""
    made = bind()
    for name, target in made.view.aliases.items():
        assert made.alias_of(name) == target
        assert made.slot(name) is made.slot(target)
    made = bind("functorch")
    storage = made.storage
    entry = types.SimpleNamespace(alias="torch._dynamo.config.verbose")
    kept, storage.records = storage.records, {**storage.records, "loud": entry}
    try:
        assert made.alias_of("loud") == "verbose"
        assert made.slot("loud") is bind().slot("verbose")
    finally:
        storage.records = kept
        made.slots.pop("loud", None)


@both_modules
@given(data=st.data())
def test_reading_has_no_side_effects_and_agrees_with_torch(module, data):
    """A snapshot has the values of get_config_copy, whatever is set, and leaves every override as it is."""
    settings = data.draw(
        st.lists(st.sampled_from(patchable(module)), max_size=4, unique_by=lambda each: each.name)
    )
    one = patch_of_anything({each.qualified: data.draw(values(each.type)) for each in settings})
    other = patch_of_anything({each.qualified: data.draw(values(each.type)) for each in settings[:2]})
    made = bind(module)
    with one, other:
        before = RawState(module)
        found, origins = snapshot_values(module)
        assert RawState(module) == before
        whole = config(module).get_config_copy()
        assert whole.keys() - {"TYPE_CHECKING"} == {name for name in found if not made.alias_of(name)}
        for name in whole.keys() & found.keys():
            assert (type(found[name]), found[name]) == (type(whole[name]), whole[name])
            assert origins[name].kind != "assignment" or made.slot(name).copy_value
    dynconf.reset()


def test_a_snapshot_has_what_is_set_in_other_modules():
    """Flags of functorch are there by their full names, if something sets them; all of them on their own."""
    assert not any("." in name for name in snapshot_values()[0])
    with dynconf.patch(functorch={"cse": False}):
        config("functorch").debug_assert = True
        found, origins = snapshot_values()
        here = {name: found[name] for name in found if "." in name}
        assert here == {"functorch.cse": False, "functorch.debug_assert": True}
        assert [origins[name].kind for name in here] == ["patch", "assignment"]
        own, _ = snapshot_values("functorch")
        assert own["cse"] is False
        assert sorted(own) == sorted(bind("functorch").names())


def test_a_snapshot_has_what_is_installed_in_other_modules():
    """In every thread, from the first installation of the flag on and until it is uninstalled."""
    told = lambda: {name for name in snapshot_values()[0] if "." in name}  # noqa: E731
    assert told() == set()
    with dynconf.inductor.install(size_asserts=not bind("inductor").slot("size_asserts").read()):
        assert told() == result_in_thread(told) == {"inductor.size_asserts"}
        with dynconf.install(inductor={"triton.cudagraphs": True}):
            assert told() == result_in_thread(told) == {"inductor.size_asserts", NESTED}
    assert told() == result_in_thread(told) == set()


def test_no_write_binds_a_module_while_torch_is_being_imported(monkeypatch):
    """Binding would import, and wait for whoever imports, who may be waiting for the write."""
    module = config()
    monkeypatch.setattr(binding_module, "_bindings", {})
    monkeypatch.setattr(binding_module, "is_being_imported", lambda part: part is sys.modules["torch"])
    assert live_slot(module, LIMIT) is None
    assert binding_module._bindings == {}
    monkeypatch.undo()
    assert live_slot(module, LIMIT) is bind().slot(LIMIT)


# -- implications -----------------------------------------------------------------------------------------

IMPLYING = """
from torch.utils._config_module import Config, install_config_module
verbose: bool = Config(default=False, implies={True: {"recompile_limit": 99}})
recompile_limit: int = 8
specialize_int: bool = Config(default=False, implies={True: {"recompile_limit": 98}})
import sys
install_config_module(sys.modules[__name__])
"""


@pytest.fixture
def implying(monkeypatch, tmp_path):
    """Return the binding to a module in which one flag implies another, as from torch 2.15 on."""
    from torch.utils import _config_module

    if not hasattr(_config_module, "_install_implications"):
        pytest.skip("torch knows implications from 2.15 on")
    return bound_in_place_of_dynamo(monkeypatch, executed(IMPLYING, tmp_path))


def test_implications_are_no_reason_to_mistrust_a_newer_torch(implying):
    """The check of a shape tries flags that take any object, which those that imply others do not."""
    assert binding_module.known_storage(implying.module, Release("2.99", "named")).level == "checked"


def test_implications_are_an_origin(implying):
    """What another flag implies is read as such, and dynconf says that a value it overrules has no effect."""
    module = implying.module
    assert dynconf.origin("recompile_limit").kind == "default"
    with dynconf.patch(verbose=True):
        assert module.recompile_limit == 99
        assert implying.slot("recompile_limit").read() == 99
        assert snapshot_values()[0]["recompile_limit"] == 99
        assert dynconf.origin("recompile_limit") == Origin("implication", "verbose")
        with pytest.warns(ForcedFlagWarning, match="recompile_limit: 7 has no effect: the flag verbose"):
            beaten = dynconf.patch(recompile_limit=7)
        with beaten:
            assert module.recompile_limit == 99
        dynconf.patch(recompile_limit=99)
    with beaten:
        assert module.recompile_limit == 7
    assert module.recompile_limit == 8
    assert snapshot_values()[1]["recompile_limit"].kind == "default"


def test_implications_that_contradict_each_other_are_refused(implying):
    """Entering or installing what torch itself would refuse to have assigned leaves everything as it was."""
    module = implying.module
    one, two = dynconf.patch(specialize_int=True), dynconf.patch(specialize_int=True, verbose=True)
    with dynconf.patch(verbose=True):
        with pytest.raises(
            dynconf.ConflictError, match="conflicting config implications for recompile_limit"
        ):
            one.__enter__()
        assert (module.specialize_int, module.recompile_limit) == (False, 99)
    with pytest.raises(dynconf.ConflictError):
        two.__enter__()
    slot = implying.slot("specialize_int")
    installation = Installation({slot: SettingValue(True, Origin("install"))}, caller())
    with dynconf.patch(verbose=True), pytest.raises(dynconf.ConflictError):
        installation.install()
    with installation:
        assert module.recompile_limit == 98
    assert (module.specialize_int, module.verbose, module.recompile_limit) == (False, False, 8)
    assert not in_force()


# -- what torch caches ------------------------------------------------------------------------------------


def test_hashes_and_dicts_follow_patches():
    """Torch caches both; entering and leaving tell it, in any order."""
    flags = ["specialize_int", "assume_static_by_default"]
    clean = config().get_hash(), config().get_config_copy()
    one, two = (dynconf.patch({flag: not torch_reads(flag)}) for flag in flags)
    seen = [config().get_hash()]
    one.__enter__()
    seen.append(config().get_hash())
    two.__enter__()
    seen.append(config().get_hash())
    one.__exit__(None, None, None)
    seen.append(config().get_hash())
    assert config().get_config_copy()[flags[1]] is torch_reads(flags[1])
    two.__exit__(None, None, None)
    assert len(set(seen)) == 4
    assert (config().get_hash(), config().get_config_copy()) == clean


def test_a_member_of_an_enum_of_texts_is_a_name():
    """Whether somebody has asked for the flag before or not; its ``str`` is another text."""
    flag = Enum("Flag", {"A": "verify_correctness", "B": "max_fusion_size"}, type=str)
    assert Binding(bind().module, catalogue("dynamo")).slot(flag.A).name == "verify_correctness"
    assert dynconf.origin(flag.A).kind == "default"
    assert dynconf.FLAGS[flag.A].name == "verify_correctness"
    assert flag.A in dynconf.FLAGS
    assert dynconf.inductor.options({flag.B: 4}) == {"max_fusion_size": 4}
