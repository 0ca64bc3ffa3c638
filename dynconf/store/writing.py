"""Replacing a file in one step: at any moment, and after any crash, it has its old content or its new one.

The content is written to a temporary file beside the target, which is then moved over it: within one folder
that is atomic. A link is followed, and stays one. The mode of an existing file is kept, and as a saved state
may be private, nobody can read the temporary file who could not read the old one. A file that cannot be
replaced in this way, such as that of another user, or of another group with its own permissions, is an error,
and stays as it is.
"""
# Links are followed as text, which pathlib would tidy.

import errno
import os
import stat
import sys
from contextlib import suppress

from dynconf.errors import StateFileError
from dynconf.sources.ownership import ACL_ATTRIBUTE, MAX_LINKS, acl_of, is_the_users

STDOUT = "-"
"""The path that means the standard output."""

_NEW_FILE = sum(
    getattr(os, name, 0) for name in ("O_WRONLY", "O_CREAT", "O_EXCL", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
)
_CANNOT_SYNC = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
"""Errors by which a file system says that it has no fsync; others mean that the content may be lost."""


def write(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in one step; ``-`` is the standard output.

    Raises:
        StateFileError: The file cannot be replaced, or is not a regular file.
    """
    name = os.fspath(path)
    if name == STDOUT:
        sys.stdout.write(text)
        return
    try:
        _replace(_target(name), text.encode())
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise StateFileError(f"{name} cannot be written: {reason}") from None


def _target(name: str) -> str:
    """Return the path at the end of the links; one that belongs to another user may lead anywhere."""
    for _ in range(MAX_LINKS):
        if not os.path.islink(name):
            return name
        if not is_the_users(os.lstat(name)):
            raise ValueError("it is a link that belongs to another user")
        name = os.path.join(os.path.dirname(name), os.readlink(name))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _replace(target: str, content: bytes) -> None:
    old = _old_file(target)
    partial = os.path.join(os.path.dirname(target), f".dynconf-{os.urandom(8).hex()}.part")
    try:
        with os.fdopen(os.open(partial, _NEW_FILE, 0o666 if old is None else 0o600), "wb") as file:
            if old is not None:
                _check_owners(old, os.fstat(file.fileno()))
            file.write(content)
            file.flush()
            _sync(file.fileno())
        if old is not None:
            if acl_of(partial):  # by the default of the folder
                os.removexattr(partial, ACL_ATTRIBUTE)
            os.chmod(partial, old.st_mode & 0o777)
        os.replace(partial, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise


def _sync(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as problem:
        if problem.errno not in _CANNOT_SYNC:
            raise


def _old_file(target: str) -> os.stat_result | None:
    """Return the status of the file that is about to be replaced; None if there is none.

    Raises:
        ValueError: It is not a regular file, or has an access control list.
    """
    try:
        old = os.stat(target)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(old.st_mode):
        raise ValueError("it is not a regular file")
    if acl_of(target):
        raise ValueError(
            "it has an access control list, which would be lost; remove that, or write elsewhere"
        )
    return old


def _check_owners(old: os.stat_result, new: os.stat_result) -> None:
    """Raise ValueError if a new file with the old one's mode would have another owner or other readers."""
    if old.st_uid != new.st_uid:
        raise ValueError(
            "it belongs to another user, which replacing it would change; remove it, or write elsewhere"
        )
    if old.st_gid != new.st_gid and old.st_mode >> 3 & 7 != old.st_mode & 7:
        raise ValueError(
            f"its group {old.st_gid} has its own permissions, which group {new.st_gid} would get;"
            f" chgrp it to {new.st_gid}, remove it, or write elsewhere"
        )
