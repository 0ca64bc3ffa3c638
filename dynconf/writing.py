"""Writing a file in one step: whatever happens, the old file or the new one is there, whole."""

import errno
import os
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path

from dynconf.errors import StateFileError

try:
    import fcntl
except ImportError:  # pragma: no cover  Windows has no such locks
    fcntl = None  # type: ignore[assignment]

STDOUT = "-"
"""The path that means the standard output."""

_PREFIX, _SUFFIX = ".dynconf-", ".part"
"""How files that are being written are called; a long name of the target leaves room for no more."""

_WRITING = sum(
    getattr(os, name, 0) for name in ("O_WRONLY", "O_CREAT", "O_EXCL", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
)
_MOST_TRIES = 100
MOST_LINKS = 40


def write(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file, readable for no one who could not read the one that it replaces.

    Owner and mode of an existing file are kept, and a link stays a link. What a process that was killed has
    left in the folder is removed.

    Args:
        path: The file, or ``-`` for the standard output.
        text: All of it.

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


def _target(name: str) -> str:
    """Return the file that is to be replaced: that at the end of a link, or of several.

    The folders on the way are left to the system, which follows no links of others in a folder such as /tmp.
    """
    for _ in range(MOST_LINKS):
        try:
            found = os.lstat(name)
        except FileNotFoundError:
            return name
        if not stat.S_ISLNK(found.st_mode):
            return name
        # Anyone may put links to files of others into a folder such as /tmp.
        if hasattr(os, "geteuid") and found.st_uid not in (0, os.geteuid()):
            raise ValueError("it is a link that belongs to another user")
        name = os.path.join(os.path.dirname(name), os.readlink(name))  # noqa: PTH115, PTH118, PTH120
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _replace(target: Path, content: bytes) -> None:
    old = None
    with suppress(FileNotFoundError):
        old = target.stat()
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise ValueError("it is not a regular file")
    _remove_dead_parts(target.parent)
    partial, descriptor = _new_part(target.parent, 0o666 if old is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if old is not None:
                _adopt(descriptor, old)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
            if fcntl is not None:
                partial.replace(target)  # before the lock is gone
        if fcntl is None:  # pragma: no cover  Windows moves no open files
            partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _sync(target.parent)


def _adopt(descriptor: int, old: os.stat_result) -> None:
    """Give a file that is still empty the owner and mode of the one that it will replace."""
    if not hasattr(os, "fchown"):  # pragma: no cover  Windows
        return
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.fchown(descriptor, old.st_uid, old.st_gid)
        except PermissionError:
            raise ValueError("it belongs to another user or group, which could not be kept") from None
    os.fchmod(descriptor, old.st_mode & 0o777)


def _new_part(folder: Path, mode: int) -> tuple[Path, int]:
    """Return a new file that is locked, so that nobody mistakes it for one left by a killed process."""
    for _ in range(_MOST_TRIES):
        partial = folder / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"
        descriptor = os.open(partial, _WRITING, mode)
        if _lock(descriptor, partial):
            return partial, descriptor
        os.close(descriptor)
        partial.unlink(missing_ok=True)
    raise OSError("other processes remove what is written there")


def _lock(descriptor: int, path: Path) -> bool:
    """Lock a file and tell whether it is still there; nothing waits for those who have locked it."""
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


def _remove_dead_parts(folder: Path) -> None:
    """Remove files whose process was killed while it wrote them: nobody holds their locks."""
    if fcntl is None:  # pragma: no cover  Windows
        return
    for part in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            descriptor = os.open(part, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                part.unlink()
            finally:
                os.close(descriptor)


def _sync(folder: Path) -> None:
    """Make the new name last, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
