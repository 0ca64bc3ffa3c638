"""Random programs over the live config module: run as ``python soak/live.py [--seconds N] [--seed N]``.

A program is a sequence of operations in several threads: dynconf's patches, installations in both scopes,
and tasks, mixed with torch's own patches, assignment, ``unittest.mock``, pytest's monkeypatch and
``load_config``, and interrupted at any line of dynconf. After each operation every thread must read what a
model of a few lines says. Between the programs another process sends real signals, and patches are left in
other contexts. Prints how many operations were done, how many of them were interrupted, how many patches
signals left on as a whole, and how many violations of the laws there were; exits with 1 if there are any.
"""

import argparse
import asyncio
import contextlib
import contextvars
import functools
import math
import os
import random
import signal
import subprocess
import sys
import time
import unittest.mock
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import dynconf
from dynconf.errors import ContextWarning
from dynconf.live.binding import bind

LIVE = str(Path(dynconf.__file__).parent / "live")
FIRST_LINES = 120
"""An operation is interrupted at one of so many of its lines in `dynconf.live`."""


FLAGS = {
    "recompile_limit": "accumulated_recompile_limit",
    "inductor.cpp.max_horizontal_fusion_size": "inductor.max_fusion_size",
}
"""The flags that the programs change, by turns, each with one that is patched beside it."""


class Place:
    """Where a flag is in torch: its config module, and the object with the attribute."""

    def __init__(self, flag: str) -> None:
        self.flag = flag
        self.slot = bind().slot(flag)
        self.config: Any = self.slot.storage.module
        *path, self.attribute = self.slot.name.split(".")
        self.owner: Any = functools.reduce(getattr, path, self.config)

    def read(self) -> int:
        """Return what torch reads."""
        value: int = getattr(self.owner, self.attribute)
        return value

    def assign(self, value: int) -> None:
        """Assign as a program does."""
        setattr(self.owner, self.attribute, value)

    def patch(self, value: int) -> Any:
        """Return dynconf's patch, of the flag and another one."""
        return dynconf.patch({self.flag: value, FLAGS[self.flag]: 10**6})

    def torchs(self, value: int) -> Any:
        """Return torch's own patch."""
        return self.config.patch({self.slot.name: value})

    def mock(self, value: int) -> Any:
        """Return the patch of ``unittest.mock``."""
        return unittest.mock.patch.object(self.owner, self.attribute, value)

    def closure(self, value: int) -> Any:
        """Patch as torch itself does where every microsecond counts.

        In a module that dynconf does not know, that writes past dynconf, so torch's usual patch is taken.
        """
        return self.torchs(value) if self.slot.storage.level == "generic" else self._closure(value)

    @contextlib.contextmanager
    def _closure(self, value: int) -> Iterator[None]:
        revert = self.config._make_closure_patcher(**{self.slot.name: value})()
        yield
        revert()

    @contextlib.contextmanager
    def monkeypatch(self, value: int) -> Iterator[None]:
        """Patch by pytest's monkeypatch, which sets the flag twice, and undoes that at once."""
        with pytest.MonkeyPatch.context() as patching:
            patching.setattr(self.owner, self.attribute, -value)
            patching.setattr(self.owner, self.attribute, value)
            yield

    def install(self, value: int, scope: Any = "process") -> Any:
        """Install it, for the process or for the running thread or task."""
        return dynconf.install({self.flag: value}, scope=scope)


@dataclass
class Figures:
    """What was done, and what went wrong."""

    operations: int = 0
    interruptions: int = 0
    signals: int = 0
    left_on: int = 0
    contexts: int = 0
    violations: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"operations {self.operations}, interruptions {self.interruptions},"
            f" signals {self.signals} (whole patches left on: {self.left_on}), contexts {self.contexts},"
            f" violations {len(self.violations)}"
        )


@dataclass
class Override:
    """What the model says of an override: its value, and how many installations there had been before it."""

    value: int
    stamp: float


@dataclass
class Block:
    """Something that was entered: how to leave it, and the override that it found."""

    leave: Callable[[], object]
    found: Override | None
    patch: Any = None


class Context:
    """A thread, or the process where overrides belong to it: what was done there, and what it must read."""

    def __init__(self, pool: ThreadPoolExecutor | None) -> None:
        self._pool = pool
        self.override: Override | None = None
        self.blocks: list[Block] = []

    def run(self, work: Callable[[], Any]) -> Any:
        """Do something there."""
        return work() if self._pool is None else self._pool.submit(work).result(60)

    def expected(self, latest: "Installed") -> int:
        """Return what torch must read there, below the latest installation that is in force there."""
        is_patched = any(block.patch is not None for block in self.blocks)
        if self.override is not None and (is_patched or self.override.stamp >= latest.number):
            return self.override.value
        return latest.value


@dataclass
class Installed:
    """An installation: how many there had been with it, and the context that it is for, if only for one."""

    number: int
    value: int
    made: Any = None
    context: Context | None = None


def interrupted(work: Callable[[], Any], line: int) -> bool:
    """Do *work*, raising KeyboardInterrupt at that line of it in dynconf; tell whether it came so far."""
    left = line

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(LIVE):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


class Program:
    """One random program."""

    def __init__(self, seed: int, figures: Figures, pools: list[ThreadPoolExecutor]) -> None:
        self._chance = random.Random(seed)  # noqa: S311  an order, not a secret
        self._seed = seed
        self._figures = figures
        self._place = Place(list(FLAGS)[seed % len(FLAGS)])
        self._default = self._place.slot.default()
        self._contexts = [Context(None), *(Context(pool) for pool in pools if bind().storage.per_context)]
        self._readers = pools
        self._installed: list[Installed] = []
        self._count = 0
        self._value = 1_000
        self._trail: list[str] = []

    def run(self, length: int) -> None:
        """Do so many operations, then take everything back."""
        steps = [
            *(self._enter_patch, self._enter_torchs, self._enter_mock, self._enter_closure),
            *(self._enter_monkeypatch, self._assign, self._load),
            *(self._leave, self._leave, self._leave, self._leave, self._install, self._install),
            *(self._uninstall, self._uninstall),
        ]
        for _ in range(length):
            self._do(self._chance.choice(steps))
        for context in self._contexts:
            while context.blocks:
                self._do(self._leave, context)
        while self._installed:
            self._do(self._uninstall)
        for context in self._contexts:
            context.run(dynconf.reset)
            context.override = None
        self._check("the end")

    def _do(self, step: Callable[[Context], None], context: Context | None = None) -> None:
        context = context or self._chance.choice(self._contexts)
        self._trail.append(f"{step.__name__} {self._contexts.index(context)}")
        step(context)
        self._figures.operations += 1
        self._check(step.__name__)

    def _check(self, step: str) -> None:
        for number, context in enumerate(self._contexts):
            found, wanted = context.run(self._place.read), context.expected(self._latest(context))
            if found != wanted:
                self._violated(f"after {step} thread {number} reads {found}, not {wanted}")
                return

    def _violated(self, what: str) -> None:
        self._figures.violations.append(f"seed {self._seed}: {what}: {', '.join(self._trail[-12:])}")
        self._trail.clear()

    def _next(self) -> int:
        self._value += 1
        return self._value

    def _latest(self, context: Context) -> Installed:
        here = [each for each in self._installed if each.context in (None, context)]
        return here[-1] if here else Installed(0, self._default)

    def _stamp(self, context: Context) -> int:
        return self._latest(context).number

    def _undisturbed(self, context: Context, work: Callable[[], Any]) -> bool:
        """Do *work*, perhaps interrupting it; tell whether it was done."""
        if self._chance.random() < 0.5:
            context.run(work)
            return True
        line = self._chance.randrange(1, FIRST_LINES)
        if context.run(lambda: interrupted(work, line)):
            self._figures.interruptions += 1
            return False
        return True

    # dynconf's

    def _enter_patch(self, context: Context) -> None:
        value = self._next()
        patch = self._place.patch(value)
        if not self._undisturbed(context, patch.__enter__) and not context.run(lambda: is_in(patch)):
            return
        leave = lambda: patch.__exit__(None, None, None)  # noqa: E731
        context.blocks.append(Block(leave, context.override, patch))
        context.override = Override(value, math.inf)

    def _install(self, context: Context) -> None:
        value, made = self._next(), []
        is_own = bind().storage.per_context and self._chance.random() < 0.5
        scope = "context" if is_own else "process"
        work = lambda: made.append(self._place.install(value, scope))  # noqa: E731
        if self._undisturbed(context, work) or made:
            self._count += 1
            self._installed.append(Installed(self._count, value, made[0], context if is_own else None))

    def _uninstall(self, context: Context) -> None:
        if not self._installed:
            return
        gone = self._chance.choice(self._installed)
        context = gone.context or context
        if not self._undisturbed(context, gone.made.uninstall):
            context.run(gone.made.uninstall)
        self._installed.remove(gone)

    # of others

    def _enter_other(self, context: Context, made: Any, value: int) -> None:
        found = context.override
        context.run(made.__enter__)
        context.blocks.append(Block(lambda: made.__exit__(None, None, None), found))
        context.override = Override(value, self._stamp(context))

    def _enter_torchs(self, context: Context) -> None:
        value = self._next()
        self._enter_other(context, self._place.torchs(value), value)

    def _enter_mock(self, context: Context) -> None:
        value = self._next()
        self._enter_other(context, self._place.mock(value), value)

    def _enter_closure(self, context: Context) -> None:
        value = self._next()
        self._enter_other(context, self._place.closure(value), value)

    def _enter_monkeypatch(self, context: Context) -> None:
        value = self._next()
        if self._place.slot.override is not None:  # else pytest from 9.2 on deletes the flag
            self._enter_other(context, self._place.monkeypatch(value), value)

    def _assign(self, context: Context) -> None:
        value = self._next()
        context.run(lambda: self._place.assign(value))
        context.override = Override(value, self._stamp(context))

    def _load(self, context: Context) -> None:
        value = self._next()
        context.run(lambda: self._place.config.load_config({self._place.slot.name: value}))
        context.override = Override(value, self._stamp(context))

    def _leave(self, context: Context) -> None:
        if not context.blocks:
            return
        block = context.blocks[-1]
        if block.patch is None or (
            not self._undisturbed(context, block.leave) and context.run(lambda: is_in(block.patch))
        ):
            context.run(block.leave)
        context.blocks.pop()
        context.override = block.found


def is_in(patch: Any) -> bool:
    """Tell whether a patch is entered here."""
    return any(frame.change is patch for frame in bind().chain.frames())


async def tasks(chance: random.Random, figures: Figures, place: Place, count: int) -> None:
    """Run tasks that enter things one inside the other, waiting in between, while others install."""
    ways: dict[str, Callable[[int], Any]] = {
        "patch": place.patch,
        "torch": place.torchs,
        "mock": place.mock,
        "closure": place.closure,
        "own": functools.partial(place.install, scope="context"),
    }

    async def read() -> int:
        await asyncio.sleep(0)
        return place.read()

    async def one(number: int) -> None:
        async def nested(depth: int) -> None:
            before, value = place.read(), number * 100 + depth + 10_000
            below = ["own"] * (depth == 0)  # an installation goes below every patch
            way = chance.choice(["patch", "torch", "mock", "closure", "coroutine", *below])
            await asyncio.sleep(0)
            if way == "coroutine":
                seen = await place.patch(value)(read)()
            else:
                with ways[way](value):
                    seen = place.read()
                    if depth < 4:
                        await nested(depth + 1)
            after = place.read()
            figures.operations += 1
            allowed = {before, place.slot.default(), *range(32, 64)}
            if seen != value or after not in allowed:
                figures.violations.append(f"a task reads {seen} in {way} of {value}, then {after}")

        for _ in range(count):
            await nested(0)

    async def install() -> None:
        for number in range(count * 4):
            with place.install(32 + number % 32):
                await asyncio.sleep(0)
            figures.operations += 1

    await asyncio.gather(install(), *(one(number) for number in range(6)))


SENDER = """
import os, random, signal, sys, time
chance, end = random.Random(int(sys.argv[2])), time.monotonic() + 2
while time.monotonic() < end:
    time.sleep(chance.uniform(0.0005, 0.002))
    os.kill(int(sys.argv[1]), signal.SIGINT)
"""
"""Sends real signals for two seconds."""

MANY = {"verify_correctness": True, "recompile_limit": 64, "inductor.max_autotune": True}


def use(patch: Any, seconds: float) -> None:
    """Enter and leave the patch, again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for _ in range(100):
            with patch:
                pass


def signals(figures: Figures, seed: int) -> None:
    """Enter and leave a patch of several modules while another process interrupts it."""
    slots = [bind().slot(name) for name in MANY]
    unset = [slot.stored() for slot in slots]
    patch, is_armed = dynconf.patch(MANY), False

    # On a busy machine a second one may come in time, of which law 2 promises nothing.
    def interrupt(*_: object) -> None:
        nonlocal is_armed
        figures.signals += 1
        if is_armed:
            is_armed = False
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    sender = subprocess.Popen([sys.executable, "-c", SENDER, str(os.getpid()), str(seed)])
    try:
        # An interrupted `poll` may keep the lock of `subprocess` for ever, so it is not called while armed.
        while sender.poll() is None:
            try:
                is_armed = True
                use(patch, 0.1)
            except KeyboardInterrupt:
                pass
            is_armed = False
            changed = [slot.stored() is not value for slot, value in zip(slots, unset, strict=True)]
            figures.operations += 1
            if any(changed) != all(changed) or all(changed) != is_in(patch):
                figures.violations.append(f"seed {seed}: after a signal the flags changed are {changed}")
            figures.left_on += is_in(patch)
            while is_in(patch):
                patch.__exit__(None, None, None)
    finally:
        is_armed = False
        sender.wait()
        signal.signal(signal.SIGINT, before)


def contexts(figures: Figures, place: Place, pool: ThreadPoolExecutor) -> None:
    """Leave a patch in another thread and in a copied context: it stays here, and a warning says so."""
    for is_copied in (True, False):
        patch = place.patch(77)
        patch.__enter__()
        leave = functools.partial(patch.__exit__, None, None, None)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            if is_copied:
                contextvars.copy_context().run(leave)
            else:
                pool.submit(leave).result(60)
        is_said = any(each.category is ContextWarning for each in seen)
        if place.read() != 77 or not is_said:
            figures.violations.append(f"left elsewhere: {place.read()}, with a warning: {is_said}")
        leave()
        if place.read() != place.slot.default():
            figures.violations.append(f"left here after elsewhere: {place.read()}")
        figures.contexts += 1


def soak(seconds: float, seed: int, length: int = 60) -> Figures:
    """Run programs for so long, at least one of each kind; return what happened."""
    figures = Figures()
    end = time.monotonic() + seconds
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        pools = [stack.enter_context(ThreadPoolExecutor(1)) for _ in range(2)]
        first = True
        while first or time.monotonic() < end:
            Program(seed, figures, pools).run(length)
            if bind().storage.per_context:
                place = Place(list(FLAGS)[seed % len(FLAGS)])
                asyncio.run(tasks(random.Random(seed), figures, place, 5))  # noqa: S311
                dynconf.reset()
                contexts(figures, place, pools[0])
            if seed % 20 == 0:
                signals(figures, seed)
            seed += 1
            first = False
    return figures


def main() -> int:
    """Print the figures and the first violations; return 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    figures = soak(options.seconds, options.seed)
    for violation in figures.violations[:10]:
        print(violation)
    print(f"live: {figures}")
    return 1 if figures.violations else 0


if __name__ == "__main__":
    sys.exit(main())
