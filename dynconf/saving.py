"""The JSON form of a snapshot: what ``dynconf dump --format json`` prints and `save` writes."""

import json
import os
import secrets
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, default_of, spelled
from dynconf.catalogue.value_types import ValueType
from dynconf.errors import DynconfError, DynconfWarning, InvalidValueError, StateFileError, combined
from dynconf.references import Named
from dynconf.sources.files import STATE_FORMAT, open_document, read_document
from dynconf.sources.layer import Layer, Missing
from dynconf.state.ignore import ignored
from dynconf.state.snapshot import Snapshot, meant
from dynconf.values import Mismatch, as_json, checker, invalid, plain, same, shown
from dynconf.versions import AtHand


def document(
    snapshot: Snapshot, names: Iterable[str], marks: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, Any]:
    """Return the JSON form of some of a snapshot's flags, for people and programs to look at.

    Args:
        snapshot: The state.
        names: The flags to write.
        marks: Further entries by flag, such as what bare torch would read.
    """
    entries = {
        name: {
            **_entry(snapshot, name, shown_as_json(name, snapshot.values[name])),
            **(marks or {}).get(name, {}),
        }
        for name in names
    }
    return {"dynconf": STATE_FORMAT, "torch": snapshot.torch, "flags": entries}


def _entry(snapshot: Snapshot, name: str, value: Any) -> dict[str, Any]:
    entry = {"value": value}
    if name in FLAGS:
        entry["default"] = shown_as_json(name, default_of(name, snapshot.minor))
    return {**entry, "origin": snapshot.origins[name].as_json()}


def shown_as_json(name: str, value: object) -> Any:
    """Return *value* as JSON; an object that has no name to be found again by is shown as text."""
    try:
        return as_json(FLAGS[name].type, value) if name in FLAGS else plain(value)
    except Mismatch:
        return sorted(map(shown, value)) if isinstance(value, (set, frozenset)) else shown(value)


def saved_document(snapshot: Snapshot, ignore: Iterable[str], *, everything: bool = False) -> dict[str, Any]:
    """Return the JSON form of a snapshot as it goes into a file, from which `read_state` has the same values.

    Args:
        snapshot: The state.
        ignore: Flags to leave out, under any of their names.
        everything: Whether to write flags that nothing sets too.

    Raises:
        UnknownFlagError: *ignore* names a flag that does not exist.
        InvalidValueError: A value cannot be written; the message names flag and object.
    """
    left_out = ignored(ignore, snapshot.values)
    names = sorted(snapshot.values) if everything else snapshot.names_set()
    entries: dict[str, Any] = {}
    errors: list[DynconfError] = []
    for name in names:
        if canonical(name) in left_out or snapshot.origins[name].kind == "alias":
            continue
        try:
            entries[name] = _entry(snapshot, name, stored(name, snapshot.values[name]))
        except InvalidValueError as error:
            errors.append(error)
    if errors:
        raise combined(errors)
    return {"dynconf": STATE_FORMAT, "torch": snapshot.torch, "flags": entries}


def stored(name: str, value: object) -> Any:
    """Return *value* of that flag as JSON data from which the same value can be read again.

    Raises:
        InvalidValueError: It cannot be written, or the flag does not take it.
    """
    try:
        if name not in FLAGS:
            return plain(value)
        type_ = FLAGS[name].type
        checked = _checked(type_, meant(name, value))
    except Mismatch as problem:
        if name in FLAGS:
            raise invalid(FLAGS[name], value, problem) from None
        raise InvalidValueError(f"{name}: {problem}{_LEAVE_OUT.format(name)}", flag=name) from None
    try:
        return as_json(type_, checked)
    except Mismatch as problem:
        raise InvalidValueError(f"{name}: {problem}{_LEAVE_OUT.format(name)}", flag=name) from None


def _checked(type_: ValueType, value: Any) -> Any:
    """Check a value, which may be one that was read and has names in place of objects."""
    named = isinstance(value, set) and any(isinstance(item, Named) for item in value)
    return value if named else checker(type_)(value)


_LEAVE_OUT = "; to leave the flag out, save with ignore=dynconf.ignore.DEFAULT | {{{!r}}}"


def text_of(data: Mapping[str, Any]) -> str:
    """Return the text of a state file.

    Raises:
        InvalidValueError: A number in it is too long to be written.
    """
    try:
        text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError as problem:
        raise InvalidValueError(f"the state cannot be written: {problem}") from None
    try:
        text.encode()
    except UnicodeEncodeError:
        # A path that is no valid text holds lone surrogates, which only escapes can carry.
        text = json.dumps(data, indent=2, allow_nan=False)
    return text + "\n"


def write(path: str | os.PathLike[str], text: str) -> None:
    """Write a file in one step: whenever the process dies, the old file or the new one is there, whole.

    Raises:
        StateFileError: The file cannot be written.
    """
    # A link stays a link; what it points to is replaced.
    try:
        target = Path(os.path.realpath(path))
    except (OSError, ValueError) as problem:
        raise StateFileError(f"{os.fspath(path)!r} cannot be written: {problem}") from None
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with partial.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, partial)
        partial.replace(target)
    except BaseException as problem:
        partial.unlink(missing_ok=True)
        if isinstance(problem, (OSError, ValueError)):
            reason = getattr(problem, "strerror", None) or problem
            raise StateFileError(f"{os.fspath(path)} cannot be written: {reason}") from None
        raise


def read_state(
    path: str | os.PathLike[str], at: AtHand, missing: Missing | None = None, beyond: Collection[str] = ()
) -> tuple[Snapshot, tuple[DynconfWarning, ...]]:
    """Read a saved state, or a file of settings, for the release at hand; nothing is imported for it.

    Args:
        path: A JSON or TOML file.
        at: The release; flags go by the names that it uses.
        missing: What to do about flags that it lacks; None for what the file says.
        beyond: Flags of the release that are newer than the catalogue.

    Returns:
        The flags that the file sets, and what to warn of.

    Raises:
        StateFileError: It cannot be read, or something in it is wrong; ``errors`` holds the single mistakes.
    """
    name = os.fspath(path)
    layer = _resolved(read_document(open_document(Path(name)), at, missing, beyond))
    if layer.errors:
        mistakes = "\n".join(str(error) for error in layer.errors)
        whole = f"{name} cannot be loaded: {mistakes}" if name not in mistakes else mistakes
        raise StateFileError(whole, layer.errors)
    idle = {
        flag
        for flag in layer.values
        if flag not in beyond
        and FLAGS[spelled(flag, at.minor) or flag].status_in(at.minor) == "no-op"
        and same(layer.values[flag], default_of(flag, at.minor))
    }
    # A no-op flag at its default, as a state with all flags has it, says nothing and is no reason to warn.
    named = {spelled(flag, at.minor) or flag: flag for flag in layer.values if flag not in idle}
    snapshot = Snapshot(
        at.version,
        {name: layer.values[flag] for name, flag in sorted(named.items())},
        {name: layer.origins[flag] for name, flag in sorted(named.items())},
    )
    return snapshot, tuple(note for note in layer.notes if canonical(note.flag or "") not in idle)


def _resolved(layer: Layer) -> Layer:
    """Return the layer with names of objects replaced by the objects, if all of them can be looked up."""
    values, errors = dict(layer.values), list(layer.errors)
    for name, value in layer.values.items():
        if name not in FLAGS:
            continue
        try:
            values[name] = checker(FLAGS[name].type)(value)
        except Mismatch as problem:
            errors.append(invalid(FLAGS[name], shown_as_json(name, value), problem, layer.origins[name]))
    return Layer(values, layer.origins, tuple(errors), layer.notes)
