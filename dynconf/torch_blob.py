"""What torch's own ``save_config()`` wrote, turned into data; for ``dynconf save --from-torch`` alone.

torch pickles its flags, and a pickle can run any code while it is read. So the blob is first looked through
without executing anything: opcodes that could build, import or call something else than containers and
scalars are refused. Only what passes is read, by an unpickler that knows no names but those of the built-in
sets, which the old protocol that torch uses needs for them.
"""

import io
import pickle
import pickletools
from typing import Any

from dynconf.errors import StateFileError

_CONTAINERS: dict[tuple[str, str], type] = {
    (module, kind.__name__): kind for module in ("builtins", "__builtin__") for kind in (set, frozenset)
}
_DATA = frozenset(
    (
        "PROTO", "FRAME", "STOP", "MARK", "POP", "POP_MARK", "DUP", "NONE", "NEWTRUE", "NEWFALSE",
        "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT",
        "STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE",
        "BINUNICODE8", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "EMPTY_LIST", "APPEND", "APPENDS",
        "LIST", "EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "EMPTY_DICT", "DICT",
        "SETITEM", "SETITEMS", "EMPTY_SET", "ADDITEMS", "FROZENSET", "GET", "BINGET", "LONG_BINGET",
        "PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE", "GLOBAL", "STACK_GLOBAL", "REDUCE",
    )
)  # fmt: skip
"""The opcodes that make containers and scalars; the last three call only what `find_class` below gives."""

_LARGEST = 16 * 1024 * 1024


def flags_of_blob(blob: bytes, name: str) -> dict[str, Any]:
    """Return the flags and values in a blob of torch's ``save_config()``.

    Args:
        blob: The bytes.
        name: Where they came from, for messages.

    Raises:
        StateFileError: It is no pickle of a dict with text keys, or holds something else than containers and
            scalars, such as a function; the message names it.
    """
    if len(blob) > _LARGEST:
        raise StateFileError(f"{name} is no saved config of torch: it is larger than {_LARGEST} bytes")
    try:
        _look_through(blob, name)
        flags = _Unpickler(io.BytesIO(blob), name).load()
    except StateFileError:
        raise
    except Exception as problem:  # noqa: BLE001  pickle raises nearly anything on damaged data
        raise StateFileError(f"{name} is no saved config of torch: {problem}") from None
    if not isinstance(flags, dict) or not all(isinstance(key, str) for key in flags):
        raise StateFileError(f"{name} is no saved config of torch: expected a dict of flags")
    return flags


def _look_through(blob: bytes, name: str) -> None:
    for opcode, argument, _ in pickletools.genops(blob):
        if opcode.name not in _DATA:
            raise StateFileError(
                f"{name} is refused: it holds more than containers and scalars (pickle opcode {opcode.name})"
            )
        if opcode.name in ("PUT", "LONG_BINPUT") and int(argument or 0) > len(blob):
            # The unpickler would allocate a table of that length.
            raise StateFileError(f"{name} is no saved config of torch: it is damaged")


class _Unpickler(pickle.Unpickler):
    """Reads containers and scalars, and refuses every name but those of the built-in sets."""

    def __init__(self, file: io.BytesIO, name: str) -> None:
        super().__init__(file)
        self._name = name

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        """Return a built-in set type.

        Raises:
            StateFileError: The name is another one; nothing is imported for it.
        """
        try:
            return _CONTAINERS[module_name, global_name]
        except KeyError:
            raise StateFileError(
                f"{self._name} is refused: it names {module_name}.{global_name}; only containers and scalars"
                " are read; reset that flag before save_config(), and give it as module:qualname instead"
            ) from None
