"""Importing the user's own modules, as ``python`` run in their folder would."""

import importlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

from dynconf.catalogue.flags.types import short_repr
from dynconf.errors import InvalidValueError
from dynconf.text import lines_of_program


@contextmanager
def running(code: str, folder: Path) -> Iterator[None]:
    """Have imports look in *folder* first; changes that the modules make to ``sys.path`` stay.

    Whatever goes wrong in the code is an InvalidValueError with its name and the line.
    """
    entry = str(folder.absolute())
    sys.path.insert(0, entry)
    try:
        yield
    except (Exception, SystemExit) as error:
        lines = [each for each in lines_of_program(error.__traceback__) if "importlib" not in each]
        own = [each for each in lines if "site-packages" not in each] or lines
        location = f" (at {own[-1].strip()})" if own else ""
        raise InvalidValueError(f"{code}: {type(error).__name__}: {error}{location}") from error
    finally:
        with suppress(ValueError):  # a module may have taken it off itself
            sys.path.remove(entry)


def make_model(factory: str) -> tuple[Any, Any]:
    """Call the factory ``module:function`` or ``file.py:function``; return a model and its example inputs.

    The module is imported, from the working directory first: see `running`.
    """
    place, _, function = factory.rpartition(":")
    if not place or not function:
        raise InvalidValueError(
            f"{short_repr(factory)}: expected one such as model.py:make or package.models:make"
        )
    path = Path(place) if place.endswith(".py") else None
    if path and not path.is_file():
        raise InvalidValueError(f"{factory}: there is no file {path}")
    with running(factory, path.parent if path else Path()):
        module = _import_file(path.absolute()) if path else importlib.import_module(place)
        made = attrgetter(function)(module)()
    match made:
        case tuple((model, inputs)):
            return model, inputs
    raise InvalidValueError(f"{factory} returned {short_repr(made)}: expected a tuple (model, inputs)")


def _import_file(file: Path) -> ModuleType:
    """Import a file by its name, as the modules beside it do; by another one if that is taken, or is none."""
    # Not under no name at all: Dynamo looks for the globals of a function in the module of that name.
    name = re.sub(r"\W", "_", file.stem)
    while name in sys.modules:  # such as that of code.py, which is in the standard library
        name += "_"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} cannot be imported")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
