"""Programs in a real terminal, and the contents of its screen."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping
from typing import Protocol

import pyte
from warm import Warm

HEIGHT = 400
"""More lines than any result has, so that nothing scrolls away."""


class Process(Protocol):
    """The methods that a terminal needs of a process, be it `subprocess.Popen` or `warm.Program`."""

    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, number: int, /) -> None: ...


class Terminal:
    """A program in a pseudo-terminal, with an emulator that reads its output."""

    def __init__(self, start: "Start", columns: int = 80, **environ: str) -> None:
        self.screen = pyte.Screen(columns, HEIGHT)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self._main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, columns, 0, 0))
        inherited = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = start(side, {**inherited, "TERM": "xterm-256color", **environ})
        os.close(side)

    def read(self, seconds: float = 0.1) -> bool:
        """Read the output that arrives within that time; False if the program has closed the terminal."""
        ready, _, _ = select.select([self._main], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self._main, 65536)
        except OSError:  # how Linux says that the other side is closed
            return False
        self.raw += data
        self._stream.feed(data)
        return bool(data)

    def write(self, text: str) -> None:
        """Type *text*."""
        os.write(self._main, text.encode())

    def wait_for(self, text: str, seconds: float = 60) -> None:
        """Read until the screen shows *text*."""
        end = time.monotonic() + seconds
        while text not in "\n".join(self.lines()):
            assert time.monotonic() < end, f"{text!r} did not come: {self.lines()}"
            self.read()

    def finish(self, seconds: float = 120) -> int:
        """Read until the program ends, and return its exit code."""
        end = time.monotonic() + seconds
        while self.read():
            assert time.monotonic() < end, self.lines()
        return self.process.wait(10)

    def lines(self) -> list[str]:
        """Return the lines of the screen, without blank ones at the end."""
        rows = self.screen.buffer  # `display` would go through all of the screen
        return "\n".join(self._line(row) for row in range(max(rows, default=0) + 1)).rstrip().split("\n")

    def colors(self, text: str) -> set[str]:
        """Return the colors in which *text* stands on the screen."""
        for row, line in enumerate(self.lines()):
            at = line.find(text)
            if at >= 0:
                return {self.screen.buffer[row][at + offset].fg for offset in range(len(text))}
        raise AssertionError(f"{text!r} is not on the screen")

    def _line(self, row: int) -> str:
        cells = self.screen.buffer[row]
        return "".join(cells[column].data for column in range(max(cells, default=-1) + 1)).rstrip()

    def close(self) -> None:
        """End the program, if it still runs."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self._main)


Start = Callable[[int, Mapping[str, str]], Process]
"""Starts a program in the terminal with that descriptor, and with that environment."""


def program(*words: str) -> Start:
    """Return a function that starts a program."""
    return lambda side, environ: subprocess.Popen(
        words, stdin=side, stdout=side, stderr=side, start_new_session=True, env=environ
    )


def warm_program(warm: Warm, *words: str) -> Start:
    """Return a function that starts ``python *words``."""
    return lambda side, environ: warm.start(*words, files=[side] * 3, environ=environ, terminal=True)
