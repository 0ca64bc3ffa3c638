"""The environment with which the process was started, and what code in it made of that."""

import os
import subprocess
import sys

from dynconf.provenance import Origin

SHOW = """
import os
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
os.environ["TORCHDYNAMO_VERBOSE"] = "1"
from dynconf.catalogue.names import find
from dynconf.release import Release
from dynconf.sources.gather import gather
release = Release.at_hand()
state = gather(release).state
for name in ("inductor.compile_threads", "verbose", "suppress_errors"):
    print(state.origin(find(name, release)))
"""


def test_an_origin_says_what_the_user_had_exported():
    """A text that code of the process replaced is named; one that it added or left alone is not."""
    exported = {"TORCHINDUCTOR_COMPILE_THREADS": "8", "TORCHDYNAMO_SUPPRESS_ERRORS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", SHOW],
        env={**os.environ, **exported}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "environment TORCHINDUCTOR_COMPILE_THREADS=1 (8 when the process started)",
        "environment TORCHDYNAMO_VERBOSE=1",
        "environment TORCHDYNAMO_SUPPRESS_ERRORS=1",
    ]


def test_the_origin_of_a_snapshot_as_json_has_it_too():
    """So that a saved or collected origin can be made again."""
    origin = Origin("env", "X", "1", at_start="8")
    assert origin.as_json() == {"kind": "env", "name": "X", "raw": "1", "at_start": "8"}
    assert Origin(**origin.as_json()) == origin
