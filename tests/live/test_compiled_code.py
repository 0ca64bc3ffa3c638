"""`Patch.recompile` drops compiled code, while other threads run it too."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from live_state import in_child

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


@contextmanager
def compiling() -> Iterator[None]:
    """Have another thread compile for the length of the block, and hold Dynamo's lock meanwhile."""
    import torch

    has_begun, may_end = threading.Event(), threading.Event()

    def backend(graph, _inputs):
        has_begun.set()
        assert may_end.wait(60)
        return graph.forward

    compiled = torch.compile(lambda x: x + 2, backend=backend)
    thread = threading.Thread(target=compiled, args=(torch.ones(2),), name="compiler")
    thread.start()
    try:
        assert has_begun.wait(60)
        yield
    finally:
        may_end.set()
        thread.join()


@pytest.mark.real_torch
def test_a_long_compilation_in_another_thread_is_not_waited_for():
    """Not until it ends, which may take minutes: the error names the thread."""
    with compiling(), pytest.raises(dynconf.ConflictError, match="the thread 'compiler' is compiling"):
        dynconf.patch(verbose=True).recompile().__enter__()
    assert dynconf.snapshot()["verbose"] is False


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_does_not_wait_for_a_compilation_of_its_parent():
    """The thread that holds Dynamo's lock exists in the parent only."""

    def recompile() -> bool:
        with pytest.raises(dynconf.ConflictError, match="a thread that this process does not have"):
            dynconf.patch(verbose=True).recompile().__enter__()
        return True

    with compiling():
        assert in_child(recompile)


@pytest.mark.real_torch
def test_threads_that_take_long_to_look_at_are_not_looked_at_again(switching_often: None):
    """Hundreds of deep stacks take longer than a busy thread's turn, which has always moved meanwhile."""
    end = threading.Event()

    def deep(depth: int) -> None:
        _ = deep(depth - 1) if depth else end.wait(60)

    def busy() -> None:
        while not end.is_set():
            sum(range(1000))

    threads = [threading.Thread(target=deep, args=(200,), daemon=True) for _ in range(100)]
    threads.append(threading.Thread(target=busy, daemon=True))
    for each in threads:
        each.start()
    try:
        with dynconf.patch(verbose=True).recompile():
            assert dynconf.snapshot()["verbose"] is True
    finally:
        end.set()
        for each in threads:
            each.join()


@pytest.fixture
def switching_often() -> Iterator[None]:
    """Let threads take turns of a millisecond."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.001)
    yield
    sys.setswitchinterval(before)
