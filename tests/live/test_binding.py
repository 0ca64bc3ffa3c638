"""Binding by capability: the insides that torch has had, an unknown one, implications, and reading it all."""

import copy
import threading
import types
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_state import LIVE, RawState, config, torch_reads, executed, result_in_thread, PER_CONTEXT, patchable, dynconf_warnings_ignored
from strategies import values

import dynconf
from dynconf.live import binding as binding_module
from dynconf.live import install as install_module
from dynconf.live import patch as patch_module
from dynconf.live.binding import Binding, live
from dynconf.live.install import reset
from dynconf.live.origin import origin_in
from dynconf.live.snapshot import snapshot_of


def test_the_inside_is_told_by_what_it_can_do():
    """What decides is the module itself; the release only confirms it here."""
    made = bind()
    assert made.per_context is (made.minor >= (2, 12))
    assert (made.slot("verbose").entry.__class__.__name__ == "_ConfigEntry") is (made.minor >= (2, 6))
    assert made.unset is not None
    assert bind() is made


def test_the_binding_is_one_for_all_threads():
    """Threads that come first together get the same."""
    from dynconf.live.binding import _bound

    live.cache_clear()
    kept = _bound()
    found = [result_in_thread(live) for _ in range(4)]
    assert all(each is kept for each in found)


def test_names_are_flags():
    """Each name of the module is there, and nothing that is no flag."""
    assert "TYPE_CHECKING" not in bind().names()
    assert {"verbose", "recompile_limit" if bind().release.minor >= (2, 7) else "cache_size_limit"} <= set(
        bind().names()
    )
    assert bind().uncatalogued() == frozenset()
    assert repr(bind().slot("verbose")) == "Slot('verbose')"


@given(st.data())
def test_reading_has_no_side_effects_and_agrees_with_torch(data):
    """A snapshot has the values of get_config_copy, whatever is set, and leaves every override as it is."""
    flags = data.draw(st.lists(st.sampled_from(patchable()), max_size=4, unique_by=lambda flag: flag.name))
    with dynconf_warnings_ignored():
        one = dynconf.patch({flag.name: data.draw(values(flag.type)) for flag in flags})
        other = dynconf.patch({flag.name: data.draw(values(flag.type)) for flag in flags[:2]})
    with one, other:
        before = RawState()
        taken = dynconf.snapshot()
        assert RawState() == before
        whole = config().get_config_copy()
        assert {name for name in whole if name != "TYPE_CHECKING"} == {
            name for name in taken.values if not bind().alias_of(name)
        }
        for name, value in taken.values.items():
            if not bind().alias_of(name):
                assert (type(value), value) == (type(whole[name]), whole[name])
                assert taken.origins[name].kind != "assignment" or bind().slot(name).fresh
    dynconf.reset()


def test_values_of_a_snapshot_are_its_own():
    """Changing them in place changes nothing in the module."""
    taken = dynconf.snapshot()
    before = RawState()
    for value in taken.values.values():
        if isinstance(value, (set, dict, list)):
            value.clear()
    assert RawState() == before
    assert dynconf.snapshot().values[
        "nontraceable_tensor_subclasses" if bind().release.minor >= (2, 8) else "verbose"
    ] in (
        set(),
        False,
    )


# -- an inside that nobody knows --------------------------------------------------------------------------


class Public:
    """A config module of a future torch that has nothing but attributes."""

    def __init__(self, storage):
        object.__setattr__(self, "storage", storage)

    def __getattr__(self, name):
        try:
            return vars(self.storage)[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        if name not in vars(self.storage):
            raise AttributeError(name)
        vars(self.storage)[name] = value

    def get_config_copy(self):
        return copy.deepcopy(vars(self.storage))


class Local(threading.local):
    """What each thread has for itself."""

    def __init__(self):
        vars(self).update(
            verbose=False,
            recompile_limit=8,
            repro_tolerance=1e-3,
            brand_new=1,
            traceable_tensor_subclasses={dict},
        )


@pytest.fixture(params=["process", "thread"])
def unknown(request, monkeypatch):
    """Return the binding to such a module, whose values are the process's or the thread's."""
    local = Local()
    storage = local if request.param == "thread" else types.SimpleNamespace(**vars(local))
    module = types.ModuleType("torch._dynamo.config_of_another_age")
    module.__class__ = type("Future", (types.ModuleType,), {
        "__getattr__": lambda _, name: Public.__getattr__(Public(storage), name),
        "__setattr__": lambda _, name, value: Public.__setattr__(Public(storage), name, value),
        "get_config_copy": lambda _: copy.deepcopy(vars(storage)),
    })  # fmt: skip
    kept = vars(storage)["repro_tolerance"]
    made = Binding(module)
    assert vars(storage)["repro_tolerance"] is kept
    assert made.per_context is (request.param == "thread")
    for home in (binding_module, patch_module, install_module):
        monkeypatch.setattr(home, "live", lambda: made)
    return made


def test_an_unknown_inside_is_used_through_its_attributes(unknown):
    """Patches, in any order, reading, origins and resetting work; only unset is not told from the default."""
    module = unknown.module
    given_ = module.traceable_tensor_subclasses
    with dynconf_warnings_ignored():
        one = dynconf.patch(verbose=True, cache_size_limit=3, brand_new=2, traceable_tensor_subclasses={int})
        two = dynconf.patch(recompile_limit=4)
    one.__enter__()
    two.__enter__()
    module.traceable_tensor_subclasses.add(str)
    assert (module.verbose, module.recompile_limit, module.brand_new) == (True, 4, 2)
    assert origin_in(unknown, "recompile_limit").kind == "patch"
    one.__exit__(None, None, None)
    assert (module.verbose, module.recompile_limit) == (False, 4)
    two.__exit__(None, None, None)
    assert module.recompile_limit == 8
    assert module.traceable_tensor_subclasses is given_
    assert given_ == {dict}
    module.recompile_limit = 5
    assert origin_in(unknown, "recompile_limit").kind == "assignment"
    assert origin_in(unknown, "verbose").kind == "default"
    taken = snapshot_of(unknown)
    assert taken.values["recompile_limit"] == 5
    assert taken.values["brand_new"] == 1
    with pytest.raises(dynconf.UnknownFlagError):
        dynconf.patch(no_such_flag=1)
    with pytest.raises(dynconf.InvalidValueError):
        dynconf.patch(brand_new="x")
    reset("recompile_limit")
    assert module.recompile_limit == 8


def test_an_unknown_inside_in_threads(unknown):
    """Patches of several threads come to their ends, whoever the values belong to."""
    module = unknown.module
    with dynconf.patch(recompile_limit=3):

        def work():
            with dynconf.patch(recompile_limit=4):
                return module.recompile_limit

        assert result_in_thread(work) == 4
        assert module.recompile_limit == 3
    assert module.recompile_limit == 8


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
    made = Binding(executed(IMPLYING, tmp_path))
    for home in (binding_module, patch_module):
        monkeypatch.setattr(home, "live", lambda: made)
    return made


def test_implications_are_an_origin(implying):
    """What another flag implies is read as such, and a value that it beats is said to have no effect."""
    module = implying.module
    assert origin_in(implying, "recompile_limit").kind == "default"
    with dynconf.patch(verbose=True):
        assert module.recompile_limit == 99
        assert implying.read(implying.slot("recompile_limit")) == 99
        assert snapshot_of(implying).values["recompile_limit"] == 99
        assert origin_in(implying, "recompile_limit") == dynconf.Origin("implication", "verbose")
        with pytest.warns(
            dynconf.ForcedFlagWarning, match="recompile_limit: 7 has no effect: the flag verbose"
        ):
            beaten = dynconf.patch(recompile_limit=7)
        with beaten:
            assert module.recompile_limit == 99
        dynconf.patch(recompile_limit=99)
    with beaten:
        assert module.recompile_limit == 7
    assert module.recompile_limit == 8
    assert snapshot_of(implying).origins["recompile_limit"].kind == "default"


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
    installation = install_module.Installation(
        implying, {slot: True}, {slot.name: dynconf.Origin("install")}, "process"
    )
    with dynconf.patch(verbose=True), pytest.raises(dynconf.ConflictError):
        installation.put_in_force()
    with installation:
        assert module.recompile_limit == 98
    assert (module.specialize_int, module.verbose, module.recompile_limit) == (False, False, 8)
    assert implying.stack.get() is None


# -- what torch keeps in mind -----------------------------------------------------------------------------


def test_hashes_and_dicts_follow_patches():
    """Torch caches both; entering and leaving tell it, in any order."""
    flags = [flag.name for flag in patchable() if flag.name in ("specialize_int", "assume_static_by_default")]
    clean = config().get_hash(), config().get_config_copy()
    one, two = (
        dynconf.patch({flags[0]: not torch_reads(flags[0])}),
        dynconf.patch({flags[1]: not torch_reads(flags[1])}),
    )
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


def test_only_the_binding_knows_private_names():
    """No other module of the live layer touches what torch keeps to itself."""
    private = (
        "user_override",
        "env_value_",
        "_hash_dirty",
        "_get_dict_",
        "_is_dirty",
        "_UNSET_SENTINEL",
        ".hide",
    )
    sources = {path: path.read_text(encoding="utf-8") for path in Path(LIVE).glob("*.py")}
    assert Path(binding_module.__file__) in sources
    found = {path.name for path, source in sources.items() for word in private if word in source}
    assert found == {"binding.py"}


def test_process_overrides_are_what_they_were_before_212():
    """Before 2.12 what one thread patches every thread sees, as with torch's own patch; from then on not."""
    with dynconf.patch(verify_correctness=True):
        assert result_in_thread(lambda: config().verify_correctness) is not PER_CONTEXT
