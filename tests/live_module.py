"""The live config module as tests see it: its raw state to the bit, and what comes from interrupting code."""

import copy
import importlib.util
import linecache
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import dynconf
from dynconf.catalogue.record import Flag
from dynconf.catalogue.value_types import Opaque
from dynconf.live.binding import live

LIVE = str(Path(dynconf.__file__).parent / "live")
GONE = object()

JUDGED = {"suppress_errors", "fail_on_recompile_limit_hit", "optimize_ddp", "compiled_autograd"}
"""Flags of whose pairs torch refuses some; they have tests of their own."""


def config() -> Any:
    """Return the live config module."""
    return live().module


def per_context() -> bool:
    """Tell whether overrides belong to a thread or task, as from torch 2.12 on."""
    return live().per_context


class State:
    """The raw overrides of every flag, to the bit: the same objects, with the same content, hidden or not."""

    def __init__(self) -> None:
        self.raw = {name: _raw(name) for name in live().names()}
        self.content = copy.deepcopy({name: raw for name, raw in self.raw.items() if raw[0] is not GONE})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and not self.differing(other)

    __hash__ = None  # type: ignore[assignment]

    def differing(self, other: "State") -> list[str]:
        """Return the flags that differ."""
        return [
            name
            for name, raw in self.raw.items()
            if any(one is not two for one, two in zip(raw, other.raw[name], strict=True))
            or _plain(self.content.get(name)) != _plain(other.content.get(name))
        ]

    def __repr__(self) -> str:
        return (
            f"State({ {name: raw for name, raw in self.raw.items() if raw[0] not in (GONE, live().unset)} })"
        )


def _plain(content: Any) -> Any:
    """Leave out sentinels, of which a deep copy is another object."""
    return [part for part in content or () if type(part) is not object]


def _raw(name: str) -> tuple[Any, ...]:
    inside = config()._config
    if "_default" in vars(config()):
        return (inside.get(name, GONE),)
    entry = inside[name]
    cell = entry.user_override
    override = getattr(cell, "_variable", cell).get() if per_context() else cell
    return override, entry.env_value_default, entry.hide


def effective(name: str) -> Any:
    """Return what torch itself reads, deprecated or not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return getattr(config(), name)


def settable() -> list[Flag]:
    """Return every flag of the release that a patch can set, no-op ones included."""
    binding = live()
    return [
        binding.slot(name).flag
        for name in sorted(binding.names())
        if not binding.alias_of(name)
        and name in dynconf.FLAGS
        and not isinstance(dynconf.FLAGS[name].type, Opaque)
        and name not in JUDGED
    ]


@contextmanager
def unwarned() -> Iterator[None]:
    """Leave out the warnings of dynconf: any flag and any value may be drawn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dynconf.DynconfWarning)
        yield


def in_thread(work: Callable[[], Any]) -> Any:
    """Run in a thread of its own, which begins with an empty context; return the result."""
    box: list[Any] = []

    def run() -> None:
        try:
            box.append(work())
        except BaseException as error:  # noqa: BLE001  it is raised again, in the thread that asked
            box.extend([None, error])

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    assert box, "the thread hangs"
    if len(box) > 1:
        raise box[1]
    return box[0]


def lock_is_free() -> bool:
    """Tell whether another thread could change what belongs to the process."""

    def take() -> bool:
        taken = live().lock.acquire(timeout=1)
        if taken:
            live().lock.release()
        return taken

    return bool(in_thread(take))


def interrupted(work: Callable[[], Any], error: type[BaseException]) -> Iterator[int]:
    """Run *work* again and again, raising *error* at its first line in `dynconf.live`, its second, and so on.

    Yields after each run that was interrupted; ends after the first that was not.
    """
    line = 0
    while True:
        line += 1
        left = [line]

        def trace(frame: FrameType, event: str, _: object, left: list[int] = left) -> Any:
            if not frame.f_code.co_filename.startswith(LIVE):
                return None
            if event == "line":
                left[0] -= 1
                if left[0] == 0:
                    raise error
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            work()
        except error:
            pass
        else:
            return
        finally:
            sys.settrace(before)
        yield line


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
