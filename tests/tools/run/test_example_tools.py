"""The examples that need another program: a notebook's kernel, uvicorn's workers, Lightning's ranks.

`make tools` installs the programs; without it, only those are tested that are there anyway.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

pytestmark = pytest.mark.real_torch

EXAMPLES = Path(__file__).parents[3] / "examples"
RUN = (sys.executable, "-m", "dynconf", "run")


def test_the_notebook(tmp_path: Path) -> None:
    """It runs, and names the cell that set a flag."""
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    shutil.copy(EXAMPLES / "notebook.ipynb", tmp_path)
    command = ["-m", "nbconvert", "--to", "notebook", "--execute", "--stdout", "notebook.ipynb"]
    done = subprocess.run(
        [sys.executable, *command], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=500
    )
    cells = json.loads(done.stdout)["cells"]
    printed = "".join("".join(output.get("text", ())) for cell in cells for output in cell.get("outputs", ()))
    assert re.search(r"^64 .*cell 2", printed, re.MULTILINE)
    assert printed.endswith("patch\n")


def test_lightning() -> None:
    """Both ranks are trained with the option of `dynconf run`."""
    pytest.importorskip("lightning")
    options = ["--set", "optimize_ddp=python_reducer", "--set", "compiled_autograd=true"]
    done = subprocess.run(
        [*RUN, *options, EXAMPLES / "lightning_training.py"],
        capture_output=True, text=True, check=False, timeout=500,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    ranks = sorted(line for line in done.stdout.splitlines() if line.startswith("rank"))
    mode = "optimize_ddp=python_reducer, from option --set optimize_ddp=python_reducer"
    assert ranks == [f"rank {rank}: {mode}" for rank in (0, 1)]


def test_uvicorn(tmp_path: Path) -> None:
    """Its workers answer with the limit of the settings file."""
    pytest.importorskip("uvicorn")
    shutil.copytree(EXAMPLES / "uvicorn_workers", tmp_path, dirs_exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    # A new worker has five seconds to answer, fewer than the import of torch takes on a busy machine.
    patience = ["--timeout-worker-healthcheck", "120"]
    command = [*RUN, "-m", "uvicorn", "--workers", "2", *patience, "--port", port, "app:app"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL) as server:
        try:
            process, limit = _answer(port, server).split()
        finally:
            server.send_signal(signal.SIGINT)
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
    assert limit == "64"
    assert int(process) not in (os.getpid(), server.pid)


def _answer(port: str, server: "subprocess.Popen[bytes]") -> str:
    """Ask until a worker answers."""
    end = time.monotonic() + 200
    while time.monotonic() < end:
        assert server.poll() is None
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as response:
                return str(response.read().decode())
        except OSError:
            time.sleep(0.2)
    raise AssertionError("no worker has answered")
