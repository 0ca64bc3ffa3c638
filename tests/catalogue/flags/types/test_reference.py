"""Objects by name: what may be looked up, and that nothing runs or is imported on the way."""

import functools
import importlib
import logging
import subprocess
import sys
import time
import warnings
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import AWKWARD, Bomb, Multiline, accepts

from dynconf.catalogue.flags.types import Mismatch, Named, Reference, SetOf
from dynconf.catalogue.flags.types.reference import HARMLESS, name_of
from dynconf.errors import InvalidValueError
from dynconf.provenance import Origin


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
        ("пакет.модуль:Größe.función", Named("пакет.модуль", "Größe.función")),
    ],
)
def test_a_name_is_module_and_qualname(text, named):
    """Both are dotted identifiers; space around them is dropped."""
    assert Named.parse(text) == named
    assert Named.parse(str(named)) == named


NO_NAMES = [
    *("", ":", "print", "a:", ":b", "a:b:c", "a b:c", "a:b()", "a:b[0]", "a..b:c", "a:b.", "1a:b", "a\n:b"),
    *("a:<lambda>", "package:import", "a.class.b:f", "a:None"),
    # Python folds full-width letters and ligatures into plain ones.
    *("\uff4f\uff53:system", "os.\uff50ath:join", "pytest:\uff45xit", "package:\ufb01le"),
]


@pytest.mark.parametrize("text", NO_NAMES)
def test_anything_else_is_not_a_name(text):
    """No expression is one, however small, nor a keyword, nor what Python would read as another name."""
    with pytest.raises(Mismatch, match="is not of the form module:qualname"):
        Named.parse(text)


@given(st.text())
def test_any_text_is_a_name_or_refused(text):
    """Parsing raises nothing else."""
    try:
        named = Named.parse(text)
    except Mismatch:
        return
    assert Named.parse(str(named)) == named


def test_what_has_a_name_is_found_by_it():
    """`Named.resolve` returns the very object that `name_of` was given."""
    logger = logging.Logger
    for item in (
        print,
        logging.info,
        logger,
        logger.info,
        warnings.warn,
        Origin,
        Named.__str__,
        pytest.raises,
    ):
        assert name_of(item).resolve() is item
        assert Named.parse(str(name_of(item))) == name_of(item)


def test_members_of_an_imported_module_are_found(made_up):
    """Functions, classes and their plain methods can be named once their module is imported."""
    made_up.Probe = Probe
    made_up.function = function
    assert Named("made_up_module", "function").resolve() is function
    assert Named("made_up_module", "Probe").resolve() is Probe
    assert Named("made_up_module", "Probe.method").resolve() is Probe.method


STANDARD = """
    os:system os.path:join posix:system subprocess:run sys:exit shutil:rmtree runpy:run_path pickle:loads
    builtins:eval builtins:exec builtins:__import__ builtins:open builtins:print.__call__
    builtins:print.__self__.eval importlib:import_module functools:partial
"""


@pytest.mark.parametrize("text", STANDARD.split())
def test_the_standard_library_is_out_of_bounds(text):
    """What could do harm when it is called cannot be named, whether imported or not."""
    with pytest.raises(Mismatch, match="is part of the standard library and may not be named in a file"):
        Named.parse(text).resolve()


@pytest.mark.parametrize("text", ["logging:os", "logging:sys.exit", "logging:os.system", "warnings:sys"])
def test_a_harmless_module_does_not_lead_to_another(text):
    """Its own imports are not its members."""
    with pytest.raises(Mismatch, match=r"goes through another module; name that module|does not exist"):
        Named.parse(text).resolve()


@pytest.mark.parametrize("text", ["logging:Template", "logging:GenericAlias"])
def test_what_a_harmless_module_imported_is_not_its_own(text):
    """A member that another standard module defines is out of bounds."""
    if not hasattr(logging, text.partition(":")[2]):
        pytest.skip("logging of this Python does not import it")
    with pytest.raises(Mismatch, match="which may not be named in a file"):
        Named.parse(text).resolve()


def test_what_another_module_imported_from_the_standard_library_stays_out_of_bounds(made_up):
    """``from os import system`` in a user's module makes no exception."""
    import os

    made_up.run = os.system
    made_up.os = os
    with pytest.raises(Mismatch, match="which may not be named in a file"):
        Named("made_up_module", "run").resolve()
    with pytest.raises(Mismatch, match="goes through another module"):
        Named("made_up_module", "os.system").resolve()


def test_a_module_that_is_not_imported_is_not_imported(tmp_path, monkeypatch):
    """A file cannot make Python import anything; the message says what to do."""
    (tmp_path / "with_side_effect.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Mismatch, match="is not imported; import it before the settings are read"):
        Named("with_side_effect", "anything").resolve()
    assert "with_side_effect" not in sys.modules


@pytest.mark.parametrize("module", ["antigravity", "this", "idlelib.idle", "turtledemo.clock"])
def test_a_module_that_acts_on_import_is_not_imported(module):
    """Not even one of the standard library."""
    assert module not in sys.modules
    with pytest.raises(Mismatch):
        Named(module, "main").resolve()
    assert module not in sys.modules


def test_a_submodule_of_an_imported_package_is_not_imported(made_up):
    """The package alone is not enough, and its ``__getattr__`` is not called."""
    with pytest.raises(Mismatch, match="is not imported"):
        Named("made_up_module.inner", "f").resolve()


def test_attributes_are_read_without_running_anything(made_up):
    """Neither a module's ``__getattr__`` nor a property runs."""
    made_up.Probe = Probe
    made_up.probe = Probe()
    with pytest.raises(Mismatch, match="does not exist"):
        Named("made_up_module", "lazy").resolve()
    before = Probe.calls
    for name in ("Probe.reading", "probe.reading"):
        try:
            found = Named("made_up_module", name).resolve()
        except Mismatch:
            continue
        assert isinstance(found, property)
    assert Probe.calls == before


def test_a_lazy_proxy_is_left_asleep(made_up):
    """Neither finding it in a module nor checking what it is reads one of its attributes."""

    class Proxy:
        def __getattribute__(self, name: str) -> object:
            raise AssertionError(f"{name} of the proxy was read")

    made_up.proxy = proxy = Proxy()
    assert Named("made_up_module", "proxy").resolve() is proxy
    for value in (proxy, Named("made_up_module", "proxy")):
        with pytest.raises(Mismatch):
            Reference("class").check(value)


@pytest.mark.parametrize("name", ["Probe.static", "Probe.of_class"])
def test_methods_bound_to_a_class_are_refused(made_up, name):
    """What the class holds is a wrapper, which is not what the name suggests."""
    made_up.Probe = Probe
    with pytest.raises(Mismatch, match="is bound to its class"):
        Named("made_up_module", name).resolve()


def _local():
    def inner() -> None:
        """Do nothing."""

    return inner


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        (lambda: 1, "is a lambda or a local object"),
        (_local(), "is a lambda or a local object"),
        (logging.getLogger("x").info, "logging:Logger.info is something else"),
        (functools.partial(print), "has no module and name of its own"),
        (3, "has no module and name of its own"),
        (eval, "cannot be saved by name: .* may not be named in a file"),
        (logging.Logger.manager, "has no module and name of its own"),
    ],
)
def test_what_has_no_name_of_its_own_is_refused(item, problem):
    """The error says why it could not be found again."""
    with pytest.raises(Mismatch, match=problem):
        name_of(item)


def test_an_object_that_another_hides_is_refused(made_up):
    """A wrapped function has the name of its wrapper, which is another object."""

    def hidden() -> None:
        """Do nothing."""

    hidden.__module__, hidden.__qualname__ = "made_up_module", "function"
    made_up.function = function
    with pytest.raises(Mismatch, match="made_up_module:function is something else"):
        name_of(hidden)


@pytest.mark.parametrize("module", HARMLESS)
def test_harmless_modules_are_of_the_standard_library(module):
    """They are exceptions to the rule, and importing one has no effect."""
    assert module in sys.stdlib_module_names
    importlib.import_module(module)


def test_looking_up_imports_nothing():
    """In a fresh process, trying every sort of name leaves the loaded modules as they were."""
    program = """
import sys
import time
from dynconf.catalogue.flags.types import Mismatch, Named
before = set(sys.modules)
for text in ("antigravity:fly", "torch:load", "numpy:load", "os:system", "no_such:thing", "xml.dom:x"):
    try:
        Named.parse(text).resolve()
    except Mismatch:
        pass
assert set(sys.modules) == before, set(sys.modules) - before
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_whatever_has_no_name_is_refused_in_one_line():
    """Objects with broken attributes, or with text of many lines, raise nothing but `Mismatch`."""
    problems = []
    for value in AWKWARD:
        try:
            name_of(value)
        except Mismatch as problem:
            problems.append(str(problem))
    assert [text for text in problems if len(text) > 300 or not text.isprintable()] == []
    for value in (Bomb(), Multiline()):
        with pytest.raises(Mismatch, match="has no module and name of its own"):
            name_of(value)


def test_names_are_looked_up_only_when_checked():
    """Reading a file or a variable imports and runs nothing; the check resolves, and says what is wrong."""
    type_ = SetOf(Reference("callable"))
    named = type_.from_data(["no_such_module_at_all:f"])
    assert named == type_.parse("no_such_module_at_all:f") == {Named("no_such_module_at_all", "f")}
    with pytest.raises(Mismatch, match="is not imported"):
        type_.check(named)
    assert type_.check(type_.from_data(["builtins:print"])) == {print}


def test_an_object_of_the_wrong_sort_is_refused():
    """A flag for classes does not accept a function, and none accepts a number by its name."""
    assert not accepts(Reference("class"), print)
    assert not accepts(Reference("callable"), 3)
    assert not accepts(Reference("callable"), Named("logging", "INFO"))


@pytest.mark.parametrize("value", [(lambda: 1), len.__call__])
def test_objects_without_a_name_cannot_be_written(value):
    """A lambda or a bound method is a good value, but no file can hold it; a display shows its text."""
    type_ = SetOf(Reference("callable"))
    assert type_.check({value}) == {value}
    for write in (type_.to_data, type_.to_text):
        with pytest.raises(Mismatch):
            write({value})
    assert type_.show_data({value}) == [repr(value)]


def test_a_name_of_a_megabyte_of_accents_is_refused_at_once():
    """Python would sort the accents on a letter, each past all others, which takes minutes."""
    started = time.process_time()
    with pytest.raises(Mismatch, match="is not of the form module:qualname"):
        Named.parse("a:b" + "\u0301\u0316" * 250_000)
    assert time.process_time() - started < 1


def test_a_name_is_no_object_in_python():
    """The message says to pass the object, because the name has the form that files want."""
    with pytest.raises(InvalidValueError, match=r"'math:sqrt' is not valid: .*; in Python, pass the object"):
        Reference("callable").check_argument("flag", "math:sqrt")
