"""Law 2 if Ctrl-C comes at the lock, where another thread may change the chain meanwhile.

Each test has both chains: that of a thread or task, and that of the process, which torch needs up to 2.11.
"""

import signal
import sys
import threading
import time

import pytest
from live_state import (
    A_SET,
    LIMIT,
    NESTED,
    RawState,
    default_of,
    interrupted_at_each_line,
    lock_is_free,
    patch_of_anything,
    raw,
    torch_reads,
)

from dynconf.live import chain as chain_module
from dynconf.live.patch import Patch
from dynconf.live.torch.lock import locked

pytestmark = pytest.mark.filterwarnings("ignore::dynconf.errors.ConflictWarning")
both_chains = pytest.mark.parametrize(
    "chain", [chain_module.PER_CONTEXT, chain_module.SHARED], ids=["context", "process"]
)
if_traced = pytest.mark.skipif(
    sys.version_info[:2] == (3, 12), reason="Python 3.12 does not trace every instruction"
)
DEBUG = "verify_correctness"


def on(chain, **flags):
    """Return a patch that is entered on that chain."""
    made = patch_of_anything(flags)
    return Patch()._fill(made._line, chain, made.slot_values, made.extra_steps, made.storage)


def entered(chain):
    """Return the patches on a chain, the highest first."""
    return [frame.change for frame in chain.frames()]


def check_and_leave(chain, expected, before):
    """Check which patches are in force and that the highest one counts; leave them, the highest first."""
    assert set(entered(chain)) == set(expected)
    assert len(entered(chain)) == len(expected)
    while found := entered(chain):
        for name in (LIMIT, DEBUG):
            values = [each.slot_values for each in found]
            set_ = [value for each in values for slot, value in each.items() if slot.name == name]
            assert torch_reads(name) == (set_[0] if set_ else default_of(name))
        found[0].__exit__(None, None, None)
    assert raw() == before
    assert lock_is_free()


@if_traced
@both_chains
@pytest.mark.parametrize("above", [0, 1])
def test_an_interruption_at_the_lock_leaves_nothing_half_done(chain, above):
    """Wherever Python looks for signals, entering is undone, and leaving is done to its end.

    Python 3.12 and 3.13 leave the jump at the end of a loop out of a `try`, where an `if` comes last.
    """
    before = raw()
    one = on(chain, **{DEBUG: True, "recompile_limit": 3, A_SET: {dict}, NESTED: True})
    other = on(chain, recompile_limit=5)
    for _ in interrupted_at_each_line(one.__enter__, KeyboardInterrupt, unit="opcode"):
        check_and_leave(chain, [], before)

    def enter():
        for each in (one, *[other] * above):
            each.__enter__()

    one.__exit__(None, None, None)
    enter()
    for _ in interrupted_at_each_line(
        lambda: one.__exit__(None, None, None), KeyboardInterrupt, unit="opcode"
    ):
        check_and_leave(chain, [other] * above, before)
        enter()
    check_and_leave(chain, [other] * above, before)


@both_chains
def test_only_one_entering_of_a_patch_that_is_entered_twice_is_left(chain):
    """An interruption of the inner `__exit__` leaves the outer block as it is."""
    before, one = raw(), on(chain, recompile_limit=3)
    one.__enter__()
    one.__enter__()
    for _ in interrupted_at_each_line(lambda: one.__exit__(None, None, None), KeyboardInterrupt):
        assert len(entered(chain)) in {1, 2}  # 2 if it came before the first instruction in a `try`
        assert torch_reads(LIMIT) == 3
        while len(entered(chain)) < 2:
            one.__enter__()
    check_and_leave(chain, [one], before)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals to a thread are POSIX")
@pytest.mark.parametrize("is_shared", [False, True])
def test_leaving_that_is_interrupted_while_it_waits_for_the_lock_is_done(is_shared):
    """Meanwhile another thread changes the chain, perhaps by leaving its own entering of the same patch."""
    assert threading.current_thread() is threading.main_thread()
    chain, before = chain_module.SHARED, RawState()
    one, other = on(chain, recompile_limit=3), on(chain, recompile_limit=5)
    has_lock, may_wait = threading.Event(), threading.Event()

    def change_and_interrupt():
        if is_shared:
            one.__enter__()
        with locked:
            has_lock.set()
            may_wait.wait()
            time.sleep(0.2)
            if is_shared:
                one.__exit__(None, None, None)
            else:
                other.__enter__()
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.2)

    one.__enter__()
    thread = threading.Thread(target=change_and_interrupt)
    thread.start()
    has_lock.wait()
    may_wait.set()
    with pytest.raises(KeyboardInterrupt):
        one.__exit__(None, None, None)
    thread.join()
    assert entered(chain) == ([] if is_shared else [other])
    while entered(chain):
        other.__exit__(None, None, None)
    assert RawState() == before
