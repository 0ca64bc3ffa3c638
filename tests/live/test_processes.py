"""Law 9, with real processes: forking while others hold the lock, and coming first from several threads."""

import copy
import os
import subprocess
import sys
import threading
import time

import pytest
from live_state import LIMIT, bind, config, default_of, in_child, lock_is_free, torch_reads

import dynconf
from dynconf.live.torch.lock import locked
from dynconf.live.torch.slot import COPY

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
can_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


def works():
    """Tell whether everything that takes the lock works here."""
    patch = dynconf.patch(recompile_limit=5)
    with dynconf.install(recompile_limit=32), patch:
        dynconf.install_ddp_resolver().uninstall()
        found = torch_reads(LIMIT)
    dynconf.reset()
    return found == 5 and torch_reads(LIMIT) == default_of(LIMIT)


@can_fork
def test_a_fork_while_others_install():
    """The child has no lock of theirs, and gets what is installed as a whole."""
    assert works()  # a child waits for ever for a module that another thread was importing
    stop = threading.Event()

    def install():
        while not stop.is_set():
            dynconf.install(recompile_limit=32, verify_correctness=True).uninstall()

    threads = [threading.Thread(target=install) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        assert all(in_child(works) for _ in range(10))
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert works()


@can_fork
def test_a_fork_while_the_lock_is_held():
    """Even if a thread never lets go, the child does not wait for it, and the parent not for ever."""
    held, done = threading.Event(), threading.Event()

    def hold():
        with locked.lock:
            held.set()
            done.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(60)
    start = time.monotonic()
    try:
        assert in_child(works)
    finally:
        done.set()
        thread.join()
    assert time.monotonic() - start < 30
    assert lock_is_free()


FLAG = "verify_correctness"


class Asking:
    """A value that looks whether the lock is free whenever it is copied or compared."""

    def __init__(self):
        self.found = []

    def __deepcopy__(self, _):
        self.found.append(lock_is_free())
        return self

    def __eq__(self, _):
        self.found.append(lock_is_free())
        return False

    __hash__ = object.__hash__


def test_no_lock_is_held_while_code_of_others_runs(monkeypatch):
    """A value's own methods may wait for another thread that installs."""
    value = Asking()
    slot = bind().slot(FLAG)
    monkeypatch.setattr(slot, "copy_value", copy.deepcopy)
    monkeypatch.setattr(slot, "check", lambda given: given)
    patch = dynconf.patch({FLAG: value})
    patch.extra_steps |= COPY
    with dynconf.install(verify_correctness=True) as installation:
        installation.slot_values = {slot: value}
        installation.uninstall()
        with installation, patch:
            setattr(config(), FLAG, Asking())
            patch(lambda: None)()
            with config().patch({FLAG: Asking()}):
                dynconf.origin(FLAG)
            dynconf.reset()
    assert len(value.found) >= 3  # entering the installation, the patch, and the patched function
    assert all(value.found)


FIRST = """
import sys, threading
import dynconf
uses = {
    "patch": lambda: dynconf.patch(recompile_limit=5).__enter__(),
    "install": lambda: dynconf.install(recompile_limit=5).uninstall(),
    "functorch": lambda: dynconf.functorch.patch(cse=False).__enter__(),
    "settings": lambda: dynconf.DynamoSettings(recompile_limit=3),
    "snapshot": lambda: dynconf.snapshot(),
    "resolver": lambda: dynconf.install_ddp_resolver().uninstall(),
    "backends": lambda: dynconf.list_backends,
    "origin": lambda: dynconf.functorch.origin("cse"),
}
failed = []
together = threading.Barrier(len(uses))
def use(name):
    together.wait()
    try:
        uses[name]()
    except BaseException as error:
        failed.append(f"{name}: {error!r}")
sys.setswitchinterval(1e-5)
threads = [threading.Thread(target=use, args=(name,)) for name in uses]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit("; ".join(failed) or None)
"""


@pytest.mark.real_torch
def test_threads_that_come_first():
    """Whoever begins to import torch, by whichever of its ends, all of them get it whole."""
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


ONLY_ITS_OWN = """
import sys
import dynconf
with dynconf.install():
    dynconf.reset()
assert "torch" not in sys.modules
with dynconf.compiler.install(job_id="a"):
    import torch
    assert torch.compiler.config.job_id == "a"
assert torch.compiler.config.job_id is None
assert "torch._dynamo" not in sys.modules
"""


@pytest.mark.since("2.7")  # job_id is one
@pytest.mark.catalogued  # else new flags are looked for in Dynamo's module, too
@pytest.mark.real_torch
def test_an_installation_imports_no_more_than_its_flags_need(warm):
    """Nothing for none, and for flags that torch has without Dynamo no Dynamo."""
    done = warm.run("-c", ONLY_ITS_OWN)
    assert (done.returncode, done.stderr) == (0, "")
