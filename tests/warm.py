"""Programs that need not import torch anew: forked from one process that has imported it once.

``Warm("torch._dynamo").run("-c", "print(1)")`` is ``python -c "print(1)"`` in a process in which those modules
are already executed. `sys.modules` of the program does not show them before it imports them, and each import
comes to it as an import does, through the finders of `sys.meta_path`; only the execution is left out. What
torch reads from the environment while it is imported is what the first process found there: a program whose
variables torch itself is to read needs a process of its own, and so does one that gives Python options.

Run as a script, this file is the process that imports.
"""

import atexit
import builtins
import fcntl
import importlib
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
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

PACKAGES = ("torch", "torchgen", "functorch")


class Warm:
    """The process that has imported some modules, and starts programs."""

    def __init__(self, *modules: str) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._parent = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno()), *modules],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )

    def start(
        self,
        *words: str,
        files: Sequence[int],
        environ: Mapping[str, str] | None = None,
        terminal: bool = False,
    ) -> "Program":
        """Start ``python *words`` in the working directory, with these files as its input, output and errors.

        Args:
            words: ``-c CODE``, ``-m MODULE`` or a script, and its arguments.
            files: Three descriptors; they stay open here.
            environ: Variables beside those of this process.
            terminal: Whether the first file is to be its controlling terminal.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            request = json.dumps([words, {**os.environ, **(environ or {})}, os.getcwd(), terminal])
            self._control.sendall(len(request.encode()).to_bytes(8, "big"))
            socket.send_fds(self._control, [b"\0"], [*files, theirs.fileno()])
            self._control.sendall(request.encode())
        return Program(ours)

    def run(self, *words: str, seconds: float = 120, **environ: str) -> "subprocess.CompletedProcess[str]":
        """Run ``python *words`` with variables beside those of this process, and return what it did."""
        with (
            open(os.devnull, "rb") as empty,
            tempfile.TemporaryFile("w+") as output,
            tempfile.TemporaryFile("w+") as errors,
        ):
            files = [empty.fileno(), output.fileno(), errors.fileno()]
            code = self.start(*words, files=files, environ=environ).wait(seconds)
            output.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(words, code, output.read(), errors.read())

    def close(self) -> None:
        """End the process; programs that still run are left alone."""
        self._control.close()
        self._parent.wait()


class Program:
    """A program that was started, with the part of `subprocess.Popen` that tests use."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self.pid = int(self._connection.recv(64))
        self.returncode: int | None = None

    def wait(self, seconds: float | None = None) -> int:
        """Return its exit code, or the negative number of the signal that ended it.

        Raises:
            TimeoutError: It still runs; then it is killed.
        """
        if self.returncode is None:
            self._connection.settimeout(seconds)
            try:
                self.returncode = int(self._connection.recv(64))
            except TimeoutError:
                self.kill()
                raise
            self._connection.close()
        return self.returncode

    def kill(self) -> None:
        """End it, if it still runs."""
        if self.returncode is None:
            self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)


# The process that imports.


class Replay:
    """Shows modules that are already executed to the import system as if they were not."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._executed: dict[str, tuple[ModuleType, ModuleSpec | None, list[str]]] = {}
        self._others: dict[str, ModuleType] = {}
        self._under_way: list[list[str]] = []
        before = set(sys.modules)
        execute = importlib._bootstrap._load_unlocked  # type: ignore[attr-defined]
        inner: dict[str, list[str]] = {}

        def recorded(spec: ModuleSpec) -> ModuleType:
            if self._under_way:
                self._under_way[-1].append(spec.name)
            self._under_way.append(inner.setdefault(spec.name, []))
            try:
                return execute(spec)
            finally:
                self._under_way.pop()

        importlib._bootstrap._load_unlocked = recorded  # type: ignore[attr-defined]
        try:
            for module in modules:
                importlib.import_module(module)
        finally:
            importlib._bootstrap._load_unlocked = execute  # type: ignore[attr-defined]
        for name, module in list(sys.modules.items()):
            if name not in before and name.partition(".")[0] in PACKAGES:
                if name in inner:
                    self._executed[name] = module, module.__spec__, inner[name]
                else:
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
        found = ModuleSpec(name, self, origin=getattr(spec, "origin", None))  # type: ignore[arg-type]
        found.submodule_search_locations = getattr(spec, "submodule_search_locations", None)
        return found

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module, executed long ago."""
        return self._executed[spec.name][0]

    def exec_module(self, module: ModuleType) -> None:
        """Import again what the module imported first when it was executed."""
        name = module.__spec__.name  # type: ignore[union-attr]
        _, spec, inner = self._executed.pop(name)
        attributes = dict(vars(module))
        for each in inner:
            if each in self._executed:
                importlib.import_module(each)
        if "." not in name:
            sys.modules.update(
                {each: other for each, other in self._others.items() if each.startswith(f"{name}.")}
            )
        # An import also sets the attribute of the package, which may have been something else by the end.
        vars(module).update(attributes, __spec__=spec, __loader__=spec and spec.loader)


def _serve(control: socket.socket, modules: Sequence[str]) -> None:
    replay = Replay(modules)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while header := control.recv(8, socket.MSG_WAITALL):
        _, files, _, _ = socket.recv_fds(control, 1, 4)
        request = json.loads(control.recv(int.from_bytes(header, "big"), socket.MSG_WAITALL))
        if not os.fork():
            control.close()
            _keep(replay, request, files)
        for file in files:
            os.close(file)


def _keep(replay: Replay, request: tuple[list[str], dict[str, str], str, bool], files: list[int]) -> None:
    """Start the program and report how it ends: only its parent can know."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *standard, report = files
    program = os.fork()
    if not program:
        os.close(report)
        _become(replay, standard, *request)
    for file in standard:
        os.close(file)
    os.write(report, str(program).encode().ljust(64))
    os.write(report, str(os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])).encode())
    os._exit(0)


def _become(
    replay: Replay, files: list[int], words: list[str], environ: dict[str, str], folder: str, terminal: bool
) -> None:
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    if terminal:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = open(
            number, "w" if number else "r", errors="backslashreplace" if number == 2 else None, closefd=False
        )
        if number == 2:
            stream.reconfigure(line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    replay.hide()
    os._exit(_run(words))


def _run(words: list[str]) -> int:
    """Run a program as Python does, and return its exit code."""
    code = 0
    try:
        _main(words)()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        if isinstance(stop.code, str):
            print(stop.code, file=sys.stderr)
    except KeyboardInterrupt:
        sys.excepthook(*sys.exc_info())
        code = -signal.SIGINT
    except BaseException as error:
        assert error.__traceback__ is not None
        assert error.__traceback__.tb_next is not None
        error.__traceback__ = error.__traceback__.tb_next.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = code or 120
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


def _main(words: list[str]) -> Callable[[], object]:
    first, *rest = words
    main = ModuleType("__main__")
    main.__builtins__ = builtins
    sys.modules["__main__"] = main
    if first == "-c":
        sys.argv, sys.path[0] = ["-c", *rest[1:]], ""
        code = compile(rest[0], "<string>", "exec", dont_inherit=True)
        return lambda: exec(code, vars(main))
    if first == "-m":
        sys.argv, sys.path[0] = ["-m", *rest[1:]], os.getcwd()
        return lambda: runpy._run_module_as_main(rest[0])
    sys.argv, sys.path[0] = [first, *rest], str(Path(first).resolve().parent)
    main.__file__ = os.path.abspath(first)
    code = compile(Path(first).read_bytes(), main.__file__, "exec", dont_inherit=True)
    return lambda: exec(code, vars(main))


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as control:
        _serve(control, sys.argv[2:])
