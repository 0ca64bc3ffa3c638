"""Running a program with settings in force, and passing settings on to the processes that it starts.

The program must not notice. It runs in this process as Python itself would run it: as ``__main__``, with its
own ``sys.argv`` and ``sys.path[0]``, and it ends with the same traceback, exit code or signal. Starting a
second process would be simpler, but signals, terminals and debuggers would meet dynconf first.

Nor is torch imported for a program that does not need it. Each config module gets its settings right after
the program has imported that module::

    dynconf run --set recompile_limit=64 train.py

1. Settings are read and checked, before the program starts: a mistake is the caller's, not the program's.
2. `install_on_import` registers an action for ``torch._dynamo.config``.
3. `Program.run` runs ``train.py``. When that imports torch, the action installs ``recompile_limit``.
4. Its child processes find the settings in the variable ``DYNCONF_CONFIG``, if they use dynconf.
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
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.machinery import BuiltinImporter, SourceFileLoader, SourcelessFileLoader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any, Literal

from dynconf.after_import import after_import
from dynconf.catalogue import Setting
from dynconf.errors import DynconfError, EnvironmentWarning, InvalidValueError
from dynconf.flags.flag import BARE_MODULE
from dynconf.flags.types import Mismatch, Named, is_same_value, short_repr
from dynconf.flags.types.reference import HARMLESS, leaves
from dynconf.modules import MODULES, module_path, modules_set_by
from dynconf.names import module_views
from dynconf.origin import Caller, caller
from dynconf.release import Release
from dynconf.sources.discovery import CONFIG_VARIABLE
from dynconf.sources.environment import read_environment
from dynconf.sources.gather import gather
from dynconf.sources.reading import Reading, merge
from dynconf.start_log import log_start
from dynconf.state import SettingValue, State

# Settings for the program.


def install_on_import(
    state: State, calling_line: Caller, on_error: Callable[[DynconfError], object]
) -> Mapping[Setting, Collection[str]]:
    """Install a state for the process, each flag as soon as its config module has been imported.

    A flag whose value names objects, such as ``logging:Logger.info``, also waits for their modules: a file
    must not make dynconf import anything. If there is no such object, *on_error* is called.

    Returns:
        The modules that each flag still waits for; the sets shrink as modules are imported.
    """
    after_import("torch", _watch_assignments)
    log_start(state, calling_line)
    # Flags that wait for the same modules are installed together, so that rules see them together.
    parts: dict[frozenset[str], dict[Setting, SettingValue]] = {}
    for setting, each in state.items():
        # Those in HARMLESS are loaded in every program.
        named = {leaf.module for leaf in leaves(each.value) if isinstance(leaf, Named)} - HARMLESS.keys()
        modules = frozenset({module_path(setting.module), *named})
        parts.setdefault(modules, {})[setting] = each
    waiting: dict[Setting, set[str]] = {}
    for modules, part in parts.items():
        missing = set(modules)
        waiting.update(dict.fromkeys(part, missing))
        reading = Reading(State(state.release, part))

        def install(module: str, missing: set[str] = missing, reading: Reading = reading) -> None:
            missing.discard(module)
            if not missing:
                from dynconf.live.install import install_state

                log_start(state, calling_line)  # the program may have configured its logger by now
                try:
                    install_state(reading.resolved(), calling_line)
                except DynconfError as error:
                    on_error(error)

        for module in sorted(modules):
            after_import(module, partial(install, module))
    return waiting


def _watch_assignments() -> None:
    """Record the assignments of the program, so that a state that it saves has its pins."""
    from dynconf.live.assignments import watch_assignments

    watch_assignments()


# The program.


@dataclass(frozen=True, slots=True)
class Program:
    """A program as a command line of Python gives it: a script, ``-m MODULE`` or ``-c CODE``.

    Attributes:
        kind: Script, module or code.
        target: The path of the script, the name of the module, or the code.
        arguments: The program's own arguments.

    Example:
        >>> Program.named(["-m", "json.tool", "--help"])
        Program(kind='module', target='json.tool', arguments=('--help',))
    """

    kind: Literal["script", "module", "code"]
    target: str
    arguments: tuple[str, ...] = ()

    @classmethod
    def named(cls, words: Sequence[str]) -> "Program":
        """Return the program that these words of a command line name; a script must be readable."""
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
            # A pipe, such as <(...) of a shell, can be read only once, so opening it to check would break it.
            if stat.S_ISREG(Path(first).stat().st_mode):
                Path(first).open("rb").close()
        except OSError as problem:
            raise InvalidValueError(f"{first} cannot be run: {problem.strerror}") from None
        return cls("script", first, tuple(rest))

    def run(self) -> None:
        """Run it as the main program of this process.

        Raises:
            BaseException: Anything that the program does not handle. Its traceback has been printed then,
                without frames of dynconf; raising it ends the process with Python's own exit code or signal.
        """
        run = {"script": self._run_script, "module": self._run_module, "code": self._run_code}[self.kind]
        try:
            run()
        except SystemExit:
            raise
        except BaseException as problem:  # noqa: BLE001  it is raised again
            error = problem
        else:
            return
        # Outside of the except clause: a hook that fails does not fail while the error is handled.
        error.__traceback__ = _without_own_frames(error.__traceback__)
        _call_hook(error)
        sys.excepthook = lambda *_: None  # it has been called
        raise error

    def _run_script(self) -> None:
        sys.argv[:] = [self.target, *self.arguments]
        path = os.path.join(_working_directory(), self.target)  # noqa: PTH118  Python does not tidy it either
        if pkgutil.get_importer(path) is not None:  # a folder or an archive with a __main__.py
            _set_path(path, is_program=True)
            _new_main()
            _as_main("__main__", alter_argv=False)
            return
        real = path
        with suppress(OSError):  # the path is relative to a folder that has been removed
            real = os.path.realpath(path)
        _set_path(os.path.dirname(real))  # noqa: PTH120
        code, loader = _code_of(path)
        main = _new_main(__file__=path, __cached__=None, __loader__=loader("__main__", path))
        exec(code, vars(main))  # noqa: S102  running the user's program is the purpose

    def _run_module(self) -> None:
        sys.argv[:] = ["-m", *self.arguments]
        _set_path(_working_directory() or None)
        _new_main()
        _as_main(self.target)

    def _run_code(self) -> None:
        sys.argv[:] = ["-c", *self.arguments]
        _set_path("")
        main = _new_main(__loader__=BuiltinImporter)
        exec(compile(self.target, "<string>", "exec", dont_inherit=True), vars(main))  # noqa: S102


def _as_main(module: str, *, alter_argv: bool = True) -> None:
    # A private function, but the one that Python itself calls for -m, and that debuggers and profilers use.
    # runpy.run_module would put the old __main__ and sys.argv back before functions of atexit run.
    runpy._run_module_as_main(module, alter_argv)  # type: ignore[attr-defined]


def _new_main(**attributes: object) -> ModuleType:
    """Replace dynconf's ``__main__`` by an empty module for the program, with these attributes."""
    main = ModuleType("__main__")
    vars(main).update({"__builtins__": builtins, "__annotations__": {}, **attributes})
    sys.modules["__main__"] = main
    return main


def _working_directory() -> str:
    """Return the working directory; empty if it has been removed, where Python still runs programs."""
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        return ""


def _set_path(folder: str | None, *, is_program: bool = False) -> None:
    """Replace the entry that Python put first on ``sys.path`` for dynconf itself by the program's.

    Where Python is to search only what is installed, as under ``-P``, there is neither, unless the folder
    *is_program* itself.
    """
    is_safe = getattr(sys.flags, "safe_path", False) or sys.flags.isolated
    # For -m that entry is the working directory, as long as there is one.
    is_module = sys.modules["__main__"].__spec__ is not None
    if not is_safe and (not is_module or _working_directory()):
        del sys.path[0]
    if folder is not None and (is_program or not is_safe):
        sys.path.insert(0, folder)


def _code_of(path: str) -> tuple[CodeType, type[SourceFileLoader | SourcelessFileLoader]]:
    """Return the code in a ``.py`` or ``.pyc`` file, and the class that Python uses as its loader."""
    with io.open_code(path) as file:
        content = file.read()
    code = pkgutil.read_code(io.BytesIO(content))
    if code is not None:
        return code, SourcelessFileLoader
    return compile(content, path, "exec", dont_inherit=True), SourceFileLoader


def _call_hook(error: BaseException) -> None:
    """Have the program's hook print an error; if that fails, print both as Python does."""
    try:
        sys.excepthook(type(error), error, error.__traceback__)
        return
    except SystemExit:
        raise
    except BaseException as problem:  # noqa: BLE001  whatever it is, Python prints it
        failure = problem
    failure.__traceback__ = _without_own_frames(failure.__traceback__)
    for text, each in (("Error in sys.excepthook:\n", failure), ("\nOriginal exception was:\n", error)):
        sys.stderr.write(text)
        sys.__excepthook__(type(each), each, each.__traceback__)


def _without_own_frames(trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames that run the program, and those that watch its assignments."""
    while trace is not None and _is_own(trace):
        trace = trace.tb_next
    last = trace
    while last is not None:
        while last.tb_next is not None and _is_own(last.tb_next):
            last.tb_next = last.tb_next.tb_next
        last = last.tb_next
    return trace


_OWN_MODULES = (__name__, "dynconf.live.assignments", "dynconf.live.explicit", "dynconf.origin")


def _is_own(trace: TracebackType) -> bool:
    return trace.tb_frame.f_globals.get("__name__") in _OWN_MODULES


# Settings for its child processes.

_MAX_VALUE = 16_000
"""Characters of a value that is passed on: with a variable of 128 KiB, Linux starts no process at all."""


def child_env(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment in which a child process finds the settings of this one.

    The flags that are set in the running thread or task are in its ``DYNCONF_CONFIG``, which the child's own
    `dynconf.install`, `dynconf.DynamoSettings` or ``dynconf run`` read. It lacks variables that would
    override them. A value that cannot be written as data, such as a lambda, or that is too long for a
    variable, is left out with a warning.

    Args:
        environ: The environment to add to; that of the process if None.

    Raises:
        DynconfError: No config module is loaded yet, and the settings of this process contain a mistake.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=64):
        ...     dynconf.child_env({})
        {'DYNCONF_CONFIG': '{"recompile_limit": 64}'}
    """
    environ = os.environ if environ is None else environ
    release, calling_line = Release.at_hand(), caller()
    if any(module_path(module) in sys.modules for module in MODULES):
        from dynconf.snapshot import live_state

        # A library sets its defaults in the child itself.
        live = live_state()
        state = live.select(lambda each: live.origin(each).kind not in ("default", "defaults"))
        values = {each: each.type.truth(value) for each, (value, _) in state.items() if each.is_catalogued}
    else:  # nothing can be set yet but by files and the environment
        state = gather(release, environ=environ).state
        values = state.bare_values()
    result, lost = child_environment(values, release, environ, held_in(state))
    for setting in lost:
        calling_line.warn(
            EnvironmentWarning(
                f"{setting.newest} is not handed on: {short_repr(values[setting])} cannot be written as"
                " data, or takes too much room",
                flag=setting.newest,
            )
        )
    return result


def held_in(state: State) -> list[Setting]:
    """Return the settings of a state that are held."""
    return [setting for setting, (_, origin) in state.items() if origin.held]


def child_environment(
    values: Mapping[Setting, Any],
    release: Release,
    environ: Mapping[str, str],
    holds: Collection[Setting] = (),
) -> tuple[dict[str, str], list[Setting]]:
    """Return *environ* with ``DYNCONF_CONFIG`` for these values, and the settings that it cannot express.

    The child holds those in *holds*.
    """
    lost: list[Setting] = []
    tables: dict[str, Any] = {}
    for setting, value in values.items():
        if not setting.public:
            continue
        try:
            data = setting.type.to_data(value)
            is_lost = len(json.dumps(data)) > _MAX_VALUE
        except Mismatch:
            data, is_lost = None, True
        if is_lost:
            lost.append(setting)
        else:
            table = tables if setting.module == BARE_MODULE else tables.setdefault(setting.module, {})
            table[setting.name] = data
    if not tables:
        return dict(environ), lost
    if held := [setting.newest for setting in holds if setting.public and setting not in lost]:
        tables["hold"] = held
    # Variables beat DYNCONF_CONFIG. So those that say something else have to go, all of a flag together:
    # without torch's own variable, the uniform one would count.
    by_variables = merge(read_environment(environ, release)).state.bare_values()
    overridden = {
        setting
        for setting, value in by_variables.items()
        if setting in values and not is_same_value(setting.type.truth(value), values[setting])
    }
    overriding = {
        name
        for view in module_views(release, modules_set_by(environ.keys()))
        for name in environ
        if any(setting in overridden for setting, _ in view.followers.get(name, ()))
        or (name in view.uniform_variables and view.uniform_variables[name][0] in overridden)
    }
    kept = {name: text for name, text in environ.items() if name not in overriding}
    return {**kept, CONFIG_VARIABLE: json.dumps(tables)}, lost
