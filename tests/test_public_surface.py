"""The public surface: the names that users rely on, the same at run time and to type checkers."""

import ast
import doctest
import importlib
import importlib.metadata
import inspect
import sys
from pathlib import Path

import pytest
from spelling import spelled

import dynconf

ROOT = Path(dynconf.__file__).parents[1]
CONTRACT = {
    *("FLAGS", "dynamo", "functorch", "install", "origin", "patch", "reset", "snapshot"),
    *("CompileSettings", "DynamoFlags", "DynamoSettings", "InductorSettings"),
    *("ConflictError", "DynconfError", "InvalidValueError", "StateFileError", "UnknownFlagError"),
    "DynconfWarning",
}
"""The names that the design promises for this part of the package; there may be more."""


def test_type_checkers_see_the_same_names():
    """The stub, which is generated, imports every name from the module that defines it."""
    stub = ast.parse((ROOT / "dynconf" / "__init__.pyi").read_text(encoding="utf-8"))
    found = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert found == dynconf._HOMES
    assert set(dynconf.__all__) == set(found)
    assert (ROOT / "dynconf" / "py.typed").is_file()


def test_the_contract_is_kept():
    """Every name of the design is there, and few besides: what is returned has a home of its own."""
    assert set(dynconf.__all__) >= CONTRACT
    assert len(dynconf.__all__) <= 55


@pytest.mark.parametrize("name", dynconf.__all__)
def test_every_name_is_there_and_documented(name):
    """Looking it up imports the module that defines it, with a docstring."""
    value = getattr(dynconf, name)
    home = importlib.import_module(dynconf._HOMES[name])
    assert value is getattr(home, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert inspect.getdoc(value)
        assert value.__module__.startswith("dynconf.")


def test_no_module_hides_a_name():
    """Importing a submodule makes it an attribute of its package: one at the top is that public name."""
    package = Path(dynconf.__file__).parent
    submodules = {path.stem for path in package.iterdir()}
    assert {"live", "namespace", "settings"} <= submodules
    assert submodules & {*dynconf.__all__} == {"distributed"}
    assert importlib.import_module("dynconf.distributed") is dynconf.distributed
    assert dynconf.distributed is importlib.import_module("dynconf.tools.ranks.distributed")


def test_a_name_that_is_not_there_is_an_attribute_error():
    """The package behaves like any module."""
    with pytest.raises(AttributeError, match="module 'dynconf' has no attribute 'pach'"):
        _ = dynconf.pach
    assert not hasattr(dynconf, "__wrapped__")


def test_a_star_import_brings_all_public_names():
    """Lazy names included."""
    names: dict[str, object] = {}
    exec("from dynconf import *", names)  # noqa: S102  this very statement is tested
    assert set(dynconf.__all__) <= set(names)


def test_the_version_is_that_of_the_project():
    """The distribution is called torch-dynconf and takes its version from the package."""
    assert importlib.metadata.version("torch-dynconf") == dynconf.__version__


def examples() -> list[doctest.DocTest]:
    """Return the examples of the public names, and of what else their modules have."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for name in dynconf.__all__ for test in finder.find(getattr(dynconf, name), name)]
    for home in sorted({*dynconf._HOMES.values()} - {"dynconf.settings", "dynconf.namespace"}):
        classes = inspect.getmembers(importlib.import_module(home), inspect.isclass)
        found += [
            test
            for name, each in classes
            if each.__module__ == home and name not in dynconf.__all__
            for test in finder.find(each, name)
        ]
    return [test for test in found if test.examples]


@pytest.mark.real_torch
def test_the_examples_in_docstrings_run(monkeypatch):
    """Each example prints what it shows, and every public function that does something has one."""
    documented = set()
    for test in examples():
        monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "")
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        said: list[str] = []
        for example in test.examples:
            example.source = spelled(example.source)
        runner.run(test, out=said.append)
        dynconf.reset()
        assert runner.failures == 0, "".join(said)
        documented.add(test.name.partition(".")[0])
    functions = {name for name in dynconf.__all__ if inspect.isfunction(getattr(dynconf, name))}
    assert functions - documented == set(), "each public function has an example"


def test_importing_the_package_defines_nothing_else():
    """Completion offers the public names alone, neither imported modules nor the package's own helpers."""
    assert {name for name in dir(dynconf) if not name.startswith("__")} == set(dynconf.__all__)
    visible = {name for name in vars(dynconf) if not name.startswith(("_", "@"))}  # pytest adds some
    components = {name.split(".")[1] for name in sys.modules if name.startswith("dynconf.")}
    assert visible - set(dynconf.__all__) - components - {"importlib", "sys", "types"} == set()
