"""Importing the user's own modules, as ``python`` run in their folder would."""

import importlib
import pkgutil
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from dynconf.errors import InvalidValueError
from dynconf.flags.types import Mismatch, Named, short_repr


@contextmanager
def first_on_path(folder: Path) -> Iterator[None]:
    """Have imports look in *folder* first; changes that the modules make to ``sys.path`` stay."""
    entry = str(folder.absolute())
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        with suppress(ValueError):  # a module may have taken it off itself
            sys.path.remove(entry)


def make_model(factory: str) -> tuple[Any, Any]:
    """Call the factory ``module:function`` or ``file.py:function``; return a model and its example inputs.

    The module is imported, from the working directory first: this runs its code. Whatever goes wrong there is
    an InvalidValueError.
    """
    file, _, function = factory.rpartition(":")
    path = Path(file) if file.endswith(".py") else None
    try:
        named = Named.parse(f"{path.stem}:{function}" if path else factory)
    except Mismatch as problem:
        raise InvalidValueError(
            f"{problem}: expected one such as model.py:make or package.models:make"
        ) from None
    if path and not path.is_file():
        raise InvalidValueError(f"{factory}: there is no file {path}")
    with first_on_path(path.parent if path else Path()):
        try:
            made = pkgutil.resolve_name(str(named))()
        except Exception as error:
            location = _location_in(error)
            raise InvalidValueError(f"{factory}: {type(error).__name__}: {error}{location}") from error
    match made:
        case tuple((model, inputs)):
            return model, inputs
    raise InvalidValueError(f"{factory} returned {short_repr(made)}: expected a tuple (model, inputs)")


def _location_in(error: Exception) -> str:
    """Return the last line of the traceback that belongs to the user's program, in words."""
    # The frames of the import machinery, frozen or not, would hide the line that failed.
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename not in (__file__, pkgutil.__file__, importlib.__file__)
        and not frame.filename.startswith("<")
    ]
    own = [frame for frame in frames if "site-packages" not in frame.filename] or frames
    return f" (at {own[-1].filename}:{own[-1].lineno}: {own[-1].line})" if own else ""
