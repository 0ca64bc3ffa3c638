"""The hash of a state, equal exactly if compiled code would be; `dynconf.fingerprint` explains it."""

import hashlib
import json
from typing import Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import Mismatch, is_same_value
from dynconf.errors import InvalidValueError
from dynconf.state import State


def hash_of(state: State) -> str:
    """Return the sha256 of everything in a state that matters to compiled code.

    Raises:
        InvalidValueError: A value has no form that is equal in another process, such as a lambda.
    """
    text = json.dumps(parts_of(state), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def parts_of(state: State) -> dict[str, Any]:
    """Return everything in a state that matters to compiled code, as the data that is hashed."""
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
    meaning = setting.type.truth(value)
    try:
        return setting.type.check(meaning)
    except Mismatch:
        return meaning


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
