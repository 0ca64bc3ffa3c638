"""Find out how a config module reads its environment and its machine, by running it many times.

A module that runs with a variable set to one text after another shows which flags follow that variable,
and by which of the `dynconf.flags.variable.READINGS`, however its source spells it.
"""

import functools
import importlib.util
import inspect
import os
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

from dynconf.flags.types import same
from dynconf.flags.variable import IMPORT_ERRORS, READINGS, Reading

TEXTS = ("0", "1", "2", "", "true", "false", "abc", "1.5", "a,b", "-1", "none")
"""What each variable is set to, one text after the other; enough to tell most rules apart."""

WORDS = ("2,1,1", "mixed_mm", "pad_mm", "fork", "thread", "force", "off")
"""Further texts, for a variable whose rule or flag the others do not reveal."""

AMBIENT = {"CI"}
"""Variables that are not set for torch: a flag that follows one depends on the machine."""

Values = dict[str, Any]
Read = dict[str, Any]
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
        with mock.patch.object(inspect, "getsource", new=_no_source):
            module = self.run(environ, path=path)
        entries = vars(module)["_config"].items()
        return {name: getattr(module, name) for name, entry in entries if not getattr(entry, "alias", None)}


def _no_source(_: object) -> str:
    """Stand in for `inspect.getsource`: torch would read its own comments, which takes longer than to run."""
    return ""


class _Asked(dict[str, str]):
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
    """Return what the default of each flag depends on, for those that differ between machines."""
    default = source.values({})
    found: dict[str, list[str]] = {}
    for what, changed in MACHINE.items():
        for flag, value in changed(source).items():
            if not same(value, default[flag]):
                found.setdefault(flag, []).append(what)
    return found


def variables(source: Source) -> dict[str, dict[str, Any]]:
    """Return the variables that each flag follows, the strongest first, each with its reading rule.

    Where no rule fits, there is a dict with the value for each text instead.
    """
    default, asked = source.values({}), _Asked()
    source.values(asked)
    read_by: dict[str, dict[str, Read]] = {}
    rules: dict[tuple[str, str], Any] = {}
    for variable in asked.names:
        outcomes = {text: _outcome(source, {variable: text}) for text in TEXTS}
        reads, read_as = _followers(source, variable, outcomes, default)
        if not reads or any(len(_fitting(read, default[flag])) != 1 for flag, read in reads.items()):
            outcomes |= {text: _outcome(source, {variable: text}) for text in WORDS}
            reads, read_as = _followers(source, variable, outcomes, default)
        for flag, read in reads.items():
            read_by.setdefault(flag, {})[variable] = read
            rules[flag, variable] = read_as[flag]
    found: dict[str, dict[str, Any]] = {}
    for flag, of_flag in read_by.items():
        strongest_first = functools.cmp_to_key(functools.partial(_weaker, source, flag, of_flag))
        found[flag] = {each: rules[flag, each] for each in sorted(of_flag, key=strongest_first)}
    return found


def _followers(
    source: Source, variable: str, outcomes: Mapping[str, Values | Exception], default: Values
) -> tuple[dict[str, Read], dict[str, Any]]:
    """Return the value for each text of every flag that follows the variable, and the rule."""
    reads = {}
    for flag, value in default.items():
        read = {
            text: outcome if isinstance(outcome, Exception) else outcome[flag]
            for text, outcome in outcomes.items()
        }
        if not all(isinstance(each, Exception) or same(each, value) for each in read.values()):
            reads[flag] = read
    rules = {flag: _rule(source, flag, variable, read, default[flag]) for flag, read in reads.items()}
    if any(isinstance(rule, str) for rule in rules.values()):
        # A bad text fails the import because of that flag, and says nothing about the others.
        for flag in [flag for flag, rule in rules.items() if not isinstance(rule, str)]:
            good = {text: value for text, value in reads[flag].items() if not isinstance(value, Exception)}
            if len(good) < len(reads[flag]):
                rules[flag] = _rule(source, flag, variable, good, default[flag])
    return reads, rules


def _outcome(source: Source, environ: dict[str, str]) -> Values | Exception:
    try:
        return source.values(environ)
    except Exception as error:  # noqa: BLE001  whatever it is, importing torch would raise it
        return error


def _rule(source: Source, flag: str, variable: str, read: Read, default: object) -> Any:
    """Return the rule by which the flag follows the variable; if there is none, the value for each text."""
    for rule in _fitting(read, default):
        return "force" if rule == "default" and _is_forced(source, flag, variable) else rule
    return {text: value for text, value in read.items() if not same(value, default)}


def _fitting(read: Read, default: object) -> list[str]:
    """Return the rules that agree with the values; a forced variable is read like any other."""
    return [
        rule
        for rule, reading in READINGS.items()
        if rule != "force" and all(_agrees(reading, text, value, default) for text, value in read.items())
    ]


def _agrees(reading: Reading, text: str, value: object, default: object) -> bool:
    try:
        return same(reading.read(text, default), value)
    except IMPORT_ERRORS as error:
        return isinstance(value, Exception) and str(value) == str(error)


def _is_forced(source: Source, flag: str, variable: str) -> bool:
    """Tell whether the variable overrides an assignment to the flag."""
    module = source.run({variable: "1"})
    setattr(module, flag, False)
    return getattr(module, flag) is True


def _weaker(source: Source, flag: str, reads: dict[str, Read], one: str, other: str) -> int:
    """Compare two variables of a flag: -1 if *one* wins when both are set, 1 if *other* does."""
    for text, value in reads[one].items():
        for other_text, other_value in reads[other].items():
            if isinstance(value, Exception) or isinstance(other_value, Exception) or same(value, other_value):
                continue
            both = source.values({one: text, other: other_text})[flag]
            return -1 if same(both, value) else 1
    return 0


@contextmanager
def _other_folder() -> Iterator[None]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _under(*changes: Callable[[], AbstractContextManager[Any]]) -> Callable[[Source], Values]:
    def values(source: Source) -> Values:
        with ExitStack() as stack:
            for change in changes:
                stack.enter_context(change())
            return source.values({})

    return values


def _stand_in(module: str, attribute: str, value: object) -> Callable[[], AbstractContextManager[Any]]:
    """Return a patch of an attribute in the stand-in for torch, which does nothing without the module."""

    def change() -> AbstractContextManager[Any]:
        found = sys.modules.get(module)
        return mock.patch.object(found, attribute, value, create=True) if found else nullcontext()

    return change


def _elsewhere(source: Source) -> Values:
    with _stand_in("torch", "__file__", "/elsewhere/torch/__init__.py")():
        return source.values({}, path=Path("/elsewhere", *source.path.parts[-3:]))


MACHINE: Mapping[str, Callable[[Source], Values]] = {
    "torch's folder": _elsewhere,
    "the working directory": _under(_other_folder),
    "the interpreter": _under(lambda: mock.patch.object(sysconfig, "get_config_var", return_value=1)),
    "torch.Tensor": _under(
        lambda: mock.patch.object(sys.modules["torch"].Tensor, "is_changed", new=True, create=True)
    ),
    "the operating system": _under(lambda: mock.patch.object(sys, "platform", "darwin")),
    "the number of processors": _under(
        lambda: mock.patch.object(os, "cpu_count", return_value=7),
        lambda: mock.patch.object(os, "sched_getaffinity", return_value=set(range(7)), create=True),
        _stand_in("torch._utils", "cpu_count", lambda: 7),
    ),
    "whether torch is built for ROCm": _under(_stand_in("torch.version", "hip", "6.0")),
    "whether torch is a nightly": _under(_stand_in("torch", "__version__", "2.0.0.dev0")),
} | {name: functools.partial(Source.values, environ={name: "true"}) for name in sorted(AMBIENT)}
"""The ways in which the machine is varied, each with a function that returns the flags' values there."""
