"""Programs that need not import torch again: forks of one process that has imported it once.

``Warm("torch._dynamo").run("-c", "print(1)")`` is like ``python -c "print(1)"``, in a process that has
executed that module already. `sys.modules` shows nothing of torch before the program imports it, and every
import goes through the finders of `sys.meta_path`; only the execution is left out. With other variables than
the first process had, torch's config modules are executed again. Everything else that torch read from the
environment while it was imported stays as it was the first time.

A program needs a process of its own if it gives Python options, measures imports, or compares hashes: all
programs share the hash seed.

Run as a script, this file is the process that imports.
"""

import atexit
import builtins
import copy
import fcntl
import gc
import importlib
import importlib.util
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import weakref
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any


class Warm:
    """A process that has imported some modules, and starts programs."""

    def __init__(self, *modules: str) -> None:
        self.environ = {**os.environ}  # under which the modules are imported
        self._control, theirs = socket.socketpair()
        with theirs:
            self._parent = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno()), *modules],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={**self.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )

    def start(
        self, *words: str, files: Sequence[int], environ: Mapping[str, str], terminal: bool = False
    ) -> "Program":
        """Start ``python *words`` in the working directory.

        Args:
            words: ``-c CODE``, ``-m MODULE`` or a script, and its arguments.
            files: Its input, output and errors; they stay open here.
            environ: All of its environment.
            terminal: Whether the first file is its controlling terminal.
        """
        return Program(self, self._asked([words, dict(environ), str(Path.cwd()), terminal], files))

    def run(self, *words: str, seconds: float = 300, **environ: str) -> "subprocess.CompletedProcess[str]":
        """Run ``python *words`` with variables beside those of this process, and return its result."""
        with (
            Path(os.devnull).open() as empty,
            tempfile.TemporaryFile("w+") as output,
            tempfile.TemporaryFile("w+") as errors,
        ):
            files = [each.fileno() for each in (empty, output, errors)]
            code = self.start(*words, files=files, environ={**os.environ, **environ}).wait(seconds)
            output.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(words, code, output.read(), errors.read())

    def ended(self, program: int, seconds: float | None) -> int:
        """Return the exit code of that process; see `Program.wait`."""
        self._control.settimeout(seconds)
        try:
            return self._asked(program)
        except TimeoutError:
            os.kill(program, signal.SIGKILL)
            self._control.settimeout(None)
            self._answer()
            raise
        finally:
            self._control.settimeout(None)

    def close(self) -> None:
        """End the process; programs that still run are left alone."""
        self._control.close()
        self._parent.wait()

    def _asked(self, question: object, files: Sequence[int] = ()) -> int:
        text = json.dumps(question).encode()
        socket.send_fds(self._control, [len(text).to_bytes(8, "big")], list(files))
        self._control.sendall(text)
        return self._answer()

    def _answer(self) -> int:
        answer = self._control.recv(8)
        assert answer, "the process that imports has ended"
        return int.from_bytes(answer, "big", signed=True)


def cold(
    *words: str, environ: Mapping[str, str] | None = None, seconds: float = 300, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """Run ``python *words`` in a process of its own, with variables beside others, and return its result.

    Args:
        words: Python's options, the program, and its arguments.
        environ: The other variables, by default those of this process.
        seconds: The time that it may take.
        variables: Variables that count above the others.
    """
    return subprocess.run(
        [sys.executable, *words],
        env={**(os.environ if environ is None else environ), **variables},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=seconds,
    )  # fmt: skip


def end(*words: str, **variables: str) -> tuple[int, str, str]:
    """Run `cold`; return how that ended and what it said."""
    done = cold(*words, **variables)
    return done.returncode, done.stdout, done.stderr


class Program:
    """A program that was started, with the parts of `subprocess.Popen` that tests use."""

    def __init__(self, warm: Warm, pid: int) -> None:
        self._warm = warm
        self.pid = pid
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit code, or the negative number of the signal that ended it.

        Raises:
            TimeoutError: It ran for longer than that many seconds, and was killed.
        """
        if self.returncode is None:
            self.returncode = -signal.SIGKILL
            self.returncode = self._warm.ended(self.pid, timeout)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it was waited for."""
        if self.returncode is None:
            os.kill(self.pid, number)


# The process that imports.


class Replay:
    """Shows modules that are already executed to the import system as if they were not."""

    def __init__(self, modules: Sequence[str]) -> None:
        before = set(sys.modules)
        environ = _environ()
        inner = _imported(modules)
        self._environs = environ, _environ()  # torch adds a variable while it is imported
        self._executed: dict[str, tuple[ModuleType, ModuleSpec | None, Iterable[str]]] = {}
        self._others: dict[str, ModuleType] = {}
        self._children: dict[str, list[str]] = defaultdict(list)
        for name in sys.modules.keys() - before:
            module = sys.modules[name]
            if name in inner:
                self._executed[name] = module, module.__spec__, inner[name]
                package, _, last = name.rpartition(".")
                self._children[package].append(last)
            elif name.partition(".")[0] in inner:
                self._others[name] = module  # put there by another module, without an import

    def hide(self) -> None:
        """Take the modules away, and have imports bring them back."""
        for name in (*self._executed, *self._others):
            del sys.modules[name]
        sys.meta_path.insert(0, self)  # type: ignore[arg-type]

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """Return how a module comes back."""
        if name not in self._executed:
            return None
        _, spec, _ = self._executed[name]
        loader = copy.copy(self)  # each module has its own, which dynconf may change
        found = ModuleSpec(name, loader, origin=getattr(spec, "origin", None))  # type: ignore[arg-type]
        found.submodule_search_locations = getattr(spec, "submodule_search_locations", None)
        return found

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module, executed long ago."""
        return self._executed[spec.name][0]

    def exec_module(self, module: ModuleType) -> None:
        """Repeat the first imports that the module made when it was executed."""
        name = module.__spec__.name  # type: ignore[union-attr]
        _, spec, inner = self._executed.pop(name)
        if "ConfigModule" in type(module).__name__ and _environ() not in self._environs:
            # All of torch has references to this object, so it is the one that is executed again.
            ModuleType.__setattr__(module, "__class__", ModuleType)
            vars(module).clear()
            importlib._bootstrap._init_module_attrs(spec, module)  # type: ignore[attr-defined]
            spec.loader.exec_module(module)  # type: ignore[union-attr]
            return
        # An import also sets the attribute of the package: not all were left at that, and some come later.
        children = {child: vars(module).get(child, ...) for child in self._children[name]}
        for each in inner:
            if each in self._executed:
                importlib.import_module(each)
        for child, value in children.items():
            hidden, *_ = self._executed.get(f"{name}.{child}", (...,))
            if value is not hidden and value is not ...:
                vars(module)[child] = value
            elif child in vars(module):
                del vars(module)[child]
        vars(module).update(__spec__=spec, __loader__=spec and spec.loader)
        if "." not in name:
            sys.modules.update(
                {each: other for each, other in self._others.items() if each.startswith(f"{name}.")}
            )


def _environ() -> dict[str, str]:
    return {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}


def _imported(modules: Sequence[str]) -> dict[str, dict[str, None]]:
    """Import modules, and return for each of all the modules those that it imported, in order."""
    inner: dict[str, dict[str, None]] = {"": {}}
    under_way = [""]
    load, importer = importlib._bootstrap._load_unlocked, builtins.__import__  # type: ignore[attr-defined]

    def loaded(spec: ModuleSpec) -> ModuleType:
        inner[under_way[-1]][spec.name] = None
        inner[spec.name] = {}
        under_way.append(spec.name)
        try:
            return load(spec)
        finally:
            under_way.pop()

    def imported(
        name: str, names: Any = None, local: Any = None, parts: Sequence[str] | None = (), level: int = 0
    ) -> ModuleType:
        found = importer(name, names, local, parts, level)
        whole = importlib.util.resolve_name("." * level + name, names["__package__"]) if level else name
        each = (whole, *(f"{whole}.{part}" for part in parts or ()))
        inner[under_way[-1]].update(dict.fromkeys(name for name in each if name in inner))
        return found

    importlib._bootstrap._load_unlocked, builtins.__import__ = loaded, imported
    try:
        for module in modules:
            importlib.import_module(module)
    finally:
        importlib._bootstrap._load_unlocked, builtins.__import__ = load, importer
    return inner


def _serve(control: socket.socket, modules: Sequence[str]) -> None:
    replay = Replay(modules)
    for each in weakref.finalize._registry:  # type: ignore[attr-defined]
        each.atexit = False  # torch would deregister all its operators
    gc.freeze()  # the collector would write to memory that forks share
    while True:
        size, files, _, _ = socket.recv_fds(control, 8, 3)
        if not size:
            return
        question = json.loads(control.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL))
        if isinstance(question, int):
            answer = os.waitstatus_to_exitcode(os.waitpid(question, 0)[1])
        else:
            answer = os.fork()
            if not answer:
                control.close()
                words, *place = question
                _move(files, *place)
                replay.hide()
                os._exit(_run(words))
            for file in files:
                os.close(file)
        control.sendall(answer.to_bytes(8, "big", signed=True))


def _move(files: list[int], environ: dict[str, str], folder: str, terminal: bool) -> None:  # noqa: FBT001  from JSON
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.dup2(files[number], number)
        os.close(files[number])
        mode, errors = (
            ("r", "strict") if number == 0 else ("w", "backslashreplace" if number == 2 else "strict")
        )
        stream = os.fdopen(number, mode, errors=errors, closefd=False)
        if number == 2:
            stream.reconfigure(line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    if terminal:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)


def _run(words: list[str]) -> int:
    """Run a program as Python does, and return its exit code."""
    code = 0
    try:
        _execute(words)
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        if isinstance(stop.code, str):
            sys.stderr.write(f"{stop.code}\n")
    except BaseException as error:  # noqa: BLE001  Python does the same
        trace = error.__traceback__.tb_next.tb_next  # type: ignore[union-attr]  # without this file
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        code = -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


def _execute(words: list[str]) -> None:
    first, *rest = words
    if first == "-m":
        sys.argv, sys.path[0] = ["-m", *rest[1:]], str(Path.cwd())
        runpy._run_module_as_main(rest[0])
        return
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__builtins__ = builtins  # type: ignore[attr-defined]
    if first == "-c":
        sys.argv, sys.path[0] = ["-c", *rest[1:]], ""
        code = compile(rest[0], "<string>", "exec", dont_inherit=True)
    else:
        sys.argv, sys.path[0] = words, str(Path(first).resolve().parent)
        main.__file__ = str(Path.cwd() / first)
        code = compile(Path(first).read_bytes(), main.__file__, "exec", dont_inherit=True)
    exec(code, vars(main))  # noqa: S102  it is the program


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as control:
        _serve(control, sys.argv[2:])
