"""A run as a process: it gets the state, has caches of its own, and leaves nothing behind."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.names import newest_name
from dynconf.errors import InvalidValueError
from dynconf.state import State
from dynconf.tools.bisect.failure import Failure
from dynconf.tools.bisect.space import Space
from dynconf.tools.bisect.trials import Run
from dynconf.tools.lint.files import read_source
from dynconf.tools.run.children import environment_to_follow

_MOST_OUTPUT = 4_000_000
"""Characters from the end of the output in which a number is searched."""

_PATIENCE = 5.0
"""Seconds for which processes that were killed may still start others."""

_TRIAL_VARIABLE = "DYNCONF_TRIAL"
"""The variable with the folder of a trial, by which its processes are known."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that is run in different states."""

    words: Sequence[str]  # the program and its arguments
    failure: Failure
    timeout: float | None = None  # the seconds that a run may take
    share_caches: bool = False  # whether Inductor's cache is the user's, not an empty one for each run

    def set_by_itself(self, space: Space) -> Iterator[str]:
        """Yield the differences that files of the program set themselves, with their lines."""
        files = (word for word in self.words if word.endswith(".py") and Path(word).is_file())
        for source in filter(None, (read_source(each, [space.good.release]) for each in files)):
            for site in source.sites:
                name = newest_name(qualified(site.module, site.name))
                if site.use == "set" and name in space.differences:
                    yield f"{name} ({source.path}:{site.span.line})"


class Process:
    """A run of a command in a state, which begins at once.

    It is an `InvalidValueError` if there is no such program, or if a value cannot be passed to it.
    """

    def __init__(self, command: Command, state: State) -> None:
        environ, lost = environment_to_follow(state, os.environ)
        if lost:
            names = " and ".join(sorted(setting.newest for setting in lost))
            raise InvalidValueError(
                f"{names}: a trial cannot get the value, which is too long for a variable"
            )
        try:
            self._folder = tempfile.TemporaryDirectory(prefix="dynconf-bisect-", ignore_cleanup_errors=True)
        except OSError as problem:
            raise InvalidValueError(f"no folder for a trial can be made: {problem.strerror}") from None
        environ[_TRIAL_VARIABLE] = folder = self._folder.name
        if not command.share_caches:
            environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(folder, "inductor")
            environ.pop("TRITON_CACHE_DIR", None)  # it is inside the other one then
        self._command = command
        self._began = time.monotonic()
        self.output = ""  # the end of it, when the run has ended
        # A file, because a process that it leaves behind would keep a pipe open; and it stays open, because a
        # program may delete all temporary files.
        self._file = Path(folder, "output").open("w+b")  # noqa: SIM115  until the end
        try:
            # A session of its own, so that what it starts can be ended with it.
            self._process = subprocess.Popen(
                command.words,
                stdin=subprocess.DEVNULL,
                stdout=self._file,
                stderr=subprocess.STDOUT,
                env=environ,
                start_new_session=True,
            )
        except OSError as problem:
            self._close()
            name = command.words[0]
            hint = f"; did you mean python {name}?" if name.endswith(".py") else ""
            raise InvalidValueError(f"{name} cannot be run: {problem.strerror}{hint}") from None

    def poll(self) -> Run | None:
        """Return how it went, once it has ended or its time is up: then it is ended."""
        code, limit = self._process.poll(), self._command.timeout
        if code is None and (limit is None or time.monotonic() < self._began + limit):
            return None
        self.end()
        return self._command.failure.judge(code, self.output)

    def end(self) -> None:
        """End it with all that it has started."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:  # pragma: no cover  Windows has no groups of processes
                self._process.kill()
        self._process.wait()
        _kill_others(f"{_TRIAL_VARIABLE}={self._folder.name}".encode())
        self._file.seek(max(0, self._file.seek(0, os.SEEK_END) - _MOST_OUTPUT))
        self.output = self._file.read().decode(errors="replace")
        self._close()

    def _close(self) -> None:
        self._file.close()
        self._folder.cleanup()


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
