"""Objects by name: what may be looked up, and that nothing runs or is imported on the way."""

import functools
import importlib
import logging
import subprocess
import sys
import warnings
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynconf.catalogue.value_types import Reference
from dynconf.provenance import Origin
from dynconf.references import HARMLESS, Named, Unresolvable, name_of, resolve
from dynconf.values import Mismatch, checker


class Probe:
    """A class of this test module, with members of each sort."""

    calls = 0

    def method(self) -> None:
        """Do nothing."""

    @staticmethod
    def static() -> None:
        """Do nothing."""

    @classmethod
    def of_class(cls) -> None:
        """Do nothing."""

    @property
    def reading(self) -> int:
        Probe.calls += 1
        return 1


def function() -> None:
    """Do nothing."""


@pytest.fixture
def made_up(monkeypatch) -> ModuleType:
    """A module that is imported already, and whose ``__getattr__`` must not run."""
    module = ModuleType("made_up_module")

    def forbidden(name: str) -> object:
        raise AssertionError(f"the module's __getattr__ ran for {name}")

    module.__getattr__ = forbidden  # type: ignore[method-assign]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("logging:info", Named("logging", "info")),
        (" a.b_c:D.e ", Named("a.b_c", "D.e")),
        ("módulo:función", Named("módulo", "función")),
    ],
)
def test_a_name_is_module_and_qualname(text, named):
    """Both are dotted identifiers; white space around them goes."""
    assert Named.parse(text) == named
    assert Named.parse(str(named)) == named


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "print",
        "a:",
        ":b",
        "a:b:c",
        "a b:c",
        "a:b()",
        "a:b[0]",
        "a..b:c",
        "a:b.",
        "1a:b",
        "a:<lambda>",
        "a\n:b",
    ],
)
def test_anything_else_is_no_name(text):
    """No expression, however small, is one."""
    with pytest.raises(Unresolvable, match="is not of the form module:qualname"):
        Named.parse(text)


@given(st.text())
def test_any_text_is_a_name_or_refused(text):
    """Parsing raises nothing else."""
    try:
        named = Named.parse(text)
    except Unresolvable:
        return
    assert Named.parse(str(named)) == named


@pytest.mark.parametrize(
    "item",
    [
        print,
        logging.info,
        logging.Logger,
        logging.Logger.info,
        warnings.warn,
        Origin,
        Named.__str__,
        pytest.raises,
    ],
)
def test_what_has_a_name_is_found_by_it(item):
    """`resolve` gives back the very object that `name_of` named."""
    assert resolve(Named.parse(name_of(item))) is item


def test_members_of_an_imported_module_are_found(made_up):
    """Functions, classes and their plain methods can be named once their module is imported."""
    made_up.Probe = Probe
    made_up.function = function
    assert resolve(Named("made_up_module", "function")) is function
    assert resolve(Named("made_up_module", "Probe")) is Probe
    assert resolve(Named("made_up_module", "Probe.method")) is Probe.method


@pytest.mark.parametrize(
    "text",
    [
        "os:system",
        "os.path:join",
        "posix:system",
        "subprocess:run",
        "builtins:eval",
        "builtins:exec",
        "builtins:__import__",
        "builtins:open",
        "builtins:print.__call__",
        "builtins:print.__self__.eval",
        "sys:exit",
        "shutil:rmtree",
        "runpy:run_path",
        "importlib:import_module",
        "functools:partial",
        "pickle:loads",
    ],
)
def test_the_standard_library_is_out_of_bounds(text):
    """What could do harm when it is called cannot be named, imported or not."""
    with pytest.raises(Unresolvable, match="is part of the standard library and may not be named in a file"):
        resolve(Named.parse(text))


@pytest.mark.parametrize("text", ["logging:os", "logging:sys.exit", "logging:os.system", "warnings:sys"])
def test_a_harmless_module_is_no_way_to_another(text):
    """Its own imports are not its members."""
    with pytest.raises(Unresolvable, match=r"goes through another module; name that one|does not exist"):
        resolve(Named.parse(text))


@pytest.mark.parametrize("text", ["logging:Template", "logging:GenericAlias"])
def test_what_a_harmless_module_imported_is_not_its_own(text):
    """A member that another standard module defines stays out of bounds."""
    assert hasattr(logging, text.partition(":")[2])
    with pytest.raises(Unresolvable, match="which may not be named in a file"):
        resolve(Named.parse(text))


def test_what_another_module_imported_from_the_standard_library_stays_out_of_bounds(made_up):
    """``from os import system`` in a user's module does not open a door."""
    import os

    made_up.run = os.system
    made_up.os = os
    with pytest.raises(Unresolvable, match="which may not be named in a file"):
        resolve(Named("made_up_module", "run"))
    with pytest.raises(Unresolvable, match="goes through another module"):
        resolve(Named("made_up_module", "os.system"))


def test_a_module_that_is_not_imported_is_not_imported(tmp_path, monkeypatch):
    """A file cannot make Python import anything; the message says what to do."""
    (tmp_path / "with_side_effect.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Unresolvable, match="is not imported; import it before the settings are read"):
        resolve(Named("with_side_effect", "anything"))
    assert "with_side_effect" not in sys.modules


@pytest.mark.parametrize("module", ["antigravity", "this", "idlelib.idle", "turtledemo.clock"])
def test_a_module_that_acts_on_import_is_not_imported(module):
    """Those of the standard library neither."""
    assert module not in sys.modules
    with pytest.raises(Unresolvable):
        resolve(Named(module, "main"))
    assert module not in sys.modules


def test_a_submodule_of_an_imported_package_is_not_imported(made_up):
    """The package alone does not do, and its ``__getattr__`` is not asked."""
    with pytest.raises(Unresolvable, match="is not imported"):
        resolve(Named("made_up_module.inner", "f"))


def test_attributes_are_read_without_running_anything(made_up):
    """Neither a module's ``__getattr__`` nor a property runs."""
    made_up.Probe = Probe
    made_up.probe = Probe()
    with pytest.raises(Unresolvable, match="does not exist"):
        resolve(Named("made_up_module", "lazy"))
    before = Probe.calls
    for name in ("Probe.reading", "probe.reading"):
        try:
            found = resolve(Named("made_up_module", name))
        except Unresolvable:
            continue
        assert isinstance(found, property)
    assert Probe.calls == before


def test_an_object_whose_attributes_run_code_is_left_alone(made_up):
    """A lazy proxy in an imported module is not woken by looking at where it is from."""

    class Proxy:
        def __getattribute__(self, name: str) -> object:
            raise AssertionError(f"{name} of the proxy was read")

    made_up.proxy = proxy = Proxy()
    assert resolve(Named("made_up_module", "proxy")) is proxy
    with pytest.raises(Mismatch):
        checker(Reference("class"))(Named("made_up_module", "proxy"))


@pytest.mark.parametrize("name", ["Probe.static", "Probe.of_class"])
def test_methods_bound_to_a_class_are_refused(made_up, name):
    """Their plain form is a wrapper that nobody means."""
    made_up.Probe = Probe
    with pytest.raises(Unresolvable, match="is bound to its class"):
        resolve(Named("made_up_module", name))


def _local():
    def inner() -> None:
        """Do nothing."""

    return inner


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        (lambda: 1, "is a lambda or a local object"),
        (_local(), "is a lambda or a local object"),
        (logging.getLogger("x").info, "is not what the name logging:Logger.info stands for"),
        (functools.partial(print), "has no module and name of its own"),
        (3, "has no module and name of its own"),
        (eval, "cannot be saved by name: .* may not be named in a file"),
        (logging.Logger.manager, "has no module and name of its own"),
    ],
)
def test_what_has_no_name_of_its_own_is_refused(item, problem):
    """The error says why it cannot be found again."""
    with pytest.raises(Unresolvable, match=problem):
        name_of(item)


def test_an_object_that_another_hides_is_refused(made_up):
    """A wrapped function has the name of the one around it, which is not it."""

    def hidden() -> None:
        """Do nothing."""

    hidden.__module__, hidden.__qualname__ = "made_up_module", "function"
    made_up.function = function
    with pytest.raises(Unresolvable, match="is not what the name made_up_module:function stands for"):
        name_of(hidden)


@pytest.mark.parametrize("module", HARMLESS)
def test_harmless_modules_are_of_the_standard_library(module):
    """They are the exceptions from the rule, and importing one does nothing."""
    assert module in sys.stdlib_module_names
    importlib.import_module(module)


def test_looking_up_imports_nothing():
    """In a fresh process, trying every sort of name leaves the loaded modules as they were."""
    program = """
import sys
from dynconf.references import Named, Unresolvable, resolve
before = set(sys.modules)
for text in ("antigravity:fly", "torch:load", "numpy:load", "os:system", "no_such:thing", "xml.dom:x"):
    try:
        resolve(Named.parse(text))
    except Unresolvable:
        pass
assert set(sys.modules) == before, set(sys.modules) - before
"""
    subprocess.run([sys.executable, "-c", program], check=True)
