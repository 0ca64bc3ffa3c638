"""Writing: whatever happens, the old file or the new one is there, whole, and nothing else."""

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest

from dynconf.errors import StateFileError
from dynconf.writing import write

ROOT = Path(__file__).parents[1]
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


SAVER = """
import itertools
from dynconf.writing import write
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
