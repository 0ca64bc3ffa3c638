"""The assignments of a program to the config modules, as dynconf sees them being made.

The problem: ``config.graph_partition = True`` is a decision of the program, even where True is the default,
and a saved state has to keep it, because the next release may have another default. But torch's own patch
assigns too: it reads True, later assigns that, and leaves the same override. Afterwards both look the same.

The idea: from the first installation, audit, watch for leaks or ``dynconf run`` on, each assignment is
recorded as it is made, and the stack says by whom. The record counts for as long as the flag still stores the
assigned object::

    config.graph_partition = True               # recorded: a pin
    with config.patch(graph_partition=False):   # torch's patch is not
        ...
    origin("graph_partition")                   # assignment, at the first line
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, partial
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from dynconf.catalogue.modules import SHORT_NAMES
from dynconf.errors import UnknownFlagError
from dynconf.live.after_import import after_import
from dynconf.live.binding import bind, can_bind
from dynconf.live.chain import chain_for
from dynconf.live.torch.door import Write, listen
from dynconf.live.torch.restoring import (
    MECHANICS,
    is_machinery,
    is_restoring,
    module_of,
    program_line,
)
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ProcessVar
from dynconf.provenance import Origin

_NOT_THE_PROGRAM = frozenset({"torch", "unittest", "mock", "_pytest"})
"""Packages whose assignments are no decisions: they set flags for a while, and put them back."""


class Assignment(NamedTuple):
    """An assignment of a flag."""

    value: Any  # the override that it stored
    origin: Origin
    is_by_program: bool
    over: object  # the entering of the patch above which it was made, if there was one


assigning: list[Callable[[Slot, Any, FrameType], object]] = []
"""Functions to call with a flag, the value that the program is about to assign to it, and the line; none
until a tool adds one. If one raises, the flag keeps its value."""

_records: dict[tuple[Slot, bool], Any] = {}
"""A variable for the last assignment of a flag by the program, and one for the last by somebody else, which
must not replace the first: the program's outlives a patch. Where a thread or task has overrides of its own,
as from torch 2.12 on, it has records of its own, too."""


def assignment_of(slot: Slot) -> Assignment | None:
    """Return the assignment that the flag's override is from, if dynconf has seen that one."""
    override = slot.effective_override()
    return next((each for each in assignments_to(slot) if each.value is override), None)


def assignments_to(slot: Slot) -> list[Assignment]:
    """Return the last assignments of a flag that dynconf has seen, that of the program first."""
    records = (_records.get((slot, is_by_program)) for is_by_program in (True, False))
    return [found for record in records if record is not None and (found := record.get()) is not None]


def forget_assignments(slots: Iterable[Slot]) -> None:
    """Forget the assignments of these flags, whose overrides are dropped."""
    restore_assignments(dict.fromkeys(slots, ()))


def restore_assignments(assignments: Mapping[Slot, Iterable[Assignment]]) -> None:
    """Restore the records of the last assignments, together with the overrides of that time."""
    for slot, found in assignments.items():
        for is_by_program in (True, False):
            if (record := _records.get((slot, is_by_program))) is not None:
                record.set(next((each for each in found if each.is_by_program is is_by_program), None))


@cache
def watch_assignments() -> None:
    """Record every assignment from now on, for good, as soon as torch's config modules can be imported.

    Why not only as long as something is installed? The record of a flag must be of its last assignment.
    """
    after_import(MECHANICS, partial(listen, _recording))


def _recording(write: Write) -> AbstractContextManager[object] | None:
    slot, setter = live_slot(write.module, write.name), write.setter
    if slot is None or setter is None:
        return None
    line, package = program_line(setter), module_of(setter).partition(".")[0]
    is_torchs = is_machinery(setter)
    is_by_program = not is_torchs and package not in _NOT_THE_PROGRAM
    # torch's patch and `load_config`. Of flags that are installed the line is of interest all the same: a
    # patch that is entered and never left overrules them.
    if is_torchs and (slot.installed is None or is_restoring(setter)):
        return None
    # Listeners are not called for an old name: torch's function for it assigns again.
    if is_by_program and write.name == slot.name:
        for tell in assigning:
            tell(slot, write.value, line)
    return _recorded(slot, line, is_by_program=is_by_program)


@contextmanager
def _recorded(slot: Slot, line: FrameType, *, is_by_program: bool) -> Iterator[None]:
    yield
    if slot.storage.level != "generic":  # where pins are no promise, and a look at it may start a thread
        patched = chain_for(slot.storage).highest(slot)
        over = None if patched is None else patched.entering
        record = _records.get((slot, is_by_program))
        if record is None:
            new = ContextVar("assignment", default=None) if slot.storage.per_context else ProcessVar()
            record = _records.setdefault((slot, is_by_program), new)
        record.set(Assignment(slot.effective_override(), assigned_at(line), is_by_program, over))


def assigned_at(line: FrameType) -> Origin:
    """Return the line as the origin of what it assigns."""
    return _assigned_at(line.f_code.co_filename, line.f_lineno)


@lru_cache(maxsize=1_000)  # the same lines assign again and again
def _assigned_at(file: str, line: int) -> Origin:
    return Origin("assignment", None, None, file, line)


def live_slot(module: ModuleType, name: str) -> Slot | None:
    """Return the slot of a flag of a config module that dynconf knows, if it is that."""
    short = SHORT_NAMES.get(module.__name__)
    if short is None or sys.modules.get(module.__name__) is not module or not can_bind(short):
        return None
    try:
        return bind(short).slot(name)
    except UnknownFlagError:
        return None
