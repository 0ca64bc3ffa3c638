"""Tests of ``dynconf report``."""

import json
import os
from pathlib import Path

import pytest
import torch
from spelling import spelled
from warm import Warm, cold

import dynconf
from dynconf.tools.report.machine import triton


def test_the_machine_without_torch(monkeypatch: pytest.MonkeyPatch, run_cli) -> None:
    """The GPU, its driver, the build of torch, Triton and the compiler are named, and torch is not asked."""
    driver, row = Path("bin/nvidia-smi"), "NVIDIA H200, 143771 MiB, 570.86"
    driver.parent.mkdir()
    driver.write_text(f"#!/bin/sh\necho '{row}'\necho '{row}'\n")
    driver.chmod(0o755)
    monkeypatch.setenv("PATH", str(driver.parent.absolute()), prepend=os.pathsep)
    facts = json.loads(run_cli("report", "--format", "json").out)["report"]["environment"]
    assert facts["GPU models and configuration"] == "; ".join(["NVIDIA H200, 143771 MiB"] * 2)
    assert facts["Nvidia driver version"] == "570.86"
    assert facts["CUDA used to build PyTorch"] == str(torch.version.cuda)
    assert facts["ROCM used to build PyTorch"] == str(torch.version.hip)
    assert facts["Triton version"] == (triton() or "not installed")
    assert facts["C++ compiler"].startswith(("g++", "clang++"))


def test_a_machine_without_a_driver(monkeypatch: pytest.MonkeyPatch, run_cli) -> None:
    """What cannot be had says why, and the report is made all the same."""
    monkeypatch.setenv("PATH", "")
    facts = json.loads(run_cli("report", "--format", "json").out)["report"]["environment"]
    assert facts["GPU models and configuration"].startswith("unknown: ")
    assert facts["C++ compiler"] == "none found"


def test_live(run_cli) -> None:
    """With --live it has what is in force, and the numerics; -o chooses the form by the name."""
    with dynconf.patch(recompile_limit=64):
        assert run_cli("report", "--live", "-o", "report.json").code == 0
    data = json.loads(Path("report.json").read_text())
    assert data["flags"]["recompile_limit"]["value"] == 64
    assert "deterministic_algorithms" in data["report"]["numerics"]
    assert run_cli("report", "--live", "--set", "verbose=1").code == 2


def test_json_that_is_asked_for_is_written(run_cli) -> None:
    """To a file of another name too, and to the standard output by its name."""
    assert run_cli("report", "--format", "json", "-o", "report").code == 0
    assert json.loads(Path("report").read_text())["dynconf"] == 1
    assert json.loads(run_cli("report", "--format", "json", "-o", "-").out)["dynconf"] == 1


def test_a_program(run_cli, warm: Warm) -> None:
    """`run --report` writes that of a program, with what the program changed."""
    Path("program.py").write_text(
        spelled("import torch._dynamo.config as config\nconfig.recompile_limit = 9\n")
    )
    words = ["-m", "dynconf", "run", "--report", "report.md", "--set", "recompile_limit=7", "program.py"]
    assert warm.run(*words).returncode == 0
    text = Path("report.md").read_text()
    assert "| recompile\\_limit | 9 | assignment at ./program.py:2 |" in text
    assert "| recompile\\_limit | 7 | option --set recompile\\_limit=7 |" in text
    assert run_cli("dump", "--from", "report.md", "-o", "state.json").code == 0
    assert dict(dynconf.load("state.json")) == {"recompile_limit": 9}


LAUNCHER = """
import os, subprocess, sys
for rank in "01":
    subprocess.run([sys.executable, "rank.py"], env={**os.environ, "RANK": rank}, check=True)
"""


def test_each_rank_has_a_report(warm: Warm) -> None:
    """Whether `run` starts the launcher or the ranks; what a rank starts has none."""
    Path("launcher.py").write_text(LAUNCHER)
    Path("rank.py").write_text("import os, torch\nassert 'DYNCONF_REPORT' not in os.environ\n")
    run = ("-m", "dynconf", "run", "--report", "report.md", "--set", "recompile_limit=7")
    for program, rank in (("launcher.py", ""), ("rank.py", "2")):
        assert warm.run(*run, program, RANK=rank).returncode == 0
    reports = {each.name: "recompile\\_limit | 7 |" in each.read_text() for each in Path().glob("report*")}
    assert reports == dict.fromkeys(["report.md", "report.0.md", "report.1.md", "report.2.md"], True)


@pytest.mark.real_torch
def test_a_program_that_sets_nothing(warm: Warm) -> None:
    """That torch sets flags while it compiles is no news."""
    Path("plain.py").write_text("import torch\ntorch.compile(lambda x: x @ x)(torch.ones(3, 3))\n")
    assert warm.run("-m", "dynconf", "run", "--report", "plain.json", "plain.py").returncode == 0
    data = json.loads(Path("plain.json").read_text())
    assert (data["flags"], data["report"]["variables"]) == ({}, {})


@pytest.mark.parametrize("text", ["import torch\n", "pass\n"])
def test_a_program_that_loads_no_config_module(text: str) -> None:
    """Its report loads none either (where a program ends, Dynamo can no longer be imported), nor torch."""
    Path("program.py").write_text(text)
    assert cold("-m", "dynconf", "run", "--report", "report.md", "program.py").stderr == ""
    said = "| all | not read: torch is not loaded |"
    assert (said in Path("report.md").read_text()) is ("torch" not in text)
