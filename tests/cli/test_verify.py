"""``dynconf verify``: progress, verdict, exit code."""

import json

import pytest

pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = [
    pytest.mark.real_torch,
    pytest.mark.filterwarnings("ignore:Failed to initialize NumPy"),
]
QUICK = ("--device", "cpu", "--backend", "eager")


def test_it_prints_each_check_and_the_verdict(run_cli):
    """A line for each check, the skipped ones with their reason, then the verdict; exit 0.

    With --format json stdout holds the findings, and progress goes to stderr.
    """
    done = run_cli("verify", *QUICK)
    assert done.code == 0
    assert "eager on cpu" in done.out
    assert "skipped" in done.out
    assert "All required checks passed" in done.out.splitlines()[-1]
    done = run_cli("verify", *QUICK, "--format", "json")
    data = json.loads(done.out)
    assert data["ok"] is True
    assert {each["title"]: each["status"] for each in data["findings"]}["eager on cpu"] == "passed"
    assert "eager on cpu" in done.err


def test_the_result_needs_no_stderr(warm):
    """A caller may have closed it."""
    closed = "import os, sys; os.close(2); sys.stderr = None; from dynconf.cli import main; main()"
    done = warm.run("-c", closed, "verify", *QUICK, "-f", "json")
    assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True)


def test_a_failure_shows_its_traceback_on_request_only(run_cli, monkeypatch):
    """A failed check exits 1 without a traceback; --verbose shows it."""
    from dynconf.tools.doctor import verify

    def broken(*arguments):
        raise RuntimeError("the machine is tired")

    monkeypatch.setattr(verify, "_forward_and_backward", broken)
    quiet, verbose = run_cli("verify", *QUICK), run_cli("verify", *QUICK, "--verbose")
    assert (quiet.code, verbose.code) == (1, 1)
    assert "the machine is tired" in quiet.out
    assert "Failed: eager on cpu" in quiet.out
    assert "Traceback" not in quiet.out + quiet.err
    assert "Traceback" in verbose.out


def test_without_a_compiler_inductor_fails_by_name(tmp_path, warm):
    """With CXX pointing nowhere and a cold cache: exit 1, inductor and compiler named, no traceback."""
    done = warm.run(
        "-m", "dynconf", "verify", "--device", "cpu", "--backend", "inductor",
        CXX="/nowhere/g++", TORCHINDUCTOR_CACHE_DIR=str(tmp_path / "cold"),
    )  # fmt: skip
    assert done.returncode == 1
    failed = done.stdout.splitlines()[-1]
    assert "C++ compiler" in failed
    assert "inductor on cpu" in failed
    assert "/nowhere/g++" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
