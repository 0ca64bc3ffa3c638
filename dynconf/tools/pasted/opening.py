"""Opening files that may be settings, a saved state, or a text that people paste: nobody knows before."""

import os
from collections.abc import Callable
from pathlib import Path

from dynconf.errors import DynconfWarning, EnvironmentWarning, StateFileError
from dynconf.release import Release
from dynconf.sources.files import Document, read_bytes
from dynconf.state import Missing, State
from dynconf.store.diff import read_for_diff
from dynconf.tools.pasted.pasted import read_pasted


def opened(
    path: str | Path, release: Release
) -> tuple[str | Path | Document, tuple[EnvironmentWarning, ...]]:
    """Return a text that people paste as a `Document`, with warnings; any other file as its path."""
    try:
        content = read_bytes(str(path))
    except StateFileError:
        return path, ()  # whoever reads it says why it cannot be read, beside other mistakes
    pasted = read_pasted(content, str(path), release)
    return (path, ()) if pasted is None else (pasted.document, pasted.unread)


def read_side(
    path: str | os.PathLike[str],
    release: Release,
    warn: Callable[[DynconfWarning], object],
    missing: Missing = "warn",
    *,
    trust: bool = False,
) -> State:
    """Read one side of a comparison: a state or settings in any form that people paste."""
    side, unread = opened(os.fspath(path), release)
    for warning in unread:
        warn(warning)
    return read_for_diff(side, release, missing, warn, trust=trust)
