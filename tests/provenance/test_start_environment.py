"""The environment with which the process was started, and what code in it made of that."""

from warm import cold

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
    done = cold("-c", SHOW, TORCHINDUCTOR_COMPILE_THREADS="8", TORCHDYNAMO_SUPPRESS_ERRORS="1")
    assert done.stdout.splitlines() == [
        "environment TORCHINDUCTOR_COMPILE_THREADS=1 (8 when the process started)",
        "environment TORCHDYNAMO_VERBOSE=1",
        "environment TORCHDYNAMO_SUPPRESS_ERRORS=1",
    ], done.stderr
