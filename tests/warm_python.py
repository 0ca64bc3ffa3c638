"""A command that behaves like ``python``, in a fork of the warm process, for programs that start Python.

`torchrun` and `multiprocessing` start a command of their choice. Given `WarmPython.command`, their processes
need not import torch again; warm.py says what such a process is. Run as a script, this file is the command:
it hands everything that it has inherited to the fork, and ends as that ends.
"""

import contextlib
import fcntl
import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warm import Warm

IGNORED = ("-u", "-B")
"""Options of Python that concern buffers and bytecode only."""
ABOVE = 200
"""Files are moved above this number, so that each can get the number that it had."""


class WarmPython:
    """The command, and the process that forks for it."""

    def __init__(self, warm: "Warm", folder: "Path") -> None:
        path = folder / "socket"
        self.command = folder / "python"
        self.command.write_text(f'#!/bin/sh\nexec {sys.executable} -IS {__file__} {path} "$@"\n')
        self.command.chmod(0o700)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen()
            code = "import sys, warm_python; warm_python.serve()"
            files = [listener.fileno(), 1, 2]
            self._parent = warm.start("-c", code, files=files, environ=os.environ)

    def close(self) -> None:
        """End the process that forks."""
        self._parent.send_signal(signal.SIGTERM)
        self._parent.wait(60)


def serve() -> None:
    """Fork for each connection to the socket that is the input."""
    from warm import _move, _run

    with socket.socket(fileno=os.dup(0)) as listener:
        while True:
            connection, _ = listener.accept()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            with connection:
                if os.fork():
                    continue
                listener.close()
                size, files, _, _ = socket.recv_fds(connection, 8, ABOVE)
                words, numbers, environ, folder = json.loads(
                    connection.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL)
                )
                report, *files = [_moved_up(file) for file in (connection.detach(), *files)]
                for file, number in zip(files[3:], numbers[3:], strict=True):
                    os.dup2(file, number)
                    os.close(file)
                _move(files[:3], environ, folder, False)
                # If the command is killed, SIGIO ends the fork.
                fcntl.fcntl(report, fcntl.F_SETOWN, os.getpid())
                fcntl.fcntl(report, fcntl.F_SETFL, os.O_ASYNC)
                code = _run(words)
                os.write(report, bytes([code & 0xFF]))
                os._exit(code)


def _moved_up(file: int) -> int:
    moved = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, ABOVE)
    os.close(file)
    return moved


def _python(path: str, *words: str) -> int:
    """Run ``python *words`` in a fork, and return its exit code, or 1 if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    inherited = []
    for number in sorted(int(file.name) for file in Path("/dev/fd").iterdir()):
        with contextlib.suppress(OSError):  # that of the folder is closed by now
            if os.get_inheritable(number):
                inherited.append(number)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        while words[0] in IGNORED:
            words = words[1:]
        request = json.dumps([words, inherited, dict(os.environ), str(Path.cwd())]).encode()
        socket.send_fds(connection, [len(request).to_bytes(8, "big")], inherited)
        connection.sendall(request)
        for number in inherited[3:]:
            os.close(number)
        return (connection.recv(1) or b"\1")[0]


if __name__ == "__main__":
    sys.exit(_python(*sys.argv[1:]))
