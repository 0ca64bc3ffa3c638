"""Running a program with settings in force, and handing settings on to the processes that it starts.

The program runs in this process as Python itself would run it: as ``__main__``, with its own ``sys.argv``,
``sys.path[0]``, exit code and signals. Nothing of torch is imported for it. Each config module gets its
settings when the program, or something that it imports, imports that module.
"""

import builtins
import io
import json
import os
import pkgutil
import runpy
import stat
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.machinery import BuiltinImporter, SourceFileLoader, SourcelessFileLoader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any, Literal

from dynconf.after_import import after_import
from dynconf.catalogue import Setting
from dynconf.errors import DynconfError, EnvironmentWarning, InvalidValueError
from dynconf.flags.types import Mismatch, Named, same, shown
from dynconf.flags.types.reference import HARMLESS
from dynconf.modules import MODULES, home, set_by
from dynconf.names import views
from dynconf.origin import Caller, caller
from dynconf.release import Release
from dynconf.sources.discovery import CONFIG_VARIABLE
from dynconf.sources.environment import read_environment
from dynconf.sources.gather import gather
from dynconf.sources.reading import Reading, merge
from dynconf.state import SettingValue, State

# What is installed before a program starts.


def install_on_import(
    state: State, here: Caller, refused: Callable[[DynconfError], object]
) -> Mapping[Setting, Collection[str]]:
    """Install a state for the process, each flag as soon as its config module is imported.

    A flag whose value names objects waits for their modules, too: nothing is imported for the names. If one
    turns out to be that of nothing, *refused* is called. For each flag, the result has the modules that are
    still waited for; it changes as they are imported.
    """
    parts: dict[tuple[str, ...], dict[Setting, SettingValue]] = {}
    for setting, each in state.items():
        modules = (home(setting.module), *sorted(_modules_named_in(each.value)))
        parts.setdefault(modules, {})[setting] = each
    waiting: dict[Setting, set[str]] = {}
    for modules, part in parts.items():
        missing = set(modules)
        waiting.update(dict.fromkeys(part, missing))
        reading = Reading(State(state.release, part))
        for module in modules:
            after_import(module, partial(_install_after, module, missing, reading, here, refused))
    return waiting


def _install_after(
    module: str, missing: set[str], reading: Reading, here: Caller, refused: Callable[[DynconfError], object]
) -> None:
    """Note that a module has been imported, and install the settings if it was the last that is missing."""
    missing.discard(module)
    if missing:
        return
    from dynconf.live.install import install_state

    try:
        install_state(reading.resolved(), here)
    except DynconfError as error:
        refused(error)


def _modules_named_in(value: object) -> set[str]:
    if isinstance(value, Named):
        return set() if value.module in HARMLESS else {value.module}
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (set, frozenset, list, tuple)):
        return {module for item in value for module in _modules_named_in(item)}
    return set()


# The program.


@dataclass(frozen=True, slots=True)
class Program:
    """A program, as a command line of Python names it.

    Attributes:
        kind: Whether it is a script, a module (``-m``) or code (``-c``).
        target: The path of the script, the name of the module, or the code.
        arguments: What ``sys.argv`` has after it.

    Example:
        >>> Program.named(["-m", "json.tool", "--help"])
        Program(kind='module', target='json.tool', arguments=('--help',))
    """

    kind: Literal["script", "module", "code"]
    target: str
    arguments: tuple[str, ...] = ()

    @classmethod
    def named(cls, words: Sequence[str]) -> "Program":
        """Return the program that these words of a command line name.

        Raises:
            InvalidValueError: They name none, or a script that cannot be read.
        """
        if not words:
            raise InvalidValueError("there is no program to run: expected SCRIPT, -m MODULE or -c CODE")
        first, *rest = words
        kinds: dict[str, Literal["module", "code"]] = {"-m": "module", "-c": "code"}
        if kind := kinds.get(first[:2]):
            named = [first[2:], *rest] if first[2:] else rest
            if not named:
                raise InvalidValueError(f"{first}: expected {'a module' if kind == 'module' else kind}")
            return cls(kind, named[0], tuple(named[1:]))
        if first.startswith("-"):
            raise InvalidValueError(f"there is no option {first}; `dynconf run --help` lists the options")
        try:
            # A pipe can be read only once, so it is not opened to find out whether it can be.
            if stat.S_ISREG(Path(first).stat().st_mode):
                Path(first).open("rb").close()
        except OSError as problem:
            raise InvalidValueError(f"{first} cannot be run: {problem.strerror}") from None
        return cls("script", first, tuple(rest))

    def run(self) -> None:
        """Run it in this process, as its main program.

        An exception that it does not handle is reported without the frames of dynconf, and then ends this
        process as it would have ended the program's own.

        Raises:
            BaseException: Whatever the program does not handle.
        """
        run = {"script": self._run_script, "module": self._run_module, "code": self._run_code}[self.kind]
        try:
            run()
        except SystemExit:
            raise
        except BaseException as error:
            error.__traceback__ = _without_own_frames(error.__traceback__)
            sys.excepthook(type(error), error, error.__traceback__)
            sys.excepthook = _told
            raise

    def _run_script(self) -> None:
        sys.argv[:] = [self.target, *self.arguments]
        if pkgutil.get_importer(self.target) is not None:  # a folder or an archive with a __main__.py
            _set_path(str(Path(self.target).absolute()))
            _new_main()
            _as_main("__main__", alter_argv=False)
            return
        path = os.path.join(os.getcwd(), self.target)  # noqa: PTH109, PTH118  Python does not tidy it either
        _set_path(os.path.dirname(os.path.realpath(path)))  # noqa: PTH120
        code, loader = _code_of(path)
        main = _new_main(__file__=path, __cached__=None, __loader__=loader("__main__", path))
        exec(code, vars(main))  # noqa: S102  running it is what was asked for

    def _run_module(self) -> None:
        sys.argv[:] = ["-m", *self.arguments]
        _set_path(os.getcwd())  # noqa: PTH109
        _new_main()
        _as_main(self.target)

    def _run_code(self) -> None:
        sys.argv[:] = ["-c", *self.arguments]
        _set_path("")
        main = _new_main(__loader__=BuiltinImporter)
        exec(compile(self.target, "<string>", "exec", dont_inherit=True), vars(main))  # noqa: S102


def _as_main(module: str, *, alter_argv: bool = True) -> None:
    """Run a module as ``python -m`` does; debuggers and profilers use the same function."""
    runpy._run_module_as_main(module, alter_argv)  # type: ignore[attr-defined]


def _new_main(**attributes: object) -> ModuleType:
    """Put an empty ``__main__`` in place of dynconf's own."""
    main = ModuleType("__main__")
    vars(main).update({"__builtins__": builtins, "__annotations__": {}, **attributes})
    sys.modules["__main__"] = main
    return main


def _set_path(folder: str) -> None:
    """Replace what Python put first on the path for dynconf, if it puts anything there."""
    if not (getattr(sys.flags, "safe_path", False) or sys.flags.isolated):
        sys.path[0] = folder


def _code_of(path: str) -> tuple[CodeType, type[SourceFileLoader | SourcelessFileLoader]]:
    """Return the code in a file, compiled or not, and what Python calls its loader."""
    with io.open_code(path) as file:
        content = file.read()
    code = pkgutil.read_code(io.BytesIO(content))
    if code is not None:
        return code, SourcelessFileLoader
    return compile(content, path, "exec", dont_inherit=True), SourceFileLoader


def _without_own_frames(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_globals.get("__name__") == __name__:
        trace = trace.tb_next
    return trace


def _told(*_error: object) -> None:
    """Say nothing: the traceback has been shown."""


# The processes that it starts.

_LONGEST = 16_000
"""How long a value may be to be handed on: with a variable of 128 KiB Linux starts no process at all."""


def child_env(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment in which a child process finds the settings of this one.

    What is set here, in the running thread or task, stands in ``DYNCONF_CONFIG``, where the child's own
    `dynconf.install`, `dynconf.DynamoSettings` or ``dynconf run`` find it. Variables that would override it
    are left out. What cannot be written as data, such as a lambda in a set, or is longer than a variable
    can be, is left out with a warning.

    Args:
        environ: The environment to begin with; that of the process if None.

    Raises:
        DynconfError: No config module is loaded yet, and the settings that would be installed are wrong.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=64):
        ...     dynconf.child_env({})
        {'DYNCONF_CONFIG': '{"recompile_limit": 64}'}
    """
    environ = os.environ if environ is None else environ
    release, here = Release.at_hand(), caller()
    if any(home(module) in sys.modules for module in MODULES):
        from dynconf.snapshot import snapshot

        entries = [each for each in snapshot().entries() if each.is_set]
        values = {each.setting: each.meaning for each in entries if each.setting is not None}
    else:
        values = gather(release, environ=environ).state.bare_values()
    handed_on, lost = environment_of(values, release, environ)
    for setting in lost:
        here.warn(
            EnvironmentWarning(
                f"{setting.qualified} is not handed on: {shown(values[setting])} cannot be written as data,"
                " or takes too much room",
                flag=setting.qualified,
            )
        )
    return handed_on


def environment_of(
    values: Mapping[Setting, Any], release: Release, environ: Mapping[str, str]
) -> tuple[dict[str, str], list[Setting]]:
    """Return *environ* with what hands these values on, and the settings that it cannot express."""
    lost: list[Setting] = []
    tables: dict[str, Any] = {}
    for setting, value in values.items():
        if not setting.public:
            continue
        try:
            data = setting.type.to_data(value)
            is_lost = len(json.dumps(data)) > _LONGEST
        except Mismatch:
            data, is_lost = None, True
        if is_lost:
            lost.append(setting)
            continue
        table = tables if setting.module == "dynamo" else tables.setdefault(setting.module, {})
        table[setting.name] = data
    if not tables:
        return dict(environ), lost
    by_variables = merge(read_environment(environ, release)).state.bare_values()
    beating = {
        setting
        for setting, value in values.items()
        if setting in by_variables and not same(setting.type.truth(by_variables[setting]), value)
    }
    dropped = {
        name
        for view in views(release, set_by(environ.keys()))
        for name in environ
        if any(setting in beating for setting, _ in view.followers.get(name, ()))
        or (name in view.uniform_variables and view.uniform_variables[name][0] in beating)
    }
    kept = {name: text for name, text in environ.items() if name not in dropped}
    return {**kept, CONFIG_VARIABLE: json.dumps(tables)}, lost
