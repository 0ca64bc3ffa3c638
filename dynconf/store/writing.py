"""Replacing a file in one step: at any moment, and after any crash, it has its old content or its new one.

The content is written to a temporary file beside the target, which is then moved over it: within one folder
that is atomic. Three things make it harder than it sounds:

- A saved state may be private. So nobody can read the temporary file who could not read the target: it is
  created for the user alone, and has the target's owner, access control list and mode before it has any
  content. What the folder's default list would let others do with a new file does not count.
- A killed process leaves its temporary file behind, and the next one that saves there removes it. A writer
  locks its file, and the lock ends with the process: a file that can be locked has lost its writer.
- Some files cannot be replaced: one that is a mount point by itself, as in a container, one with a mode that
  no other file can be given, or one in a folder where nothing can be created. Such a file is written in
  place. It has its old content again if that fails, but others can read a part of the new one meanwhile, and
  a kill or a crash can leave a part.
"""
# Links are followed as text, which pathlib would tidy.
# ruff: noqa: PTH114, PTH115, PTH118, PTH120

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path

from dynconf.errors import StateFileError
from dynconf.sources.ownership import ACL_ATTRIBUTE, MAX_LINKS, acl_of, is_the_users

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
_PATIENCE = 10
"""Seconds to wait for other programs that write to the same file in place."""

_CANNOT_CREATE = {errno.EACCES, errno.EPERM, errno.EROFS}
_CANNOT_SYNC = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
"""Errors by which a file system says that it has no fsync; others mean that the content may be lost."""


def write(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in one step; ``-`` is the standard output.

    Owner, mode and access control list of an existing file are kept, and a link stays a link.

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


def _linked_paths(path: str) -> Iterator[str]:
    """Yield *path* and, as long as that is a link, the path that it points to.

    Raises:
        OSError: There are too many links, as in a circle.
    """
    for _ in range(MAX_LINKS):
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
    for target in _linked_paths(name):
        if os.path.islink(target) and not is_the_users(os.lstat(target)):
            raise ValueError("it is a link that belongs to another user")
    return target


def _replace(target: Path, content: bytes) -> None:
    old = None
    with suppress(FileNotFoundError):
        old = target.stat()
    if old is not None and not stat.S_ISREG(old.st_mode):
        raise ValueError("it is not a regular file")
    _remove_abandoned(target.parent)
    created: list[Path] = []  # before they exist, because an interruption may come right afterwards
    is_moved = False
    try:
        try:
            descriptor = _new_file(target.parent, 0o666 if old is None else 0o600, created)
        except OSError as problem:
            if old is None or problem.errno not in _CANNOT_CREATE or not is_the_users(old):
                raise
            _write_in_place(target, old, content)
            return
        partial = created[-1]
        with os.fdopen(descriptor, "wb") as file:
            is_like_old = old is None or _copy_rights(target, old, descriptor)
            file.write(content)
            file.flush()
            _sync(descriptor)
            if fcntl is not None:
                is_moved = is_like_old and _move(partial, target)  # while locked: others remove unlocked ones
        if fcntl is None:  # pragma: no cover  Windows moves no open files
            is_moved = is_like_old and _move(partial, target)
        if not is_moved:
            _write_in_place(target, old or target.stat(), content)
            partial.unlink(missing_ok=True)
    except BaseException:
        for each in created:
            each.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _move(partial: Path, target: Path) -> bool:
    """Move a file over another one; tell whether that is possible there."""
    try:
        partial.replace(target)
    except OSError as problem:
        if problem.errno != errno.EBUSY:
            raise
        return False
    return True


def _copy_rights(target: Path, old: os.stat_result, descriptor: int) -> bool:
    """Give a new file the owner, access control list and mode of an old one; tell whether that is possible.

    Raises:
        ValueError: The owner cannot be kept. The file is not written in place then: somebody else who has put
            it there for the user to write to would read the new content.
    """
    if not hasattr(os, "fchown"):  # pragma: no cover  Windows
        return True
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        try:
            os.fchown(descriptor, old.st_uid, old.st_gid)
        except PermissionError:
            raise ValueError("it belongs to another user or group, which could not be kept") from None
    try:
        if acl := acl_of(os.fspath(target)):
            os.setxattr(descriptor, ACL_ATTRIBUTE, acl)
        elif acl_of(descriptor):  # by the default of the folder
            os.removexattr(descriptor, ACL_ATTRIBUTE)
        if stat.S_IMODE(os.fstat(descriptor).st_mode) != old.st_mode & 0o777:
            os.fchmod(descriptor, old.st_mode & 0o777)
    except OSError:
        return False
    return True


def _write_in_place(target: Path, old: os.stat_result, content: bytes) -> None:
    """Overwrite the content of a file; if that fails, it has its old content again."""
    descriptor = os.open(target, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(descriptor, "r+b", buffering=0) as file:
        _wait_for_others(descriptor)
        if not os.path.samestat(os.fstat(descriptor), old):
            raise ValueError("another program is replacing it")
        before = file.read()
        try:
            _overwrite(file, content)
        except BaseException:
            with suppress(OSError):
                _overwrite(file, before)
            raise


def _wait_for_others(descriptor: int) -> None:
    """Lock a file that is written in place, so that two writers do not mix their contents.

    Raises:
        ValueError: It is locked for too long, by whatever program that may be.
    """
    if fcntl is None:  # pragma: no cover  Windows
        return
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.01)
        except OSError:  # a file system without locks
            return
        else:
            return
    raise ValueError("another program has locked it")


def _overwrite(file: FileIO, content: bytes) -> None:
    file.seek(0)
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]
    file.truncate()
    _sync(file.fileno())


def _new_file(folder: Path, mode: int, created: list[Path]) -> int:
    """Open and lock a new temporary file, the last one in *created*; return its descriptor."""
    for _ in range(_MAX_TRIES):
        partial = folder / f"{_PREFIX}{os.urandom(8).hex()}{_SUFFIX}"
        created.append(partial)
        descriptor = os.open(partial, _NEW_FILE, mode)
        # Another process may have taken it for abandoned before it was locked.
        if _lock(descriptor, partial):
            return descriptor
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


def _sync(descriptor: int) -> None:
    """Have a file on the disk, where the file system can."""
    try:
        os.fsync(descriptor)
    except OSError as problem:
        if problem.errno not in _CANNOT_SYNC:
            raise


def _sync_folder(folder: Path) -> None:
    """Write the folder to the disk, where the system can: until then a crash may undo the move."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
