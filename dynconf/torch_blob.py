"""What torch's own ``save_config()`` wrote, as a snapshot; only ``dynconf save --from-torch`` needs it.

torch pickles its flags, and a pickle can run any code while Python reads it. So Python does not: the few
opcodes of which torch's files consist are read here, into plain values. None of them imports or calls
anything, and how much a file may make of itself is limited.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from dynconf.catalogue import Setting
from dynconf.errors import DynconfWarning, InertFlagWarning, StateFileError, combined
from dynconf.escaping import printable
from dynconf.flags.types import same, shown
from dynconf.names import is_known
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.snapshot import Snapshot, snapshot_of
from dynconf.sources.files import LARGEST, read_bytes
from dynconf.sources.reading import ReadingBuilder

_MOST_OPCODES = 100_000
_MOST_VALUES = 50_000
_DEEPEST = 50
_LONGEST_NAME = 256
_LONGEST_NUMBER = 16

Container = TypeVar("Container", list[Any], dict[Any, Any])

_SETS: dict[str, type] = {"set": set, "frozenset": frozenset}


@dataclass(frozen=True, slots=True)
class Converted:
    """What became of a blob.

    Attributes:
        snapshot: The flags that it sets.
        left_out: The names in it that are not flags of any release.
        warnings: What else there is to warn of.
    """

    snapshot: Snapshot
    left_out: tuple[str, ...]
    warnings: tuple[DynconfWarning, ...]


def convert(path: Path, release: Release, *, everything: bool = False) -> Converted:
    """Read a file that torch's ``save_config()`` wrote from ``torch._dynamo.config``.

    Args:
        path: The file.
        release: The release to read it for.
        everything: Whether to keep flags that equal the release's default; torch writes every flag, so that
            those are taken as not set otherwise.

    Raises:
        StateFileError: It cannot be read, is not such a file, or contains a wrong value.
    """
    content, _ = read_bytes(str(path))
    builder, left_out = ReadingBuilder(release, missing="warn"), []
    for name, value in sorted(flags_of_blob(content, str(path)).items()):
        if is_known(name):
            origin = Origin("file", name, shown(value), str(path))
            builder.add(name, origin, value, _by_truth)
        else:
            left_out.append(name)
    reading = builder.done()
    if reading.errors:
        raise StateFileError(f"{printable(str(path))}: {combined(reading.errors)}", reading.errors)
    snapshot = snapshot_of(
        reading.state,
        release,
        [
            setting
            for setting, (value, _) in reading.state.items()
            if everything or not same(value, setting.default_value())
        ],
    )
    # The blob has every flag; a no-op one is worth mentioning only if somebody has set it.
    notes = [
        note
        for note in reading.warnings
        if not isinstance(note, InertFlagWarning) or note.flag in snapshot.values
    ]
    return Converted(snapshot, tuple(left_out), tuple(notes))


def _by_truth(setting: Setting, value: object) -> Any:
    return setting.type.check(setting.type.truth(value))


def flags_of_blob(blob: bytes, name: str) -> dict[str, Any]:
    """Return the flags and values in a blob of torch's ``save_config()``.

    Args:
        blob: The bytes.
        name: Where they came from, for messages.

    Raises:
        StateFileError: It is not what pickle writes of a dict with text keys, or contains anything other than
            containers and scalars, such as a function; the message names it.
    """
    if len(blob) > LARGEST:
        raise StateFileError(f"{name} is not a saved config of torch: it is larger than {LARGEST} bytes")
    try:
        reader = _Reader(blob)
        flags = reader.unshared(reader.read())
    except _Refused as problem:
        raise StateFileError(f"{name} is refused: {problem}") from None
    except _Damaged as problem:
        raise StateFileError(f"{name} is not a saved config of torch: {problem}") from None
    if not isinstance(flags, dict) or not all(isinstance(key, str) for key in flags):
        raise StateFileError(f"{name} is not a saved config of torch: expected a dict of flags")
    return flags


class _Refused(Exception):
    """It contains something other than containers and scalars."""


class _Damaged(Exception):
    """It is not what torch writes."""


_MARK = object()
"""Stands on the stack where the items of a container begin."""

_SCALARS = (str, int, float, bool, type(None))


class _Reader:
    """A machine for the part of pickle's language in which torch writes its flags.

    Its opcodes only build values of Python's own types. Each takes time that does not depend on what is on
    the stack, but for the items that it moves: keys and members of sets are scalars, so that hashing them
    goes no further.
    """

    def __init__(self, blob: bytes) -> None:
        self.blob = blob
        self.at = 0
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.values_left = _MOST_VALUES

    def read(self) -> Any:
        """Return the value that the blob describes; containers in it may be shared."""
        if self.take(1) != b"\x80" or self.take(1) > b"\x02":
            raise _Damaged("it is not a pickle of protocol 2, in which torch writes")
        for _ in range(_MOST_OPCODES):
            code = self.take(1)
            if code == b".":
                break
            operation = _OPERATIONS.get(code)
            if operation is None:
                raise _Refused(f"it contains more than containers and scalars (pickle opcode {code!r})")
            operation(self)
        else:
            raise _Damaged(f"it has more than {_MOST_OPCODES} opcodes")
        if self.at != len(self.blob) or len(self.stack) != 1:
            raise _Damaged("it does not end where its value does")
        return self.pop()

    def unshared(self, value: Any, depth: int = 0) -> Any:
        """Return a copy in which nothing is shared; one that contains itself has too many values."""
        self.spend(1)
        if depth > _DEEPEST:
            raise _Damaged("it is nested too deeply")
        if type(value) in (list, tuple):
            return type(value)(self.unshared(item, depth + 1) for item in value)
        if type(value) is dict:
            return {key: self.unshared(item, depth + 1) for key, item in value.items()}
        if type(value) in (set, frozenset):
            self.spend(len(value))
            return type(value)(value)
        if type(value) not in _SCALARS:
            raise _Refused("it names a type of sets as a value")
        return value

    def spend(self, values: int) -> None:
        self.values_left -= values
        if self.values_left < 0:
            raise _Damaged(f"it has more than {_MOST_VALUES} values")

    def take(self, count: int) -> bytes:
        part = self.blob[self.at : self.at + count]
        if len(part) < count:
            raise _Damaged("it is cut off")
        self.at += count
        return part

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "little")

    def line(self) -> str:
        end = self.blob.find(b"\n", self.at, self.at + _LONGEST_NAME)
        if end < 0:
            raise _Damaged("a name in it has no end")
        line = self.take(end - self.at).decode("utf-8", "replace")
        self.at += 1
        return line

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def pop(self) -> Any:
        if not self.stack or self.stack[-1] is _MARK:
            raise _Damaged("a value is missing")
        return self.stack.pop()

    def popped(self, count: int) -> list[Any]:
        return [self.pop() for _ in range(count)][::-1]

    def since_mark(self) -> list[Any]:
        items = []
        while self.stack and self.stack[-1] is not _MARK:
            items.append(self.stack.pop())
        if not self.stack:
            raise _Damaged("a mark is missing")
        self.stack.pop()
        return items[::-1]

    def target(self, kind: type[Container]) -> Container:
        if not self.stack or type(self.stack[-1]) is not kind:
            raise _Damaged(f"a {kind.__name__} is missing")
        found: Container = self.stack[-1]
        return found

    def text(self) -> str:
        try:
            return self.take(self.number(4)).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise _Damaged("a text in it is not UTF-8") from None

    def long(self) -> int:
        size = self.number(1)
        if size > _LONGEST_NUMBER:
            raise _Damaged("a number in it has too many digits")
        return int.from_bytes(self.take(size), "little", signed=True)

    def add_items(self, items: list[Any]) -> None:
        self.target(list).extend(items)

    def add_pairs(self, items: list[Any]) -> None:
        target = self.target(dict)
        if len(items) % 2:
            raise _Damaged("a value is missing")
        for key, value in zip(items[::2], items[1::2]):
            target[_scalar(key)] = value

    def recall(self, index: int) -> None:
        if index not in self.memo:
            raise _Damaged("it refers to a value that is not there")
        self.push(self.memo[index])

    def keep(self, index: int) -> None:
        value = self.pop()
        self.push(value)
        self.memo[index] = value

    def name(self) -> None:
        module, name = self.line(), self.line()
        kind = _SETS.get(name) if module in ("__builtin__", "builtins") else None
        if kind is None:
            raise _Refused(
                f"it names {module}.{name}; only containers and scalars are read; reset that flag before"
                " save_config(), and give it as module:qualname instead"
            )
        self.push(kind)

    def call(self) -> None:
        kind, arguments = self.popped(2)
        is_set = kind is set or kind is frozenset
        if not is_set or type(arguments) is not tuple or [*map(type, arguments)] != [list]:
            raise _Refused("it contains a call")
        self.spend(len(arguments[0]))  # a list can be made into any number of sets
        self.push(kind(map(_scalar, arguments[0])))


def _scalar(value: Any) -> Any:
    if type(value) not in _SCALARS:
        raise _Refused("a key, or a member of a set, is not a scalar")
    return value


_OPERATIONS: dict[bytes, Callable[[_Reader], object]] = {
    b"(": lambda reader: reader.push(_MARK),
    b"N": lambda reader: reader.push(None),
    b"\x88": lambda reader: reader.push(True),
    b"\x89": lambda reader: reader.push(False),
    b"K": lambda reader: reader.push(reader.number(1)),
    b"M": lambda reader: reader.push(reader.number(2)),
    b"J": lambda reader: reader.push(int.from_bytes(reader.take(4), "little", signed=True)),
    b"\x8a": lambda reader: reader.push(reader.long()),
    b"G": lambda reader: reader.push(struct.unpack(">d", reader.take(8))[0]),
    b"X": lambda reader: reader.push(reader.text()),
    b"]": lambda reader: reader.push([]),
    b"a": lambda reader: reader.add_items(reader.popped(1)),
    b"e": lambda reader: reader.add_items(reader.since_mark()),
    b")": lambda reader: reader.push(()),
    b"\x85": lambda reader: reader.push(tuple(reader.popped(1))),
    b"\x86": lambda reader: reader.push(tuple(reader.popped(2))),
    b"\x87": lambda reader: reader.push(tuple(reader.popped(3))),
    b"t": lambda reader: reader.push(tuple(reader.since_mark())),
    b"}": lambda reader: reader.push({}),
    b"s": lambda reader: reader.add_pairs(reader.popped(2)),
    b"u": lambda reader: reader.add_pairs(reader.since_mark()),
    b"q": lambda reader: reader.keep(reader.number(1)),
    b"r": lambda reader: reader.keep(reader.number(4)),
    b"h": lambda reader: reader.recall(reader.number(1)),
    b"j": lambda reader: reader.recall(reader.number(4)),
    b"c": _Reader.name,
    b"R": _Reader.call,
}
"""What pickle's protocol 2 uses for containers and scalars, by opcode."""
