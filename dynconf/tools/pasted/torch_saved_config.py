"""Reading the file of torch's own ``save_config()``, with every name in it refused but those of sets.

torch saves its flags as a pickle, in which an instruction can name and call anything. `pickle.Unpickler`
asks `find_class` for each name, so a file can call nothing but `set` and `frozenset`, with which pickle
writes a set.

A file that runs nothing can still be hostile: a few bytes can build a list that contains itself, or one that
doubles with every instruction, or ask for memory without end. So `pickletools` splits it into instructions
first, which runs nothing; their number and kinds are limited; and the result is copied into a tree in which
no value occurs twice.
"""

import io
import pickle
import pickletools
from dataclasses import replace
from pathlib import Path
from typing import Any

from dynconf.catalogue.flags.types import is_same_value, short_repr
from dynconf.catalogue.modules import module_with
from dynconf.catalogue.names import is_known
from dynconf.errors import StateFileError, combined
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.files import LARGEST, read_bytes
from dynconf.sources.reading import Reading, ReadingBuilder
from dynconf.text import printable

PICKLE = b"\x80"
"""How such a file begins, and no text does."""

_MAX_INSTRUCTIONS = 100_000
_MAX_VALUES = 50_000
_MAX_DEPTH = 50
_MAX_TUPLES = 1000
"""As a key, a tuple is hashed before anything can refuse it: each level of tuples takes some of the stack."""
_MAX_HASHED = 2**24
"""Steps of hashing a key: whenever a tuple is used again, they can double."""


def read_saved_config(path: Path, release: Release) -> tuple[Reading, list[str]]:
    """Read a file that torch's ``save_config()`` wrote from one of its config modules.

    The file does not name the module: it is the one that has the most of these flags. torch writes every
    flag, set or not. So those with the release's default count as not set.
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
        origin = Origin("file", name, short_repr(flags[name]), str(path))
        # Some variables leave their text in place of a bool, and torch saves that.
        builder.add(name, origin, flags[name], lambda each, value: each.type.check(each.type.truth(value)))
    reading = builder.done()
    if reading.errors:
        raise StateFileError(f"{printable(str(path))}: {combined(reading.errors)}", reading.errors)
    state = reading.state.select(
        lambda setting: not is_same_value(reading.state.value(setting), setting.default_value())
    )
    return replace(reading, state=state, warnings=reading.without_idle().warnings), left_out


def parse_saved_config(content: bytes, name: str) -> dict[str, Any]:
    """Return the flags in the bytes that torch's ``save_config()`` returns; *name* is for messages.

    A `StateFileError` names anything in them other than containers and scalars, such as a function.
    """
    try:
        _check_instructions(content)
        flags = _Tree().of(_Unpickler(io.BytesIO(content)).load())
        if not isinstance(flags, dict) or not all(isinstance(key, str) for key in flags):
            raise ValueError("expected a dict of flags")
    except (pickle.UnpicklingError, ValueError, TypeError, LookupError, AttributeError, EOFError) as problem:
        message = f"{name} is not a saved config of torch that can be read: {problem}"
        raise StateFileError(message) from None
    return flags


_NAMES = """
PROTO BININT BININT1 BININT2 LONG1 BINFLOAT BINUNICODE MARK NONE NEWTRUE NEWFALSE EMPTY_LIST APPEND
APPENDS EMPTY_TUPLE TUPLE1 TUPLE2 TUPLE3 TUPLE EMPTY_DICT SETITEM SETITEMS BINPUT LONG_BINPUT BINGET
LONG_BINGET GLOBAL REDUCE STOP
"""
_INSTRUCTIONS = frozenset(_NAMES.split())
"""The instructions of protocol 2 for containers and scalars, and the two that name and call."""


def _check_instructions(content: bytes) -> None:
    """Raise ValueError if a pickle is too large, or has instructions that torch's own flags do not need."""
    if len(content) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST} bytes")
    stream = io.BytesIO(content)
    instructions: list[tuple[str, Any]] = []
    argument: Any
    for number, (opcode, argument, _) in enumerate(pickletools.genops(stream)):
        if number > _MAX_INSTRUCTIONS:
            raise ValueError(f"it has more than {_MAX_INSTRUCTIONS} opcodes")
        if (number == 0) != ((opcode.name, argument) == ("PROTO", 2)):  # the one that torch writes
            raise ValueError("it is not a pickle of protocol 2, in which torch writes")
        if opcode.name not in _INSTRUCTIONS:
            raise ValueError(f"it contains more than containers and scalars (pickle opcode {opcode.name})")
        if opcode.name == "LONG_BINPUT" and argument > _MAX_INSTRUCTIONS:  # it would make a table so long
            raise ValueError("a value is missing")
        instructions.append((opcode.name, argument))
    if stream.read(1):
        raise ValueError("it does not end where its value does")
    _check_tuples(instructions, len(content))


def _check_tuples(instructions: list[tuple[str, Any]], size: int) -> None:
    """Raise ValueError if it could take long, or too much of the stack, to hash a tuple of a pickle."""
    made, again, is_tuple, tuples = 0, 0, False, set[int]()
    for name, argument in instructions:
        if name.endswith("BINPUT"):  # remembers the value that was made or fetched last
            tuples |= {argument} if is_tuple else set()
            continue
        is_made = "TUPLE" in name
        is_again = name.endswith("BINGET") and argument in tuples
        made, again, is_tuple = made + is_made, again + is_again, is_made or is_again
    if made > _MAX_TUPLES or size << again > _MAX_HASHED:
        raise ValueError("it has too many tuples, or uses them again too often")


class _Unpickler(pickle.Unpickler):
    """Reads containers and scalars; the only names that a file may call stand for sets of scalars."""

    values_left = _MAX_VALUES  # one list can be made into any number of sets

    def find_class(self, module: str, name: str, /) -> Any:
        if module not in ("__builtin__", "builtins") or name not in ("set", "frozenset"):
            raise pickle.UnpicklingError(
                f"it names {module}.{name}; only containers and scalars are read; reset that flag before"
                " save_config(), and give it as module:qualname instead"
            )
        return self._set if name == "set" else lambda items: frozenset(self._set(items))

    def _set(self, items: list[Any], /) -> set[Any]:
        self.values_left -= len(items)
        if self.values_left < 0:
            raise ValueError(f"it has more than {_MAX_VALUES} values")
        return set(map(_scalar, items))


def _scalar(value: Any) -> Any:
    if type(value) not in (str, int, float, bool, type(None)):
        raise ValueError("a value, a key or a member of a set is not a scalar")
    return value


class _Tree:
    """Copies a value so that nothing in it is shared; one that contains itself exceeds the limits."""

    def __init__(self) -> None:
        self._values_left = _MAX_VALUES

    def of(self, value: Any, depth: int = 0) -> Any:
        kind = type(value)
        self._values_left -= len(value) if kind in (set, frozenset) else 1
        if self._values_left < 0:
            raise ValueError(f"it has more than {_MAX_VALUES} values")
        if depth > _MAX_DEPTH:
            raise ValueError("it is nested too deeply")
        if kind in (list, tuple):
            return kind(self.of(item, depth + 1) for item in value)
        if kind is dict:
            return {_scalar(key): self.of(item, depth + 1) for key, item in value.items()}
        return kind(value) if kind in (set, frozenset) else _scalar(value)
