r"""Reading the file of torch's own ``save_config()``, without unpickling it.

torch saves its flags as a pickle. A pickle is a program for a small stack machine, some of whose instructions
import and call anything, so that unpickling a file runs its author's code. A dict of flags needs few of the
others. This module has a stack machine of its own that knows just those and refuses the rest::

    \x80\x02       protocol 2, in which every release of torch writes
    }              push an empty dict
    X verbose      push a text                    (4 bytes of length before it)
    \x88           push True
    s              add the last two values to the dict below them
    .              the end

A set is the one value that pickle writes as a call, ``set([...])``. So `set` and `frozenset` may be named and
called, and nothing else.

A file that runs nothing can still be hostile. Instructions that refer to earlier values can build, in a few
bytes, a list that contains itself, or one that doubles with every instruction. So the numbers of instructions
and values are limited, and the result is copied into a tree in which no value occurs twice.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynconf.catalogue import Setting
from dynconf.errors import DynconfWarning, StateFileError, combined
from dynconf.escaping import printable
from dynconf.flags.types import same, shown
from dynconf.names import is_known
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.snapshot import Snapshot, snapshot_of
from dynconf.sources.files import LARGEST, read_bytes
from dynconf.sources.reading import ReadingBuilder

_MAX_INSTRUCTIONS = 100_000
_MAX_VALUES = 50_000
_MAX_DEPTH = 50
_MAX_NAME = 256
_MAX_INTEGER_BYTES = 16


@dataclass(frozen=True, slots=True)
class SavedConfig:
    """The content of a file that torch's ``save_config()`` wrote.

    Attributes:
        snapshot: The flags that it sets.
        left_out: The names in it that are not flags of any release.
        warnings: The warnings about it.
    """

    snapshot: Snapshot
    left_out: tuple[str, ...]
    warnings: tuple[DynconfWarning, ...]


def read_saved_config(path: Path, release: Release, *, everything: bool = False) -> SavedConfig:
    """Read a file that torch's ``save_config()`` wrote from ``torch._dynamo.config``.

    Args:
        path: The file.
        release: The release to read it for.
        everything: Whether to keep flags that have the release's default. torch writes every flag, set or
            not, so without this those count as not set.

    Raises:
        StateFileError: It cannot be read, is not such a file, or contains a wrong value.
    """
    content, _ = read_bytes(str(path))
    builder = ReadingBuilder(release, missing="warn")
    flags = parse_saved_config(content, str(path))
    for name in sorted(filter(is_known, flags)):
        builder.add(name, Origin("file", name, shown(flags[name]), str(path)), flags[name], _check_truth)
    reading = builder.done().without_idle_warnings()
    if reading.errors:
        raise StateFileError(f"{printable(str(path))}: {combined(reading.errors)}", reading.errors)
    state = reading.state.select(
        lambda setting: everything or not same(reading.state.value(setting), setting.default_value())
    )
    left_out = sorted(name for name in flags if not is_known(name))
    return SavedConfig(snapshot_of(state, release, state), tuple(left_out), reading.warnings)


def _check_truth(setting: Setting, value: object) -> Any:
    # Some variables leave their text in place of a bool, and torch saves that.
    return setting.type.check(setting.type.truth(value))


def parse_saved_config(content: bytes, name: str) -> dict[str, Any]:
    """Return the flags in the bytes that torch's ``save_config()`` returns; *name* is for messages.

    Raises:
        StateFileError: It is not a pickled dict with text keys, or contains anything other than containers
            and scalars, such as a function; the message names it.
    """
    reader = _PickleReader(content, name)
    if len(content) > LARGEST:
        raise reader.error(f"it is larger than {LARGEST} bytes")
    flags = reader.without_sharing(reader.read())
    if not isinstance(flags, dict) or not all(isinstance(key, str) for key in flags):
        raise reader.error("expected a dict of flags")
    return flags


_MARK = object()
"""The value on the stack below the items of a container, which end with an instruction."""

_SCALARS = (str, int, float, bool, type(None))
_SETS: dict[str, type] = {"set": set, "frozenset": frozenset}


class _PickleReader:
    """The stack machine.

    No instruction takes longer than the number of values that it moves. That is why keys and members of sets
    must be scalars: hashing a tuple would take as long as everything in it.
    """

    def __init__(self, content: bytes, name: str) -> None:
        self.content = content
        self.name = name
        self.position = 0
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.values_left = _MAX_VALUES

    def error(self, problem: str) -> StateFileError:
        return StateFileError(f"{self.name} is not a saved config of torch that can be read: {problem}")

    def read(self) -> Any:
        """Return the value that the program makes; containers in it may be shared."""
        if self.take(1) != b"\x80" or self.take(1) > b"\x02":
            raise self.error("it is not a pickle of protocol 2, in which torch writes")
        for _ in range(_MAX_INSTRUCTIONS):
            code = self.take(1)
            if code == b".":
                break
            instruction = _INSTRUCTIONS.get(code)
            if instruction is None:
                raise self.error(f"it contains more than containers and scalars (pickle opcode {code!r})")
            instruction(self)
        else:
            raise self.error(f"it has more than {_MAX_INSTRUCTIONS} opcodes")
        if self.position != len(self.content) or len(self.stack) != 1:
            raise self.error("it does not end where its value does")
        return self.pop()

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
        if kind not in _SCALARS:
            raise self.error("it names a type of sets as a value")
        return value

    def spend(self, values: int) -> None:
        """Count values that are about to be made."""
        self.values_left -= values
        if self.values_left < 0:
            raise self.error(f"it has more than {_MAX_VALUES} values")

    # Reading arguments of instructions.

    def take(self, count: int) -> bytes:
        part = self.content[self.position : self.position + count]
        if len(part) < count:
            raise self.error("it is cut off")
        self.position += count
        return part

    def integer(self, count: int, *, signed: bool = False) -> int:
        return int.from_bytes(self.take(count), "little", signed=signed)

    def long_integer(self) -> int:
        size = self.integer(1)
        if size > _MAX_INTEGER_BYTES:
            raise self.error("a number in it has too many digits")
        return self.integer(size, signed=True)

    def text(self) -> str:
        try:
            return self.take(self.integer(4)).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise self.error("a text in it is not UTF-8") from None

    def line(self) -> str:
        end = self.content.find(b"\n", self.position, self.position + _MAX_NAME)
        if end < 0:
            raise self.error("a name in it has no end")
        return self.take(end + 1 - self.position)[:-1].decode("utf-8", "replace")

    # Moving values.

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def pop(self) -> Any:
        if not self.stack or self.stack[-1] is _MARK:
            raise self.error("a value is missing")
        return self.stack.pop()

    def pop_several(self, count: int) -> list[Any]:
        return [self.pop() for _ in range(count)][::-1]

    def pop_to_mark(self) -> list[Any]:
        items = []
        while self.stack and self.stack[-1] is not _MARK:
            items.append(self.stack.pop())
        if not self.stack:
            raise self.error("a mark is missing")
        self.stack.pop()
        return items[::-1]

    def top(self, kind: type) -> Any:
        if not self.stack or type(self.stack[-1]) is not kind:
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

    def scalar(self, value: Any) -> Any:
        if type(value) not in _SCALARS:
            raise self.error("a key, or a member of a set, is not a scalar")
        return value

    def remember(self, index: int) -> None:
        self.memo[index] = self.pop()
        self.push(self.memo[index])

    def recall(self, index: int) -> None:
        if index not in self.memo:
            raise self.error("it refers to a value that is not there")
        self.push(self.memo[index])

    # The two dangerous instructions, for sets only.

    def push_named(self) -> None:
        module, name = self.line(), self.line()
        kind = _SETS.get(name) if module in ("__builtin__", "builtins") else None
        if kind is None:
            raise self.error(
                f"it names {module}.{name}; only containers and scalars are read; reset that flag before"
                " save_config(), and give it as module:qualname instead"
            )
        self.push(kind)

    def call(self) -> None:
        kind, arguments = self.pop_several(2)
        if kind not in (set, frozenset) or type(arguments) is not tuple or [*map(type, arguments)] != [list]:
            raise self.error("it contains a call")
        self.spend(len(arguments[0]))  # one list can be made into any number of sets
        self.push(kind(map(self.scalar, arguments[0])))


_INSTRUCTIONS: dict[bytes, Callable[[_PickleReader], object]] = {
    b"(": lambda reader: reader.push(_MARK),
    b"N": lambda reader: reader.push(None),
    b"\x88": lambda reader: reader.push(True),
    b"\x89": lambda reader: reader.push(False),
    b"K": lambda reader: reader.push(reader.integer(1)),
    b"M": lambda reader: reader.push(reader.integer(2)),
    b"J": lambda reader: reader.push(reader.integer(4, signed=True)),
    b"\x8a": lambda reader: reader.push(reader.long_integer()),
    b"G": lambda reader: reader.push(struct.unpack(">d", reader.take(8))[0]),
    b"X": lambda reader: reader.push(reader.text()),
    b"]": lambda reader: reader.push([]),
    b"a": lambda reader: reader.add_items(reader.pop_several(1)),
    b"e": lambda reader: reader.add_items(reader.pop_to_mark()),
    b")": lambda reader: reader.push(()),
    b"\x85": lambda reader: reader.push(tuple(reader.pop_several(1))),
    b"\x86": lambda reader: reader.push(tuple(reader.pop_several(2))),
    b"\x87": lambda reader: reader.push(tuple(reader.pop_several(3))),
    b"t": lambda reader: reader.push(tuple(reader.pop_to_mark())),
    b"}": lambda reader: reader.push({}),
    b"s": lambda reader: reader.add_pairs(reader.pop_several(2)),
    b"u": lambda reader: reader.add_pairs(reader.pop_to_mark()),
    b"q": lambda reader: reader.remember(reader.integer(1)),
    b"r": lambda reader: reader.remember(reader.integer(4)),
    b"h": lambda reader: reader.recall(reader.integer(1)),
    b"j": lambda reader: reader.recall(reader.integer(4)),
    b"c": _PickleReader.push_named,
    b"R": _PickleReader.call,
}
"""The opcodes of pickle's protocol 2 for containers and scalars, and those that name and call."""
