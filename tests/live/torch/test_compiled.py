"""`Patch.recompile` drops compiled code, while other threads run it too."""

import copy
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from live_state import in_child
from warm import Warm

import dynconf
from dynconf.live.torch import compiled as compiled_code

SOAK = Path(__file__).parents[3] / "soak" / "recompile.py"


def test_recompiling_while_four_threads_run_compiled_code(warm: Warm):
    """Blocks compile anew or are refused, on a busy machine most; no thread fails, and the process ends."""
    done = warm.run(str(SOAK), "--blocks", "10", "--seconds", "60", seconds=500)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    blocks, refused, stale, failures = map(int, re.findall(r"\d+", done.stdout))
    assert (stale, failures) == (0, 0)
    assert refused < blocks, done.stdout


@pytest.mark.real_torch
def test_dropping_inside_the_compiler_is_refused():
    """A backend that enters such a patch gets an error that says why; the process lives on."""
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
def test_threads_that_stay_where_they_are_are_looked_at_once(monkeypatch):
    """Looking at hundreds of deep stacks takes longer than the turn of a busy thread, which moves on."""
    compiled = torch.compile(lambda x: x + 3, backend="eager")
    compiled(torch.ones(2))  # there is something to drop
    end, looked_at = threading.Event(), Counter()
    waiting = [threading.Thread(target=end.wait, daemon=True) for _ in range(10)]
    busy = threading.Thread(target=lambda: [copy.copy([each]) for each in iter(end.is_set, True)])
    for each in (*waiting, busy):
        each.start()
    look = compiled_code._may_be_inside

    def look_for_long(frame, *, is_own):
        threads = sys._current_frames().items()  # where another may have left its frame
        thread = next((each for each, top in threads if is_own or top is frame), None)
        looked_at[thread] += 1
        if thread in [each.ident for each in waiting]:
            time.sleep(0.005)  # the busy thread goes on
        return look(frame, is_own=is_own)

    monkeypatch.setattr(compiled_code, "_may_be_inside", look_for_long)
    monkeypatch.setattr(compiled_code, "LONGEST_WAIT", 60)  # however busy the machine is
    try:
        with dynconf.patch(verbose=True).recompile():
            found = [looked_at[each.ident] for each in waiting]
    finally:
        end.set()
        busy.join()
    assert found == [1] * len(waiting)
