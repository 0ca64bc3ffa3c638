"""Audits in files: whole whatever ends the process, one for each process, and small."""

import json
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spelling import spelled
from warm import Warm

from dynconf.errors import StateFileError
from dynconf.tools.audit import file as audit_file
from dynconf.tools.audit.file import AuditFile, read
from dynconf.tools.audit.summary import Record


def record(flag: str = "verbose", line: int = 1, *, by_torch: bool = False) -> Record:
    """Return a change."""
    values = {"before": False, "after": True, "how": "patch", "thread": "MainThread", "time": 0.5}
    return {"flag": flag, **values, "by_torch": by_torch, "kind": "assignment", "file": "a.py", "line": line}


def records(folder: Path) -> list[Record]:
    """Return the lines of all files of a folder."""
    files = sorted(folder.glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def counts(*files: Path) -> dict[tuple[str, int], int]:
    """Return how often each line changed each flag."""
    changes = read(files).shown(everything=True)
    return {(each.first["flag"], each.first["line"]): each.count for each in changes}


@pytest.fixture(autouse=True)
def no_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests themselves may run in a job of Slurm."""
    for name in ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("name", "launcher", "written"),
    [
        (".", {"RANK": "1"}, "audit.1.{pid}.jsonl"),
        ("audit.json", {"SLURM_PROCID": "3"}, "audit.3.{pid}.json"),
        (".", {"SLURM_PROCID": "3", "RANK": "25"}, "audit.25.{pid}.jsonl"),  # torchrun under srun
        ("audit", {"OMPI_COMM_WORLD_RANK": "4"}, "audit.4.{pid}.jsonl"),
        ("audit", {"RANK": ""}, "audit.0.{pid}.jsonl"),
        ("a.b.jsonl", {"RANK": "../x"}, "a.b.0.{pid}.jsonl"),
    ],
)
def test_the_name_has_rank_and_process(
    name: str, launcher: dict[str, str], written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Added before the suffix; a folder is taken as well, and no existing file is touched.

    The rank is that of the innermost launcher: the files of 16 tasks of srun say which is which.
    """
    for variable, text in launcher.items():
        monkeypatch.setenv(variable, text)
    expected = tmp_path / written.format(pid=os.getpid())
    AuditFile(Path(name))
    assert [*tmp_path.iterdir()] == [expected]
    expected.write_text("mine")
    AuditFile(Path(name))
    assert expected.read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 2


def test_the_files_of_an_audit_are_found_by_its_name(tmp_path: Path) -> None:
    """By the one that `run --audit-file` was given, to which rank and process were added."""
    for name in ("a[1].jsonl", "plain", "."):
        AuditFile(Path(name)).write(record())
        assert len(read([tmp_path / name]).shown(everything=True)) == 1
    for file in tmp_path.glob("plain*"):
        file.write_text("no audit")
    with pytest.raises(StateFileError, match=r"plain\.0\.\d+\.jsonl:1 is not a line of an audit"):
        read([tmp_path / "plain"])


def test_a_folder_without_audits_is_a_mistake(tmp_path: Path) -> None:
    """Not one in which nothing was changed: an audit has a file from its start on."""
    (tmp_path / "other.txt").touch()
    with pytest.raises(StateFileError, match=r"has no audits: expected \*\.jsonl"):
        read([tmp_path])


def test_torchs_own_changes_are_counted_in_place(tmp_path: Path) -> None:
    """A line for each line of code, whose count grows, whatever the values; others one for each change."""
    file = AuditFile(tmp_path)
    for number in range(1000):
        file.write({**record(by_torch=True), "after": number})
        file.write(record("minimum_call_count", by_torch=True))
    for _ in range(3):
        file.write(record(line=2))
    assert [(each["flag"], each["count"]) for each in records(tmp_path)] == [
        ("verbose", 1000), ("minimum_call_count", 1000), *[("verbose", 1)] * 3,
    ]  # fmt: skip
    assert counts(tmp_path) == {("verbose", 1): 1000, ("minimum_call_count", 1): 1000, ("verbose", 2): 3}


@given(lines=st.lists(st.integers(1, 4)), most=st.integers(0, 5))
def test_beyond_the_most_entries_changes_are_counted(
    lines: list[int], most: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """None is lost, and the file has at most one more line for each line of code."""
    folder = tmp_path_factory.mktemp("audit")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(audit_file, "MOST_ENTRIES", most)
        file = AuditFile(folder)
        for line in lines:
            file.write(record(line=line))
    assert counts(folder) == {("verbose", line): lines.count(line) for line in lines}
    assert len(records(folder)) <= most + len(set(lines[most:]))


ENDING = spelled("""
import dynconf, os, signal, sys, torch._dynamo.config as c
dynconf.audit(file="logs").__enter__()
for _ in range(100):
    c.recompile_limit = 64
""")


@pytest.mark.real_torch
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL", "_exit"])
def test_nothing_is_lost_at_a_sudden_end(name: str, tmp_path: Path, warm: Warm) -> None:
    """By signals that run no code of Python, and by leaving without any."""
    (tmp_path / "logs").mkdir()
    end = "os._exit(0)" if name == "_exit" else f"os.kill(os.getpid(), signal.{name})"
    if name == "SIGHUP":
        end = f"signal.signal(signal.SIGHUP, signal.SIG_DFL); {end}"  # the tests may run under nohup
    done = warm.run("-c", ENDING + end)
    assert done.returncode == (0 if name == "_exit" else -getattr(signal, name)), done.stderr
    assert counts(tmp_path / "logs") == {("recompile_limit", 5): 100}


FORKING = spelled("""
import dynconf, os, torch._dynamo.config as c
with dynconf.audit(file="logs"):
    c.recompile_limit = 64
    for number in range(3):
        if not os.fork():
            for _ in range(50 * number):
                c.verbose = not c.verbose
            os._exit(0)
    for _ in range(3):
        os.wait()
""")


@pytest.mark.real_torch
def test_a_forked_child_has_a_file_of_its_own(tmp_path: Path, warm: Warm) -> None:
    """If it changes anything; what the parent did before the fork is in the parent's alone."""
    (tmp_path / "logs").mkdir()
    done = warm.run("-c", FORKING)
    assert done.returncode == 0, done.stderr
    lines = sorted(len(each.read_text().splitlines()) for each in (tmp_path / "logs").iterdir())
    assert lines == [1, 50, 100]
    assert counts(tmp_path / "logs") == {("recompile_limit", 4): 1, ("verbose", 8): 150}


UNABLE = spelled("""
import dynconf, os, resource, torch._dynamo.config as c
with dynconf.audit(file="logs") as log:
    c.recompile_limit = 64
    if not os.fork():
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
        for _ in range(3):
            c.recompile_limit = 64
        os._exit(log.file.lost)
print(os.waitstatus_to_exitcode(os.wait()[1]))
""")


@pytest.mark.real_torch
def test_a_forked_child_that_can_create_no_file_leaves_that_of_its_parent_alone(
    tmp_path: Path, warm: Warm
) -> None:
    """Nor can a worker that has given up the rights of its server: its changes are counted as lost."""
    (tmp_path / "logs").mkdir()
    done = warm.run("-c", UNABLE)
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
    assert counts(tmp_path / "logs") == {("recompile_limit", 4): 1}


def test_a_program_that_closes_all_files_loses_nothing(tmp_path: Path) -> None:
    """As daemons do: another file that has the descriptor now is left alone."""
    file = AuditFile(tmp_path)
    file.write(record())
    os.close(file._descriptor)
    with (tmp_path / "of the program").open("w+") as other:
        os.dup2(other.fileno(), file._descriptor)
        file.write(record())
        assert other.read() == ""
    file.write(record())
    assert counts(tmp_path) == {("verbose", 1): 3}
    assert file.lost == 0


def test_a_folder_that_is_gone_stops_nobody(tmp_path: Path) -> None:
    """What cannot be written is counted, and when the folder is back, the rest is written."""
    folder = tmp_path / "logs"
    folder.mkdir()
    file = AuditFile(folder)
    next(folder.iterdir()).unlink()
    folder.rmdir()
    file.write(record())
    assert file.lost == 1
    folder.mkdir()
    file.write(record())
    assert len(list(tmp_path.glob("**/*.jsonl"))) == 1


FULL = spelled("""
import dynconf, resource, torch._dynamo.config as c
with dynconf.audit(file="logs") as log:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    for _ in range(10):
        c.recompile_limit = 64
print(log.file.lost, c.recompile_limit)
""")


@pytest.mark.real_torch
def test_a_full_disk_leaves_whole_lines(tmp_path: Path, warm: Warm) -> None:
    """The program goes on, and the number of lost changes is known."""
    (tmp_path / "logs").mkdir()
    done = warm.run("-c", FULL)
    assert done.returncode == 0, done.stderr
    lost, limit = map(int, done.stdout.split())
    assert limit == 64
    assert lost + len(records(tmp_path / "logs")) == 10
    assert lost > 0


LINE = json.dumps({"count": 1, **record(), "rank": 0})

BAD = {
    "not JSON": (b"hello", "Expecting value"),
    "no object": (b"[]", "expected an object"),
    "no change": (b"{}", "expected an object with before and after"),
    "a count that is none": (LINE.replace('"count": 1', '"count": true').encode(), "count: expected int"),
    "a negative count": (LINE.replace('"count": 1', '"count": -1').encode(), "count: expected at least 1"),
    "a huge number": (LINE.replace("1,", "9" * 5000 + ",").encode(), "integer string conversion"),
    "a sum that is too long": (LINE.replace("1,", "9" * 4300 + ",").encode(), "at most 12"),
    "a flag that is none": (LINE.replace('"verbose"', "[]").encode(), "flag: expected str"),
    "deep": (b"[" * 60_000, "nested too deeply"),
    "bytes": (b"\xff\xfe{}", ""),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_named(name: str, tmp_path: Path) -> None:
    """With its file and number, and the reason."""
    bad, reason = BAD[name]
    (tmp_path / "x.jsonl").write_bytes(LINE.encode() + b"\n" + bad + b"\n")
    with pytest.raises(StateFileError, match=r"x\.jsonl:2 is not a line of an audit: ") as caught:
        read([tmp_path / "x.jsonl"])
    assert reason in str(caught.value)


def test_what_is_no_file_is_an_error(tmp_path: Path) -> None:
    """Nothing waits for a pipe, or reads a file without end."""
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(2**40)
    reasons = {
        "pipe": "not a regular file",
        "none": "No such file",
        "a\0b": "null",
        "large": "is larger than",
    }
    for name, reason in reasons.items():
        with pytest.raises(StateFileError, match=reason):
            read([tmp_path / name])


@given(data=st.binary(max_size=300) | st.text(max_size=200).map(lambda each: each.encode("utf-8", "replace")))
def test_any_content_is_read_or_refused(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """By the one error, whatever it is."""
    file = tmp_path_factory.mktemp("audit") / "x.jsonl"
    file.write_bytes(LINE.encode() + b"\n" + data)
    with suppress(StateFileError):
        read([file])


def test_numbers_that_json_does_not_have(tmp_path: Path) -> None:
    """They are texts, so that programs in other languages can read the file."""
    AuditFile(tmp_path).write({**record(), "before": 1.0, "after": float("nan")})
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text(), parse_constant=pytest.fail)["after"] == "nan"
