"""Who could have written a file, or decided which one a path leads to: the user, root, or somebody else.

Mode bits alone do not say. Where a file has an access control list (ACL), its group bits are only the mask of
that list: the most that the users and groups named in the list may do. The list itself is in an extended
attribute, in the format of Linux.
"""
# Links are followed as text, which pathlib would tidy.

import errno
import functools
import os
import stat
import struct
from collections.abc import Iterator

ACL_ATTRIBUTE = "system.posix_acl_access"

_HAS_NO_ACL = {
    getattr(errno, name) for name in ("ENODATA", "ENOTSUP", "EOPNOTSUPP", "ENOSYS") if hasattr(errno, name)
}
_VERSION, _ENTRY = struct.Struct("<I"), struct.Struct("<HHI")
_USER, _GROUP_OF_FILE, _GROUP, _MASK = 0x02, 0x04, 0x08, 0x10
_MAY_WRITE = 2

MAX_LINKS = 40
"""How many links are followed from one path, as the system does."""

NOT_REGULAR = "it is not a regular file"


def acl_of(file: str | int) -> bytes:
    """Return the access control list of a file, by path or descriptor; empty if its mode bits say all.

    Raises:
        OSError: It cannot be read.
    """
    if not hasattr(os, "getxattr"):
        return b""
    try:
        return os.getxattr(file, ACL_ATTRIBUTE)
    except OSError as problem:
        if problem.errno in _HAS_NO_ACL:
            return b""
        raise


def is_the_users(status: os.stat_result) -> bool:
    """Tell whether a file, folder or link belongs to the user who runs the program, or to root."""
    return not hasattr(os, "geteuid") or status.st_uid in (0, os.geteuid())


def writable_by_others(status: os.stat_result, subject: str, acl: bytes = b"") -> str:
    """Return the reason why somebody else may control the file or folder *subject*; empty if nobody does.

    The user controls it if it belongs to the user or to root and nobody else may write to it. A group with
    the user's name and no other member does not count as somebody else. The sticky bit, as of ``/tmp``, does
    not help: anyone may add files there. Where the system has no such owners, there is never a reason.
    """
    if not hasattr(os, "geteuid"):
        return ""
    if not is_the_users(status):
        return f"{subject} belongs to another user (uid {status.st_uid})"
    if status.st_mode & stat.S_IWOTH:
        return f"{subject} is writable by anyone"
    try:
        writers = list(_writers(status, acl))
    except (struct.error, ValueError):
        return f"{subject} has an access control list that cannot be read"
    for kind, number in writers:
        if kind == _USER and number not in (0, os.geteuid()):
            return f"{subject} is writable by another user (uid {number}, by its access control list)"
        if kind != _USER and not _is_own_group(number, os.geteuid()):
            its = "its group" if kind == _GROUP_OF_FILE else "a group"
            return f"{subject} is writable by {its} (gid {number})"
    return ""


def _writers(status: os.stat_result, acl: bytes) -> Iterator[tuple[int, int]]:
    """Yield the users and groups that may write, beside the owner and everybody, each with its kind."""
    if not acl:
        if status.st_mode & stat.S_IWGRP:
            yield _GROUP_OF_FILE, status.st_gid
        return
    if _VERSION.unpack_from(acl) != (2,):
        raise ValueError("not in a known format")
    entries = list(_ENTRY.iter_unpack(acl[_VERSION.size :]))
    mask = next((permissions for kind, permissions, _ in entries if kind == _MASK), _MAY_WRITE)
    for kind, permissions, number in entries:
        if kind in (_USER, _GROUP_OF_FILE, _GROUP) and permissions & mask & _MAY_WRITE:
            yield kind, status.st_gid if kind == _GROUP_OF_FILE else number


@functools.lru_cache(maxsize=16)
def _is_own_group(group: int, user: int) -> bool:
    """Tell whether a group is that of the user alone."""
    if group == 0:
        return True  # its members are root, or as good as root
    import grp
    import pwd

    try:
        name = pwd.getpwuid(user).pw_name
        found = grp.getgrgid(group)
    except KeyError:
        return False
    # Whoever has it as the primary group is in it, too, and not on its list.
    members = {*found.gr_mem, *(each.pw_name for each in pwd.getpwall() if each.pw_gid == group)}
    return found.gr_name == name and members <= {name}


def trusted_status(path: str) -> os.stat_result | str:
    """Return the status of a file that only the user controls, or why somebody else may decide what is in it.

    What is opened later by the same path must be the file of this status: in a folder above, which does not
    count, somebody else may have put another folder in the place of the user's meanwhile.

    Links are followed one by one, and each only once it is known to be trusted: to look at what a link of
    somebody else names, such as ``/proc/kmsg``, may already do harm. Nobody else may have made a link on the
    way, or be able to change a folder that it leads through. The folders above that of *path* do not count:
    a search goes up from the working directory, which is the same folder wherever somebody moves it.

    Raises:
        OSError: Nothing is there, or a link leads nowhere.
    """
    if not hasattr(os, "geteuid"):
        status = os.stat(path)
        return status if stat.S_ISREG(status.st_mode) else NOT_REGULAR
    folder, name = os.path.split(path)
    names, links = [name], 0
    while names:
        name = names.pop()
        if name == os.pardir:
            folder = os.path.dirname(folder)
            continue
        entry = os.path.join(folder, name)
        status = os.lstat(entry)
        subject = f"the folder {folder} in its path" if links else "its folder"
        if reason := _doubt_about_folder(folder, subject, status):
            return reason
        if stat.S_ISLNK(status.st_mode):
            if not is_the_users(status):
                subject = f"the link {entry} in its path" if links else "it is a link that"
                return f"{subject} belongs to another user (uid {status.st_uid})"
            target, links = os.readlink(entry), links + 1
            if links > MAX_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            folder = os.sep if target.startswith(os.sep) else folder
            names += [each for each in reversed(target.split(os.sep)) if each not in ("", os.curdir)]
        elif names:
            folder = entry
        elif stat.S_ISREG(status.st_mode):
            return _doubt(entry, "it", status) or status
    return NOT_REGULAR


def _doubt_about_folder(folder: str, subject: str, entry: os.stat_result) -> str:
    """Return why somebody else could replace an entry of a folder; empty if not.

    In a folder with the sticky bit nobody can replace a folder of somebody else, so it may lead to one of the
    user's.
    """
    status = os.stat(folder)
    is_kept = status.st_mode & stat.S_ISVTX and stat.S_ISDIR(entry.st_mode)
    return "" if is_kept and is_the_users(entry) and is_the_users(status) else _doubt(folder, subject, status)


def _doubt(path: str, subject: str, status: os.stat_result) -> str:
    try:
        return writable_by_others(status, subject, acl_of(path))
    except OSError as problem:
        return f"the access control list of {path} cannot be read: {problem.strerror}"
