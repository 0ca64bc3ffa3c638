"""Replacing a file in one step: at any moment, and after any crash, it has its old content or its new one.

The content is written to a temporary file beside the target, which is then moved over it: within one folder
that is atomic. Two things make it harder than it sounds:

- A saved state may be private. So nobody can read the temporary file who could not read the target: it is
  created for the user alone, and has the target's owner and mode before it has any content.
- A killed process leaves its temporary file behind, and the next one that saves there removes it. A writer
  locks its file, and the lock ends with the process: a file that can be locked has lost its writer.
"""
# Links are followed as text, which pathlib would tidy.
# ruff: noqa: PTH114, PTH115, PTH118, PTH120

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dynconf.errors import StateFileError

try:
    import fcntl
except ImportError:  # pragma: no cover  Windows has no such locks
    fcntl = None  # type: ignore[assignment]

STDOUT = "-"
"""The path that means the standard output."""

_PREFIX, _SUFFIX = ".dynconf-", ".part"  # without the target's name, which may be as long as names can be
_NEW_FILE = sum(
    getattr(os, name, 0) for name in ("O_WRONLY", "O_CREAT", "O_EXCL", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
)
_MAX_TRIES = 100
_MAX_LINKS = 40


def write(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in one step; ``-`` is the standard output.

    Owner and mode of an existing file are kept, and a link stays a link.

    Raises:
        StateFileError: The file cannot be written, or is not a regular file.
    """
    name = os.fspath(path)
    if name == STDOUT:
        sys.stdout.write(text)
        return
    try:
        _replace(Path(_target(name)), text.encode())
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise StateFileError(f"{name} cannot be written: {reason}") from None


def linked_paths(path: str) -> Iterator[str]:
    """Yield *path* and, as long as that is a link, the path that it points to.

    Raises:
        OSError: There are too many links, as in a circle.
    """
    for _ in range(_MAX_LINKS):
        yield path
        if not os.path.islink(path):
            return
        path = os.path.join(os.path.dirname(path), os.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _target(name: str) -> str:
    """Return the path at the end of the links.

    The folders on the way are not resolved here, as os.path.realpath would: the system does that, and in a
    folder such as /tmp it follows no links of other users. A link that is read here escapes that protection,
    so its owner is checked.
    """
    target = name
    for target in linked_paths(name):
        has_owner = os.path.islink(target) and hasattr(os, "geteuid")
        if has_owner and os.lstat(target).st_uid not in (0, os.geteuid()):
            raise ValueError("it is a link that belongs to another user")
    return target


def _replace(target: Path, content: bytes) -> None:
    old = None
    with suppress(FileNotFoundError):
        old = target.stat()
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise ValueError("it is not a regular file")
    _remove_abandoned(target.parent)
    partial, descriptor = _new_file(target.parent, 0o666 if old is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if old is not None:
                _copy_owner_and_mode(old, descriptor)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
            if fcntl is not None:
                partial.replace(target)  # while it is locked: others remove unlocked ones
        if fcntl is None:  # pragma: no cover  Windows moves no open files
            partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _sync(target.parent)


def _copy_owner_and_mode(old: os.stat_result, descriptor: int) -> None:
    if not hasattr(os, "fchown"):  # pragma: no cover  Windows
        return
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.fchown(descriptor, old.st_uid, old.st_gid)
        except PermissionError:
            raise ValueError("it belongs to another user or group, which could not be kept") from None
    os.fchmod(descriptor, old.st_mode & 0o777)


def _new_file(folder: Path, mode: int) -> tuple[Path, int]:
    """Return a new temporary file that is open and locked."""
    for _ in range(_MAX_TRIES):
        partial = folder / f"{_PREFIX}{os.urandom(8).hex()}{_SUFFIX}"
        descriptor = os.open(partial, _NEW_FILE, mode)
        # Another process may have taken it for abandoned before it was locked.
        if _lock(descriptor, partial):
            return partial, descriptor
        os.close(descriptor)
        partial.unlink(missing_ok=True)
    raise OSError("other processes remove what is written there")


def _lock(descriptor: int, path: Path) -> bool:
    """Lock a file without waiting; tell whether it is locked and still exists."""
    if fcntl is None:  # pragma: no cover  Windows
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    with suppress(FileNotFoundError):
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    return False


def _remove_abandoned(folder: Path) -> None:
    """Remove temporary files of processes that were killed: those on which nobody holds a lock."""
    if fcntl is None:  # pragma: no cover  Windows
        return
    for partial in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            # O_NONBLOCK and O_NOFOLLOW: somebody may have put a pipe or a link of that name there.
            descriptor = os.open(partial, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                partial.unlink()
            finally:
                os.close(descriptor)


def _sync(folder: Path) -> None:
    """Write the folder to the disk, where the system can: until then a crash may undo the move."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
