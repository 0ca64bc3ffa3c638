"""Reading the file of torch's own ``save_config()``, without unpickling it.

torch saves its flags as a pickle. A pickle is a program for a small stack machine, some of whose instructions
import and call anything, so that unpickling a file runs its author's code. A dict of flags needs few of the
others. This module has a stack machine of its own that knows just those and refuses the rest. `pickletools`
splits the file into instructions, which runs nothing::

    PROTO 2                 every release of torch writes protocol 2
    EMPTY_DICT              push a dict
    BINUNICODE 'verbose'    push a text
    NEWTRUE                 push True
    SETITEM                 add the last two values to the dict below them
    STOP

A set is the one value that pickle writes as a call, ``set([...])``. So `set` and `frozenset` may be named and
called, and nothing else.

A file that runs nothing can still be hostile. Instructions that refer to earlier values can build, in a few
bytes, a list that contains itself, or one that doubles with every instruction. So the numbers of instructions
and values are limited, and the result is copied into a tree in which no value occurs twice.
"""

import io
import pickletools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import is_same_value, short_repr
from dynconf.catalogue.modules import module_with
from dynconf.catalogue.names import is_known
from dynconf.errors import StateFileError, combined
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.files import LARGEST, read_bytes
from dynconf.sources.reading import Reading, ReadingBuilder
from dynconf.text import printable

_PROTOCOL = 2
_MAX_INSTRUCTIONS = 100_000
_MAX_VALUES = 50_000
_MAX_DEPTH = 50


def read_saved_config(path: Path, release: Release, *, everything: bool = False) -> tuple[Reading, list[str]]:
    """Read a file that torch's ``save_config()`` wrote from one of its config modules.

    The file does not name the module: it is the one that has the most of these flags. torch writes every
    flag, set or not. So those with the release's default count as not set, unless *everything* is wanted.
    Anything wrong in the file is a `StateFileError`.

    Returns:
        The reading, without errors; and the names in the file that are not flags of any release.
    """
    content = read_bytes(str(path))
    flags = parse_saved_config(content, str(path))
    module = module_with(flags.keys())
    builder = ReadingBuilder(release, "warn", module)
    left_out = sorted(name for name in flags if not is_known(name, module))
    for name in sorted(flags.keys() - left_out):
        builder.add(name, Origin("file", name, short_repr(flags[name]), str(path)), flags[name], _check_truth)
    reading = builder.done()
    if reading.errors:
        raise StateFileError(f"{printable(str(path))}: {combined(reading.errors)}", reading.errors)
    state = reading.state.select(
        lambda setting: everything or not is_same_value(reading.state.value(setting), setting.default_value())
    )
    return replace(reading, state=state, warnings=reading.without_idle().warnings), left_out


def _check_truth(setting: Setting, value: object) -> Any:
    # Some variables leave their text in place of a bool, and torch saves that.
    return setting.type.check(setting.type.truth(value))


def parse_saved_config(content: bytes, name: str) -> dict[str, Any]:
    """Return the flags in the bytes that torch's ``save_config()`` returns; *name* is for messages.

    A `StateFileError` names anything in them other than containers and scalars, such as a function.
    """
    machine = _StackMachine(content, name)
    if len(content) > LARGEST:
        raise machine.error(f"it is larger than {LARGEST} bytes")
    flags = machine.without_sharing(machine.run())
    if not isinstance(flags, dict) or not all(isinstance(key, str) for key in flags):
        raise machine.error("expected a dict of flags")
    return flags


_SCALARS = (str, int, float, bool, type(None))
_SETS: dict[str, type] = {
    f"{module} {kind.__name__}": kind for module in ("__builtin__", "builtins") for kind in (set, frozenset)
}


class _StackMachine:
    """Runs the instructions in a pickle that make containers and scalars.

    No instruction takes longer than the number of values that it moves. That is why keys and members of sets
    must be scalars: hashing a tuple would take as long as everything in it.
    """

    def __init__(self, content: bytes, name: str) -> None:
        self.content = content
        self.name = name
        self.stack: list[Any] = []
        self.stacks_below: list[list[Any]] = []  # MARK begins a new one, for any number of items
        self.memo: dict[int, Any] = {}
        self.values_left = _MAX_VALUES

    def error(self, problem: object) -> StateFileError:
        return StateFileError(f"{self.name} is not a saved config of torch that can be read: {problem}")

    def run(self) -> Any:
        """Return the value that the instructions make; containers in it may be shared."""
        instructions = self.instructions()
        name, protocol = next(instructions)
        if name != "PROTO" or protocol > _PROTOCOL:
            raise self.error("it is not a pickle of protocol 2, in which torch writes")
        for number, (name, argument) in enumerate(instructions):
            if number > _MAX_INSTRUCTIONS:
                raise self.error(f"it has more than {_MAX_INSTRUCTIONS} opcodes")
            if name not in _INSTRUCTIONS:
                raise self.error(f"it contains more than containers and scalars (pickle opcode {name})")
            try:
                _INSTRUCTIONS[name](self, argument)
            except (IndexError, KeyError):  # of the stack or the memo
                raise self.error("a value is missing") from None
        if len(self.stack) != 1 or self.stacks_below:
            raise self.error("it does not end where its value does")
        return self.stack[0]

    def instructions(self) -> Iterator[tuple[str, Any]]:
        """Yield the name and the argument of each instruction; the last one is STOP."""
        stream = io.BytesIO(self.content)
        try:
            for opcode, argument, _ in pickletools.genops(stream):
                yield opcode.name, argument
        except ValueError as problem:
            raise self.error(problem) from None
        if stream.read(1):
            raise self.error("it does not end where its value does")

    def without_sharing(self, value: Any, depth: int = 0) -> Any:
        """Return a copy in which nothing is shared; a value that contains itself exceeds the limits."""
        self.spend(1)
        if depth > _MAX_DEPTH:
            raise self.error("it is nested too deeply")
        kind = type(value)
        if kind in (list, tuple):
            return kind(self.without_sharing(item, depth + 1) for item in value)
        if kind is dict:
            return {key: self.without_sharing(item, depth + 1) for key, item in value.items()}
        if kind in (set, frozenset):
            self.spend(len(value))
            return kind(value)
        return self.scalar(value)  # the type `set` itself may be left on the stack

    def spend(self, values: int) -> None:
        """Count values that are about to be made."""
        self.values_left -= values
        if self.values_left < 0:
            raise self.error(f"it has more than {_MAX_VALUES} values")

    def scalar(self, value: Any) -> Any:
        if type(value) not in _SCALARS:
            raise self.error("a value, a key or a member of a set is not a scalar")
        return value

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def pop_several(self, count: int) -> list[Any]:
        return [self.stack.pop() for _ in range(count)][::-1]

    def mark(self) -> None:
        self.stacks_below.append(self.stack)
        self.stack = []

    def pop_to_mark(self) -> list[Any]:
        items, self.stack = self.stack, self.stacks_below.pop()
        return items

    def top(self, kind: type) -> Any:
        if type(self.stack[-1]) is not kind:
            raise self.error(f"a {kind.__name__} is missing")
        return self.stack[-1]

    def add_items(self, items: list[Any]) -> None:
        self.top(list).extend(items)

    def add_pairs(self, items: list[Any]) -> None:
        target = self.top(dict)
        if len(items) % 2:
            raise self.error("a value is missing")
        for key, value in zip(items[::2], items[1::2]):
            target[self.scalar(key)] = value

    def remember(self, index: int) -> None:
        self.memo[index] = self.stack[-1]

    def push_named(self, name: str) -> None:
        if name not in _SETS:
            raise self.error(
                f"it names {name.replace(' ', '.', 1)}; only containers and scalars are read; reset that flag"
                " before save_config(), and give it as module:qualname instead"
            )
        self.push(_SETS[name])

    def call(self) -> None:
        kind, arguments = self.pop_several(2)
        if kind not in (set, frozenset) or type(arguments) is not tuple or [*map(type, arguments)] != [list]:
            raise self.error("it contains a call")
        self.spend(len(arguments[0]))  # one list can be made into any number of sets
        self.push(kind(map(self.scalar, arguments[0])))


_INSTRUCTIONS: dict[str, Callable[[_StackMachine, Any], object]] = {
    **dict.fromkeys(("BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "BINUNICODE"), _StackMachine.push),
    "MARK": lambda machine, _: machine.mark(),
    "NONE": lambda machine, _: machine.push(None),
    "NEWTRUE": lambda machine, _: machine.push(True),
    "NEWFALSE": lambda machine, _: machine.push(False),
    "EMPTY_LIST": lambda machine, _: machine.push([]),
    "APPEND": lambda machine, _: machine.add_items(machine.pop_several(1)),
    "APPENDS": lambda machine, _: machine.add_items(machine.pop_to_mark()),
    "EMPTY_TUPLE": lambda machine, _: machine.push(()),
    "TUPLE1": lambda machine, _: machine.push(tuple(machine.pop_several(1))),
    "TUPLE2": lambda machine, _: machine.push(tuple(machine.pop_several(2))),
    "TUPLE3": lambda machine, _: machine.push(tuple(machine.pop_several(3))),
    "TUPLE": lambda machine, _: machine.push(tuple(machine.pop_to_mark())),
    "EMPTY_DICT": lambda machine, _: machine.push({}),
    "SETITEM": lambda machine, _: machine.add_pairs(machine.pop_several(2)),
    "SETITEMS": lambda machine, _: machine.add_pairs(machine.pop_to_mark()),
    "BINPUT": _StackMachine.remember,
    "LONG_BINPUT": _StackMachine.remember,
    "BINGET": lambda machine, index: machine.push(machine.memo[index]),
    "LONG_BINGET": lambda machine, index: machine.push(machine.memo[index]),
    "GLOBAL": _StackMachine.push_named,
    "REDUCE": lambda machine, _: machine.call(),
    "STOP": lambda _, __: None,
}
"""The instructions of protocol 2 for containers and scalars, and the two that name and call."""
