"""Where values come from, and which line of a program is told about it."""

import sys
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynconf.errors import EnvironmentWarning, InertFlagWarning
from dynconf.provenance import DEFAULT, Caller, Origin, caller


def line() -> int:
    """Return the number of the line that calls."""
    return sys._getframe(1).f_lineno


def function_of(module: str, body: str) -> Callable[..., Any]:
    """Return the function *f* with that body, defined in a module of that name."""
    scope: dict[str, Any] = {"__name__": module, "caller": caller, "InertFlagWarning": InertFlagWarning}
    exec(f"def f(*arguments):\n    {body}", scope)  # noqa: S102  our own text
    function: Callable[..., Any] = scope["f"]
    return function


here = function_of("dynconf.made_up", "return caller()")
warn = function_of("dynconf.made_up", "caller().warn(InertFlagWarning(*arguments))")


@pytest.mark.parametrize(
    ("origin", "text"),
    [
        (DEFAULT, "default"),
        (Origin("assignment"), "assignment"),
        (Origin("env", "TORCHDYNAMO_VERBOSE", "1"), "environment TORCHDYNAMO_VERBOSE=1"),
        (Origin("env", "X", "a\nb\x1b[31m"), r"environment X='a\nb\x1b[31m'"),
        (Origin("env", "X", ""), "environment X="),
        (Origin("forced", "X", "0"), "forced by X=0"),
        (Origin("file", "tool.dynconf.verbose", "1", "a.toml", 3), "a.toml:3 (tool.dynconf.verbose)"),
        (Origin("file", "verbose", "1", "a.json"), "a.json (verbose)"),
        (Origin("file", file="a.toml", line=3), "a.toml:3"),
        (Origin("option", "verbose", "1"), "option --set verbose=1"),
        (Origin("keyword", file="a.py", line=3), "keyword at a.py:3"),
        (Origin("install", file="a.py", line=3), "install at a.py:3"),
        (Origin("patch", file="a.py", line=3), "patch at a.py:3"),
        (Origin("patch"), "patch"),
        (Origin("implication", "numerics"), "implication of numerics"),
        (Origin("alias", "recompile_limit"), "alias of recompile_limit"),
    ],
)
def test_an_origin_is_told_in_a_few_words(origin, text):
    """Messages and tables show it in these words."""
    assert str(origin) == text


@given(st.text())
def test_no_text_of_a_variable_breaks_a_line(raw):
    """An origin is one short line of printable characters, whatever a variable contains."""
    for kind in ("env", "forced", "option", "file", "install", "alias"):
        assert str(Origin(kind, raw, raw, raw, 3)).isprintable()
    assert len(str(Origin("env", "X", raw * 1000))) < 1500


def test_json_has_what_is_known():
    """Attributes that are not set are left out."""
    assert DEFAULT.as_json() == {"kind": "default"}
    assert Origin("env", "X", "").as_json() == {"kind": "env", "name": "X", "raw": ""}
    whole = {"kind": "file", "name": "x", "raw": "1", "file": "f", "line": 2}
    assert Origin("file", "x", "1", "f", 2).as_json() == whole
    at_start = {"kind": "env", "name": "X", "raw": "1", "at_start": "8"}
    assert Origin(**at_start).as_json() == at_start


def test_origins_are_values():
    """They can be compared and used as keys, but not changed."""
    assert len({Origin("env", "X", "1"), Origin("env", "X", "1"), DEFAULT}) == 2
    with pytest.raises(AttributeError):
        DEFAULT.kind = "env"


def test_the_caller_is_the_line_that_calls_dynconf():
    """Its file and line are those of the program."""
    found, number = here(), line()
    assert (found.file, found.line) == (__file__, number)
    assert found.origin("patch") == Origin("patch", file=__file__, line=number)
    assert found.origin("keyword", "x", "1") == Origin("keyword", "x", "1", __file__, number)


@pytest.mark.parametrize("package", ["dynconf.live.patch", "pydantic.main", "pydantic_settings.main"])
def test_packages_through_which_dynconf_is_called_do_not_count(package):
    """However deep their calls are."""
    outer = function_of(package, "return arguments[0](*arguments[1:])")
    found, number = outer(outer, outer, here), line()
    assert (found.file, found.line) == (__file__, number)


@pytest.mark.parametrize(
    "package", ["dynconf_tools", "mydynconf", "pydantically.x", "__main__", "tests.dynconf"]
)
def test_packages_with_similar_names_are_programs_like_any_other(package):
    """Only the first part of a module's name counts, and all of it."""
    assert function_of(package, "return arguments[0]()")(here).file == "<string>"


def test_a_caller_keeps_no_variables_alive():
    """Values that were around when the line ran can be freed."""

    class Big:
        pass

    def call() -> tuple[Caller, Any]:
        big = Big()
        return here(), weakref.ref(big)

    found, big = call()
    assert found.line
    assert big() is None


def test_a_warning_points_at_the_line_that_calls():
    """It looks as if that line had issued it; handlers see the very object."""
    warning = EnvironmentWarning("x", flag="verbose")
    with pytest.warns(EnvironmentWarning) as caught:
        number, _ = line(), here().warn(warning)
    assert [(each.message, each.filename, each.lineno) for each in caught] == [(warning, __file__, number)]
    assert caught[0].category is EnvironmentWarning


def test_a_line_that_is_tested_twice_warns_twice():
    """`pytest.warns` sees each: Python forgets the warnings it has shown when filters change."""
    for _ in range(2):
        with pytest.warns(InertFlagWarning):
            warn("again")


def test_a_line_warns_once_by_default():
    """A loop shows only the first warning; another line or another text is shown, too."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for text in ("a", "a", "b"):
            warn(text)
        warn("a")
    assert [str(each.message) for each in caught] == ["a", "b", "a"]


def test_a_line_warns_once_about_a_topic():
    """A loop over many values is one warning, unless filters want all, or have changed since."""

    def warn_of(*numbers: int) -> None:
        for number in numbers:
            found.warn(InertFlagWarning(f"value {number}", topic="value"))

    found = Caller.at("program.py", 3)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        warn_of(1, 2, 1, 3)
        Caller.at("program.py", 3).warn(InertFlagWarning("value 1"))
        assert [str(each.message) for each in caught] == ["value 1"] * 2
        warnings.simplefilter("default", append=True)
        warn_of(4, 5)
        warnings.simplefilter("always")
        warn_of(6, 6)
    assert [str(each.message) for each in caught[2:]] == ["value 4", "value 6", "value 6"]


def test_filters_of_the_program_decide():
    """They match category, text and module of the calling line, and may turn warnings into errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InertFlagWarning, match="stop"):
            warn("stop")
        for silent in (
            {"category": InertFlagWarning},
            {"category": UserWarning},
            {"message": "st.p"},
            {"module": __name__.replace(".", r"\.")},
        ):
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", **silent)
                warn("stop")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="dynconf")
            with pytest.raises(InertFlagWarning):
                warn("stop")


def test_what_was_shown_is_remembered_in_the_module_of_the_line():
    """Not in one of dynconf's, where two programs would silence each other."""
    program = function_of("program", "return arguments[0]('x')")
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("default")
        program(warn)
    assert any(key[0] == "x" for key in program.__globals__["__warningregistry__"] if isinstance(key, tuple))


def test_a_line_of_no_module_can_be_warned():
    """Code that is executed without a module's name is a program too."""
    program = function_of("", "return arguments[0]('x')")
    del program.__globals__["__name__"]
    with pytest.warns(InertFlagWarning, match="x"):
        program(warn)
