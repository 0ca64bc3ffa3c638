"""What a call costs, in functions of dynconf's that it calls: no time, which would differ from run to run."""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from live_state import LIMIT

import dynconf
from dynconf.cli import main

PACKAGE = os.path.join(os.path.dirname(dynconf.__file__), "")


def calls_in(work: Callable[[], object]) -> int:
    """Return how many functions of dynconf's *work* calls when it is done for the second time."""
    count = 0

    def note(frame, event, _):
        nonlocal count
        code = frame.f_code
        count += event == "call" and code.co_filename.startswith(PACKAGE) and not code.co_name.startswith("<")

    work()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def use(manager: contextlib.AbstractContextManager[object]) -> None:
    """Enter and leave."""
    with manager:
        pass


def test_a_patch():
    """Made, entered and left."""
    assert calls_in(lambda: use(dynconf.patch(verify_correctness=True))) <= 18


def test_a_variable_that_is_installed(monkeypatch):
    """Read, checked, put in force and taken back."""
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "64")
    monkeypatch.chdir(Path.cwd().anchor)  # a search for files goes through each folder above
    assert calls_in(lambda: use(dynconf.install())) <= 170


def test_settings_with_a_group():
    """Of seven hundred flags, one is given."""
    assert calls_in(lambda: dynconf.InductorSettings(triton={"cudagraphs": True})) <= 660


def test_a_dump_of_one_flag(monkeypatch):
    """No default of another one is computed."""

    def dump():
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            main()

    monkeypatch.setattr(sys, "argv", ["dynconf", "dump", LIMIT])
    assert calls_in(dump) <= 300


def test_saving_one_flag(tmp_path: Path):
    """The names that are left out are looked up once."""
    with dynconf.patch({LIMIT: 64}):
        assert calls_in(lambda: dynconf.save(tmp_path / "state.json")) <= 300


@pytest.mark.real_torch
def test_modules_that_a_patch_loads():
    """None that reads a source."""
    program = "import sys, dynconf; dynconf.patch(verify_correctness=True); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = [each for each in done.stdout.split() if each.partition(".")[0] == "dynconf"]
    assert len(loaded) <= 75
    assert not any(each.startswith("dynconf.sources") for each in loaded)
