"""What torch's own ``save_config()`` wrote, as a snapshot; only ``dynconf save --from-torch`` needs it.

torch pickles its flags, and a pickle can run any code while it is read. So the blob is first scanned without
executing anything: opcodes that could build, import or call anything other than containers and scalars are
refused. Only what passes is read, by an unpickler that knows no names other than those of the built-in sets,
which the old protocol that torch uses needs.
"""

import functools
import io
import pickle
import pickletools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dynconf.catalogue import Setting
from dynconf.errors import DynconfWarning, InertFlagWarning, StateFileError, combined
from dynconf.flags.types import same, shown
from dynconf.names import is_known
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.snapshot import Snapshot, set_by
from dynconf.sources.layer import LayerBuilder

_CONTAINERS: dict[tuple[str, str], type] = {
    (module, kind.__name__): kind for module in ("builtins", "__builtin__") for kind in (set, frozenset)
}
_OPCODES = """
PROTO FRAME STOP MARK POP POP_MARK DUP NONE NEWTRUE NEWFALSE INT BININT BININT1 BININT2 LONG LONG1 LONG4
FLOAT BINFLOAT STRING BINSTRING SHORT_BINSTRING UNICODE BINUNICODE SHORT_BINUNICODE BINUNICODE8 BINBYTES
SHORT_BINBYTES BINBYTES8 EMPTY_LIST APPEND APPENDS LIST EMPTY_TUPLE TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_DICT
DICT SETITEM SETITEMS EMPTY_SET ADDITEMS FROZENSET GET BINGET LONG_BINGET PUT BINPUT LONG_BINPUT MEMOIZE
GLOBAL STACK_GLOBAL REDUCE
"""
"""The opcodes that make containers and scalars; the last three only call what `find_class` below returns."""
_DATA = frozenset(_OPCODES.split())

_LARGEST = 16 * 1024 * 1024


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
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise StateFileError(f"{path} cannot be read: {problem.strerror}") from None
    builder, left_out = LayerBuilder(release, missing="warn"), []
    for name, value in sorted(flags_of_blob(content, str(path)).items()):
        if is_known(name):
            origin = Origin("file", name, shown(value), str(path))
            builder.add(name, origin, functools.partial(_checked, value), value)
        else:
            left_out.append(name)
    layer = builder.done()
    if layer.errors:
        raise StateFileError(f"{path}: {combined(layer.errors)}", layer.errors)
    snapshot = set_by(
        layer,
        release,
        [
            setting
            for setting, value in layer.values.items()
            if everything or not same(value, setting.default_value())
        ],
    )
    # The blob has every flag; a no-op one is worth mentioning only if somebody has set it.
    notes = [
        note for note in layer.notes if not isinstance(note, InertFlagWarning) or note.flag in snapshot.values
    ]
    return Converted(snapshot, tuple(left_out), tuple(notes))


def _checked(value: object, setting: Setting) -> Any:
    return setting.type.check(setting.type.truth(value))


def flags_of_blob(blob: bytes, name: str) -> dict[str, Any]:
    """Return the flags and values in a blob of torch's ``save_config()``.

    Args:
        blob: The bytes.
        name: Where they came from, for messages.

    Raises:
        StateFileError: It is not a pickle of a dict with text keys, or contains anything other than
            containers and scalars, such as a function; the message names it.
    """
    not_one = f"{name} is not a saved config of torch"
    if len(blob) > _LARGEST:
        raise StateFileError(f"{not_one}: it is larger than {_LARGEST} bytes")
    try:
        _scan(blob, name)
        flags = _Unpickler(io.BytesIO(blob), name).load()
    except StateFileError:
        raise
    except Exception as problem:  # noqa: BLE001  pickle raises nearly anything on damaged data
        raise StateFileError(f"{not_one}: {problem}") from None
    if not isinstance(flags, dict) or not all(isinstance(key, str) for key in flags):
        raise StateFileError(f"{not_one}: expected a dict of flags")
    return flags


def _scan(blob: bytes, name: str) -> None:
    for opcode, argument, _ in pickletools.genops(blob):
        if opcode.name not in _DATA:
            raise StateFileError(
                f"{name} is refused: it contains more than containers and scalars"
                f" (pickle opcode {opcode.name})"
            )
        if opcode.name in ("PUT", "LONG_BINPUT") and int(argument or 0) > len(blob):
            # The unpickler would allocate a table of that length.
            raise StateFileError(f"{name} is not a saved config of torch: it is damaged")


class _Unpickler(pickle.Unpickler):
    """Reads containers and scalars, and refuses every name other than those of the built-in sets."""

    def __init__(self, file: io.BytesIO, name: str) -> None:
        super().__init__(file)
        self._name = name

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        """Return a built-in set type.

        Raises:
            StateFileError: It is any other name; nothing is imported for it.
        """
        try:
            return _CONTAINERS[module_name, global_name]
        except KeyError:
            raise StateFileError(
                f"{self._name} is refused: it names {module_name}.{global_name}; only containers and scalars"
                " are read; reset that flag before save_config(), and give it as module:qualname instead"
            ) from None
