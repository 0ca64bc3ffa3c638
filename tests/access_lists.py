"""Access control lists of files, for tests: written as the kernel stores them."""

import errno
import os
import struct
from pathlib import Path

import pytest

USER, GROUP = 0x02, 0x08
READ, READ_AND_WRITE = 4, 6

_ANYBODY = 0xFFFF_FFFF


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


def give(path: Path, acl: bytes, *, kind: str = "access") -> None:
    """Give a file an access control list, or a folder one for new files; skip the test where that fails."""
    if not hasattr(os, "setxattr"):
        pytest.skip("Python sets no extended attributes on this system")
    try:
        os.setxattr(path, f"system.posix_acl_{kind}", acl)
    except OSError as problem:
        if problem.errno != errno.ENOTSUP:
            raise
        pytest.skip(f"the file system of {path} has no access control lists")


def of(path: Path) -> bytes:
    """Return the access control list of a file; empty if it has none."""
    try:
        return os.getxattr(path, "system.posix_acl_access")
    except OSError:
        return b""
