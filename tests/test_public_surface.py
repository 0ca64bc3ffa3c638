"""The public surface: the names that users rely on, the same at run time and to type checkers."""

import ast
import doctest
import importlib
import inspect
import re
import sys
from pathlib import Path

import pytest

import dynconf

ROOT = Path(dynconf.__file__).parents[1]
SOURCE = ast.parse(Path(dynconf.__file__).read_text(encoding="utf-8"))
CONTRACT = {
    "FLAGS",
    "ConflictError",
    "DynamoSettings",
    "DynconfError",
    "DynconfWarning",
    "EnvironmentWarning",
    "ForcedFlagWarning",
    "InertFlagWarning",
    "InvalidValueError",
    "StateFileError",
    "UncataloguedFlagWarning",
    "UnknownFlagError",
    "install",
    "origin",
    "patch",
    "reset",
    "snapshot",
}
"""What the design promises of this part of the package; more may be there."""


def imported_for_type_checkers() -> dict[str, str]:
    """Return each name that stands under TYPE_CHECKING in ``dynconf/__init__.py``, with its module."""
    found = {}
    for node in SOURCE.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for each in node.body:
                if isinstance(each, ast.ImportFrom):
                    found |= {alias.asname: f"{each.module}.{alias.name}" for alias in each.names}
                elif isinstance(each, ast.Import):
                    found |= {alias.asname: alias.name for alias in each.names}
    return found


def test_the_lists_of_names_agree():
    """`_HOMES`, `__all__` and the imports for type checkers name the same things, from the same modules."""
    homes = {
        name: f"{home}.{name}" if f"{home}.{name}" in imported_for_type_checkers().values() else home
        for name, home in dynconf._HOMES.items()
    }
    assert imported_for_type_checkers() == homes
    assert set(dynconf.__all__) == set(dynconf._HOMES)
    assert len(dynconf.__all__) == len(set(dynconf.__all__))


def test_the_contract_is_kept():
    """Every name of the design is there."""
    assert set(dynconf.__all__) >= CONTRACT


@pytest.mark.parametrize("name", dynconf.__all__)
def test_every_name_is_there_and_documented(name):
    """Looking it up imports its home; what is defined there has a docstring of its own."""
    value = getattr(dynconf, name)
    home = importlib.import_module(dynconf._HOMES[name])
    assert value is getattr(home, name, home)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert inspect.getdoc(value)
        assert value.__module__.startswith("dynconf.")
    assert name in dir(dynconf)


def test_a_name_that_is_not_there_is_an_attribute_error():
    """As of any module."""
    with pytest.raises(AttributeError, match="module 'dynconf' has no attribute 'pach'"):
        _ = dynconf.pach
    assert not hasattr(dynconf, "__wrapped__")


def test_a_star_import_brings_all_public_names():
    """Lazy names included."""
    names: dict[str, object] = {}
    exec("from dynconf import *", names)  # noqa: S102  the statement itself is what is tested
    assert set(dynconf.__all__) <= set(names)


def test_the_version_is_that_of_the_project():
    """One fact in two files, compared."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(rf'^version = "{re.escape(dynconf.__version__)}"$', project, re.MULTILINE)


def test_the_package_is_typed():
    """The marker that makes type checkers look at the annotations is there."""
    assert (ROOT / "dynconf" / "py.typed").is_file()


def examples() -> list[doctest.DocTest]:
    """Return the examples of the public names."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    return [
        test
        for name in dynconf.__all__
        for test in finder.find(getattr(dynconf, name), name)
        if test.examples
    ]


@pytest.mark.real_torch
def test_the_examples_in_docstrings_run(monkeypatch):
    """Each gives what it says; there is one for each public function that does something."""
    documented = set()
    for test in examples():
        monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "")
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        said: list[str] = []
        runner.run(test, out=said.append)
        dynconf.reset()
        assert runner.failures == 0, "".join(said)
        documented.add(test.name.partition(".")[0])
    functions = {name for name in dynconf.__all__ if inspect.isfunction(getattr(dynconf, name))}
    assert functions - documented == set(), "each public function has an example"


def test_importing_the_package_defines_nothing_else():
    """What a user sees on completion are the public names."""
    visible = {name for name in vars(dynconf) if not name.startswith("_")}
    rooms = {name.split(".")[1] for name in sys.modules if name.startswith("dynconf.")}
    assert visible - set(dynconf.__all__) - rooms - {"importlib", "TYPE_CHECKING"} == set()
