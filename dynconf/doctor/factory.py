"""A model to compare, from a function that a command line names."""

import pkgutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from dynconf.errors import InvalidValueError
from dynconf.flags.types import Mismatch, Named, shown


def make_model(factory: str) -> tuple[Any, Any]:
    """Import the module of a factory, from the working directory first, and call the factory.

    This runs code of that module.

    Args:
        factory: ``module:function``; the function takes no arguments.

    Returns:
        What the function returned: a model and its example inputs, as `dynconf.compare` takes them.

    Raises:
        InvalidValueError: The text is not of that form, the module cannot be imported, or the function
            raises or returns something else than a pair.
    """
    try:
        named = Named.parse(factory)
    except Mismatch as problem:
        raise InvalidValueError(str(problem)) from None
    folder = str(Path.cwd())
    sys.path.insert(0, folder)
    try:
        made = pkgutil.resolve_name(str(named))()
    except Exception as error:
        raise InvalidValueError(f"{named}: {type(error).__name__}: {error}") from error
    finally:
        with suppress(ValueError):  # the module may have changed sys.path itself
            sys.path.remove(folder)
    match made:
        case tuple((model, inputs)):
            return model, inputs
    raise InvalidValueError(f"{named} returned {shown(made)}: expected a tuple (model, inputs)")
