"""The fingerprint of a state: one short text that is equal if and only if compiled code would be."""

import hashlib
import json
import os
from typing import Any, Literal, overload

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import Mismatch, is_same_value
from dynconf.errors import InvalidValueError
from dynconf.provenance import caller
from dynconf.release import Release
from dynconf.sources.calls import as_state
from dynconf.state import State, StateLike
from dynconf.store.saving import read_state
from dynconf.store.snapshot import live_state


@overload
def fingerprint(
    state: StateLike | str | os.PathLike[str] | None = None, *, explain: Literal[False] = False
) -> str: ...


@overload
def fingerprint(
    state: StateLike | str | os.PathLike[str] | None = None, *, explain: Literal[True]
) -> dict[str, Any]: ...


def fingerprint(
    state: StateLike | str | os.PathLike[str] | None = None, *, explain: bool = False
) -> str | dict[str, Any]:
    """Return a SHA-256, as 64 hexadecimal digits, of everything in a state that affects compiled code.

    That is the torch release and, by newest name, every flag that torch does not leave out of its own hash or
    of the key of Inductor's cache; flags tied to one machine are left out. The full release counts, without
    the build tag (``2.13.0``, not ``2.13.0+cpu``): flags never change between patch releases, but the code
    that the compiler makes of them does.

    A value equal to the release's default counts as not set, and so do a default that torch derives from the
    machine, and a value that another flag implies; 0.0 and -0.0 are the same value. So defaults have the same
    fingerprint on all machines, a file with a few flags has that of the state it came from, and it does not
    matter which config modules are loaded: one that is not loaded counts with the flags that the environment
    sets in it. The result is the same across processes, machines and orders of setting.

    Args:
        state: A snapshot, settings, a mapping of flags to values, or the path of a saved state or settings
            file; None for the live state of the running thread or task.
        explain: Whether to return what is hashed instead of the hash: the release under ``torch``, and the
            values that count under ``flags``, by newest name.

    Raises:
        StateFileError: A file cannot be read, or something in it is wrong.
        InvalidValueError: A value, such as a lambda, has no form that is the same in another process.

    Example:
        >>> import dynconf
        >>> len(dynconf.fingerprint())
        64
    """
    call_site = caller()
    if isinstance(state, (str, os.PathLike)):
        state = read_state(state, Release.at_hand()).used_by(call_site)
    whole = live_state() if state is None else as_state(state, call_site)
    return parts_of(whole) if explain else hash_of(whole)


def hash_of(state: State) -> str:
    """Return the SHA-256 of everything in a state that affects compiled code.

    Raises:
        InvalidValueError: A value, such as a lambda, has no form that is the same in another process.
    """
    text = json.dumps(parts_of(state), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def parts_of(state: State) -> dict[str, Any]:
    """Return everything in a state that affects compiled code, as the data that is hashed."""
    state = state.without(state.implied())  # a file may have both, or only the flags that imply the others
    flags = {
        setting.newest: _stable(setting, _as_stored(setting, value))
        for setting, (value, _) in state.items()
        if _matters(setting, state)
    }
    return {"torch": state.release.version, "flags": flags}


def _matters(setting: Setting, state: State) -> bool:
    entry = state[setting]
    if not setting.is_catalogued:
        # Its default is the release's, and the release is in the fingerprint already.
        return entry.is_set
    if not entry.is_set and setting.is_computed:
        return False
    if setting.flag.machine_dependent or setting.is_in_no_key:
        return False
    value = _as_stored(setting, entry.value)
    return not is_same_value(value, setting.default_value())


def _as_stored(setting: Setting, value: Any) -> Any:
    """Return the value as the flag would store it (1 for a float is 1.0), or as it is if that is refused."""
    try:
        return setting.type.check(value)
    except Mismatch:
        return value


def _stable(setting: Setting, value: Any) -> Any:
    """Return a value as data that is equal in every process; 0.0 and -0.0 are one value, as for torch."""
    try:
        text = json.dumps(setting.type.to_data(value))
    except (Mismatch, TypeError) as problem:
        raise InvalidValueError(
            f"{setting.newest}: {problem}; a state that contains it has no fingerprint that another process"
            " could reproduce",
            flag=setting.newest,
        ) from None
    return json.loads(text, parse_float=lambda number: float(number) + 0.0)
