"""Runs as processes: their environment, their end, and what they leave behind."""

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest
from states import called

from dynconf.errors import InvalidValueError
from dynconf.release import Release
from dynconf.state import State
from dynconf.tools.bisect.command import Command, Process
from dynconf.tools.bisect.failure import Condition, Failure
from dynconf.tools.bisect.trials import Run

RELEASE = Release.at_hand()


@pytest.fixture(autouse=True)
def _no_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Have all temporary files in a folder of the test's own, which has to be empty in the end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert [*folder.iterdir()] == []


GOOD = called(RELEASE, recompile_limit=8, verbose=False)
BAD = called(RELEASE, recompile_limit=64, verbose=True)


def ended(program: str, of: State = GOOD, failure: Failure | None = None, **options) -> tuple[Run, str]:
    """Run a Python program in a state; return how it went, and its output."""
    words = (sys.executable, "-c", program)
    process = Process(Command(words, failure or Failure(), **options), of)
    while (run := process.poll()) is None:
        time.sleep(0.01)
    return run, process.output


SHOW = "import os; print(os.environ['DYNCONF_CONFIG'], os.environ.get('TORCHINDUCTOR_CACHE_DIR'))"


def test_the_state_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its defaults, so that no file or variable decides them; each run has its own caches."""
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "7")
    program = f"{SHOW}; print(os.environ.get('TORCHDYNAMO_RECOMPILE_LIMIT'))"
    folders, before = set(), dict(os.environ)
    for flags, limit in (
        (GOOD, '"recompile_limit": 8'),
        (BAD, '"recompile_limit": 64'),
    ):
        run, output = ended(program, flags)
        assert run.verdict == "good"
        first, last = output.splitlines()
        assert limit in first
        assert last == "None"
        folders.add(first.split()[-1])
    assert dict(os.environ) == before
    assert len(folders) == 2
    assert not any(Path(folder).exists() for folder in folders)


def test_a_state_that_cannot_be_handed_on_is_not_tried() -> None:
    """Without the value, the verdict would be that of another state."""
    with pytest.raises(InvalidValueError, match="debug_dir_root: a trial cannot get the value"):
        ended(SHOW, called(RELEASE, debug_dir_root="x" * 20_000))


def test_caches_may_be_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's variable is left alone then."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", "mine")
    _, output = ended(SHOW, share_caches=True)
    assert output.split()[-1] == "mine"


def test_a_run_is_judged_by_its_output() -> None:
    """Both streams count."""
    failure = Failure("", Condition.parse("time > 1"))
    run, _ = ended("import sys; print('time=2', file=sys.stderr)", failure=failure)
    assert (run.verdict, run.number) == ("bad", 2.0)


def test_a_run_may_delete_all_temporary_files() -> None:
    """What it prints is judged all the same."""
    program = "import os, shutil; shutil.rmtree(os.environ['DYNCONF_TRIAL']); print('loss=2')"
    run, _ = ended(program, failure=Failure("", Condition.parse("loss > 1")))
    assert run.number == 2


def test_a_hang_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    """Its children, too, which would go on writing."""
    child = f"import time; time.sleep(3); open({str(tmp_path / 'late')!r}, 'w')"
    program = (
        f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)"
    )
    start = time.monotonic()
    run, _ = ended(program, timeout=2)
    assert (run.verdict, run.note) == ("bad", "it did not end in time")
    assert time.monotonic() - start < 30
    time.sleep(3)
    assert not (tmp_path / "late").exists()


def test_what_a_run_leaves_running_is_ended() -> None:
    """Processes in the background would otherwise use the machine during the next trial."""
    child = "import time; time.sleep(60)"
    program = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {child!r}]).pid)"
    run, output = ended(program)
    assert run.verdict == "good"
    process = int(output)
    end = time.monotonic() + 10
    while _is_running(process):
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="other systems do not show who is whose")
def test_processes_in_sessions_of_their_own_are_ended(tmp_path: Path) -> None:
    """Such as the ranks of torchrun, which would keep the device during the next trial."""
    child = f"import os, time; open({str(tmp_path / 'rank')!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    program = (
        "import subprocess, sys, time;"
        f"subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True); time.sleep(60)"
    )
    assert ended(program, timeout=3)[0].note == "it did not end in time"
    assert not _is_running(int((tmp_path / "rank").read_text()))


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")  # nobody may collect it here, where the first process does not
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_no_place_for_temporary_files_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It says so, instead of what the state is to blame for."""
    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(tmp_path / "none"))
        with pytest.raises(InvalidValueError, match="no folder for a trial can be made: No such file"):
            ended("")


def test_a_program_that_is_not_there_is_an_error() -> None:
    """Not a failure of the state."""
    with pytest.raises(InvalidValueError, match="/no/such/program cannot be run: No such file"):
        Process(Command(("/no/such/program",), Failure()), GOOD)
    with pytest.raises(InvalidValueError, match="did you mean python model"):
        Process(Command(("model.py",), Failure()), GOOD)
