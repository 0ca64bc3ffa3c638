"""Tests of warm_python.py: the command behaves like Python."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.real_torch

PROGRAM = """
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
        command = [python, "-u", "-c", PROGRAM, str(writing)]
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
