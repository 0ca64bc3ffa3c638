"""Tools for the tests of `dynconf.live`: torch's own config module, its raw state, and interruptions."""

import contextlib
import copy
import dis
import functools
import importlib.util
import itertools
import linecache
import operator
import os
import pickle
import signal
import sys
import threading
import unittest.mock
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest

import dynconf
from dynconf.catalogue import names
from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import Mismatch, Opaque
from dynconf.catalogue.modules import catalogue
from dynconf.live import binding as binding_module
from dynconf.live.binding import Binding, bind
from dynconf.live.in_force import state_in_force
from dynconf.live.patch import Patch
from dynconf.live.torch.lock import locked
from dynconf.live.torch.slot import Slot
from dynconf.provenance import Origin

LIVE = str(Path(dynconf.__file__).parent / "live")
WAITING = str(Path(dynconf.__file__).parent / "live" / "after_import.py")
LIMIT = bind().slot("recompile_limit").name
"""The name of ``recompile_limit`` in this release: up to torch 2.6 it is ``cache_size_limit``."""
A_SET = "traceable_tensor_subclasses"
"""A flag of every release whose values can be changed in place."""
NESTED = "inductor.triton.cudagraphs"
"""A flag of every release in a nested class of a config module, False by default."""

both_modules = pytest.mark.parametrize("module", ["dynamo", "inductor"])
"""For laws that are tested on the flags of the two big modules."""

PER_CONTEXT = bind().storage.per_context
"""Whether overrides belong to a thread or task, as from torch 2.12 on, and not to the process."""
only_per_context = pytest.mark.skipif(not PER_CONTEXT, reason="overrides belong to the process here")

CANDIDATES = (
    *(True, False, 1, 0, 2, 0.5, "max", None, "a.b", "0:eager", "0:a=1", len),
    *((), ("a",), [], ["a"], [1], [len], {}, {"a": "b"}, {int}, {"a"}),
)

DELETED = object()
UNCHANGEABLE = frozenset([object, type(None), bool, int, float, str, type, FunctionType])
"""Types of immutable values; they are not copied and compared."""
_PAIRED = {
    *("suppress_errors", "fail_on_recompile_limit_hit", "optimize_ddp", "compiled_autograd"),
    *("aot_inductor.force_mmap_weights", "numerics"),
}
"""Flags that torch rejects in some pairs, or that decide over others; they have tests of their own."""


def config(module: str = "dynamo") -> Any:
    """Return ``torch._dynamo.config``, or another config module, or a test's replacement for it."""
    return bind(module).module


def place(name: str) -> tuple[Any, str]:
    """Return the object and the attribute that a program names: those of ``triton.cudagraphs``."""
    module, bare = names.split(name, "dynamo")
    *path, attribute = bare.split(".")
    return functools.reduce(getattr, path, config(module)), attribute


def torch_reads(name: str) -> Any:
    """Return the value that torch itself reads for the flag, deprecated or not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return getattr(*place(name))


def limit(*_: object) -> Any:
    """Return the `LIMIT` that torch reads where this runs."""
    return torch_reads(LIMIT)


def is_on() -> bool:
    """Tell whether ``verify_correctness`` is on where this runs."""
    return bool(config().verify_correctness)


def default_of(name: str) -> Any:
    """Return torch's default of the flag, whatever is set."""
    return bind().slot(name).default()


def accepted_values(slot: Slot) -> Iterator[Any]:
    """Return values that the flag accepts: for nearly every flag one that it does not have is among them."""
    kind = slot.setting.type
    for value in (*CANDIDATES, *kind.choices, *getattr(kind, "options", ())):
        with contextlib.suppress(Mismatch):
            yield slot.check(value)


def snapshot_values(module: str = "dynamo") -> tuple[dict[str, Any], dict[str, Origin]]:
    """Return the values of the state in force and their origins, by the names of the release."""
    state = state_in_force((module,), with_others=module == "dynamo")
    named = {
        setting.name if setting.module == module else setting.qualified: each
        for setting, each in state.items()
    }
    return (
        {name: each.value for name, each in named.items()},
        {name: each.origin for name, each in named.items()},
    )


def in_force() -> list[object]:
    """Return the patches and installations that are entered here, the highest first."""
    return [frame.change for frame in bind().chain.frames()]


def patchable(module: str = "dynamo") -> list[Setting]:
    """Return every flag that a patch can set to any value of its type, no-op ones included."""
    settings = known(module)
    return [each for each in settings if not isinstance(each.type, Opaque) and each.key not in _PAIRED]


def known(module: str = "dynamo") -> list[Setting]:
    """Return the flags of the catalogue that torch has; all, unless it is newer than the catalogue."""
    binding = bind(module)
    settings = binding.view.settings.values()
    return [each for each in settings if each.name in binding.names() and not binding.alias_of(each.name)]


class RawState:
    """The raw overrides of every flag, to the bit: the same objects, with the same content, hidden or not."""

    def __init__(self, module: str = "dynamo") -> None:
        self._binding = bind(module)
        self.raw = {name: self._read(name) for name in self._binding.names()}
        self.content = {
            name: copy.deepcopy([part for part in raw if type(part) not in UNCHANGEABLE])
            for name, raw in self.raw.items()
            if raw[:1] != (DELETED,) and not UNCHANGEABLE.issuperset(map(type, raw))
        }
        # At the generic level a container that equals the default counts as none: its value is all there is.
        by_value = [name for name, raw in self.raw.items() if not raw]
        self.content |= {name: copy.deepcopy(self._binding.slot(name).read()) for name in by_value}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RawState) and not self.differing(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        no_override = [(), (DELETED,), (self._binding.storage.unset,)]
        return f"RawState({ {name: raw for name, raw in self.raw.items() if raw[:1] not in no_override} })"

    def differing(self, other: "RawState") -> list[str]:
        """Return the flags that differ."""
        return [
            name
            for name, raw in self.raw.items()
            if not all(map(operator.is_, raw, other.raw[name]))
            or self.content.get(name) != other.content.get(name)
        ]

    def _read(self, name: str) -> tuple[Any, ...]:
        inside = vars(self._binding.module)
        if "_default" in inside:
            raw, shown = self._binding.slot(name).stored(), inside["_config"].get(name, DELETED)
            return DELETED if raw is self._binding.storage.unset else raw, shown
        entry = inside["_config"][name]
        if self._binding.storage.alias_of(name):
            return (None, entry.env_value_default, entry.hide)
        slot = self._binding.slot(name)
        if slot.storage.level == "generic" and not slot.default_is_constant:
            return ()
        return slot.stored(), slot.seen_by_torch(), entry.env_value_default, entry.hide


def raw() -> tuple[RawState, Any]:
    """Return the raw state of Dynamo's flags, and of `NESTED`."""
    return RawState(), bind().slot(NESTED).stored()


@contextmanager
def dynconf_warnings_ignored() -> Iterator[None]:
    """Ignore the warnings of dynconf: any flag and any value may be drawn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dynconf.DynconfWarning)
        yield


def patch_of_anything(flags: dict[str, Any] | None = None, /, **more: Any) -> Patch:
    """Return a patch of any flags with any values, whatever dynconf warns of."""
    with dynconf_warnings_ignored():
        return dynconf.patch({**(flags or {}), **more})


def result_in_thread(work: Callable[[], Any]) -> Any:
    """Run *work* in a thread of its own, which starts with an empty context; return or raise its result."""
    box: list[Any] = []

    def run() -> None:
        try:
            box.append(work())
        except BaseException as error:  # noqa: BLE001  raised again in the thread that asked
            box.extend([None, error])

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    assert box, "the thread hangs"
    if len(box) > 1:
        raise box[1]
    return box[0]


@contextmanager
def threads_switching_often() -> Iterator[None]:
    """Have threads take turns as often as possible."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def lock_is_free() -> bool:
    """Tell whether another thread could change the state of the process."""

    def take() -> bool:
        taken = locked.lock.acquire(timeout=1)
        if taken:
            locked.lock.release()
        return taken

    return repr(locked.lock).startswith("<unlocked") or bool(result_in_thread(take))


def interrupted_at_each_line(
    work: Callable[[], Any], error: type[BaseException], *, unit: str = "line"
) -> Iterator[int]:
    """Run *work* again and again, raising *error* at its first line in `dynconf.live`, its second, and so on.

    With ``unit="opcode"`` it is each instruction where Python looks for signals, before and after, and after
    those that take and release the lock. Yields after each run that was interrupted; ends after the
    first that was not.
    """

    def interrupt() -> None:
        raise error

    for number in itertools.count(1):
        with contextlib.suppress(error):
            if not _with_action_at(number, work, interrupt, unit, before=True):
                return
        yield number


def changed_at_each_instruction(
    work: Callable[[], Any], change: Callable[[], Any], *, unit: str = "opcode"
) -> Iterator[int]:
    """Run *work* again and again, with *change* where Python first looks for signals, and so on.

    So does the handler of a signal that returns, and from Python 3.12 on the garbage collector. With
    ``unit="line"`` it is each line, which is enough for a change by another thread. Yields after each run;
    ends after the first in which *change* was not called.
    """
    for number in itertools.count(1):
        if not _with_action_at(number, work, change, unit, before=False):
            return
        yield number


def _with_action_at(
    number: int, work: Callable[[], Any], action: Callable[[], Any], unit: str, *, before: bool
) -> bool:
    """Run *work* with *action* at that line or instruction; tell whether it came so far."""
    left = number

    def count(is_point: bool) -> None:  # noqa: FBT001
        nonlocal left
        left -= is_point
        if is_point and left == 0:
            action()

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if not _is_ours(frame):
            return None
        frame.f_trace_opcodes = unit == "opcode"
        if event == "opcode":
            count(frame.f_lasti in _points(frame.f_code, before=before))
        else:
            count(event == unit or (event == "call" and unit == "opcode" and _is_ours(frame.f_back)))
        return trace

    def profile(frame: FrameType, event: str, _: object) -> None:
        # Why not trace the next instruction? A signal is raised where the call is, not behind it.
        if event == "c_return":
            is_for_lock = frame.f_code.co_filename == contextlib.__file__ and _is_ours(frame.f_back)
            count(is_for_lock or _is_ours(frame))

    tracer, profiler = sys.gettrace(), sys.getprofile()
    if before and unit == "opcode":
        sys.setprofile(profile)
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(tracer)
        sys.setprofile(profiler)
    return left <= 0


def _is_ours(frame: FrameType | None) -> bool:
    # Not what waits for an import: an interrupted run leaves an action there, and the next has more lines.
    return (
        frame is not None
        and frame.f_code.co_filename.startswith(LIVE)
        and frame.f_code.co_filename != WAITING
    )


@functools.cache
def _points(code: CodeType, *, before: bool) -> set[int]:
    """Return the offsets of the instructions where Python looks for signals, or of those after them."""
    steps = list(dis.get_instructions(code))
    jumps = {
        each.offset for each in steps if "JUMP_BACKWARD" in each.opname or "JUMP_ABSOLUTE" in each.opname
    }
    calls = {each.offset for each in steps if each.opname.startswith("CALL")}
    after = {later.offset for each, later in itertools.pairwise(steps) if each.offset in calls}
    return jumps | (calls if before else after)


def executed(source: str, folder: Path) -> ModuleType:
    """Execute the source of a config module under a name of its own."""
    name = "torch._dynamo.config_written_by_a_test"
    path = folder / "config.py"
    path.write_text(source, encoding="utf-8")
    linecache.checkcache(str(path))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    return module


def bound_in_place_of_dynamo(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> Binding:
    """Have all of dynconf use *module* as ``torch._dynamo.config``; return its binding."""
    made = Binding(module, catalogue("dynamo"))
    monkeypatch.setitem(binding_module._bindings, "dynamo", made)
    return made


OLDER_MONKEYPATCH = """
class MonkeyPatch:
    def __init__(self):
        self._setattr = []

    def setattr(self, target, name, value):
        oldval = getattr(target, name)
        self._setattr.append((target, name, oldval))
        setattr(target, name, value)

    def delattr(self, target, name):
        oldval = getattr(target, name)
        self._setattr.append((target, name, oldval))
        delattr(target, name)

    def undo(self):
        for target, name, value in reversed(self._setattr):
            setattr(target, name, value)
        self._setattr.clear()
"""
"""pytest's, as it was up to 9.1: it notes first and then sets; and it assigns when it undoes."""


def older_monkeypatch() -> Any:
    """Return a monkeypatch of older pytests."""
    space: dict[str, Any] = {"__name__": "_pytest.monkeypatch"}
    exec(OLDER_MONKEYPATCH, space)  # noqa: S102
    return space["MonkeyPatch"]()


def torchs(value: object, name: str = LIMIT) -> Any:
    """Return torch's own patch of the flag."""
    slot = bind().slot(name)
    return slot.storage.module.patch({slot.name: value})


def mocked(value: object, name: str = LIMIT) -> Any:
    """Return unittest.mock's, which deletes the attribute and sets it again."""
    return unittest.mock.patch.object(*place(name), value)


@contextmanager
def closure(value: object, name: str = LIMIT) -> Iterator[None]:
    """Enter what torch itself uses where every microsecond counts."""
    slot = bind().slot(name)
    revert = slot.storage.module._make_closure_patcher(**{slot.name: value})()
    try:
        yield
    finally:
        revert()


@contextmanager
def monkeypatched(value: int, make: Callable[[], Any] = older_monkeypatch) -> Iterator[None]:
    """Set the limit by a monkeypatch."""
    made = make()
    made.setattr(config(), LIMIT, value)
    try:
        yield
    finally:
        made.undo()


def saved() -> Any:
    """Return the values that torch saves; 2.4 and 2.5 fail if they are to leave out what is not there."""
    try:
        # The bytes differ where two values are one object.
        return pickle.loads(config().save_config())  # noqa: S301  written here
    except KeyError:
        return config().get_config_copy()


def in_child(work: Callable[[], object], seconds: int = 20) -> bool:
    """Run *work* in a forked child; return whether it came back true in time."""
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        try:
            os._exit(0 if work() else 1)
        except BaseException:  # noqa: BLE001  the parent is told
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
