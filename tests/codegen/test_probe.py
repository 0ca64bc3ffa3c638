"""How a config module reads its environment and its machine, found out by running small ones."""

import os
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dynconf._codegen import probe
from dynconf._codegen.probe import Source, dependencies, variables

CONFIG = """
import os
import sys
import sysconfig


def os_tristate():
    if os.environ.get("X") == "1":
        return True
    if os.environ.get("X") == "0":
        return False
    return None


def strict(*methods):
    text = os.environ.get("X", "subprocess")
    assert text in methods, f"Invalid start method: {{text}}"
    return text


def choosy():
    text = os.environ.get("X", "first")
    assert text in ("first", "nothing that is tried")
    return text


{body}


class Entry:
    alias = None


sys.modules[__name__]._config = {{name: Entry for name in ("flag", "other") if name in globals()}}
"""

READ: list[tuple[str, dict[str, Any]]] = [
    ('os.environ.get("X", "0") == "1"', {"X": "equals_one"}),
    ('os.environ.get("X", "1") == "1"', {"X": "equals_one"}),
    ('os.getenv("X") == "1"', {"X": "equals_one"}),
    ('os.environ["X"] == "1" if "X" in os.environ else True', {"X": "equals_one"}),
    ('os.environ.get("X", "1") != "0"', {"X": "not_zero"}),
    ('bool(os.environ.get("X", False))', {"X": "truthy"}),
    ('os.environ.get("X", "") != ""', {"X": "truthy"}),
    ('os.environ.get("X", False)', {"X": "text"}),
    ('os.environ.get("X")', {"X": "text"}),
    ('int(os.environ.get("X", 2))', {"X": "integer"}),
    ('int(os.environ.get("X", "1000")) or None', {"X": "integer_or_none"}),
    ("os_tristate()", {"X": "tristate"}),
    ('{"1": True, "0": False}.get(os.environ.get("X", "0"), os.environ.get("X"))', {"X": "default"}),
    ('os.path.join(os.environ.get("X", "/a"), "torch_compile_debug")', {"X": "debug_dir"}),
    ('float(os.environ.get("X", "30"))', {"X": "float"}),
    ('os.environ.get("X", "ATEN").upper()', {"X": "upper"}),
    ('tuple(int(x) for x in os.environ.get("X", "2,1,1").split(","))', {"X": "integers"}),
    ('(None, os.environ.get("X", "g++"))', {"X": "cxx"}),
    ('os.path.realpath(os.environ.get("X", "/a"))', {"X": "real_path"}),
    ('"pad_mm" in os.environ.get("X", "").split(",")', {"X": "lists_pad_mm"}),
    ('True if "mixed_mm" in os.environ.get("X", "mixed_mm").split(",") else None', {"X": "lists_mixed_mm"}),
    (
        'None if os.environ.get("X", "5").lower() in ("none", "all") else int(os.environ.get("X", "5"))',
        {"X": "integer_or_all"},
    ),
    ("strict('subprocess', 'fork', 'spawn')", {"X": "start_method"}),
    ("strict('subprocess', 'fork')", {"X": "start_method_without_spawn"}),
    ('{"thread": "thread", "auto": "auto"}.get(os.environ.get("X"), "process")', {"X": "worker_mode"}),
    ("True", {}),
]


@pytest.fixture
def source_of(tmp_path: Path) -> Callable[[str], Source]:
    """Return a function that makes a config module of the lines given."""

    def source(body: str) -> Source:
        path = tmp_path / "torch" / "_made" / "config.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CONFIG.format(body=body), encoding="utf-8")
        return Source(f"config_{abs(hash(body))}", path)

    return source


@pytest.mark.parametrize(("expression", "expected"), READ)
def test_the_rule_is_known_by_its_effect(
    source_of: Callable[[str], Source], expression: str, expected: dict[str, Any]
) -> None:
    """However the source spells it, the variable is found, and the rule by which it sets the flag."""
    assert variables(source_of(f"flag = {expression}")).get("flag", {}) == expected


def test_a_reading_without_a_rule_is_given_text_by_text(source_of: Callable[[str], Source]) -> None:
    """Where no rule fits, the reading is the value for each text, errors of any sort included."""
    titled = variables(source_of('flag = os.environ.get("X", "a").title()'))["flag"]["X"]
    assert titled["true"] == "True"
    read = variables(source_of('flag = choosy(), os.environ.get("Y", "a").split(",")'))["flag"]
    assert read["Y"]["a,b"] == ("first", ["a", "b"])
    assert "X" not in read, "no text that is tried is a value that the module accepts"


def test_one_variable_may_set_two_flags(source_of: Callable[[str], Source]) -> None:
    """Each follows it by a rule of its own; the error belongs to the one whose rule tells it."""
    both = 'flag = os.environ.get("X", "0") == "1"\nother = int(os.environ.get("X", "7"))'
    assert variables(source_of(both))["other"] == {"X": "integer"}
    assert variables(source_of(both))["flag"] == {"X": "equals_one"}


@pytest.mark.parametrize("names", [("A", "B"), ("B", "A")])
def test_the_strongest_variable_comes_first(
    source_of: Callable[[str], Source], names: tuple[str, str]
) -> None:
    """Whichever is asked for first."""
    expression = '{"1": True, "0": False}.get(A or B)'
    body = "".join(f'{name} = os.environ.get("{name}")\n' for name in sorted(names))
    body += "flag = " + expression.replace("A or B", " or ".join(names))
    assert list(variables(source_of(body))["flag"]) == list(names)


def test_a_forced_variable_is_known_by_an_assignment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It keeps its value; any other gives way."""

    class Forced(ModuleType):
        def __setattr__(self, name: str, value: object) -> None:
            if name != "flag":
                super().__setattr__(name, value)

    class Given(ModuleType):
        pass

    for kind, expected in ((Forced, True), (Given, False)):
        module = kind("made")
        vars(module)["flag"] = True
        monkeypatch.setattr(Source, "run", lambda *_, made=module, **__: made)
        assert probe._is_forced(Source("made", tmp_path), "flag", "X") is expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("os.path.dirname(os.path.dirname(os.path.dirname(__file__)))", ["torch's folder"]),
        ('os.path.join(os.getcwd(), "inside")', ["the working directory"]),
        ('sysconfig.get_config_var("Py_GIL_DISABLED") != 1', ["the interpreter"]),
        ('bool(os.getenv("CI"))', ["CI"]),
        ("True", []),
    ],
)
def test_dependencies_of_a_default(
    source_of: Callable[[str], Source], monkeypatch: pytest.MonkeyPatch, expression: str, expected: list[str]
) -> None:
    """A default that differs on another machine is found, with the feature of the machine that differs."""
    monkeypatch.setitem(probe.MACHINE, "torch.Tensor", lambda source: source.values({}))
    assert dependencies(source_of(f"flag = {expression}")).get("flag", []) == expected


def test_the_module_sees_only_the_environment_given(
    source_of: Callable[[str], Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the program's own environment and modules are as before."""
    monkeypatch.setitem(probe.MACHINE, "torch.Tensor", lambda source: source.values({}))
    monkeypatch.setenv("X", "1")
    source = source_of('flag = os.environ.get("X")')
    before = os.environ, sysconfig.get_config_var, Path.cwd()
    assert source.values({}) == {"flag": None}
    assert source.values({"X": "2"}) == {"flag": "2"}
    dependencies(source)
    assert before == (os.environ, sysconfig.get_config_var, Path.cwd())
    assert source.name not in sys.modules
