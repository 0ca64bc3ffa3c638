"""Saved states: the JSON form of a snapshot, writing it to a file, and reading it back."""

import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dynconf.catalogue import Setting
from dynconf.errors import DynconfError, DynconfWarning, InvalidValueError, StateFileError, combined
from dynconf.flags.flag import qualified
from dynconf.flags.types import Mismatch, Named, plain, same
from dynconf.ignore import DEFAULT, ignored
from dynconf.origin import caller
from dynconf.release import Release
from dynconf.snapshot import Entry, Snapshot, newer_flags, set_by, show_data
from dynconf.snapshot import snapshot as live_snapshot
from dynconf.sources.files import STATE_FORMAT, open_document, read_document
from dynconf.sources.layer import Missing


def save(
    path: str | os.PathLike[str],
    state: Snapshot | None = None,
    *,
    ignore: Iterable[str] | None = None,
    all: bool = False,  # noqa: A002  the name of the option on the command line, --all
) -> None:
    """Write a state to a file: sorted, readable, and in one step, so that a kill never leaves half of it.

    Args:
        path: The JSON file; an existing one is replaced.
        state: The state; None for the live one of the running thread or task.
        ignore: Flags to leave out; `dynconf.ignore` has sets to combine. None for its ``DEFAULT`` and
            whatever the live torch itself would leave out.
        all: Whether to write every flag of the state that is not ignored, set or not.

    Raises:
        UnknownFlagError: *ignore* names a flag that does not exist.
        InvalidValueError: A value cannot be written, such as a lambda; nothing is written then.
        StateFileError: The file cannot be written.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=64):
        ...     dynconf.save("state.json")
        >>> dynconf.load("state.json").values
        {'recompile_limit': 64}
    """
    left_out = DEFAULT | _torch_ignores() if ignore is None else ignore
    snapshot = live_snapshot() if state is None else state
    write(path, text_of(saved_document(snapshot, left_out, everything=all)))


def load(path: str | os.PathLike[str], missing: Missing = "warn") -> Snapshot:
    """Read a saved state, or a TOML or JSON settings file, for the torch at hand; nothing is changed.

    Flags in a file of another release go by their names in this one.

    Args:
        path: The file.
        missing: What to do about flags that this torch lacks: ``"warn"``, ``"error"`` or ``"skip"``.

    Returns:
        The flags that the file sets; `Snapshot.patch` and `Snapshot.install` put them in force.

    Raises:
        StateFileError: It cannot be read, or anything in it is wrong; ``errors`` lists the mistakes.

    Example:
        >>> import dynconf
        >>> dynconf.save("state.json", all=True)
        >>> with dynconf.load("state.json").patch():
        ...     pass
    """
    here = caller()
    release = Release.at_hand()
    snapshot, notes = read_state(path, release, missing, newer_flags(release))
    for note in notes:
        here.warn(note)
    return snapshot


def _torch_ignores() -> frozenset[str]:
    """Return the flags that the loaded config modules themselves leave out of a saved config."""
    if "torch" not in sys.modules:
        return frozenset()
    from dynconf.live.binding import loaded

    return frozenset(
        qualified(binding.catalogue.name, name)
        for binding in loaded()
        for name in binding.saved_ignores() & {*binding.names(), *binding.catalogue.flags}
    )


def document(
    snapshot: Snapshot, names: Iterable[str], marks: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, Any]:
    """Return the JSON form of some of a snapshot's flags, for people and programs to look at.

    Args:
        snapshot: The state.
        names: The flags to write, by their names in the snapshot.
        marks: Further entries by full name, such as what bare torch would read.
    """
    flags = {
        entry.name: _as_json(entry, show_data(entry.name, entry.value))
        | dict((marks or {}).get(entry.name, {}))
        for entry in snapshot.entries(names)
    }
    return {"dynconf": STATE_FORMAT, "torch": snapshot.torch, "flags": flags}


def saved_document(snapshot: Snapshot, ignore: Iterable[str], *, everything: bool = False) -> dict[str, Any]:
    """Return the JSON form of a snapshot as a file contains it; `read_state` reads the same values from it.

    Args:
        snapshot: The state.
        ignore: Flags to leave out, under any of their names.
        everything: Whether to include flags that nothing sets.

    Raises:
        UnknownFlagError: *ignore* names a flag that does not exist.
        InvalidValueError: A value cannot be written; the message names flag and object.
    """
    left_out = ignored(ignore, snapshot.values)
    flags: dict[str, Any] = {}
    errors: list[DynconfError] = []
    for entry in snapshot.entries(sorted(snapshot.values) if everything else snapshot.names_set()):
        if entry.key in left_out or entry.origin.kind == "alias":
            continue
        try:
            flags[entry.name] = _as_json(entry, stored(entry))
        except InvalidValueError as error:
            errors.append(error)
    if errors:
        raise combined(errors)
    return {"dynconf": STATE_FORMAT, "torch": snapshot.torch, "flags": flags}


def _as_json(entry: Entry, data: Any) -> dict[str, Any]:
    known = {}
    if entry.setting is not None:
        known["default"] = entry.setting.type.show_data(entry.setting.default_value())
    return {"value": data, **known, "origin": entry.origin.as_json()}


def stored(entry: Entry) -> Any:
    """Return the value of an entry as JSON data from which the same value can be read again.

    Raises:
        InvalidValueError: It cannot be written, or the flag does not accept it.
    """
    setting, value = entry.setting, entry.meaning
    try:
        if setting is None:
            return plain(value)
        # A value that was read may contain names in place of objects.
        if not (isinstance(value, set) and any(isinstance(item, Named) for item in value)):
            try:
                value = setting.type.check(value)
            except Mismatch as problem:
                raise setting.invalid(value, problem) from None
        return setting.type.to_data(value)
    except Mismatch as problem:
        advice = f"to leave the flag out, save with ignore=dynconf.ignore.DEFAULT | {{{entry.name!r}}}"
        raise InvalidValueError(f"{entry.name}: {problem}; {advice}", flag=entry.name) from None


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
        # A path that is not valid text contains lone surrogates, which only escapes can express.
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
    path: str | os.PathLike[str],
    release: Release,
    missing: Missing | None = None,
    newer: Mapping[str, Setting] | None = None,
) -> tuple[Snapshot, tuple[DynconfWarning, ...]]:
    """Read a saved state, or a settings file; nothing is imported for it.

    Args:
        path: A JSON or TOML file.
        release: The release to read it for; flags go by the names that it uses.
        missing: What to do about flags that it lacks; None for what the file says.
        newer: Settings of flags that are newer than the catalogue, by full name.

    Returns:
        The flags that the file sets, and what to warn of.

    Raises:
        StateFileError: It cannot be read, or something in it is wrong; ``errors`` lists the mistakes.
    """
    name = os.fspath(path)
    try:
        layer = read_document(open_document(name), release, missing, newer=newer).resolved()
    except DynconfError as error:
        mistakes = str(error)
        whole = f"{name} cannot be loaded: {mistakes}" if name not in mistakes else mistakes
        raise StateFileError(whole, error.errors) from None
    # A no-op flag at its default, which any state of all flags has, says nothing and deserves no warning.
    idle = {
        setting.qualified: setting
        for setting, value in layer.values.items()
        if setting.inert and same(value, setting.default_value())
    }
    snapshot = set_by(layer, release, layer.values.keys() - idle.values())
    return snapshot, tuple(note for note in layer.notes if note.flag not in idle)
