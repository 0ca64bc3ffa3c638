"""Importing the user's own modules, as ``python`` run in their folder would."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def first_on_path(folder: str) -> Iterator[None]:
    """Have imports look in *folder* first; changes that the modules make to ``sys.path`` stay."""
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with suppress(ValueError):  # a module may have taken it off itself
            sys.path.remove(folder)
