"""`Patch.recompile` drops compiled code, while other threads run it too."""

import subprocess
import sys
from pathlib import Path

import pytest

import dynconf

PROGRAM = Path(__file__).with_name("recompiling_program.py")


def test_recompiling_while_four_threads_run_compiled_code():
    """Most blocks compile anew, the others are refused; the process ends normally, and no thread fails."""
    done = subprocess.run(
        [sys.executable, PROGRAM, "10"], check=False, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[:6] == ["blocks", "10", "failures", "0", "stale", "0"]
    assert int(done.stdout.split()[7]) <= 5, done.stdout


def test_dropping_inside_the_compiler_is_refused():
    """A backend that enters such a patch gets an error that says why; the process lives on."""
    import torch

    errors = []

    def backend(graph, _inputs):
        with pytest.raises(dynconf.ConflictError, match="is compiling") as caught:
            dynconf.patch(verbose=True).recompile().__enter__()
        errors.append(caught.value)
        return graph.forward

    torch.compile(lambda x: x + 1, backend=backend)(torch.ones(2))
    assert len(errors) == 1
    assert dynconf.snapshot()["verbose"] is False
