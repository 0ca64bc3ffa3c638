"""Programs that start processes of their own, under `dynconf run`: all of them read the settings.

`make tools` installs the programs; without it, only those are tested that are there anyway.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from spelling import spelled

pytestmark = pytest.mark.real_torch

RUN = (sys.executable, "-m", "dynconf", "run")


@pytest.fixture(autouse=True)
def _project(tmp_path: Path) -> None:
    """Work in a folder with settings."""
    (tmp_path / "dynconf.toml").write_text(
        'recompile_limit = 64\noptimize_ddp = "python_reducer"\ncompiled_autograd = true\n'
    )


def run(*words: str) -> str:
    """Run a program under `dynconf run` and return its output; it must end well."""
    done = subprocess.run([*RUN, *words], capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def read(output: str) -> list[str]:
    """Return what the processes have read, in order."""
    return sorted(line for line in output.splitlines() if line.startswith("read"))


RANK = spelled("""
import os, sys
import torch._dynamo.config as c
sys.stdout.write(f"read {os.environ.get('LOCAL_RANK')} {c.recompile_limit} {c.optimize_ddp}\\n")
""")


def test_accelerate() -> None:
    """The process that `accelerate launch` starts."""
    pytest.importorskip("accelerate")
    Path("train.py").write_text(RANK)
    output = run("-m", "accelerate.commands.launch", "--cpu", "--num_processes", "1", "train.py")
    assert [line.split()[-2:] for line in read(output)] == [["64", "python_reducer"]]


JOBS = spelled("""
import joblib

def limit(_):
    import torch._dynamo.config as c
    return c.recompile_limit

if __name__ == "__main__":
    print(joblib.Parallel(n_jobs=2)(joblib.delayed(limit)(each) for each in range(2)))
""")


def test_joblib() -> None:
    """The workers of its backend loky."""
    pytest.importorskip("joblib")
    Path("program.py").write_text(JOBS)
    assert run("program.py") == "[64, 64]\n"


def test_a_notebook() -> None:
    """The kernel that nbconvert starts."""
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    source = spelled("import torch._dynamo.config as c\nprint(c.recompile_limit)")
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
    kernel = {"display_name": "Python", "language": "python", "name": "python3"}
    notebook = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
    Path("notebook.ipynb").write_text(json.dumps(notebook))
    output = run("-m", "nbconvert", "--to", "notebook", "--execute", "--stdout", "notebook.ipynb")
    (cell,) = json.loads(output)["cells"]
    assert "".join(cell["outputs"][0]["text"]) == "64\n"


APP = spelled("""
import os
import torch._dynamo.config as c

with open("workers", "a") as file:
    file.write(f"{os.getpid()} {c.recompile_limit}\\n")

async def app(scope, receive, send):
    pass
""")


def workers_of(stop: signal.Signals, count: int, *command: str) -> list[list[str]]:
    """Start a server, wait for its workers, end it, and return what they have written."""
    Path("app.py").write_text(APP)
    log = Path("workers")
    with subprocess.Popen([*RUN, "-m", *command, "app:app"]) as server:
        try:
            end = time.monotonic() + 200
            while len(log.read_text().splitlines() if log.exists() else []) < count:
                assert time.monotonic() < end, "no worker has started"
                assert server.poll() is None
                time.sleep(0.2)
        finally:
            server.send_signal(stop)
            try:
                server.wait(60)
            except subprocess.TimeoutExpired:
                server.kill()
    return [line.split() for line in log.read_text().splitlines()]


def test_uvicorn() -> None:
    """The process that it starts again whenever a file changes; test_example_tools.py has its workers."""
    pytest.importorskip("uvicorn")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    lines = workers_of(signal.SIGINT, 1, "uvicorn", "--reload", "--port", port)
    assert {limit for _, limit in lines} == {"64"}
    assert {worker for worker, _ in lines} != {str(os.getpid())}


def test_gunicorn() -> None:
    """Its workers, which it forks."""
    pytest.importorskip("gunicorn")
    lines = workers_of(signal.SIGTERM, 2, "gunicorn", "--workers", "2", "--bind", "127.0.0.1:0")
    assert {limit for _, limit in lines} == {"64"}
