"""The fingerprint of a state: one short text that is equal exactly if compiled code would be."""

import hashlib
import json
import os
from typing import Any

from dynconf.entry import UNSET_KINDS, Entry
from dynconf.errors import InvalidValueError
from dynconf.flags.flag import fact_in
from dynconf.flags.types import Mismatch, plain, same
from dynconf.origin import caller
from dynconf.release import Release
from dynconf.saving import read_state
from dynconf.snapshot import StateLike, as_snapshot
from dynconf.snapshot import snapshot as live_snapshot


def fingerprint(state: StateLike | str | os.PathLike[str] | None = None) -> str:
    """Return a sha256, as 64 hexadecimal digits, of everything in a state that matters to compiled code.

    That is the torch release and, by newest name, every flag that torch does not leave out of its own hash or
    of the key of Inductor's cache; flags tied to one machine are left out. The full release counts, without
    the build tag (``2.13.0``, not ``2.13.0+cpu``): flags never change between patch releases, but what the
    compiler makes of them does.

    A value equal to the release's default counts as one that nobody set, and so does a default that torch
    derives from the machine. So defaults are equal on all machines, a file of a few flags equals the state
    that it came from, and it does not matter which config modules are loaded: one that is not counts with
    what the environment sets in it. The result is equal across processes, machines and orders of setting.

    Args:
        state: A snapshot, settings, a mapping of flags to values, or the path of a saved state or settings
            file; None for the live state of the running thread or task.

    Raises:
        StateFileError: A file cannot be read, or something in it is wrong.
        InvalidValueError: A value has no form that is equal in another process, such as a lambda.

    Example:
        >>> import dynconf
        >>> len(dynconf.fingerprint())
        64
    """
    if isinstance(state, (str, os.PathLike)):
        state, _ = read_state(state, Release.at_hand())
    snapshot = live_snapshot() if state is None else as_snapshot(state, caller())
    flags = {entry.key: _stable(entry) for entry in snapshot.entries() if _matters(entry)}
    facts = {"torch": snapshot.torch, "flags": flags}
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _matters(entry: Entry) -> bool:
    setting, is_unset = entry.setting, entry.origin.kind in UNSET_KINDS
    if setting is None:
        # Newer than the catalogue: its default is the release's, and that is in the fingerprint already.
        return not is_unset
    if entry.origin.kind in ("alias", "implication") or (is_unset and setting.is_computed):
        return False  # what another flag implies follows from that flag
    # Passes are in the key of Inductor's cache, if in another form.
    is_in_no_key = fact_in(setting.flag.cache_key_ignored, setting.release.minor)
    if setting.flag.host or setting.compile_ignored or (is_in_no_key and not setting.type.names_objects):
        return False
    return not same(_as_stored(entry), setting.default_value())


def _as_stored(entry: Entry) -> Any:
    """Return the value as the flag would store it (1 for a float is 1.0), or as it is if that is refused."""
    if entry.setting is None:
        return entry.value
    try:
        return entry.setting.type.check(entry.meaning)
    except Mismatch:
        return entry.meaning


def _stable(entry: Entry) -> Any:
    value = _as_stored(entry)
    if isinstance(value, float):
        return value + 0.0  # there are two zeros, equal to everyone but in their text
    try:
        return plain(value if entry.setting is None else entry.setting.type.to_data(value))
    except (Mismatch, TypeError) as problem:
        raise InvalidValueError(
            f"{entry.name}: {problem}; a state that contains it has no fingerprint that another process could"
            " reproduce",
            flag=entry.name,
        ) from None
