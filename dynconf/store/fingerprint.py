"""The fingerprint of a state: one short text that is equal exactly if compiled code would be."""

import os
from typing import Any, Literal, overload

from dynconf.provenance import caller
from dynconf.release import Release
from dynconf.sources.calls import as_state
from dynconf.state import StateLike
from dynconf.store.saving import read_state
from dynconf.store.snapshot import live_state
from dynconf.store.state_hash import hash_of, parts_of


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
    """Return a sha256, as 64 hexadecimal digits, of everything in a state that matters to compiled code.

    That is the torch release and, by newest name, every flag that torch does not leave out of its own hash or
    of the key of Inductor's cache; flags tied to one machine are left out. The full release counts, without
    the build tag (``2.13.0``, not ``2.13.0+cpu``): flags never change between patch releases, but the code
    that the compiler makes of them does.

    A value equal to the release's default counts as one that nobody set, and so do a default that torch
    derives from the machine, and a value that another flag implies; 0.0 and -0.0 are one value. So defaults
    are equal on all machines, a file of a few flags equals the state that it came from, and it does not
    matter which config modules are loaded: one that is not counts with the flags that the environment sets in
    it. The result is equal across processes, machines and orders of setting.

    Args:
        state: A snapshot, settings, a mapping of flags to values, or the path of a saved state or settings
            file; None for the live state of the running thread or task.
        explain: Whether to return its parts in place of the hash: the release under ``torch``, and the values
            that count under ``flags``, by newest name.

    Raises:
        StateFileError: A file cannot be read, or something in it is wrong.
        InvalidValueError: A value has no form that is equal in another process, such as a lambda.

    Example:
        >>> import dynconf
        >>> len(dynconf.fingerprint())
        64
    """
    call_site = caller()
    if isinstance(state, (str, os.PathLike)):
        reading = read_state(state, Release.at_hand())
        for warning in reading.warnings:
            call_site.warn(warning)
        state = reading.state
    whole = live_state() if state is None else as_state(state, call_site)
    return parts_of(whole) if explain else hash_of(whole)
