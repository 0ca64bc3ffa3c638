"""Files of others, for tests: a second user, and access control lists as the kernel stores them."""

import errno
import os
import struct
from pathlib import Path

import pytest

USER, GROUP = 0x02, 0x08
READ, READ_AND_WRITE = 4, 6

_ANYBODY = 0xFFFF_FFFF

STRANGER = 64_101
"""A user that no machine has."""

two_users = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as two users"
)


def text_of(*named: tuple[int, int, int], owning_group: int = 0, others: int = 0, mask: int = 7) -> bytes:
    """Return a list in which the owner may read and write, and these users and groups what is said."""
    entries = [
        (0x01, 7, _ANYBODY),
        *((kind, permissions, number) for kind, number, permissions in named if kind == USER),
        (0x04, owning_group, _ANYBODY),
        *((kind, permissions, number) for kind, number, permissions in named if kind == GROUP),
        (0x10, mask, _ANYBODY),
        (0x20, others, _ANYBODY),
    ]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def give(path: Path, acl: bytes) -> None:
    """Give a file an access control list; skip the test where that fails."""
    if not hasattr(os, "setxattr"):
        pytest.skip("Python sets no extended attributes on this system")
    try:
        os.setxattr(path, "system.posix_acl_access", acl)
    except OSError as problem:
        if problem.errno != errno.ENOTSUP:
            raise
        pytest.skip(f"the file system of {path} has no access control lists")
