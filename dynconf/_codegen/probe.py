"""Find out how a config module reads its environment and its machine, by running it many times.

torch reads variables in two dozen ways: ``os.environ.get("X") == "1"``, ``!= "0"``, ``int(...)``, a helper
function, through a variable of another flag. Analysing the source would have to know them all. So the module
runs with the variable set to one text after another, and the values of its flags show which of them follow
it, and by which of the `dynconf.catalogue.flags.variable.VARIABLE_RULES`::

    X unset  "0"    "1"   "2"    "true"
    True     False  True  True   True     ->  a flag that reads X as "not_zero"
"""

import functools
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.flags.variable import IMPORT_ERRORS, VARIABLE_RULES, VariableRule

TEXTS = (
    *("0", "1", "2", "", "true", "false", "abc", "1.5", "a,b", "-1", "none"),
    *("2,1,1", "mixed_mm", "pad_mm", "fork", "spawn", "thread", "force", "off"),
)
"""The texts that each variable is set to, one after the other: enough to tell the rules apart."""

AMBIENT = {"CI"}
"""Variables that are not set for torch: a flag that follows one depends on the machine."""

Values = dict[str, Any]
ValueByText = dict[str, Any]
"""The value of a flag for each text of a variable; an exception where the import raises one."""


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a config module, which can be run any number of times.

    Attributes:
        name: The name of the module; the package that holds it is imported already.
        path: The file.
    """

    name: str
    path: Path

    def run(self, environ: Mapping[str, str], *, path: Path | None = None) -> ModuleType:
        """Return the source as a new module that ran in that environment, with *path* as its ``__file__``."""
        spec = importlib.util.spec_from_file_location(self.name, self.path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        module.__file__ = str(path or self.path)
        # A config module ends with install_config_module(sys.modules[__name__]), so it must be found there.
        before = sys.modules.get(self.name)
        sys.modules[self.name] = module
        try:
            with mock.patch.object(os, "environ", environ):
                spec.loader.exec_module(module)
        finally:
            del sys.modules[self.name]
            if before is not None:
                sys.modules[self.name] = before
        return module

    def values(self, environ: Mapping[str, str], *, path: Path | None = None) -> Values:
        """Return the value of each flag, aliases left out, when the module runs in that environment."""
        # torch would read its own comments, which takes longer than to run.
        with mock.patch.object(inspect, "getsource", return_value=""):
            module = self.run(environ, path=path)
        entries = vars(module)["_config"].items()
        return {name: getattr(module, name) for name, entry in entries if not getattr(entry, "alias", None)}


class _RecordingEnvironment(dict[str, str]):
    """An empty environment that records which variables are looked up."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}

    def __contains__(self, name: object) -> bool:
        return self.get(str(name)) is not None

    def __missing__(self, name: str) -> str:
        self.get(name)
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.names[name] = None
        return default


def dependencies(source: Source) -> dict[str, list[str]]:
    """Return the features of the machine that each default depends on, by flag."""
    default = source.values({})
    found: dict[str, list[str]] = {}
    for feature, values_with_another in MACHINE.items():
        for flag, value in values_with_another(source).items():
            if not is_same_value(value, default[flag]):
                found.setdefault(flag, []).append(feature)
    return found


def variables(source: Source) -> dict[str, dict[str, Any]]:
    """Return the variables that each flag follows, the strongest first, each with its reading rule.

    Where no rule fits, there is a dict with the value for each text instead.
    """
    default, environment = source.values({}), _RecordingEnvironment()
    source.values(environment)
    values: dict[str, dict[str, ValueByText]] = {}
    rules: dict[tuple[str, str], Any] = {}
    for variable in (each for each in environment.names if each not in AMBIENT):
        outcomes = {text: _outcome(source, {variable: text}) for text in TEXTS}
        followers, rule_of = _followers(source, variable, outcomes, default)
        for flag, by_text in followers.items():
            values.setdefault(flag, {})[variable] = by_text
            rules[flag, variable] = rule_of[flag]
    found: dict[str, dict[str, Any]] = {}
    for flag, by_variable in values.items():
        strongest_first = functools.cmp_to_key(functools.partial(_rank, source, flag, by_variable))
        found[flag] = {each: rules[flag, each] for each in sorted(by_variable, key=strongest_first)}
    return found


def _followers(
    source: Source, variable: str, outcomes: Mapping[str, Values | Exception], default: Values
) -> tuple[dict[str, ValueByText], dict[str, Any]]:
    """Return the value for each text of every flag that follows the variable, and the rule."""
    followers = {}
    for flag, value in default.items():
        by_text = {
            text: outcome if isinstance(outcome, Exception) else outcome[flag]
            for text, outcome in outcomes.items()
        }
        # Where the import fails, it may be another flag that does not accept the text.
        if not all(isinstance(each, Exception) or is_same_value(each, value) for each in by_text.values()):
            followers[flag] = by_text
    rules = {
        flag: _rule(source, flag, variable, by_text, default[flag]) for flag, by_text in followers.items()
    }
    if any(isinstance(rule, str) for rule in rules.values()):
        # A bad text fails the import because of that flag, and says nothing about the others.
        for flag in [flag for flag, rule in rules.items() if not isinstance(rule, str)]:
            values = followers[flag]
            good = {text: value for text, value in values.items() if not isinstance(value, Exception)}
            if len(good) < len(values):
                rules[flag] = _rule(source, flag, variable, good, default[flag])
    return followers, rules


def _outcome(source: Source, environ: dict[str, str]) -> Values | Exception:
    try:
        return source.values(environ)
    except Exception as error:  # noqa: BLE001  whatever it is, importing torch would raise it
        return error


def _rule(source: Source, flag: str, variable: str, values: ValueByText, default: object) -> Any:
    """Return the rule by which the flag follows the variable; if there is none, the value for each text."""
    for rule, reading in VARIABLE_RULES.items():
        # "force" reads texts as "default" does.
        if rule != "force" and all(_agrees(reading, *each, default) for each in values.items()):
            return "force" if rule == "default" and _is_forced(source, flag, variable) else rule
    return {text: value for text, value in values.items() if not is_same_value(value, default)}


def _agrees(reading: VariableRule, text: str, value: object, default: object) -> bool:
    try:
        return is_same_value(reading.read(text, default), value)
    except IMPORT_ERRORS as error:
        return isinstance(value, Exception) and str(value) == str(error)


def _is_forced(source: Source, flag: str, variable: str) -> bool:
    """Tell whether the variable overrides an assignment to the flag."""
    # Declared as env_name_force in torch; only an assignment tells it from an ordinary variable.
    module = source.run({variable: "1"})
    setattr(module, flag, False)
    return getattr(module, flag) is True


def _rank(source: Source, flag: str, values: dict[str, ValueByText], one: str, other: str) -> int:
    """Compare two variables of a flag: -1 if *one* wins when both are set, 1 if *other* does."""
    # Only texts for which the two disagree show the winner.
    for text, value in values[one].items():
        for other_text, other_value in values[other].items():
            if (
                isinstance(value, Exception)
                or isinstance(other_value, Exception)
                or is_same_value(value, other_value)
            ):
                continue
            both = source.values({one: text, other: other_text})[flag]
            return -1 if is_same_value(both, value) else 1
    return 0


def _values_with(*changes: AbstractContextManager[Any]) -> Callable[[Source], Values]:
    """Return a function that returns the values of the flags while these changes are in effect."""

    def values(source: Source) -> Values:
        with ExitStack() as stack:
            for change in changes:
                stack.enter_context(change)
            return source.values({})

    return values


def _values_in_other_torch_folder(source: Source) -> Values:
    with mock.patch("torch.__file__", "/elsewhere/torch/__init__.py"):
        return source.values({}, path=Path("/elsewhere", *source.path.parts[-3:]))


MACHINE: Mapping[str, Callable[[Source], Values]] = {
    "torch's folder": _values_in_other_torch_folder,
    "the working directory": _values_with(mock.patch("os.getcwd", return_value="/elsewhere")),
    "the interpreter": _values_with(mock.patch("sysconfig.get_config_var", return_value=1)),
    "torch.Tensor": _values_with(mock.patch("torch.Tensor.is_changed", new=True, create=True)),
    "the operating system": _values_with(mock.patch("sys.platform", "darwin")),
    "the number of processors": _values_with(
        mock.patch("os.cpu_count", return_value=7),
        mock.patch("os.sched_getaffinity", return_value=set(range(7)), create=True),
    ),
    "whether torch is built for ROCm": _values_with(mock.patch("torch.version.hip", "6.0")),
    "whether torch is a nightly": _values_with(mock.patch("torch.__version__", "2.0.0.dev0")),
} | {name: functools.partial(Source.values, environ={name: "true"}) for name in sorted(AMBIENT)}
"""The features of a machine that are varied, each with a function that returns the values of the flags then.

`dynconf._codegen.derived.MACHINE_FEATURES` and the facts of the releases use these names.
"""
