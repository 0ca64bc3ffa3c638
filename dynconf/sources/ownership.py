"""Who could have written a file: the user who runs the program, root, or somebody else."""

import functools
import os
import stat


def writable_by_others(status: os.stat_result, subject: str) -> str:
    """Return the reason why somebody else may control the file or folder *subject*; empty if nobody does.

    The user controls it if it belongs to the user or to root and nobody else may write to it. A group with
    the user's name and no other member does not count as somebody else. The sticky bit, as of ``/tmp``, does
    not help: anyone may add files there. Where the system has no such owners, there is never a reason.
    """
    if not hasattr(os, "geteuid"):
        return ""
    if status.st_uid not in (0, os.geteuid()):
        return f"{subject} belongs to another user (uid {status.st_uid})"
    if status.st_mode & stat.S_IWOTH:
        return f"{subject} may be written by anyone"
    if status.st_mode & stat.S_IWGRP and not _is_own_group(status.st_gid, os.geteuid()):
        return f"{subject} may be written by its group (gid {status.st_gid})"
    return ""


@functools.lru_cache(maxsize=16)
def _is_own_group(group: int, user: int) -> bool:
    """Tell whether a group is that of the user alone."""
    if group == 0:
        return True  # who is in it is root, or as good as
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
