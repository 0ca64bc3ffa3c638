"""Ownership: a file that was found counts only if nobody but the user could have changed it."""

import os
import stat
import struct
from pathlib import Path

import access_lists
import pytest
from access_lists import GROUP, READ, READ_AND_WRITE, STRANGER, USER, two_users

from dynconf.sources.discovery import find_upwards
from dynconf.sources.files import read_bytes
from dynconf.sources.ownership import acl_of, trusted_status, writable_by_others

TEAM = 64_201
"""A group that no machine has."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder with settings that count."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "dynconf.toml").write_text("verbose = true")
    (folder / "dynconf.toml").chmod(0o644)
    assert find_upwards(folder).document is not None
    return folder


def reason(folder: Path) -> str:
    """Return the reason why the settings of that folder do not count."""
    found = find_upwards(folder)
    assert found.document is None
    assert found.skipped[0].path == str(folder / "dynconf.toml")
    assert found.warnings
    return found.skipped[0].reason


# Access control lists.


@pytest.mark.parametrize(
    ("name", "named", "said"),
    [
        (
            "dynconf.toml",
            (USER, STRANGER, READ_AND_WRITE),
            f"it is writable by another user (uid {STRANGER}",
        ),
        ("dynconf.toml", (GROUP, TEAM, READ_AND_WRITE), f"it is writable by a group (gid {TEAM})"),
        (".", (USER, STRANGER, 7), f"its folder is writable by another user (uid {STRANGER}"),
    ],
)
def test_a_file_or_folder_that_a_list_lets_others_write_does_not_count(project, name, named, said):
    """Mode bits show the mask only, as the rights of a group that may well be the user's own."""
    access_lists.give(project / name, access_lists.text_of(named))
    assert said in reason(project)


def test_a_list_on_the_way_of_a_link_counts_too(project, tmp_path):
    """For the folders that the link leads through."""
    way = tmp_path / "way"
    (way / "further").mkdir(parents=True)
    (project / "dynconf.toml").rename(way / "further" / "real.toml")
    (project / "dynconf.toml").symlink_to("../way/further/real.toml")
    assert find_upwards(project).document is not None
    access_lists.give(way, access_lists.text_of((USER, STRANGER, 7)))
    assert f"the folder {way} in its path is writable by another user" in reason(project)


@pytest.mark.parametrize(
    "acl",
    [
        access_lists.text_of((USER, STRANGER, READ), (GROUP, TEAM, READ)),
        access_lists.text_of((USER, STRANGER, READ_AND_WRITE), mask=READ),
        access_lists.text_of((USER, os.geteuid() if hasattr(os, "geteuid") else 0, READ_AND_WRITE)),
        access_lists.text_of((USER, 0, READ_AND_WRITE)),
    ],
    ids=["others may read", "the mask lets nobody write", "the user", "root"],
)
def test_a_list_by_which_nobody_else_may_write_does_no_harm(project, acl):
    """The mask is the most that anybody may do, and the group bits of a mode are no rights of the group."""
    access_lists.give(project / "dynconf.toml", acl)
    assert find_upwards(project).document is not None


@two_users
def test_the_group_bits_of_a_mode_with_a_list_are_its_mask(project):
    """So they do not say what the group of the file may do; its entry in the list does."""
    file = project / "dynconf.toml"
    os.chown(file, 0, TEAM)
    access_lists.give(file, access_lists.text_of((USER, 0, READ_AND_WRITE), owning_group=READ))
    assert file.stat().st_mode & stat.S_IWGRP
    assert find_upwards(project).document is not None
    access_lists.give(file, access_lists.text_of(owning_group=READ_AND_WRITE))
    assert reason(project) == f"it is writable by its group (gid {TEAM})"


@pytest.mark.parametrize("acl", [b"\x03\x00\x00\x00", b"\x02\x00", struct.pack("<I", 2) + b"123"])
def test_a_list_in_an_unknown_format_is_not_trusted(acl):
    """Such as one of a system that is not known yet."""
    own = os.stat_result((0o100644, 1, 1, 1, os.geteuid(), os.getegid(), 0, 0, 0, 0))
    assert writable_by_others(own, "it", acl) == "it has an access control list that cannot be read"


def test_where_python_reads_no_attributes_the_mode_decides(project, monkeypatch):
    """As on macOS."""
    monkeypatch.delattr(os, "getxattr", raising=False)
    assert acl_of(str(project)) == b""
    assert find_upwards(project).document is not None
    project.chmod(0o777)
    assert reason(project) == "its folder is writable by anyone"


# Links.


def test_a_link_through_folders_of_the_user_counts(project, tmp_path):
    """Relative and absolute ones, through other links, dots and a folder with the sticky bit."""
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o1777)
    (tmp_path / "open" / "own").mkdir()
    real = (project / "dynconf.toml").rename(tmp_path / "open" / "own" / "real.toml")
    (tmp_path / "way").symlink_to("open")
    for target in (real, "../way/own/real.toml", ".././project//../way/own/./real.toml"):
        (project / "dynconf.toml").unlink(missing_ok=True)
        (project / "dynconf.toml").symlink_to(target)
        assert find_upwards(project).document is not None
    for target in (".", "/", "..", "../open/own/real.toml/x", "dynconf.toml"):
        (project / "dynconf.toml").unlink()
        (project / "dynconf.toml").symlink_to(target)
        assert reason(project).startswith(
            ("it is not a regular file", "it is a link that cannot be followed")
        )


@two_users
@pytest.mark.parametrize("name", ["dynconf.toml", "pyproject.toml"])
def test_nothing_is_read_that_a_link_of_others_names(tmp_path, name, monkeypatch):
    """Reading some files takes something away, such as the messages of the kernel in /proc/kmsg."""
    secret = tmp_path / "secret"
    secret.write_text("[tool.dynconf]\n")
    for folder in (tmp_path / "own", tmp_path / "theirs"):
        folder.mkdir()
        (folder / name).symlink_to(secret)
        os.chown(folder / name, STRANGER, STRANGER, follow_symlinks=False)
    os.chown(tmp_path / "theirs", STRANGER, STRANGER)
    opened = []
    real = os.open
    monkeypatch.setattr(os, "open", lambda path, *more: opened.append(path) or real(path, *more))
    looked_at = secret.stat().st_atime_ns
    for folder, said in (("own", "it is a link that belongs to"), ("theirs", "its folder belongs to")):
        found = find_upwards(tmp_path / folder)
        assert found.document is None
        (skipped,) = [each for each in found.skipped if each.path.endswith(f"{folder}/{name}")]
        assert f"{said} another user (uid {STRANGER})" in str(skipped)
        assert skipped.may_matter
    assert opened == []
    assert secret.stat().st_atime_ns == looked_at


@two_users
def test_a_link_of_others_in_the_middle_is_not_followed(project, tmp_path):
    """Neither one to the file nor one to a folder, although all folders and the file are the user's."""
    real = (project / "dynconf.toml").rename(tmp_path / "real.toml")
    for name, target, way in (("hop", real, "hop"), ("folder", ".", "folder/real.toml")):
        (tmp_path / name).symlink_to(target)
        os.chown(tmp_path / name, STRANGER, STRANGER, follow_symlinks=False)
        (project / "dynconf.toml").unlink(missing_ok=True)
        (project / "dynconf.toml").symlink_to(f"../{way}")
        said = f"the link {tmp_path / name} in its path belongs to another user (uid {STRANGER})"
        assert reason(project) == said


@two_users
@pytest.mark.parametrize("inner", [".", "own"])
def test_a_folder_of_others_on_the_way_of_a_link_does_not_count(project, tmp_path, monkeypatch, inner):
    """Nothing is read in it; the user's own folder in it can be exchanged for another one of the user's."""
    folder = tmp_path / "theirs" / inner
    folder.mkdir(parents=True)
    (project / "dynconf.toml").rename(folder / "real.toml")
    (project / "dynconf.toml").symlink_to(folder / "real.toml")
    assert find_upwards(project).document is not None
    monkeypatch.setattr(os, "open", None)
    for mode in (0o755, 0o1777):
        os.chown(tmp_path / "theirs", STRANGER, STRANGER)
        (tmp_path / "theirs").chmod(mode)
        said = f"the folder {tmp_path / 'theirs'} in its path belongs to another user (uid {STRANGER})"
        assert reason(project) == said


def test_a_file_of_others_is_read_without_following_links(tmp_path):
    """In case it becomes one meanwhile."""
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real").write_text("text")
    assert read_bytes(str(tmp_path / "link")) == b"text"
    with pytest.raises(ValueError, match="is not a regular file"):
        read_bytes(str(tmp_path / "link"), follow_links=False)


def at_first_opening(action, monkeypatch):
    """Do something between the moment when a file has been judged and the one when it is opened."""
    real, left = os.open, [action]
    monkeypatch.setattr(os, "open", lambda *args: (left and left.pop()(), real(*args))[1])


@two_users
def test_a_folder_that_others_exchange_before_the_file_is_opened_does_not_count(
    project, tmp_path, monkeypatch
):
    """Who owns a folder above it can rename it; such a race succeeded once in 600 searches."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "dynconf.toml").write_text("recompile_limit = 666\n")
    for path in (theirs, theirs / "dynconf.toml"):
        os.chown(path, STRANGER, STRANGER)

    def exchange():
        project.rename(tmp_path / "moved")
        theirs.rename(project)

    at_first_opening(exchange, monkeypatch)
    assert reason(project) == f"its folder belongs to another user (uid {STRANGER})"


def test_a_file_that_the_user_replaces_before_it_is_opened_counts(project, monkeypatch):
    """As `dynconf.save` does in another process."""
    (project / "new.toml").write_text("recompile_limit = 5\n")
    at_first_opening(lambda: (project / "new.toml").rename(project / "dynconf.toml"), monkeypatch)
    found = find_upwards(project).document
    assert found is not None
    assert found.data == {"recompile_limit": 5}


def test_a_file_that_is_not_there_is_no_reason(tmp_path):
    """It is an error for whoever asks."""
    with pytest.raises(FileNotFoundError):
        trusted_status(str(tmp_path / "gone"))


# The root of a repository.


@two_users
@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_a_repository_of_others_does_not_end_the_search(project, kind):
    """Else anybody with a folder on the way could switch the user's settings off, in silence."""
    inner = project / "shared" / "inner"
    inner.mkdir(parents=True)
    boundary = project / "shared" / ".git"
    make = {"folder": boundary.mkdir, "file": boundary.touch, "link": lambda: boundary.symlink_to("gone")}
    make[kind]()
    assert find_upwards(inner).document is None
    os.chown(boundary, STRANGER, STRANGER, follow_symlinks=False)
    found = find_upwards(inner).document
    assert found is not None
    assert found.data == {"verbose": True}
    os.chown(boundary, 0, 0, follow_symlinks=False)
    assert find_upwards(inner).document is None
