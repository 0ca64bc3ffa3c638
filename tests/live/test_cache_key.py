"""What torch derives from a whole config module: the keys of its caches, its hash, and what it saves.

A patch or an installation that torch does not notice would have it run code that was compiled for other
values. So each flag of each config module is set in three ways, which must be the same to torch. What torch
leaves out of a key stays out of it.
"""

import contextlib
import inspect
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from live_state import accepted_values, bind, config, dynconf_warnings_ignored, result_in_thread

import dynconf
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.modules import MODULES
from dynconf.live.install import install_state
from dynconf.provenance import Origin, caller
from dynconf.state import SettingValue, State

OLD = "readonly_values" not in inspect.signature(config().save_config_portable).parameters


def derived(module):
    """Return all that torch derives from the module, with torch's own caches in use."""
    live = config(module)
    ways = {
        "hash": live.get_hash,
        # The bytes differ where two values are one object.
        "saved": lambda: pickle.loads(live.save_config()),  # noqa: S301  written here
        "cache key": lambda: live.save_config_portable(ignore_private_configs=False, readonly_values=True),
        "older cache key": getattr(live, "save_config_portable", dict) if OLD else dict,
    }
    told = {}
    for way, work in ways.items():
        with contextlib.suppress(KeyError, TypeError):  # some releases have no such way, or fail at it
            told[way] = work()
    return told


def another_value(slot):
    """Return a value that the flag accepts and does not have; a few accept only one."""
    now = slot.read()
    return next((value for value in accepted_values(slot) if not is_same_value(value, now)), now)


def flags_of(module):
    """Return the slots of the module's flags that can be set to something else."""
    return [slot for slot in bind(module).flags() if slot.name in bind(module).view.settings]


@contextlib.contextmanager
def assigned(values):
    """Assign to torch's own attributes, as a program does; put the very objects back that were there."""
    before = {slot: slot.stored() for slot in values}
    for slot, value in values.items():
        live = target = slot.storage.module
        *path, name = slot.name.split(".")
        for part in path:
            target = getattr(target, part)
        setattr(target, name, value)
        if "_default" in vars(live):
            live._is_dirty = True  # torch 2.4 and 2.5 forget it
    yield
    for slot, found in before.items():
        slot.store(found)
        slot.storage.mark_changed([slot])


def skip_without(module):
    """Skip the test where the release has no such module."""
    if not flags_of(module):
        pytest.skip("the release has no such module")


every_module = pytest.mark.parametrize("module", MODULES)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@every_module
def test_a_patch_is_to_torch_what_an_assignment_is(module):
    """It gives torch the keys and the hash of the assigned value, and leaving it those of before."""
    skip_without(module)
    clean = derived(module)
    noticed = 0
    for slot in flags_of(module):
        value = another_value(slot)
        with assigned({slot: value}):
            wanted = derived(module)
        noticed += wanted != clean
        with dynconf_warnings_ignored(), dynconf.patch({slot.setting.qualified: value}):
            assert derived(module) == wanted, slot
        assert derived(module) == clean, slot
    assert noticed


@pytest.mark.filterwarnings("ignore::FutureWarning")
@every_module
def test_an_installation_is_to_torch_what_an_assignment_is(module):
    """In every thread, also one that has keys and a hash already; and so is taking it back."""
    skip_without(module)
    chosen = flags_of(module)
    with ThreadPoolExecutor(1) as pool:
        told = lambda: (derived(module), pool.submit(derived, module).result())  # noqa: E731
        clean = derived(module)
        for start in range(0, len(chosen), 25):
            values = {slot: another_value(slot) for slot in chosen[start : start + 25]}
            with assigned(values):
                wanted = derived(module)
            assert told() == (clean, clean)
            origin, release = Origin("install"), next(iter(values)).setting.release
            settings = {slot.setting: SettingValue(value, origin) for slot, value in values.items()}
            with dynconf_warnings_ignored(), install_state(State(release, settings), caller()):
                assert told() == (wanted, wanted), values
            assert told() == (clean, clean), values


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")
def test_compiled_code_is_found_again_only_under_the_same_flags(monkeypatch, tmp_path):
    """With real compilations and torch's caches on disk: another value misses, the same value hits."""
    import torch
    from torch._dynamo.utils import counters

    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    argument = torch.ones(8, 8)

    def compiled(way=contextlib.nullcontext):
        """Compile under what *way* sets; return what was found of inductor's and of functorch's code."""
        torch._dynamo.reset()
        counters.clear()
        with way():
            torch.compile(lambda value: value @ value)(argument)  # one kernel of ATen's: no C++ to compile
        return counters["inductor"]["fxgraph_cache_hit"], counters["aot_autograd"]["autograd_cache_hit"]

    inductor, functorch = dynconf.inductor, dynconf.functorch
    # Older releases have one cache or both off by default; torch 2.4 has none of functorch's code.
    cached = "enable_autograd_cache" in bind("functorch").view.settings
    hit = (1, int(cached))
    with (
        inductor.install(fx_graph_cache=True),
        functorch.install(**{"enable_autograd_cache": True} if cached else {}),
    ):
        assert compiled() == (0, 0)
        assert compiled() == hit
        assert compiled(lambda: inductor.patch(epilogue_fusion=False)) == (0, 0)
        assert compiled(lambda: inductor.patch(epilogue_fusion=False)) == hit
        assert compiled(lambda: inductor.install(epilogue_fusion=False)) == hit
        assert compiled(lambda: assigned({bind("inductor").slot("epilogue_fusion"): False})) == hit
        assert compiled(lambda: inductor.install({"cpp.simdlen": 1})) == (0, 0)
        assert compiled(lambda: inductor.patch({"cpp.simdlen": 1})) == hit
        assert compiled(lambda: inductor.patch(compile_threads=1)) == hit, "torch leaves it out of the key"
        assert compiled(lambda: functorch.patch(cse=False))[1] == 0
        assert compiled(lambda: functorch.install(cse=False)) == hit
        with inductor.install({"cpp.simdlen": 1}):
            assert result_in_thread(compiled) == hit
            assert result_in_thread(lambda: compiled(lambda: inductor.patch({"cpp.simdlen": 2}))) == (0, 0)
        assert result_in_thread(compiled) == compiled() == hit
    torch._dynamo.reset()


@pytest.mark.real_torch
@pytest.mark.catalogued  # a newer torch may leave more out of the key
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_the_key_has_what_is_said_of_it(monkeypatch):
    """Another value of a flag makes another key exactly if that is said; so does another uuid."""
    import torch
    from torch._inductor.codecache import FxGraphCachePickler, FxGraphHashDetails, compiled_fx_graph_hash
    from torch._subclasses import FakeTensorMode

    if OLD:
        pytest.skip("the key is made of values that are read for it")
    # They are for torch's log, and take two thirds of the time.
    monkeypatch.setattr(FxGraphCachePickler, "debug_lines", lambda *_: [], raising=False)
    argument = FakeTensorMode().from_tensor(torch.ones(2))
    graph = torch.fx.symbolic_trace(lambda value: -value)

    def key():
        return compiled_fx_graph_hash(graph, [argument], {}, [])[0]

    clean, told, found = key(), {}, {}
    modules = [module for module in MODULES if module != "fx"]  # one of its flags changes the graph
    for slot in (slot for module in modules for slot in flags_of(module)):
        told[slot.setting.qualified] = part = slot.setting.in_cache_key
        value = another_value(slot)
        if part != "its uuid()" and not is_same_value(value, slot.read()):
            with assigned({slot: value}), contextlib.suppress(AssertionError):  # len is no partitioner
                found[slot.setting.qualified] = key() != clean
    assert found == {name: told[name] not in ("", "nothing") for name in found}
    source = inspect.getsource(FxGraphHashDetails.__init__)
    uuids = {name.partition(".")[2] for name, part in told.items() if part == "its uuid()"}
    # From torch 2.15 on a function writes them into the key.
    factories = getattr(config("inductor"), "_cache_config_factory_keys", ["inductor_choices_class"])
    left_out = told.keys() - {f"inductor.{name}" for name in derived("inductor")["cache key"]}
    passes = {name for name in left_out if name.startswith("inductor.") and "_pass" in name}
    assert {name.partition(".")[2] for name in passes if f"config.{name[9:]}" in source} | {
        *factories
    } == uuids
    assert told["inductor.rocm.arch"] == "the value that was assigned"
    architectures = config("inductor").rocm.arch
    architectures.append("gfx1")
    try:
        assert derived("inductor")["cache key"]["rocm.arch"] == []
    finally:
        architectures.clear()
