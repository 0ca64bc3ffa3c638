"""Tests of ``dynconf bisect``: processes, their verdicts, files, and ways to end it early."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dynconf.release import Release

DECIDE = """
import json, os, sys
flags = json.loads(os.environ["DYNCONF_CONFIG"])
with open("calls", "a") as calls:
    calls.write(".")
"""
"""The beginning of a program that looks at its state without torch."""

FAILS = (
    f"{DECIDE}sys.exit(3 if flags['recompile_limit'] == 64 and flags['inductor']['max_autotune'] else 0)\n"
)
BAD = "recompile_limit = 64\nverbose = true\nrepro_level = 3\n[inductor]\nmax_autotune = true\n"
CULPRITS = {"recompile_limit", "inductor.max_autotune"}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text("recompile_limit = 16\n")
    (tmp_path / "bad.toml").write_text(BAD)
    (tmp_path / "fails.py").write_text(FAILS)


def found(out: str) -> set[str]:
    """Return the flags in the JSON form of a result."""
    return {each["flag"] for each in json.loads(out)["flags"]}


PYTHON = ("--", sys.executable)


def test_two_files(run_cli) -> None:
    """The flags as a table, as options, as data, and as a file; torch's own bisector is next."""
    words = ("bisect", "good.toml", "bad.toml")
    done = run_cli(*words, "-o", "repro.json", *PYTHON, "fails.py")
    assert done.code == 0, done.err
    assert done.out.startswith("2 of 4 differences decide it, after ")
    assert "fails with  --set inductor.max_autotune=1 --set recompile_limit=64\n" in done.out
    assert "works with  --set inductor.max_autotune=0 --set recompile_limit=16\n" in done.out
    has_one = Release.at_hand().minor >= (2, 6)
    assert ("-m torch._inductor.compiler_bisector" in done.out) == has_one
    flags = json.loads(Path("repro.json").read_text())["flags"]
    values = {"recompile_limit": 64, "inductor.max_autotune": True, "verbose": False, "repro_level": 2}
    assert {name: each["value"] for name, each in flags.items()} == values
    result = json.loads(run_cli(*words, "--format", "json", *PYTHON, "fails.py").out)
    assert {each["flag"] for each in result["flags"]} == CULPRITS
    assert (result["minimal"], result["cured"]) == (True, True)
    assert result["trials"] == len(result["history"])


@pytest.mark.parametrize("program", [FAILS, FAILS.replace("3 if", "0 if").replace("else 0", "else 3")])
def test_my_own_flags(run_cli, tmp_path: Path, program: str) -> None:
    """Those that make it fail, or without which it fails."""
    (tmp_path / "fails.py").write_text(program)
    done = run_cli("bisect", "--drop", "bad.toml", "-f", "json", *PYTHON, "fails.py")
    assert done.code == 0, done.err
    assert found(done.out) == CULPRITS


def test_a_measured_number(run_cli, tmp_path: Path) -> None:
    """Of which the median counts, with a word where good and bad overlap."""
    program = """
number = 1.5 if flags["recompile_limit"] == 64 else 0.5
calls = len(open("calls").read())
print(f"step_time={3 - number if calls in (2, 7) else number}")
"""
    (tmp_path / "slow.py").write_text(DECIDE + program)
    words = ("bisect", "good.toml", "bad.toml", "--fail-if", "step_time > 1", "--repeat", "3", "-f", "json")
    done = run_cli(*words, *PYTHON, "slow.py")
    assert found(done.out) == {"recompile_limit"}
    assert "the numbers overlap" in done.err
    assert "--repeat 7" in done.err


def test_what_the_program_sets_itself_is_named(run_cli, tmp_path: Path) -> None:
    """Once, with its line: it counts in every trial, whatever the states say."""
    own = "if 0:\n    import torch._dynamo.config as config\n    config.cache_size_limit = 64\n"
    (tmp_path / "program.py").write_text(own)
    done = run_cli("bisect", "good.toml", "bad.toml", *PYTHON, "program.py")
    assert done.err.count("itself sets recompile_limit (program.py:3), in every trial: search a copy") == 1


def test_ends_that_do_not_differ(run_cli, tmp_path: Path) -> None:
    """It says which, and that the program's own settings count in both, and shows its output."""
    for code, words in ((0, "does not fail in the bad state"), (1, "fails in the good state, too")):
        (tmp_path / "program.py").write_text(f"print('the reason')\nraise SystemExit({code})\n")
        done = run_cli("bisect", "good.toml", "bad.toml", *PYTHON, "program.py")
        assert (done.code, done.out) == (1, "")
        assert words in done.err
        assert "unless the program sets one itself" in done.err
        assert "the reason" in done.err
    done = run_cli("bisect", "bad.toml", "good.toml", *PYTHON, "fails.py")
    assert (done.code, done.out) == (1, "")
    assert "swap them" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("good.toml", "bad.toml"), "needs a command"),
        (("bad.toml", "--", "python", "train.py"), "python is not a file: expected GOOD BAD -- COMMAND, or"),
        (("--", "python", "train.py"), "python -m torch._inductor.compiler_bisector run COMMAND"),
        (("--defaults", "2.8", "--drop", "bad.toml", "--", "true"), "choose one"),
        (("--defaults", "1.0", "--", "true"), "1.0"),
        (("--defaults", "2.8", "--fail-if", "slow", "--", "true"), "expected NAME > NUMBER"),
        (
            ("--defaults", "2.8", "--fail-on", "07", "--", "true"),
            "expected nonzero, zero, signal, or an exit",
        ),
        (("--drop", "none.toml", "--", "true"), "none.toml"),
        (("bad.toml", "bad.toml", "--", "true"), "do not differ"),
        # In the torch at hand, no default is one that it could not put back.
        (("--defaults", Release.at_hand().version, "--", "true"), "do not differ"),
        (("good.toml", "bad.toml", "--", "/no/such/program"), "cannot be run"),
        (("good.toml", "bad.toml", "--repeat", "0", "--", "true"), "--repeat"),
    ],
)
def test_bad_input(run_cli, words, message: str) -> None:
    """In a message, with exit code 2."""
    said = run_cli("bisect", *words).refused()
    assert message in said
    assert "cannot be restored" not in said


def test_flags_with_a_reach_need_trust(run_cli, tmp_path: Path) -> None:
    """As in every file that is named."""
    (tmp_path / "bad.toml").write_text("debug_dir_root = '/a/file'\n")
    assert "--trust" in run_cli("bisect", "good.toml", "bad.toml", *PYTHON, "fails.py").refused()
    assert not (tmp_path / "calls").exists()


def test_a_search_goes_on_with_its_file(run_cli, tmp_path: Path) -> None:
    """Trials that it has are not repeated; the file of another search is refused."""
    words = ("bisect", "good.toml", "bad.toml", "--resume", "search.json", "-f", "json")
    first = run_cli(*words, *PYTHON, "fails.py")
    assert found(first.out) == CULPRITS
    whole, calls = (tmp_path / "search.json").read_text(), len((tmp_path / "calls").read_text())
    half = json.loads(whole)
    half["trials"] = half["trials"][:3]
    (tmp_path / "search.json").write_text(json.dumps(half))
    second = run_cli(*words, *PYTHON, "fails.py")
    assert (second.out, (tmp_path / "search.json").read_text()) == (first.out, whole)
    total = len((tmp_path / "calls").read_text())
    assert total == 2 * calls - 3
    third = run_cli(*words, *PYTHON, "fails.py")
    assert third.out == second.out
    assert len((tmp_path / "calls").read_text()) == total
    assert "another command" in run_cli(*words, *PYTHON, "other.py").refused()
    for damaged in ("", "[]", "{}", "\xff", '{"bisect": 1}', "[" * 100_000):
        (tmp_path / "search.json").write_text(damaged, encoding="latin-1")
        assert "search.json" in run_cli(*words, *PYTHON, "fails.py").refused()
    (tmp_path / "search.json").unlink()
    run_cli(*RESUMED, *PYTHON, "fails.py")
    search = json.loads((tmp_path / "search.json").read_text())
    search["trials"][0]["numbers"] = [10**400]
    (tmp_path / "search.json").write_text(json.dumps(search))
    assert "a trial in it is not valid" in run_cli(*RESUMED, *PYTHON, "fails.py").err


def test_the_file_of_a_search_is_a_file(run_cli) -> None:
    """A pipe in its place is refused, and not waited for."""
    os.mkfifo("search.json")
    said = run_cli(*RESUMED, *PYTHON, "fails.py").refused()
    assert "search.json cannot be read: it is not a regular file" in said


RESUMED = ("bisect", "good.toml", "bad.toml", "--resume", "search.json")


def test_options_that_decide_about_verdicts_are_those_of_another_search(run_cli) -> None:
    """Also those that matter only in some trials, such as the meaning of a hang; of a bound, all digits."""
    first = ("--timeout", "60", "--fail-if", "x > 0.1234567")
    run_cli(*RESUMED, *first, *PYTHON, "fails.py")
    for options, other in (
        (("--timeout", "50", *first[2:]), "timeout"),
        ((*first, "--hang", "skip"), "failure"),
        ((*first[:3], "x > 0.1234568"), "failure"),
        (first[:2], "failure"),
        ((*first, "--fail-on", "3"), "failure"),
        ((*first, "--share-caches"), "caches"),
        ((*first, "--repeat", "2"), "repeat"),
    ):
        said = run_cli(*RESUMED, *options, *PYTHON, "fails.py").refused()
        assert f"it has another {other}\n" in said, options


def test_flags_that_both_states_share_belong_to_a_search(run_cli, tmp_path: Path) -> None:
    """They decide about verdicts as the others do."""
    (tmp_path / "fails.py").write_text(
        f"{DECIDE}sys.exit(flags['verbose'] and flags['recompile_limit'] == 64)\n"
    )

    def search(limit: int):
        for name, verbose in (("good.toml", "false"), ("bad.toml", "true")):
            (tmp_path / name).write_text(f"recompile_limit = {limit}\nverbose = {verbose}\n")
        return run_cli(*RESUMED, *PYTHON, "fails.py")

    assert search(64).code == 0
    assert search(64).code == 0
    assert "another good state and bad state" in search(8).refused()


def test_variables_and_my_own_file_belong_to_a_search(run_cli, tmp_path: Path, monkeypatch) -> None:
    """A trial has those flags, too; what it does not get from them is no difference."""
    (tmp_path / "dynconf.toml").write_text("repro_level = 3\n")
    assert run_cli(*RESUMED, *PYTHON, "fails.py").code == 0
    (tmp_path / "dynconf.toml").write_text("repro_level = 4\n")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "5")
    assert run_cli(*RESUMED, *PYTHON, "fails.py").code == 0, "no trial gets it"
    monkeypatch.setenv("TORCHDYNAMO_SPECIALIZE_INT", "1")
    assert "another good state and bad state" in run_cli(*RESUMED, *PYTHON, "fails.py").refused()
    (tmp_path / "search.json").unlink()

    another = "2.6" if Release.at_hand().minor == (2, 4) else "2.4"
    words = ("bisect", "--defaults", another, "--resume", "search.json", *PYTHON, "-c", "")
    run_cli(*words)
    for text in ("repro_level = 3\n", "repro_level = 4\nhold = ['repro_level']\n"):
        (tmp_path / "dynconf.toml").write_text(text)
        assert "another good state and bad state" in run_cli(*words).refused()


def test_a_search_belongs_to_its_folder(run_cli, tmp_path: Path, monkeypatch) -> None:
    """Where the command may find other files."""
    (tmp_path / "other").mkdir()
    files = [str(tmp_path / name) for name in ("good.toml", "bad.toml", "search.json", "fails.py")]
    words = ("bisect", *files[:2], "--resume", files[2], *PYTHON, files[3])
    assert run_cli(*words).code == 0
    monkeypatch.chdir(tmp_path / "other")
    assert "another folder" in run_cli(*words).refused()


def test_a_search_goes_on_in_a_folder_that_is_gone(run_cli, tmp_path: Path, monkeypatch) -> None:
    """Programs run there all the same."""
    (tmp_path / "gone").mkdir()
    files = [str(tmp_path / name) for name in ("good.toml", "bad.toml", "search.json")]
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    program = "import os; raise SystemExit(': 64' in os.environ['DYNCONF_CONFIG'])"
    done = run_cli("bisect", *files[:2], "--resume", files[2], *PYTHON, "-c", program)
    assert done.code == 0, done.err
    monkeypatch.chdir(tmp_path)


def test_files_that_cannot_be_written(run_cli, tmp_path: Path) -> None:
    """That of --resume ends it before the first trial; that of -o does not take the answer away."""
    words = ("bisect", "good.toml", "bad.toml")
    run_cli(*words, "--resume", "none/search.json", *PYTHON, "fails.py").refused()
    assert not (tmp_path / "calls").exists()
    done = run_cli(*words, "-o", "none/found.json", *PYTHON, "fails.py")
    assert done.code == 2
    assert done.out.startswith("2 of 4 differences decide it, after ")
    assert "none/found.json" in done.err


def test_pasted_texts_are_states(run_cli, tmp_path: Path) -> None:
    """A script, a report and YAML, as for `load`."""
    script = "import torch\ntorch._dynamo.config.recompile_limit = 64\ntorch._dynamo.config.verbose = True\n"
    (tmp_path / "bad.py").write_text(f"{script}torch._inductor.config.max_autotune = True\n")
    (tmp_path / "bad.yaml").write_text("compile:\n  options: {max_autotune: true}\n")
    assert run_cli("report", "--set", "recompile_limit=64", "-o", "good.md").code == 0
    for good, bad, flags in (
        ("good.toml", "bad.py", CULPRITS),
        ("good.md", "bad.py", CULPRITS - {"recompile_limit"}),
    ):
        done = run_cli("bisect", good, bad, "-f", "json", *PYTHON, "fails.py")
        assert found(done.out) == flags, done.err
    (tmp_path / "fails.py").write_text(f"{DECIDE}sys.exit(flags['inductor']['max_autotune'])\n")
    done = run_cli("bisect", "--drop", "bad.yaml", "-f", "json", *PYTHON, "fails.py")
    assert found(done.out) == {"inductor.max_autotune"}, done.err


SLEEPS_BETWEEN_THE_ENDS = """
import time
if 0 < (flags["recompile_limit"] == 64) + flags["verbose"] + flags["inductor"]["max_autotune"] < 3:
    open(f"running.{os.getpid()}", "w")
    time.sleep(60)
"""


def test_trials_side_by_side_have_the_same_result(run_cli, tmp_path: Path) -> None:
    """With the same history, and caches of their own; ``--resume`` takes the one for the other."""
    caches = "import os\nopen('caches', 'a').write(os.environ['TORCHINDUCTOR_CACHE_DIR'] + '\\n')\n"
    (tmp_path / "fails.py").write_text(caches + FAILS)
    words = ("bisect", "good.toml", "bad.toml", "-f", "json")
    alone = run_cli(*words, *PYTHON, "fails.py")
    done = run_cli(*words, "--jobs", "2", "--resume", "trials.json", *PYTHON, "fails.py")
    assert found(done.out) == CULPRITS
    assert (done.code, done.out, done.err) == (0, alone.out, alone.err)
    folders = (tmp_path / "caches").read_text().splitlines()
    assert len({*folders}) == len(folders) >= 2 * json.loads(done.out)["trials"]
    (tmp_path / "caches").unlink()
    assert run_cli(*words, "--resume", "trials.json", *PYTHON, "fails.py").out == alone.out
    assert not (tmp_path / "caches").exists()


@pytest.mark.parametrize(
    ("number", "times", "jobs"),
    [
        (signal.SIGINT, 1, "1"),
        *((signal.SIGINT, 2000, jobs) for jobs in "12"),
        *((number, 1, "2") for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)),
    ],
)
def test_an_interrupted_search_prints_what_is_known(
    tmp_path: Path, number: signal.Signals, times: int, jobs: str
) -> None:
    """And leaves no process and no file behind, however often it is told to end."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "slow.py").write_text(FAILS.replace("sys.exit", f"{SLEEPS_BETWEEN_THE_ENDS}sys.exit"))
    words = f"{sys.executable} -m dynconf bisect good.toml bad.toml -j {jobs} -- {sys.executable} slow.py"
    environ = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(
        words.split(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ
    ) as process:
        end = time.monotonic() + 60
        while len(running := [*tmp_path.glob("running.*")]) < int(jobs):
            assert time.monotonic() < end
            time.sleep(0.05)
        for _ in range(times):
            process.send_signal(number)  # does nothing once it has ended
            time.sleep(0.0002)
        out, err = process.communicate(timeout=60)
    assert [*temporary.iterdir()] == []
    for each in running:
        with pytest.raises(ProcessLookupError):
            os.kill(int(each.suffix[1:]), 0)
    assert "Traceback" not in err
    if times > 1:
        return  # it may not have come to that
    assert "at most 4 of 4 differences decide it, after 2 trials" in out, err
    assert process.returncode == 1


def test_a_signal_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    """A search under nohup outlives its terminal."""
    (tmp_path / "fails.py").write_text(
        FAILS.replace("sys.exit", "import signal\nos.kill(os.getppid(), signal.SIGHUP)\nsys.exit")
    )
    line = f"{sys.executable} -m dynconf bisect good.toml bad.toml -- {sys.executable} fails.py"
    words = ["sh", "-c", f"trap '' HUP; exec {line}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("2 of 4 differences decide it")


BENCHMARK = """
import torch._inductor.config as config
print(f"step_time={1.3 if config.graph_partition else 0.7}")
"""


@pytest.mark.real_torch
@pytest.mark.since("2.9")
def test_a_regression_by_a_changed_default_is_found(run_cli, tmp_path: Path, warm_python: str) -> None:
    """On real torch: the default of graph_partition changed in torch 2.9, and the benchmark is slower."""
    (tmp_path / "bench.py").write_text(BENCHMARK)
    words = ("--defaults", "2.8", "--fail-if", "step_time > 0.9", "-f", "json")
    done = run_cli("bisect", *words, "--", warm_python, "-m", "dynconf", "run", "bench.py")
    assert done.code == 0, done.err
    assert found(done.out) == {"inductor.graph_partition"}
    assert json.loads(done.out)["trials"] <= 12
