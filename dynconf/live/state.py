"""`save`, `load` and `fingerprint`: the state functions, with the live state where none is given."""

import os
import sys
from collections.abc import Iterable

from dynconf.catalogue import FLAGS
from dynconf.errors import warn_once
from dynconf.live.binding import CONFIG_MODULE, live
from dynconf.live.snapshot import Snapshot
from dynconf.live.snapshot import snapshot as live_snapshot
from dynconf.sources.layer import Missing
from dynconf.state import snapshot as data
from dynconf.state.fingerprint import fingerprint_of
from dynconf.state.ignore import DEFAULT
from dynconf.state.store import read_state, saved_document, text_of, write
from dynconf.versions import NEWEST, AtHand, at_hand, minor


def save(
    path: str | os.PathLike[str],
    snapshot: data.Snapshot | None = None,
    *,
    ignore: Iterable[str] | None = None,
    all: bool = False,  # noqa: A002  the name says it, as --all does on the command line
) -> None:
    """Write a state to a file: sorted, readable, and in one step, so that a kill never leaves half of it.

    Args:
        path: The JSON file; an old one is replaced.
        snapshot: The state; the live one of the running thread or task where None.
        ignore: Flags to leave out; `dynconf.ignore` has sets to combine. None for its ``DEFAULT`` and what
            the live torch itself would leave out.
        all: Whether to write every flag that is not ignored, and not only those that something sets.

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
    left_out = (DEFAULT | _torch_ignores()) if ignore is None else frozenset(ignore)
    state = live_snapshot() if snapshot is None else snapshot
    write(path, text_of(saved_document(state, left_out, everything=all)))


def load(path: str | os.PathLike[str], missing: Missing = "warn") -> Snapshot:
    """Read a saved state, or a TOML or JSON file of settings, for the torch at hand; nothing is changed.

    Flags of a file of another release go by their names in this one.

    Args:
        path: The file.
        missing: What to do about flags that this torch lacks: ``"warn"``, ``"error"`` or ``"skip"``.

    Returns:
        The flags that the file sets; `Snapshot.patch` and `Snapshot.install` put them into force.

    Raises:
        StateFileError: It cannot be read, or anything in it is wrong; ``errors`` holds the single mistakes.

    Example:
        >>> import dynconf
        >>> dynconf.save("state.json", all=True)
        >>> with dynconf.load("state.json").patch():
        ...     pass
    """
    at = at_hand()
    loaded, notes = read_state(path, at, missing, _beyond(at))
    for note in notes:
        warn_once(note, stacklevel=2)
    return Snapshot(loaded.torch, loaded.values, loaded.origins)


def fingerprint(snapshot: data.Snapshot | None = None) -> str:
    """Return a sha256 of what in a state matters to compiled code; of the live state where none is given.

    It is equal across processes, machines and orders of setting; see
    `dynconf.state.fingerprint.fingerprint_of` for what goes into it.

    Raises:
        InvalidValueError: A value has no form that another process could repeat, such as a lambda.

    Example:
        >>> import dynconf
        >>> len(dynconf.fingerprint())
        64
    """
    return fingerprint_of(live_snapshot() if snapshot is None else snapshot)


def _torch_ignores() -> frozenset[str]:
    if CONFIG_MODULE not in sys.modules:
        return frozenset()
    return live().saved_ignores() & {*FLAGS, *live().names()}


def _beyond(at: AtHand) -> frozenset[str]:
    """Return the flags of the torch at hand that are newer than the catalogue; only a newer torch has any."""
    return live().uncatalogued() if minor(at.version) > NEWEST else frozenset()
