"""Writing: whatever happens, the old file or the new one is there, whole, and nothing else."""

import errno
import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from types import FrameType
from typing import Any

import access_lists
import pytest
from access_lists import READ_AND_WRITE, STRANGER, USER, two_users

from dynconf.errors import StateFileError
from dynconf.store import writing
from dynconf.store.writing import write

ROOT = Path(__file__).parents[2]


def names() -> list[str]:
    """Return the names of the files in the working directory."""
    return sorted(each.name for each in Path().iterdir())


def test_write_replaces_in_one_step_and_keeps_the_mode() -> None:
    """The new file has the permissions of the old one, a link stays a link, and nothing else is left."""
    Path("real.json").write_text("old")
    Path("real.json").chmod(0o640)
    Path("link.json").symlink_to("real.json")
    write("link.json", "new")
    assert Path("link.json").is_symlink()
    assert Path("real.json").read_text() == "new"
    assert stat.S_IMODE(Path("real.json").stat().st_mode) == 0o640
    assert names() == ["link.json", "real.json"]


def test_a_new_file_has_the_mode_that_the_user_wants() -> None:
    """The umask determines it."""
    before = os.umask(0o027)
    try:
        write("new.json", "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("new.json").stat().st_mode) == 0o640


def test_nobody_can_read_what_they_may_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is 0600 while it is written, and has the mode of the old one before it takes its place."""
    Path("secret.json").write_text("old")
    Path("secret.json").chmod(0o604)
    opened, seen = [], []
    real_open, real_mode = os.open, os.chmod

    def opening(path: object, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            opened.append((mode, flags & os.O_EXCL != 0))
        return real_open(path, flags, mode)  # type: ignore[arg-type]

    def changing(path: str, mode: int) -> None:
        seen.append((stat.S_IMODE(Path(path).stat().st_mode), Path("secret.json").read_text()))
        real_mode(path, mode)

    monkeypatch.setattr(os, "open", opening)
    monkeypatch.setattr(os, "chmod", changing)
    write("secret.json", "new")
    assert opened == [(0o600, True)]
    assert seen == [(0o600, "old")]
    assert stat.S_IMODE(Path("secret.json").stat().st_mode) == 0o604


def test_what_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """It has the reason of the system, and nothing is left behind."""
    for path in (tmp_path / "absent" / "state.json", "a\0b", "x" * 256):
        with pytest.raises(StateFileError, match="cannot be written"):
            write(path, "text")
    assert names() == []


@pytest.mark.parametrize("path", ["/dev/null", "/dev/full", "pipe", "folder", "loop", "link to a device"])
def test_only_regular_files_are_replaced(path: str) -> None:
    """A device stays a device, for all programs of the machine."""
    os.mkfifo("pipe")
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    Path("link to a device").symlink_to("/dev/null")
    before = names()
    with pytest.raises(StateFileError, match=r"it is not a regular file|symbolic links"):
        write(path, "text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert names() == before


def test_the_longest_names_can_be_written() -> None:
    """The name of the file that is being written is short."""
    for length in (250, 255):
        write("x" * length, "text")
    assert names() == ["x" * 250, "x" * 255]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of files not yet closed
def test_an_interruption_at_any_line_leaves_the_old_file_or_the_new_one() -> None:
    """And no other file, whether the target was there before or not."""
    for old in ("old", None):
        for number in range(1, 200):
            Path("state.json").unlink(missing_ok=True)
            if old is not None:
                Path("state.json").write_text(old)
            # An error in the midst of handling another may leave that one in the thread, as its current one.
            with ThreadPoolExecutor(1) as thread:
                is_done = thread.submit(interrupted_at_line, number).result()
            found = Path("state.json").read_text() if Path("state.json").exists() else None
            assert found in (old, "new")
            assert names() in ([], ["state.json"])
            if is_done:
                break
        assert is_done
        assert number > 20


def interrupted_at_line(number: int) -> bool:
    """Write a file, raising KeyboardInterrupt at that line of `writing`; tell whether it was done."""

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal number
        if frame.f_code.co_filename != writing.__file__:
            return None
        number -= event == "line"
        if number == 0 and event == "line":
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        write("state.json", "new")
    except KeyboardInterrupt:
        return False
    finally:
        sys.settrace(before)
    return True


@two_users
def test_links_of_others_lead_nowhere() -> None:
    """Anyone may put a link to your file into a folder such as /tmp, under the name that you will use."""
    Path("precious").write_text("old")
    Path("state.json").symlink_to("precious")
    os.chown("state.json", STRANGER, STRANGER, follow_symlinks=False)
    with pytest.raises(StateFileError, match="it is a link that belongs to another user"):
        write("state.json", "new")
    assert Path("precious").read_text() == "old"
    Path("own link.json").symlink_to("state.json")  # a link of mine to one of theirs
    with pytest.raises(StateFileError, match="it is a link that belongs to another user"):
        write("own link.json", "new")
    assert Path("precious").read_text() == "old"


@two_users
def test_the_file_of_another_user_is_an_error() -> None:
    """It would belong to somebody else afterwards; it stays as it is."""
    Path("state.json").write_text("old")
    os.chown("state.json", STRANGER, STRANGER)
    with pytest.raises(StateFileError, match="it belongs to another user"):
        write("state.json", "new")
    assert Path("state.json").read_text() == "old"
    assert names() == ["state.json"]


@two_users
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o600], ids=oct)
def test_no_other_group_gets_the_rights_of_the_old_one(mode: int) -> None:
    """Where the rights of the group are not those of everybody, the file of another group is an error."""
    Path("state.json").write_text("old")
    os.chown("state.json", -1, STRANGER)
    Path("state.json").chmod(mode)
    if mode in (0o640, 0o604):
        with pytest.raises(StateFileError, match=f"its group {STRANGER} has its own permissions"):
            write("state.json", "new")
        assert Path("state.json").read_text() == "old"
    else:
        write("state.json", "new")
        assert Path("state.json").read_text() == "new"
    assert names() == ["state.json"]


def test_a_file_with_an_access_control_list_is_an_error() -> None:
    """The list would be lost, and the mode alone may let more people read it."""
    Path("state.json").write_text("old")
    access_lists.give(Path("state.json"), access_lists.text_of((USER, STRANGER, READ_AND_WRITE)))
    with pytest.raises(StateFileError, match="it has an access control list"):
        write("state.json", "new")
    assert Path("state.json").read_text() == "old"


def test_a_link_to_what_is_not_there_yet_is_followed() -> None:
    """Over several links, and folders on the way."""
    Path("folder").mkdir()
    Path("first").symlink_to("folder/second")
    Path("folder/second").symlink_to("../third.json")
    write("first", "new")
    assert Path("third.json").read_text() == "new"
    assert Path("first").is_symlink()


@pytest.mark.parametrize("code", ["ENOSYS", "EINVAL", "ENOTSUP", "ENOSPC", "EIO"])
def test_a_file_system_without_fsync_is_good_enough(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one in user space. A full or failing disk is an error with its reason; the old file stays."""
    Path("state.json").write_text("old")
    number = getattr(errno, code)

    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    is_lost = code in ("ENOSPC", "EIO")
    with pytest.raises(StateFileError, match=os.strerror(number)) if is_lost else nullcontext():
        write("state.json", "new")
    assert Path("state.json").read_text() == ("old" if is_lost else "new")
    assert names() == ["state.json"]
