"""Writing: whatever happens, the old file or the new one is there, whole, and nothing else."""

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

import access_lists
import pytest
from access_lists import GROUP, READ, READ_AND_WRITE, USER

from dynconf.errors import StateFileError
from dynconf.store import writing
from dynconf.store.writing import write

ROOT = Path(__file__).parents[2]
two_users = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as two users")
STRANGER = 64_101


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
    """The file is 0600 while it is made, and has the mode of the old one before there is anything in it."""
    Path("secret.json").write_text("old")
    Path("secret.json").chmod(0o604)
    opened, seen = [], []
    real_open, real_mode = os.open, os.fchmod

    def opening(path: object, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            opened.append((mode, flags & os.O_EXCL != 0))
        return real_open(path, flags, mode)  # type: ignore[arg-type]

    def changing(descriptor: int, mode: int) -> None:
        status = os.fstat(descriptor)
        seen.append((stat.S_IMODE(status.st_mode), status.st_size))
        real_mode(descriptor, mode)

    monkeypatch.setattr(os, "open", opening)
    monkeypatch.setattr(os, "fchmod", changing)
    write("secret.json", "new")
    assert opened == [(0o600, True)]
    assert seen == [(0o600, 0)]
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
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)  # noqa: PTH116  as of any file
    assert names() == before


def test_the_longest_names_can_be_written() -> None:
    """The name of the file that is being written is short."""
    for length in (250, 255):
        write("x" * length, "text")
    assert names() == ["x" * 250, "x" * 255]


def test_an_interruption_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other file is left."""
    Path("state.json").write_text("old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write("state.json", "new")
    assert Path("state.json").read_text() == "old"
    assert names() == ["state.json"]


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
        assert number > 30


def interrupted_at_line(number: int) -> bool:
    """Write a file, raising KeyboardInterrupt at that line of `writing`; tell whether it was done."""

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal number
        if frame.f_code.co_filename != writing.__file__ or frame.f_code.co_name == "_remove_abandoned":
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


def test_a_full_disk_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error has the reason."""
    Path("state.json").write_text("old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StateFileError, match=r"state\.json cannot be written: No space left"):
        write("state.json", "new")
    assert Path("state.json").read_text() == "old"
    assert names() == ["state.json"]


def test_file_and_folder_are_on_the_disk() -> None:
    """First the content, then the name."""
    synced = []
    real = os.fsync

    def sync(descriptor: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), Path("state.json").exists()))
        real(descriptor)

    with mock.patch.object(os, "fsync", sync):
        write("state.json", "text")
    assert synced == [(False, False), (True, True)]


@two_users
def test_the_owner_stays(tmp_path: Path) -> None:
    """Root may save over a file of somebody else, who still owns it then; others may not."""
    Path("state.json").write_text("old")
    os.chown("state.json", STRANGER, STRANGER)
    write("state.json", "new")
    status = Path("state.json").stat()
    assert (status.st_uid, status.st_gid) == (STRANGER, STRANGER)
    denied = PermissionError(errno.EPERM, os.strerror(errno.EPERM))
    with (
        mock.patch.object(os, "fchown", side_effect=denied),
        pytest.raises(StateFileError, match="belongs to"),
    ):
        write("state.json", "newer")
    assert Path("state.json").read_text() == "new"
    assert names() == ["state.json"]


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


def test_a_link_to_what_is_not_there_yet_is_followed() -> None:
    """Over several links, and folders on the way."""
    Path("folder").mkdir()
    Path("first").symlink_to("folder/second")
    Path("folder/second").symlink_to("../third.json")
    write("first", "new")
    assert Path("third.json").read_text() == "new"
    assert Path("first").is_symlink()


def test_what_a_killed_process_left_is_removed() -> None:
    """Files that another process is just writing stay, and so do files with similar names."""
    Path(".dynconf-dead.part").write_text("half")
    Path(".dynconf-other").write_text("")
    with Path(".dynconf-alive.part").open("w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        write("state.json", "text")
    assert names() == [".dynconf-alive.part", ".dynconf-other", "state.json"]
    write("state.json", "text")
    assert names() == [".dynconf-other", "state.json"]


def test_a_part_that_somebody_takes_away_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another saver may find it in the moment before it is locked."""
    real = fcntl.flock
    lost: list[Path] = []

    def lock(descriptor: int, how: int) -> None:
        parts = [each for each in Path().iterdir() if each.suffix == ".part"]
        if len(lost) < 3:
            lost.append(parts[0])
            parts[0].unlink()
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", lock)
    write("state.json", "text")
    assert Path("state.json").read_text() == "text"
    assert names() == ["state.json"]


def test_a_file_system_without_locks_is_good_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the leftovers of killed processes are not removed there."""
    monkeypatch.setattr(fcntl, "flock", mock.Mock(side_effect=OSError(errno.ENOLCK, "no locks")))
    write("state.json", "text")
    assert names() == ["state.json"]


# Access control lists.


def test_a_list_is_kept() -> None:
    """What its mask shows as rights of the group does not become rights of the group."""
    Path("state.json").write_text("old")
    acl = access_lists.text_of((USER, STRANGER, READ_AND_WRITE), (GROUP, STRANGER, READ))
    access_lists.give(Path("state.json"), acl)
    before = access_lists.of(Path("state.json"))
    assert Path("state.json").stat().st_mode & 0o070
    write("state.json", "new")
    assert Path("state.json").read_text() == "new"
    assert access_lists.of(Path("state.json")) == before


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_what_a_folder_lets_others_do_with_new_files_does_not_count(mode: int) -> None:
    """Whoever could not read the old file cannot read the new one."""
    Path("state.json").write_text("old")
    Path("state.json").chmod(mode)
    everybody = access_lists.text_of((USER, STRANGER, 7), owning_group=7, others=READ)
    access_lists.give(Path(), everybody, kind="default")
    write("state.json", "new")
    assert Path("state.json").read_text() == "new"
    assert access_lists.of(Path("state.json")) == b""
    assert stat.S_IMODE(Path("state.json").stat().st_mode) == mode


@two_users
def test_others_cannot_read_it_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the lists of folder and file say: a stranger tries before each step that has content."""
    Path("state.json").write_text("old")
    Path("state.json").chmod(0o640)
    Path().chmod(0o755)
    access_lists.give(Path(), access_lists.text_of((USER, STRANGER, 7), others=READ), kind="default")
    seen = []
    real = os.fsync

    def sync(descriptor: int) -> None:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            (partial,) = Path().glob("*.part")
            seen.append((access_lists.of(partial), stat.S_IMODE(partial.stat().st_mode)))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", sync)
    write("state.json", "new")
    assert seen == [(b"", 0o640)]


# Files that cannot be replaced.


def failing(*numbers: int) -> mock.Mock:
    """Return a function that fails with these errors of the system, one after another."""
    return mock.Mock(side_effect=[OSError(each, os.strerror(each)) for each in numbers])


@pytest.mark.parametrize("code", ["ENOSYS", "EINVAL", "ENOTSUP"])
def test_a_file_system_without_fsync_is_good_enough(code: str) -> None:
    """Such as one in user space; that the content is on the disk then, nobody can say."""
    Path("state.json").write_text("old")
    number = getattr(errno, code)
    with mock.patch.object(os, "fsync", failing(number, number)):
        write("state.json", "new")
    assert Path("state.json").read_text() == "new"
    assert names() == ["state.json"]


def test_a_failing_disk_is_an_error() -> None:
    """Only a file system that has no fsync may do without."""
    Path("state.json").write_text("old")
    with (
        mock.patch.object(os, "fsync", failing(errno.EIO)),
        pytest.raises(StateFileError, match="output error"),
    ):
        write("state.json", "new")
    assert Path("state.json").read_text() == "old"
    assert names() == ["state.json"]


@pytest.mark.parametrize("code", ["EPERM", "ENOTSUP"])
def test_a_file_whose_mode_no_other_can_have_is_written_in_place(code: str) -> None:
    """It keeps its mode, as it stays the same file; where modes are those of the mount, it is replaced."""
    Path("state.json").write_text("an old and long text")
    Path("state.json").chmod(0o640)
    before = Path("state.json").stat().st_ino
    with mock.patch.object(os, "fchmod", failing(getattr(errno, code))):
        write("state.json", "new")
    status = Path("state.json").stat()
    assert (status.st_ino, stat.S_IMODE(status.st_mode)) == (before, 0o640)
    assert Path("state.json").read_text() == "new"
    Path("state.json").chmod(0o600)
    with mock.patch.object(os, "fchmod", failing(errno.EPERM)) as change:
        write("state.json", "newer")
    change.assert_not_called()
    assert Path("state.json").read_text() == "newer"
    assert Path("state.json").stat().st_ino != before
    assert names() == ["state.json"]


MOUNTED = """
import os, pathlib, subprocess, sys
from dynconf.store.writing import write
subprocess.run(["mount", "--bind", "real.json", "mounted/state.json"], check=True)
write("mounted/state.json", "new")
assert pathlib.Path("mounted/state.json").read_text() == "new"
assert os.listdir("mounted") == ["state.json"]
"""


@two_users
def test_a_file_that_is_a_mount_is_written_in_place() -> None:
    """As containers have them: nothing can be moved over a mount, and the file outside is to change."""
    Path("mounted").mkdir()
    Path("mounted/state.json").write_text("below the mount")
    Path("real.json").write_text("an old and longer text")
    Path("real.json").chmod(0o640)
    words = ["unshare", "--mount", sys.executable, "-c", MOUNTED]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no unshare")
    if "unshare failed" in done.stderr or "CalledProcessError" in done.stderr:
        pytest.skip(f"nothing can be mounted: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    assert Path("real.json").read_text() == "new"
    assert stat.S_IMODE(Path("real.json").stat().st_mode) == 0o640
    assert Path("mounted/state.json").read_text() == "below the mount"


def busy(*_: object) -> None:
    """Fail as a move over a mount does."""
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))


def test_what_fails_in_place_leaves_the_old_file() -> None:
    """A full disk and an interruption, at any write."""
    old, new = "old" * 50_000, "new" * 60_000
    for error in (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()):
        Path("state.json").write_text(old)
        # The first call is for the new file beside it, the last one for the old content.
        sync = mock.Mock(side_effect=[None, error, None])
        with (
            mock.patch.object(Path, "replace", busy),
            mock.patch.object(os, "fsync", sync),
            pytest.raises((StateFileError, KeyboardInterrupt)),
        ):
            write("state.json", new)
        assert sync.call_count == 3
        assert Path("state.json").read_text() == old
        assert names() == ["state.json"]
    with mock.patch.object(Path, "replace", busy):
        write("state.json", new)
    assert Path("state.json").read_text() == new


IN_PLACE = """
import errno, sys
from pathlib import Path
from types import FrameType
from typing import Any
from dynconf.store.writing import write

def busy(*_):
    raise OSError(errno.EBUSY, "busy")

Path.replace = busy
for number in range(50):
    write("state.json", sys.argv[1] * (10_000 + 2_000 * number))
"""


def test_writers_in_place_do_not_mix() -> None:
    """Each waits for the other, so that the file has the content of one of them."""
    Path("state.json").write_text("old")
    writers = [subprocess.Popen([sys.executable, "-c", IN_PLACE, letter]) for letter in "abcd"]
    assert [writer.wait(60) for writer in writers] == [0] * 4
    text = Path("state.json").read_text()
    assert text in {letter * (10_000 + 2_000 * 49) for letter in "abcd"}
    assert names() == ["state.json"]


def test_a_file_that_is_locked_for_good_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits forever."""
    Path("state.json").write_text("old")
    monkeypatch.setattr(writing, "_PATIENCE", 0.1)
    monkeypatch.setattr(Path, "replace", busy)
    with Path("state.json").open() as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(StateFileError, match="another program has locked it"):
            write("state.json", "new")
    assert Path("state.json").read_text() == "old"


def test_another_file_in_its_place_is_not_overwritten() -> None:
    """One that somebody has put there while the new content was written beside it."""
    Path("state.json").write_text("old")
    Path("precious").write_text("precious")

    def exchanged(self: Path, target: Path) -> None:
        Path("precious").rename("state.json")
        busy()

    with (
        mock.patch.object(Path, "replace", exchanged),
        pytest.raises(StateFileError, match="another program is replacing it"),
    ):
        write("state.json", "new")
    assert Path("state.json").read_text() == "precious"


@pytest.mark.parametrize("code", ["EACCES", "EROFS"])
def test_a_file_where_nothing_can_be_created_is_written_in_place(code: str) -> None:
    """As a file that a container has in a folder of somebody else; a new file is an error."""
    real = os.open

    def opening(path: object, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            raise OSError(getattr(errno, code), os.strerror(getattr(errno, code)))
        return real(path, flags, mode)  # type: ignore[arg-type]

    Path("state.json").write_text("an old and long text")
    with mock.patch.object(os, "open", opening):
        write("state.json", "new")
        with pytest.raises(StateFileError, match="cannot be written"):
            write("new.json", "text")
    assert Path("state.json").read_text() == "new"
    assert names() == ["state.json"]


@two_users
def test_a_file_of_others_is_not_written_in_place() -> None:
    """Who has put it where the user writes would read what the user saves."""
    Path("state.json").write_text("old")
    Path("state.json").chmod(0o666)
    os.chown("state.json", STRANGER, STRANGER)
    denied = PermissionError(errno.EPERM, os.strerror(errno.EPERM))
    for failed in ("fchown", "open"):
        real = getattr(os, failed)

        def refused(*given: object, failed: str = failed, real: Callable[..., int] = real) -> int:
            if failed == "fchown" or given[1] & os.O_CREAT:  # type: ignore[operator]
                raise denied
            return real(*given)

        with mock.patch.object(os, failed, refused), pytest.raises(StateFileError):
            write("state.json", "new")
        assert Path("state.json").read_text() == "old"


SAVER = """
import itertools
from dynconf.store.writing import write
for number in itertools.count():
    write("state.json", str(number) + " " * 200_000 + str(number))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_kill_never_leaves_a_bad_file() -> None:
    """A process killed at any moment of writing leaves the old file or the new one, whole."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for attempt in range(8):
        saver = subprocess.Popen([sys.executable, "-c", SAVER], env=environment)
        before = time.monotonic() + 60
        Path("state.json").unlink(missing_ok=True)
        while not Path("state.json").exists():
            assert saver.poll() is None
            assert time.monotonic() < before
            time.sleep(0.001)
        time.sleep(0.004 * attempt)
        saver.kill()
        saver.wait()
        first, second = Path("state.json").read_text().split()
        assert first == second
    write("state.json", "text")
    assert names() == ["state.json"]
