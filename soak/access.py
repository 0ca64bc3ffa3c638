"""Attacks on who may change or read a file, as three users: only root can run them.

Folders, files and links get owners, modes and access control lists by chance. What dynconf makes of them is
compared with what the kernel lets a stranger do: another user really tries to write, to replace, and to read.
"""

import grp  # noqa: F401  imported now, as other users may not be able to read them
import os
import pwd  # noqa: F401
import random
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from dynconf.errors import DynconfError, StateFileError
from dynconf.sources.discovery import find_upwards
from dynconf.store.writing import write

USER, STRANGER, TEAM = 64_102, 64_101, 64_201
"""The user, another one, and a group in which the other one is; no such accounts are needed."""

AVAILABLE = hasattr(os, "setresuid") and os.geteuid() == 0

_ANYBODY = 0xFFFF_FFFF


@contextmanager
def acting_as(user: int, *groups: int) -> Iterator[None]:
    """Do everything in this process as that user."""
    os.setgroups(groups)
    os.setegid(user)
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups([])


def stranger_can(act: Callable[[], object]) -> bool:
    """Tell whether the system lets the stranger do that."""
    with acting_as(STRANGER, TEAM):
        try:
            act()
        except OSError:
            return False
        return True


def can_open(path: Path, how: int) -> bool:
    """Tell whether the stranger can open a file."""
    return stranger_can(lambda: os.close(os.open(path, how | os.O_NONBLOCK)))


def can_replace(folder: Path, name: str) -> bool:
    """Tell whether the stranger can put something else in the place of an entry."""
    moved = folder / ".moved"
    if not stranger_can(lambda: (folder / name).rename(moved)):
        return False
    moved.rename(folder / name)
    return True


def can_add(folder: Path) -> bool:
    """Tell whether the stranger can create a file in a folder."""
    probe = folder / ".probe"
    return stranger_can(probe.touch) and probe.unlink() is None


def random_acl(chance: random.Random) -> bytes:
    """Return an access control list that lets the stranger, the stranger's group or the user do something."""

    def rights() -> int:
        return chance.choice((0, 4, 5, 6, 7))

    users = [(0x02, rights(), number) for number in (STRANGER, USER) if chance.random() < 0.5]
    groups = [(0x08, rights(), TEAM)] if chance.random() < 0.4 else []
    entries = [(0x01, 7, _ANYBODY), *sorted(users, key=lambda each: each[2]), (0x04, rights(), _ANYBODY)]
    entries += [*groups, (0x10, chance.choice((4, 5, 7, 7)), _ANYBODY), (0x20, 5, _ANYBODY)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


@dataclass
class Tree:
    """Folders with settings somewhere above, and the links that lead to them."""

    chance: random.Random
    root: Path
    way: list[tuple[Path, str]] = field(default_factory=list)
    """The folders that the search goes through to read the file, each with the entry that it needs."""

    is_clean: bool = True
    """Whether everything is the user's or root's, and nobody else may write."""

    has_foreign_link: bool = False

    def _settle(self, path: Path, *, odds: float) -> None:
        """Give a folder or file to somebody, with a mode and perhaps a list."""
        owner, group, mode = self.chance.choice((USER, 0)), USER, 0o755
        if self.chance.random() < odds:
            self.is_clean = False
            owner, group = self.chance.choice((USER, USER, 0, STRANGER)), self.chance.choice((USER, TEAM))
            mode = self.chance.choice((0o755, 0o775, 0o777, 0o1777, 0o1755, 0o1775))
        os.chown(path, owner, group)
        path.chmod(mode)
        if self.chance.random() < odds / 2:
            self.is_clean = False
            with suppress(OSError):
                os.setxattr(path, "system.posix_acl_access", random_acl(self.chance))

    def build(self) -> Path:
        """Make the tree, and return the folder in which the search begins."""
        odds = self.chance.choice((0.0, 0.15, 0.4))
        above = [self.root / "a", self.root / "a" / "b", self.root / "a" / "b" / "c"]
        for folder in above:
            folder.mkdir()
            os.chown(folder, USER, USER)
            if self.chance.random() < 0.3:  # somebody else's repository
                (folder / ".git").mkdir()
                os.chown(folder / ".git", STRANGER, STRANGER)
        home = self.chance.choice(above)
        self._settle(home, odds=odds)
        place = home / "dynconf.toml"
        self.way.append((home, place.name))
        for number in range(self.chance.choice((0, 0, 1, 2, 3))):
            outer = self.root / f"links{number}"
            inner = outer / "inner"
            inner.mkdir(parents=True)
            target = inner / "file"
            with_dots = Path("..") / outer.name / "inner" / "file"
            relative = place.parent.parent == self.root and self.chance.random() < 0.5
            place.symlink_to(with_dots if relative else target)
            if self.chance.random() < odds:
                self.is_clean, self.has_foreign_link = False, True
                os.chown(place, STRANGER, STRANGER, follow_symlinks=False)
            for folder in (outer, inner):
                self._settle(folder, odds=odds)
            self.way += [(outer, "inner"), (inner, "file")]
            place = target
        place.write_text("verbose = true")
        self._settle(place, odds=odds)
        return above[-1]

    def danger(self) -> str:
        """Return what the stranger can do to change the settings; empty if nothing."""
        for number, (folder, name) in enumerate(self.way):
            entry = folder / name
            if entry.lstat().st_uid == STRANGER or folder.stat().st_uid == STRANGER:
                return f"{entry} or its folder belongs to the stranger"
            if can_replace(folder, name):
                return f"{entry} can be replaced"
            if number == 0 and can_add(folder):
                return f"a file can be added to {folder}"
        folder, name = self.way[-1]
        return "the file can be written" if can_open(folder / name, os.O_WRONLY) else ""


def found_files(rounds: int, chance: random.Random, folder: Path) -> Iterator[tuple[bool, str]]:
    """Search in random trees; yield whether the settings counted, and the violation, if there is one."""
    folder.mkdir()
    (folder / "dynconf.toml").write_text("verbose = true")
    find_upwards(folder)  # later, nothing may be importable
    (folder / "dynconf.toml").unlink()
    for number in range(rounds):
        tree = Tree(chance, folder / str(number))
        tree.root.mkdir()
        start = tree.build()
        opened: list[str] = []
        real = os.open

        def recording(
            path: str, *more: int, real: Callable[..., int] = real, seen: list[str] = opened
        ) -> int:
            seen.append(str(path))
            return real(path, *more)

        is_found = False
        with acting_as(USER), mock.patch.object(os, "open", recording), suppress(DynconfError):
            is_found = find_upwards(start).document is not None
        first = str(tree.way[0][0] / tree.way[0][1])
        if is_found and (danger := tree.danger()):
            yield is_found, f"tree {number} counts, but {danger}"
        elif tree.is_clean and not is_found:
            yield is_found, f"tree {number} does not count, although nobody else can change it"
        elif tree.has_foreign_link and first in opened:
            yield is_found, f"tree {number}: what a link of the stranger names was opened"
        else:
            yield is_found, ""


def saved_files(rounds: int, chance: random.Random, folder: Path) -> Iterator[tuple[bool, str]]:
    """Save over random files: whoever could not read the old one cannot read the new one, at any time."""
    folder.mkdir()
    for number in range(rounds):
        path = folder / str(number) / "state.json"
        path.parent.mkdir()
        if chance.random() < 0.6:
            os.setxattr(path.parent, "system.posix_acl_default", random_acl(chance))
        path.write_text("old")
        with suppress(OSError):
            os.removexattr(path, "system.posix_acl_access")
        path.chmod(chance.choice((0o600, 0o640, 0o660, 0o664, 0o644)))
        os.chown(path, chance.choice((0, USER)), chance.choice((USER, TEAM)))
        if chance.random() < 0.5:
            os.setxattr(path, "system.posix_acl_access", random_acl(chance))
        rights = {how: can_open(path, how) for how in (os.O_RDONLY, os.O_WRONLY)}
        gained: list[str] = []
        real = os.fsync

        def syncing(
            descriptor: int,
            parent: Path = path.parent,
            rights: dict[int, bool] = rights,
            gained: list[str] = gained,
            real: Callable[[int], None] = real,
        ) -> None:
            gained += [
                str(each)
                for each in parent.glob("*.part")
                for how, could in rights.items()
                if not could and can_open(each, how)
            ]
            real(descriptor)

        is_saved = False
        with mock.patch.object(os, "fsync", syncing), suppress(StateFileError):
            write(path, "new")
            is_saved = True
        now = {how: can_open(path, how) for how in rights}
        has_more = any(now[how] and not rights[how] for how in rights)
        if gained or has_more or path.read_text() != ("new" if is_saved else "old"):
            yield is_saved, f"save {number}: the stranger could {rights}, and can {now}; meanwhile {gained}"
        else:
            yield is_saved, ""
