"""The attack against which SECURITY.md stands, on the real compiler: a file that names a program to run."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dynconf

STRANGER = 64_101


def compiler(mark: Path) -> Path:
    """Return a C++ compiler that leaves a mark when it is run, and fails."""
    path = mark.with_suffix(".sh")
    path.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n")
    path.chmod(0o755)
    return path


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")  # torch's own, while it imports what compiles
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as two users")
def test_only_trust_lets_a_file_run_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's file is skipped, a state is refused; with trust, the program runs."""
    import torch

    from dynconf.catalogue.names import find
    from dynconf.release import Release

    if not find("debug_inductor_config_override", Release.at_hand()):
        pytest.skip("this torch has no such flag")
    rule = f">=0:cpp.cxx={compiler(tmp_path / 'planted')}"
    planted = tmp_path / "dynconf.toml"
    planted.write_text(f'debug_inductor_config_override = "{rule}"\n')
    os.chown(planted, STRANGER, STRANGER)
    state = tmp_path / "state.json"
    state.write_text(json.dumps({"dynconf": 1, "flags": {"debug_inductor_config_override": {"value": rule}}}))
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "cache"))
    usual = {
        "cpp.cxx": (None, str(compiler(tmp_path / "usual"))),
        "cpp.simdlen": 1,
        "cpp_cache_precompile_headers": False,
        "compile_threads": 1,
    }

    def asked(function: Callable[[Any], Any]) -> list[str]:
        with pytest.raises(Exception, match=r"C\+\+ compile"):  # neither compiler compiles
            torch.compile(function)(torch.ones(3))
        found = [name for name in ("usual", "planted") if Path(name).exists()]
        for name in found:
            Path(name).unlink()
        return found

    with dynconf.patch(inductor=usual):
        with pytest.warns(dynconf.DynconfWarning, match=f"{planted} is skipped: it belongs to another user"):
            dynconf.install()
        with pytest.raises(dynconf.StateFileError, match="is refused: it would make torch run a program"):
            dynconf.load(state)
        assert asked(lambda x: x.sin() + 1) == ["usual"]
        with dynconf.load(state, trust=True).patch():
            assert asked(lambda x: x.cos() + 2) == ["planted"]
