"""Saved states: the JSON form of a snapshot, writing it to a file, and reading it back."""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE, qualified
from dynconf.catalogue.flags.types import Mismatch, Named, PlainData, ValueType, short_repr
from dynconf.catalogue.flags.types.reference import leaves
from dynconf.catalogue.modules import MODULES
from dynconf.catalogue.names import FLAGS, in_order, split
from dynconf.errors import DynconfError, EnvironmentWarning, InvalidValueError, StateFileError, combined
from dynconf.provenance import caller, relative_path
from dynconf.release import Release
from dynconf.sources.calls import as_state
from dynconf.sources.discovery import named_document
from dynconf.sources.files import STATE_FORMAT, Document, read_document
from dynconf.sources.reading import Reading
from dynconf.state import Missing, SettingValue, State, StateLike, check_missing
from dynconf.store.ignore import DEFAULT, ignored
from dynconf.store.snapshot import Snapshot, live_state
from dynconf.store.writing import write
from dynconf.text import escaped, printable


def save(
    path: str | os.PathLike[str],
    state: StateLike | None = None,
    *,
    ignore: Iterable[str] | None = None,
    all: bool = False,  # noqa: A002  the name of the option on the command line, --all
    pins: bool = False,
    full: bool = False,
) -> None:
    """Write a state to a file: sorted, readable, and atomically, so that a kill never leaves half a file.

    Args:
        path: The file: JSON, or settings in TOML if its name ends in ``.toml``, or ``-`` for the standard
            output. An existing one is replaced, and its mode is kept.
        state: A snapshot, settings, or a mapping of flags to values; None for the live state of the running
            thread or task.
        ignore: Flags to leave out; `dynconf.ignore` has sets to combine. None for its ``DEFAULT`` and
            whatever the live torch itself would leave out.
        all: Whether to write every flag of the state that is not ignored, set or not. The live state then
            includes those of all config modules, which are imported.
        pins: Whether overrides of the live state that equal torch's default are written even if dynconf did
            not see the program assign them: see `snapshot`.
        full: Whether the origins name their files in full. Otherwise the file names no folder of the machine,
            such as one with the name of its user, except in values that are paths.

    Raises:
        UnknownFlagError: *ignore* names a flag that does not exist.
        InvalidValueError: A value cannot be written, such as a lambda; nothing is written then.
        StateFileError: The file cannot be written, is not a regular file, or has an unknown suffix.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=64):
        ...     dynconf.save("state.json")
        >>> dict(dynconf.load("state.json"))
        {'recompile_limit': 64}
    """
    left_out = DEFAULT | _torch_ignores() if ignore is None else ignore
    call_site = caller()
    if state is None:
        whole = live_state(MODULES if all else (), pins=pins, only_set=not all)
    else:
        whole = as_state(state, call_site)
    written = saved_document(whole, left_out, everything=all, full=full)
    for warning in lost_objects(whole, DEFAULT - written["flags"].keys()):  # before, as they may be errors
        call_site.warn(warning)
    write_document(path, written)


def load(path: str | os.PathLike[str], missing: Missing = "warn", *, trust: bool = False) -> Snapshot:
    """Read a saved state, or a TOML or JSON settings file, for the torch at hand; nothing is changed.

    Flags in a file of another release go by their names in this one.

    Args:
        path: The file.
        missing: How to treat flags that this torch lacks: ``"warn"``, ``"error"`` or ``"skip"``.
        trust: Whether the file may set flags that make torch run, write or skip something, and flags that are
            internal to torch. Only for files whose author you know.

    Returns:
        The flags that the file sets; `Snapshot.patch` and `Snapshot.install` put them in force.

    Raises:
        StateFileError: It cannot be read, or anything in it is wrong or needs trust; ``errors`` lists the
            mistakes.
        InvalidValueError: *missing* is none of these.

    Example:
        >>> import dynconf
        >>> dynconf.save("state.json", all=True)
        >>> with dynconf.load("state.json").patch():
        ...     pass
    """
    call_site = caller()
    check_missing(missing, "missing")
    from dynconf.live.binding import newer_flags

    release = Release.at_hand()
    reading = read_state(path, release, missing, newer_flags(release), trust=trust)
    return Snapshot(reading.used_by(call_site))


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


def document(state: State, marks: Mapping[str, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """Return the JSON form of a state, for people and programs to look at.

    Beside each flag are its *marks*, by newest name, such as the value that bare torch would read.
    """
    flags = {
        setting.newest: _as_json(setting, each, setting.type.show_data(each.value), full=True)
        | dict((marks or {}).get(setting.newest, {}))
        for setting, each in state.items()
    }
    return {"dynconf": STATE_FORMAT, "torch": state.release.version, "flags": flags}


def saved_document(
    state: State, ignore: Iterable[str], *, everything: bool = False, full: bool = False
) -> dict[str, Any]:
    """Return the JSON form of a state as a file contains it; `read_state` reads the same values from it.

    Left out are the flags in *ignore*, under any of their names, and unless *everything* is wanted, those
    that nothing sets; unless it is *full*, the folders of the files that values came from, too. A value that
    cannot be written is an `InvalidValueError`.
    """
    left_out = ignored(ignore, (each.newest for each in state if not each.is_catalogued))
    flags: dict[str, Any] = {}
    errors: list[DynconfError] = []
    for setting in in_order(state if everything else state.only_set()):
        if setting.newest in left_out:
            continue
        try:
            data = stored(setting, state[setting].value)
            flags[setting.newest] = _as_json(setting, state[setting], data, full=full)
        except InvalidValueError as error:
            errors.append(error)
    if errors:
        raise combined(errors)
    return {"dynconf": STATE_FORMAT, "torch": state.release.version, "flags": flags}


def lost_objects(state: State, ignore: Iterable[str]) -> list[EnvironmentWarning]:
    """Return a warning for each object, such as a pass, that is set and left out by *ignore*.

    Those of other flags that no file can contain are errors of `saved_document`.
    """
    left_out = ignored(ignore)
    lost: list[EnvironmentWarning] = []
    for setting in in_order(state.only_set()):
        name, value = setting.newest, state[setting].value
        if name not in left_out:
            continue
        why = f"to write its name, save with ignore=dynconf.ignore.DEFAULT - {{{name!r}}}"
        try:
            stored(setting, value)
        except InvalidValueError:
            why = "it cannot be written to a file"
        else:
            if not any(map(callable, leaves(value))):
                continue
        lost.append(EnvironmentWarning(f"{name} is left out: {setting.text(value)}; {why}", flag=name))
    return lost


def _as_json(setting: Setting, entry: SettingValue, data: Any, *, full: bool) -> dict[str, Any]:
    default = {"default": setting.type.show_data(setting.default_value())} if setting.is_catalogued else {}
    origin = entry.origin
    if origin.file and not full:
        file = relative_path(origin.file)
        origin = replace(origin, file=os.path.basename(file) if os.path.isabs(file) else file)
    return {"value": data, **default, "origin": origin.as_json()}


def stored(setting: Setting, value: Any) -> Any:
    """Return a value as JSON data from which it is read again; raise `InvalidValueError` if that fails."""
    # A value that was read may contain names in place of objects.
    names_objects = isinstance(value, set) and any(isinstance(item, Named) for item in value)
    try:
        return setting.type.to_data(value if names_objects else setting.check(value))
    except Mismatch as problem:
        advice = f"to leave the flag out, save with ignore=dynconf.ignore.DEFAULT | {{{setting.newest!r}}}"
        raise InvalidValueError(f"{setting.newest}: {problem}; {advice}", flag=setting.newest) from None


def text_of(data: Mapping[str, Any]) -> str:
    """Return the text of a state file; raise `InvalidValueError` if a number is too long to be written."""
    try:
        text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError as problem:
        raise InvalidValueError(f"the state cannot be written: {problem}") from None
    return escaped(text, "json") + "\n"


def write_document(path: str | os.PathLike[str], data: Mapping[str, Any], form: str = "") -> None:
    """Write a `saved_document`: as JSON, or as settings in TOML if *form* or the name's end is ``toml``."""
    name = os.fspath(path)
    suffix = f".{form}" if form else Path(name).suffix.lower()
    if suffix not in ("", ".json", ".toml"):
        raise StateFileError(f"{name} cannot be written: {suffix} is not a known suffix; use .json or .toml")
    write(path, _settings_text(data) if suffix == ".toml" else text_of(data))


def _settings_text(data: Mapping[str, Any]) -> str:
    """Return the values of a state as a file of settings."""
    values = {name: entry["value"] for name, entry in data["flags"].items()}
    lost = [
        InvalidValueError(f"{name}: TOML cannot express {short_repr(value)}; save to a .json file", flag=name)
        for name, value in values.items()
        if is_lost_in_toml(FLAGS[name].type if name in FLAGS else PlainData(), value)
    ]
    if lost:
        raise combined(lost)
    return f"# torch {data['torch']}\n{toml_of(values)}"


def toml_of(values: Mapping[str, Any]) -> str:
    """Return flags, by full name, as a file of settings; those of other modules and of groups in tables."""
    import tomli_w

    tables: dict[str, Any] = {}
    for name, value in values.items():
        module, bare = split(name)
        *groups, key = bare.split(".")
        table = tables
        for part in (*([module] if module != BARE_MODULE else []), *groups):
            table = table.setdefault(part, {})
        table[key] = "none" if value is None else value
    return escaped(tomli_w.dumps(tables), "toml")


def is_lost_in_toml(kind: ValueType, data: object) -> bool:
    """Tell whether TOML cannot express *data* of that type: it has no null, for which a word stands."""
    if isinstance(data, (dict, list)):
        return any(leaf is None for leaf in leaves(data))
    return isinstance(data, str) and data.strip().lower() == "none" and kind.takes_none


def read_state(
    path: str | os.PathLike[str] | Document,
    release: Release,
    missing: Missing | None = None,
    newer: Mapping[str, Setting] | None = None,
    *,
    trust: bool = False,
) -> Reading:
    """Read the flags that a saved state or a file of settings sets, as `read_document`; nothing is imported.

    Whatever is wrong with it is a `StateFileError`, whose ``errors`` lists the mistakes.
    """
    name = path.name if isinstance(path, Document) else os.fspath(path)
    try:
        document = named_document(path if isinstance(path, Document) else name, os.environ, trust=trust)
        used = read_document(document, release, missing, newer=newer).without_idle()
        return replace(used, state=used.resolved())
    except DynconfError as error:
        mistakes, file = str(error), printable(name)
        whole = mistakes if file in mistakes else f"{file} cannot be loaded: {mistakes}"
        raise StateFileError(whole, error.errors) from None
