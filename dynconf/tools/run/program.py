"""A program that a command line names, run in this process as Python itself would run it.

An error that ends it is reported as if dynconf were not below.

The problem: an error ends the process once it has left every frame, and dynconf's are the last ones. Python
then stores it in ``sys.last_value``, calls `sys.excepthook`, joins the threads, and ends with 1 or by SIGINT.
All of that shows the frames to the program. Why not report the error before it leaves? Python would report it
again, so `sys.excepthook` would have to be mute from then on: for the threads that still run, too.

The idea: Python takes every step itself, and calls a hook that removes the frames before it hands over to the
program's own. It is in place from the last frame of the program to that call::

    train.py:7          raises; Program.run catches
    _end_with           keeps the traceback [train.py:7], puts the hook in place, and raises again
    main, runpy, ...    the traceback grows to [runpy.py, ..., train.py:7]
    Python              stores that in sys.last_traceback, and calls the hook
    the hook            stores [train.py:7], puts the program's hook back, and calls it
"""

import builtins
import io
import os
import pkgutil
import re
import runpy
import shutil
import stat
import sys
import sysconfig
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import BuiltinImporter, PathFinder, SourceFileLoader, SourcelessFileLoader
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Literal, NoReturn

from dynconf.errors import InvalidValueError
from dynconf.tools.at_exit import end_by_interrupt


@dataclass(frozen=True, slots=True)
class Program:
    """A program as a command line of Python gives it: a script, ``-m MODULE`` or ``-c CODE``.

    Example:
        >>> Program.named(["-m", "json.tool", "--help"])
        Program(kind='module', target='json.tool', arguments=('--help',))
    """

    kind: Literal["script", "module", "code"]
    target: str  # the path of the script, the name of the module, or the code
    arguments: tuple[str, ...] = ()

    @classmethod
    def named(cls, words: Sequence[str]) -> "Program":
        """Return the program that these words of a command line name; a script must be readable.

        A command such as ``torchrun`` is the script of that name that is installed for this Python: another
        one would find other packages. A folder of that name that is no program, such as the sources of
        ``vllm`` in their checkout, does not hide it. This Python may come first, as in ``python train.py``.
        """
        if not words:
            raise InvalidValueError("there is no program to run: expected SCRIPT, -m MODULE or -c CODE")
        first, *rest = words
        if _is_this_python(first):
            return cls.named(rest)
        kinds: dict[str, Literal["module", "code"]] = {"-m": "module", "-c": "code"}
        if kind := kinds.get(first[:2]):
            named = [first[2:], *rest] if first[2:] else rest
            if not named:
                raise InvalidValueError(f"{first}: expected {'a module' if kind == 'module' else kind}")
            return cls(kind, named[0], tuple(named[1:]))
        if first.startswith("-"):
            raise InvalidValueError(
                f"there is no option {first}; Python's come first, as in `python -u -m dynconf run train.py`;"
                " `dynconf run --help` lists dynconf's"
            )
        return cls("script", _script(first), tuple(rest))

    def run(self) -> None:
        """Run it as the main program of this process, and raise what it does not handle: see the top."""
        words = {"module": "-m", "code": "-c"}
        sys.argv[:] = [words.get(self.kind, self.target), *self.arguments]
        try:
            getattr(self, f"_run_{self.kind}")()
        except SystemExit:
            raise
        except BaseException as problem:  # noqa: BLE001  it is raised again
            error = problem
        else:
            return
        # Outside of the except clause, so that an error in the program's hook has no context.
        _end_with(error)

    def _run_script(self) -> None:
        path = os.path.join(working_directory(), self.target)
        if pkgutil.get_importer(path) is not None:  # a folder or an archive with a __main__.py
            _set_path(path, is_program=True)
            _new_main()
            _as_main("__main__", alter_argv=False)
            return
        real = path
        with suppress(OSError):  # the path is relative to a folder that has been removed
            real = os.path.realpath(path)
        _set_path(os.path.dirname(real))
        with io.open_code(path) as file:
            content = file.read()
        code = pkgutil.read_code(io.BytesIO(content))  # of a .pyc file
        loader = SourcelessFileLoader if code else SourceFileLoader
        code = code or compile(content, path, "exec", dont_inherit=True)
        main = _new_main(__file__=path, __cached__=None, __loader__=loader("__main__", path))
        exec(code, vars(main))  # noqa: S102  running the user's program is the purpose

    def _run_module(self) -> None:
        _set_path(working_directory() or None)
        _new_main()
        _as_main(self.target)

    def _run_code(self) -> None:
        _set_path("")
        main = _new_main(__loader__=BuiltinImporter)
        exec(compile(self.target, "<string>", "exec", dont_inherit=True), vars(main))  # noqa: S102


_EXPECTED = (
    "expected a Python program, as in `dynconf run train.py` or `srun dynconf run train.py`; for a shell"
    ' script, give the options to dump: (eval "$(dynconf dump --format env --set ...)"; ./launch.sh)'
)

_FOR_A_SHELL = re.compile(rb"#!(?!.*python).*\b(ba|da|k|z|fi)?sh\b")

_FOR_BOTH = re.compile(rb"(?:#.*\n|[ \t]*\n)*[ \t]*['\"]")
"""A script whose first words are a command to a shell, which has Python run it, and a text to Python."""


def _is_this_python(name: str) -> bool:
    """Tell whether a command is the interpreter of this process: one elsewhere would find other packages."""
    found, own = shutil.which(name), sys.executable or os.devnull  # embedded, Python may have none
    return found is not None and Path(found).parent == Path(own).parent and Path(found).samefile(own)


def _script(name: str) -> str:
    """Return the path of the script that a word of a command line names."""
    try:
        # A pipe, such as <(...) of a shell, can be read only once, so opening it to check would break it.
        mode = Path(name).stat().st_mode
        if stat.S_ISREG(mode):
            with Path(name).open("rb") as file:
                head = file.read(4096)
                if _FOR_A_SHELL.match(head) and not _FOR_BOTH.match(head):
                    raise InvalidValueError(f"{name} is a shell script: {_EXPECTED}")
        if stat.S_ISDIR(mode) and not PathFinder.find_spec("__main__", [name]):
            # Without such a command it is for Python to say what the folder lacks.
            return _installed_command(name) or name
    except OSError as problem:
        if command := _installed_command(name):
            return command
        raise InvalidValueError(f"{name} cannot be run: {_why_not(name, problem)}") from None
    return name


def _installed_command(name: str) -> str | None:
    """Return the script that is installed as a command of that name beside this Python, or for its user."""
    schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
    folders = [os.path.dirname(sys.executable), *(sysconfig.get_path("scripts", each) for each in schemes)]
    path = shutil.which(name, path=os.pathsep.join(folders)) if os.path.basename(name) == name else None
    if path:
        with suppress(OSError), Path(path).open("rb") as file:
            # Where the path of Python is too long for the first line, pip has a shell find it in the second.
            head = b" ".join(file.read(4096).split(b"\n", 2)[:2])
            if head.startswith(b"#!") and b"python" in head:
                return path
    return None


def _why_not(name: str, problem: OSError) -> str:
    """Return why a file cannot be run, or what else the name may have meant."""
    top = name.partition(".")[0]  # of which nothing is imported
    if top.isidentifier() and (top in sys.stdlib_module_names or PathFinder.find_spec(top)):
        return f"{problem.strerror}; did you mean -m {name}?"
    if isinstance(problem, FileNotFoundError) and (other := shutil.which(name)):
        return f"{other} is not a script of this Python; {_EXPECTED}"
    return str(problem.strerror)


def _as_main(module: str, *, alter_argv: bool = True) -> None:
    # A private function, but the one that Python itself calls for -m, and that debuggers and profilers use.
    # runpy.run_module would put the old __main__ and sys.argv back before functions of atexit run.
    runpy._run_module_as_main(module, alter_argv)  # type: ignore[attr-defined]


_OWN_MAIN = sys.modules["__main__"]
"""dynconf's own, kept when it is replaced: CPython (3.10 to 3.13) still uses its namespace after an error."""


def _new_main(**attributes: object) -> ModuleType:
    """Replace dynconf's ``__main__`` by an empty module for the program, with these attributes."""
    main = ModuleType("__main__")
    vars(main).update({"__builtins__": builtins, "__annotations__": {}, **attributes})
    sys.modules["__main__"] = main
    return main


def working_directory() -> str:
    """Return the working directory; empty if it has been removed, where Python still runs programs."""
    try:
        return os.getcwd()
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
    if not is_safe and (not is_module or working_directory()):
        del sys.path[0]
    if folder is not None and (is_program or not is_safe):
        sys.path.insert(0, folder)


def _end_with(error: BaseException) -> NoReturn:
    """Raise an error that the program does not handle, without frames of dynconf wherever it is reported."""
    _clean(error)
    trace, hook = error.__traceback__, getattr(sys, "excepthook", sys.__excepthook__)

    def call_hook(kind: type[BaseException], value: BaseException, whole: TracebackType | None) -> None:
        if value is error:  # else it is of a thread, just in this moment
            sys.excepthook = hook
            value.__traceback__ = sys.last_traceback = whole = trace
        hook(kind, value, whole)

    if type(error) is KeyboardInterrupt:
        end_by_interrupt()
    sys.excepthook = call_hook
    raise error


def _clean(error: BaseException) -> None:
    """Remove the frames by which dynconf is between program and Python, wherever Python shows them."""
    cleaned: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        each = pending.pop()
        if each is None or id(each) in cleaned:
            continue
        cleaned.add(id(each))
        pending += [each.__cause__, each.__context__]
        kept: list[TracebackType] = []
        trace, is_own = each.__traceback__, False
        while trace is not None:
            module = str(trace.tb_frame.f_globals.get("__name__"))
            is_own = module in _OWN_MODULES or (is_own and module.startswith("dynconf."))
            kept += [] if is_own else [trace]
            trace = trace.tb_next
        for trace, behind in zip(kept, [*kept[1:], None]):
            if trace.tb_next is not behind:  # setting it walks to the end, which may be far away
                trace.tb_next = behind
        each.__traceback__ = kept[0] if kept else None


_OWN_MODULES = (
    __name__,
    "dynconf.live.after_import",
    "dynconf.live.assignments",
    "dynconf.live.torch.door",
    "dynconf.tools.audit.watch",
    "dynconf.tools.audit.writes",
)
"""The modules that run the program, or stand between it and torch, and that call others of dynconf's.

Frames of a function that the program calls itself stay: they are in its traceback under Python, too.
"""
