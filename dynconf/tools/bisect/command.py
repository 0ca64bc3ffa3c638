"""A run as a process: it gets the state, has caches of its own, and leaves nothing behind."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from dynconf.errors import InvalidValueError
from dynconf.state import State
from dynconf.tools.bisect.failure import Failure
from dynconf.tools.bisect.space import Space
from dynconf.tools.bisect.trials import Make, Run, Trial, repeated
from dynconf.tools.run.children import environment_to_follow

_MOST_OUTPUT = 4_000_000
"""Characters from the end of the output in which a number is searched."""

_PATIENCE = 5.0
"""Seconds for which processes that were killed may still start others."""

_TRIAL_VARIABLE = "DYNCONF_TRIAL"
"""The variable with the folder of a trial, by which its processes are known."""


@dataclass(slots=True)
class Command:
    """A command that is run in different states.

    Attributes:
        words: The program and its arguments.
        failure: How a run is judged.
        timeout: The seconds that it may take.
        share_caches: Whether Inductor's cache is the user's, instead of an empty one for each run.
        output: The end of the output of the last run.
        is_interrupted: Whether a run ends at once.
    """

    words: Sequence[str]
    failure: Failure
    timeout: float | None = None
    share_caches: bool = False
    output: str = ""
    _process: "subprocess.Popen[bytes] | None" = None
    is_interrupted: bool = False

    def interrupt(self, *_: object) -> None:
        """End the run, as the handler of a signal: `run` then raises KeyboardInterrupt.

        A handler that raised would do so anywhere, between making a folder and noting its name, too.
        """
        self.is_interrupted = True
        if self._process is not None:
            _kill(self._process)

    def run(self, state: State) -> Run:
        """Run it in a state, and judge it.

        Raises:
            InvalidValueError: There is no such program, or a value cannot be passed to it.
            KeyboardInterrupt: It was interrupted.
        """
        environ, lost = environment_to_follow(state, os.environ)
        if lost:
            names = " and ".join(sorted(setting.newest for setting in lost))
            raise InvalidValueError(
                f"{names}: a trial cannot get the value, which is too long for a variable"
            )
        try:
            trial = tempfile.TemporaryDirectory(prefix="dynconf-bisect-", ignore_cleanup_errors=True)
        except OSError as problem:
            raise InvalidValueError(f"no folder for a trial can be made: {problem.strerror}") from None
        environ[_TRIAL_VARIABLE] = trial.name
        # The output stays open, because a program may delete all temporary files.
        with trial as folder, Path(folder, "output").open("w+b") as file:
            if not self.share_caches:
                environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(folder, "inductor")
                environ.pop("TRITON_CACHE_DIR", None)  # it is inside the other one then
            code = self._ended(environ, file)
            file.seek(max(0, file.seek(0, os.SEEK_END) - _MOST_OUTPUT))
            self.output = file.read().decode(errors="replace")
        if self.is_interrupted:
            raise KeyboardInterrupt
        return self.failure.judge(code, self.output)

    def _ended(self, environ: dict[str, str], output: BinaryIO) -> int | None:
        """Run it to its end, and return its exit code; None if it did not end in time."""
        try:
            # A session of its own, so that what it starts can be ended with it. The output goes to a file,
            # because a process that it leaves behind would keep a pipe open.
            self._process = process = subprocess.Popen(
                self.words,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environ,
                start_new_session=True,
            )
        except OSError as problem:
            raise InvalidValueError(f"{self.words[0]} cannot be run: {problem.strerror}") from None
        try:
            return process.wait(0 if self.is_interrupted else self.timeout)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _kill(process)
            self._process = None  # its number may be that of another process from then on
            process.wait()
            _kill_others(f"{_TRIAL_VARIABLE}={environ[_TRIAL_VARIABLE]}".encode())


class Runners:
    """Runs of a command side by side, one for each trial.

    Attributes:
        tails: The last lines of the output of each set's last run.
    """

    def __init__(self, space: Space, command: Command, repeat: int) -> None:
        self._space, self._command, self._repeat = space, command, repeat
        self._running: list[Command] = []
        self.tails: dict[frozenset[str], list[str]] = {}

    def start(self) -> tuple[Make, Callable[[], None]]:
        """Return what makes a trial, and what ends it early."""
        self._running.append(runner := replace(self._command))
        if self._command.is_interrupted:  # just now, before it was among those that run
            runner.interrupt()

        def make(names: frozenset[str]) -> Trial:
            try:
                return repeated(partial(self._space.run, runner.run), self._repeat)(names)
            finally:
                self.tails[names] = runner.output.splitlines()[-10:]  # if it ends as nobody expects
                self._running.remove(runner)

        return make, runner.interrupt

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Have signals that ask this process to end stop all runs; ignored ones stay so, as under nohup."""
        numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        wanted = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self._interrupt) for number in wanted}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _interrupt(self, *_: object) -> None:
        for each in (self._command, *self._running):
            each.interrupt()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # pragma: no cover  Windows has no groups of processes
            process.kill()


def _kill_others(variable: bytes) -> None:
    """Kill the processes with that variable: the ranks of torchrun, for one, have sessions of their own."""
    end, found = time.monotonic() + _PATIENCE, True
    while found and time.monotonic() < end:
        found = False
        for environ in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):  # it has ended, or is somebody else's
                if variable in environ.read_bytes().split(b"\0"):
                    found = True  # it may just have started others
                    os.kill(int(environ.parent.name), signal.SIGKILL)
        time.sleep(0.01 * found)
