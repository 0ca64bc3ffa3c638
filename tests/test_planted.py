"""The attack against which SECURITY.md stands, on the real compiler: a file that names a program to run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STRANGER = 64_101

PROGRAM = """
import os, sys
import torch, torch._inductor.config, dynconf
torch._inductor.config.cpp_cache_precompile_headers = False
torch._inductor.config.compile_threads = torch._inductor.config.cpp.simdlen = 1
dynconf.install()
try:
    dynconf.load("state.json").install()
except dynconf.StateFileError as error:
    print(error, file=sys.stderr)
def asked(function):
    try:
        torch.compile(function)(torch.ones(3))
    except Exception:  # neither compiler compiles
        return [name for name in ("usual", "planted") if os.path.exists(name)]
print(asked(lambda x: x.sin() + 1))
os.remove("usual")
with dynconf.load("state.json", trust=True).patch():
    print(asked(lambda x: x.cos() + 2))
"""


def compiler(mark: Path) -> Path:
    """Return a C++ compiler that leaves a mark when it is run, and fails."""
    path = mark.with_suffix(".sh")
    path.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n")
    path.chmod(0o755)
    return path


@pytest.mark.real_torch
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as two users")
def test_only_trust_lets_a_file_run_a_program(tmp_path: Path) -> None:
    """A stranger's file is skipped, a state is refused; with trust, the program runs."""
    from dynconf.names import find
    from dynconf.release import Release

    if not find("debug_inductor_config_override", Release.at_hand()):
        pytest.skip("this torch has no such flag")
    rule = f">=0:cpp.cxx={compiler(tmp_path / 'planted')}"
    planted = tmp_path / "dynconf.toml"
    planted.write_text(f'debug_inductor_config_override = "{rule}"\n')
    os.chown(planted, STRANGER, STRANGER)
    state = {"dynconf": 1, "flags": {"debug_inductor_config_override": {"value": rule}}}
    (tmp_path / "state.json").write_text(json.dumps(state))
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache"),
        "CXX": str(compiler(tmp_path / "usual")),
    }
    program = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"{planted} is skipped: it belongs to another user" in done.stderr
    assert "is refused: the flag runs a program" in done.stderr
    assert done.stdout.splitlines() == ["['usual']", "['planted']"]
