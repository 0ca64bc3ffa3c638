"""`Patch.recompile` drops compiled code, while other threads run it too."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import dynconf

SOAK = Path(__file__).parents[2] / "soak" / "recompile.py"


def test_recompiling_while_four_threads_run_compiled_code():
    """Most blocks compile anew, the others are refused; the process ends normally, and no thread fails."""
    program = [sys.executable, SOAK, "--blocks", "10", "--seconds", "60"]
    done = subprocess.run(program, check=False, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    blocks, refused, stale, failures = map(int, re.findall(r"\d+", done.stdout))
    assert (stale, failures) == (0, 0)
    assert refused <= blocks / 2, done.stdout


@pytest.mark.real_torch
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
