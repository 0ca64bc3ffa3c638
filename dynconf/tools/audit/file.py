"""Audits in files: JSON lines, a file for each process.

A line is written in one step, as soon as the change has happened, so that whatever ends the process leaves a
whole file: SIGTERM, SIGKILL and ``os._exit`` run no code that could write the rest.

So that a file stays small, changes that torch makes for itself, and all beyond the first 10,000, are only
counted: the first such change of a line of code is written with its count, and the next one overwrites the
count. That is why the count comes first, and has room to grow::

    {"count":         290, "flag": "functorch.functionalize_rng_ops", "before": true, ...}

The program must not notice. It may close all files, fork, fill the disk or remove the folder: changes that
cannot be written are lost, and counted.
"""

import errno
import glob
import itertools
import json
import os
from collections.abc import Iterable
from pathlib import Path

from dynconf.errors import StateFileError
from dynconf.provenance import Origin, launched_rank
from dynconf.sources.files import read_bytes
from dynconf.text import json_text
from dynconf.tools.audit.summary import MOST_ENTRIES, Record, Summary, is_torchs_own, line_of

_SUFFIX = ".jsonl"
_COUNT = '{"count":'
_DIGITS = 12
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
"""Nothing of that name may exist, a link neither."""
_LARGEST = 2**26
"""How many bytes a file may have that is read, many times what an audit writes."""


class AuditFile:
    """The file of this process; a forked child that changes something gets one of its own."""

    def __init__(self, file: str | os.PathLike[str]) -> None:
        path = Path(file).absolute()  # the program may change the folder
        self.lost = 0  # how many changes could not be written
        try:
            if os.fspath(file).endswith(os.sep):
                path.mkdir(exist_ok=True)
            self._folder, self._name = (path, "audit.jsonl") if path.is_dir() else (path.parent, path.name)
            self._open()
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or problem
            raise StateFileError(f"{path}: a file for an audit cannot be created there: {reason}") from None

    def write(self, record: Record) -> None:
        """Write a change, or count it."""
        try:
            if not self._is_open():
                self._open()
            if not is_torchs_own(record) and self._entries < MOST_ENTRIES:
                self._append(record)
                self._entries += 1
            elif (line := line_of(record)) in self._counts:
                start, count = self._counts[line]
                os.lseek(self._descriptor, start, os.SEEK_SET)
                os.write(self._descriptor, f"{count + 1:{_DIGITS}}".encode())
                self._counts[line] = start, count + 1
            else:
                self._counts[line] = self._append(record) + len(_COUNT), 1
        except OSError:
            self.lost += 1

    def close(self) -> None:
        """Close the file, if it is still open."""
        if self._is_open():
            os.close(self._descriptor)

    def _open(self) -> None:
        process = os.getpid()
        rank = int(launched_rank() or 0)
        self._ending = json_text({"rank": rank, "pid": process})[1:]
        self._entries = 0
        self._counts: dict[tuple[object, ...], tuple[int, int]] = {}  # by line of code: where, how many
        stem, suffix = os.path.splitext(self._name)
        # Another file may have the same name: of an earlier audit of this process, or from another machine.
        for number in itertools.count():
            again = f".{number}" if number else ""
            file = self._folder / f"{stem}.{rank}.{process}{again}{suffix or _SUFFIX}"
            try:
                self._descriptor = os.open(file, _NEW_FILE, 0o666)
                break
            except FileExistsError:
                continue
        status = os.fstat(self._descriptor)
        # Only now: until then the descriptor may be that of a parent.
        self._opened = status.st_dev, status.st_ino, process

    def _is_open(self) -> bool:
        """Tell whether the file is still there, and its descriptor still its own, in this process."""
        try:
            status = os.fstat(self._descriptor)
        except OSError:
            return False
        return (status.st_dev, status.st_ino, os.getpid()) == self._opened and status.st_nlink > 0

    def _append(self, record: Record) -> int:
        """Write a line; return where it begins."""
        line = f"{_COUNT}{1:{_DIGITS}}, {json_text(record)[1:-1]}, {self._ending}\n".encode()
        start = os.lseek(self._descriptor, 0, os.SEEK_END)
        if os.write(self._descriptor, line) < len(line):
            os.ftruncate(self._descriptor, start)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return start


def read(names: Iterable[Path]) -> Summary:
    """Return the changes in these files, in the files of these folders, and in audits of these names.

    A file that cannot be read, or is not an audit, is a `StateFileError`.
    """
    summary = Summary()
    for file in itertools.chain.from_iterable(map(_files_of, names)):
        content = read_bytes(str(file), most=_LARGEST)
        if len(content) > _LARGEST:
            raise StateFileError(f"{file} is not an audit: it is larger than {_LARGEST} bytes")
        for number, line in enumerate(content.splitlines(), 1):
            try:
                summary.add(_record(line))
            except (ValueError, RecursionError) as problem:
                reason = "it is nested too deeply" if isinstance(problem, RecursionError) else problem
                message = f"{file}:{number} is not a line of an audit: {reason}"
                raise StateFileError(message, place=(str(file), number)) from None
    return summary


def _files_of(name: Path) -> list[Path]:
    if name.is_dir():
        if files := sorted(name.glob("*.jsonl")):
            return files
        raise StateFileError(
            f"{name} has no audits: expected *.jsonl, as `dynconf run --audit-file` writes them"
        )
    processes = f"{glob.escape(name.stem)}.*{glob.escape(name.suffix or _SUFFIX)}"
    return [name] if os.path.lexists(name) else sorted(name.parent.glob(processes)) or [name]


_TYPES = {"count": int, "flag": str, "how": str, "by_torch": bool, "rank": int, "kind": str}


def _record(line: bytes) -> Record:
    """Return the change in a line; raise ValueError if there is none."""
    record = json.loads(line)
    if not isinstance(record, dict) or not {"before", "after"} <= record.keys():
        raise ValueError("expected an object with before and after")
    for key, kind in _TYPES.items():
        if type(record.get(key)) is not kind:
            raise ValueError(f"{key}: expected {kind.__name__}")
    if not 1 <= record["count"] < 10**_DIGITS:
        raise ValueError(f"count: expected at least 1, and at most {_DIGITS} digits")
    origin = {key: record[key] for key in Origin.__slots__ if record.get(key) is not None}
    if Origin.from_json(origin | {"kind": "assignment"}) is None:  # a newer dynconf may know other kinds
        raise ValueError("expected an origin")
    return record
