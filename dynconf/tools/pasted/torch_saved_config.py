"""Reading the file of torch's own ``save_config()``, with every name in it refused but those of sets.

torch saves its flags as a pickle, in which an instruction can name and call anything. Python's own unpickler
has a function for each instruction: a file gets those that make containers and scalars, and can name nothing
but `set` and `frozenset`, with which pickle writes a set.

A file that runs nothing can still be hostile: a few bytes can build a list that contains itself, or one that
doubles with every instruction, or a key that takes for ever to hash. So only scalars are hashed, and the
result is copied into a tree in which no value occurs twice.
"""

import io
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

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

_PROTOCOL = b"\x80\x02"
"""How torch begins it: of later protocols, some instructions hide others."""

_MAX_VALUES = 50_000
_MAX_DEPTH = 50


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
        if len(content) > LARGEST:
            raise ValueError(f"it is larger than {LARGEST} bytes")
        if not content.startswith(_PROTOCOL):
            raise ValueError("it is not a pickle of protocol 2, which torch writes")
        stream = io.BytesIO(content)
        reader = _Unpickler(stream)
        flags = reader.tree(reader.load())
        if stream.read(1):
            raise ValueError("it does not end where its value does")
        if not isinstance(flags, dict) or not all(isinstance(key, str) for key in flags):
            raise ValueError("expected a dict of flags")
    except Exception as problem:  # noqa: BLE001  whatever the bytes made Python's unpickler raise
        message = f"{name} is not a saved config of torch that can be read: {problem}"
        raise StateFileError(message) from None
    return flags


_NAMES = """
PROTO BININT BININT1 BININT2 LONG1 BINFLOAT BINUNICODE MARK NONE NEWTRUE NEWFALSE EMPTY_LIST APPEND
APPENDS EMPTY_TUPLE TUPLE1 TUPLE2 TUPLE3 TUPLE EMPTY_DICT SETITEM SETITEMS BINPUT LONG_BINPUT BINGET
LONG_BINGET GLOBAL REDUCE STOP
"""
"""The instructions of protocol 2 for containers and scalars, and the two that name and call."""


class _Instructions(dict[int, Callable[..., None]]):
    def __missing__(self, code: int) -> Callable[..., None]:
        raise ValueError(f"it contains more than containers and scalars (pickle opcode {bytes([code])!r})")


class _Set(NamedTuple):
    """A set that a file asks for: its members are hashed when they are known to be scalars."""

    make: Any
    members: Any


class _Unpickler(pickle._Unpickler):
    """Reads containers and scalars."""

    dispatch: ClassVar = _Instructions(
        (code, pickle._Unpickler.dispatch[code]) for name in _NAMES.split() for code in getattr(pickle, name)
    )
    _values_left = _MAX_VALUES

    def find_class(self, module: str, name: str) -> Any:
        kind = {"set": set, "frozenset": frozenset}.get(name)
        if module not in ("__builtin__", "builtins") or kind is None:
            raise pickle.UnpicklingError(
                f"it names {module}.{name}; only containers and scalars are read; reset that flag before"
                " save_config(), and give it as module:qualname instead"
            )
        return partial(_Set, kind)

    def _set_item(self: Any) -> None:
        _scalar(self.stack[-2])
        self.load_setitem()

    def _set_items(self: Any) -> None:
        for key in self.stack[::2]:
            _scalar(key)
        self.load_setitems()

    dispatch |= {pickle.SETITEM[0]: _set_item, pickle.SETITEMS[0]: _set_items}

    def tree(self, value: Any, depth: int = 0) -> Any:
        """Copy a value so that nothing in it is shared; one that contains itself exceeds the limits."""
        kind = type(value)
        self._values_left -= len(value.members) if isinstance(value, _Set) else 1
        if self._values_left < 0:
            raise ValueError(f"it has more than {_MAX_VALUES} values")
        if depth > _MAX_DEPTH:
            raise ValueError("it is nested too deeply")
        if isinstance(value, _Set):
            return value.make(map(_scalar, value.members))
        if kind in (list, tuple):
            return kind(self.tree(item, depth + 1) for item in value)
        if kind is dict:
            return {key: self.tree(item, depth + 1) for key, item in value.items()}
        return _scalar(value)


def _scalar(value: Any) -> Any:
    if type(value) not in (str, int, float, bool, type(None)):
        raise ValueError("a value, a key or a member of a set is not a scalar")
    return value
