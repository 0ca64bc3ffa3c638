"""Tests of warm.py and warm_python.py: a fork behaves like Python, and so does the command."""

import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest
from spelling import without_source
from warm import Warm, cold

pytestmark = pytest.mark.real_torch

PROGRAMS = [
    ["-c", "import sys; print(sys.argv, repr(sys.path[0]), __name__)", "a", "-b"],
    ["-c", "1 / 0"],
    ["-c", "not python"],
    ["-c", "raise KeyboardInterrupt"],
    ["-c", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"],
    ["-c", "import sys; sys.exit('said on the way out')"],
    ["-c", "import atexit, sys; atexit.register(print, 'the end'); sys.exit(3)"],
    ["-m", "no_such_module"],
    ["-m", "module", "a"],
    ["module.py", "a"],
]
TORCH = """
import sys
assert not [name for name in sys.modules if name.startswith("torch")]
import torch
print(sorted(name for name in sys.modules if name.startswith("torch")))
print(torch.nn.Linear(3, 2)(torch.ones(1, 3)).shape, torch.__spec__.origin, sorted(vars(torch)))
"""


def test_programs_run_as_in_a_process_of_their_own(warm: Warm) -> None:
    """The same output, complaints, exit code and signal."""
    Path("module.py").write_text(
        "import sys; print(sys.argv, sys.path[0], __name__, __file__); sys.exit(4)\n"
    )
    for words in PROGRAMS:
        alone = cold(*words)
        done = warm.run(*words)
        complaint = without_source(alone.stderr) if words[0] == "-c" else alone.stderr
        assert (done.returncode, done.stdout, done.stderr) == (alone.returncode, alone.stdout, complaint)


def test_torch_is_not_there_until_it_is_imported(warm: Warm) -> None:
    """An import then gives the usual module, and the same modules with it."""
    assert warm.run("-c", TORCH).stdout == cold("-c", TORCH).stdout != ""


def test_torch_reads_the_variables_of_the_program(warm: Warm) -> None:
    """Those of its config modules, which are the ones that all of torch uses."""
    program = "import torch._dynamo as d; print(d.config.verbose, d.convert_frame.config is d.config)"
    assert warm.run("-c", program).stdout == "False True\n"
    assert warm.run("-c", program, TORCHDYNAMO_VERBOSE="1").stdout == "True True\n"


def test_without_other_variables_nothing_is_executed_again(warm: Warm) -> None:
    """Torch reads the comments of its config modules each time, in half of the time of most programs."""
    program = "import tokenize; tokenize.tokenize = None; import torch._dynamo.config"
    with mock.patch.dict(os.environ, warm.environ, clear=True):
        assert warm.run("-c", program).returncode == 0
        assert warm.run("-c", program, TORCHDYNAMO_VERBOSE="1").returncode == 1


INHERITING = """
import os, sys
os.write(int(sys.argv[1]), b"to a file that was inherited")
print(sys.argv[0], os.getcwd(), os.environ["OF_THE_TEST"])
sys.exit("said on the way out")
"""


def test_a_program_has_what_it_inherits(warm_python: str) -> None:
    """Files, folder, variables and words; and its exit code is that of the command."""
    done = []
    for python in (sys.executable, warm_python):
        reading, writing = os.pipe()
        command = [python, "-u", "-c", INHERITING, str(writing)]
        environ = {**os.environ, "OF_THE_TEST": "1"}
        program = subprocess.run(
            command, env=environ, pass_fds=[writing], capture_output=True, text=True, check=False
        )
        os.close(writing)
        with os.fdopen(reading) as file:
            done.append((file.read(), program.returncode, program.stdout, program.stderr))
    assert done[0] == done[1]


def test_a_signal_reaches_it(warm_python: str) -> None:
    """A program that is ended does not go on."""
    words = ["-c", "import time; print('begins', flush=True); time.sleep(20); print('goes on')"]
    with subprocess.Popen([warm_python, *words], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "begins\n"
        program.terminate()
        assert program.stdout.read() == ""
    assert program.returncode
