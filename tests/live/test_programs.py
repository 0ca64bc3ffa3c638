"""Random programs, in short: see ``soak/live.py``."""

import importlib.util
import sys
from pathlib import Path

import pytest

from dynconf.live.torch.override import Override
from dynconf.live.torch.restoring import keep_found

SOAK = Path(__file__).parents[2] / "soak" / "live.py"


@pytest.fixture(scope="module")
def programs():
    """Return the module with the random programs."""
    spec = importlib.util.spec_from_file_location("soak_live", SOAK)
    module = importlib.util.module_from_spec(spec)
    sys.modules["soak_live"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["soak_live"]


@pytest.mark.parametrize("seed", [1000, 2000, 3000])
def test_random_programs(programs, seed):
    """Patches, installations, generators, tasks, torch's patch, mock and assignment: no law is broken."""
    figures = programs.soak(0.5, seed)
    assert figures.operations > 60
    assert figures.violations == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_programs_find_what_is_broken(programs, monkeypatch):
    """If older overrides were not hidden, or what torch's patch found were not kept, they would tell."""
    monkeypatch.setattr(Override, "_is_hidden", lambda *_: False)
    assert programs.soak(0, 1).violations
    monkeypatch.undo()
    by_monkeypatch = ("setattr", "delattr")  # without its own, the flag would be gone for the rest
    monkeypatch.setattr(
        "dynconf.live.torch.override.keep_found",
        lambda frame, *more: frame.f_code.co_name in by_monkeypatch and keep_found(frame, *more),
    )
    assert any(programs.soak(0, seed).violations for seed in range(20))
