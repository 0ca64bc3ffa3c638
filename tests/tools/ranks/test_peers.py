"""Collective calls among real ranks that are frozen, dead, late, restarted, or somewhere else."""

import re

import pytest

pytestmark = pytest.mark.real_torch

TCP = """
import os, signal, time
from pathlib import Path
from torch.distributed.distributed_c10d import _get_default_store
first = _get_default_store()
first.set(f"pid {rank}", str(os.getpid()))
pids = [int(first.get(f"pid {each}")) for each in range(world)]
if not rank:
    store = distributed.TCPStore("127.0.0.1", 0, world, True, wait_for_workers=False)
    first.set("port", str(store.port))
else:
    store = distributed.TCPStore("127.0.0.1", int(first.get("port")), world, False)
distributed.destroy_process_group()
distributed.init_process_group("gloo", store=store, rank=rank, world_size=world)
distributed.barrier()
"""
"""Puts the group on a store over TCP, which rank 0 hosts."""

ATTEMPT = """
def attempt(call, *arguments, **options):
    began = time.monotonic()
    try:
        call(*arguments, **options)
        said = "done"
    except (dynconf.DynconfError, dynconf.DynconfWarning) as error:
        said = f"{type(error).__name__}: {error}".partition("; torch says")[0]
    return said, time.monotonic() - began
check = dynconf.distributed.check_consistency
broadcast = dynconf.distributed.broadcast
collect = dynconf.distributed.collect
import time
from pathlib import Path
def wait_for(*files):
    end = time.monotonic() + 20
    while not all(map(Path.exists, files)) and time.monotonic() < end:
        time.sleep(0.01)
"""


def test_a_frozen_host_of_the_store(ranks, tmp_path):
    """It holds nobody longer than the timeout and a few seconds; who came is unknown then."""
    program = f"""
{TCP}{ATTEMPT}
done = [Path({str(tmp_path)!r}, str(each)) for each in range(world)]
if not rank:
    os.kill(os.getpid(), signal.SIGSTOP)
while Path(f"/proc/{{pids[0]}}/stat").read_text().split()[2] != "T":
    time.sleep(0.01)
result = attempt([check, broadcast, collect][rank % 2], timeout=1)
done[rank].touch()
if rank == 1:
    wait_for(*done[1:])
    os.kill(pids[0], signal.SIGKILL)
"""
    host, *others = ranks.run(3, program)
    assert host == "hangs"
    for said, seconds in others:
        assert "unknown which of ranks 0-2 came, because the store of the group does not answer" in said
        assert 0.9 < seconds < 6


def test_ranks_that_are_frozen_or_die_on_the_way(ranks, tmp_path):
    """Whoever waits for them names them; who was frozen ends with an error, too, once it goes on."""
    program = f"""
{TCP}{ATTEMPT}
done = [Path({str(tmp_path)!r}, str(each)) for each in range(world)]
if rank == 3:
    os.kill(os.getpid(), signal.SIGSTOP)
result = attempt(check, timeout=1)
done[rank].touch()
if not rank:
    wait_for(*done[:3])
    os.kill(pids[3], signal.SIGCONT)
    wait_for(done[3])
"""
    *waiting, frozen = ranks.run(4, program)
    for said, seconds in waiting:
        assert said.endswith(": rank 3 of ranks 0-3 did not come")
        assert seconds < 6
    assert "did not come" not in frozen[0]
    assert frozen[0].startswith("MissingRankError")


def test_a_rank_that_kills_the_store_with_it(ranks):
    """Nobody can say then who came, and nobody waits for the answer."""
    program = f"""
{TCP}{ATTEMPT}
if not rank:
    time.sleep(0.5)
    os._exit(0)
result = attempt(check, timeout=20)
"""
    host, *others = ranks.run(3, program)
    assert host == "hangs"
    for said, seconds in others:
        assert re.search(r"failed after \d\.\d s on rank \d: unknown which of ranks 0-2 came", said)
        assert seconds < 5


def test_only_those_that_are_not_there_are_blamed_after_a_restart_in_the_process(ranks, tmp_path):
    """The number of a call belongs to the group, not to its name, which returns with the next group."""
    program = f"""
{ATTEMPT}
folder = Path({str(tmp_path)!r})
if not rank:
    attempt(check, timeout=0.3)
    (folder / "failed").touch()
wait_for(folder / "failed")
distributed.destroy_process_group()
distributed.init_process_group("gloo", init_method=f"file://{{folder}}/again", rank=rank, world_size=world)
check(timeout=20)
if rank == 2:
    wait_for(*(folder / str(each) for each in (0, 1, 3)))
else:
    result = attempt(check, timeout=0.5)
    (folder / str(rank)).touch()
"""
    for rank, answer in enumerate(ranks.run(4, program)):
        if rank != 2:
            assert answer[0].endswith(f"on rank {rank}: rank 2 of ranks 0-3 did not come")


def test_a_rank_that_refuses_a_call_and_ends_is_named(ranks):
    """Its message ends with it, as when nothing catches the error."""
    program = f"""
{TCP}{ATTEMPT}
if rank == 1:
    try:
        check(timeout=-1)
    except dynconf.InvalidValueError:
        os.kill(pids[rank], signal.SIGKILL)
while Path(f"/proc/{{pids[1]}}").exists():
    time.sleep(0.01)
result = attempt(check, timeout=20)[0]
if not rank:
    first.wait(["done"])
else:
    first.set("done", "")
"""
    host, refusing, other = ranks.run(3, program)
    assert refusing == "hangs"
    for said in (host, other):
        assert re.search(r"failed after \d\.\d s on rank \d: rank 1 of ranks 0-2 refused the call", said)


def test_after_a_call_that_one_rank_made_alone_nobody_is_blamed_that_is_there(ranks, tmp_path):
    """The group cannot be used after that, and says so."""
    program = f"""
{ATTEMPT}
file = Path({str(tmp_path)!r}, "done")
result = [attempt(check, timeout=0.3)[0] if not rank else ""]
if not rank:
    file.touch()
wait_for(file)
result.append(attempt(check, timeout=1)[0])
"""
    (alone, after), *others = ranks.run(3, program)
    assert alone.endswith("waited 0.3 s on rank 0: ranks 1-2 of ranks 0-2 did not come")
    assert after.startswith(
        "MissingRankError: this group cannot be used any more, because a call in it failed"
    )
    for _, said in others:
        assert re.search(r"on rank \d: all of ranks 0-2 came", said)


def test_unequal_timeouts_blame_only_those_that_are_late(ranks, tmp_path):
    """Who gives up first has come, as has everybody who is still waiting."""
    program = f"""
{ATTEMPT}
given_up = Path({str(tmp_path)!r}, "given up")
if rank == 2:
    wait_for(given_up)
result = attempt(check, timeout=[0.5, 20, 20][rank])
given_up.touch()
"""
    (first, _), (second, seconds), (late, _) = ranks.run(3, program)
    assert first.endswith("rank 2 of ranks 0-2 did not come")
    assert seconds < 8
    assert re.search(r"rank 2 of ranks 0-2 did not come|all of ranks 0-2 came", second)
    assert re.search(r"all of ranks 0-2 came", late)


def test_ranks_in_different_calls_are_an_error_on_all(ranks):
    """Which is named with its ranks, and the next call works."""
    program = f"""
{ATTEMPT}
calls = [broadcast, check, collect]
result = [attempt(calls[each], timeout=20)[0] for each in (min(rank, 1), rank, 1)]
"""
    done = ranks.run(3, program)
    differ = "ConflictError: not the same call on all ranks: broadcast on rank 0; check_consistency on "
    assert done == [[f"{differ}ranks 1-2", f"{differ}rank 1; collect on rank 2", "done"]] * 3


def test_another_dynconf_is_an_error_on_all(ranks):
    """By its version, or, where messages have another format, by that."""
    program = f"""
{ATTEMPT}
from dynconf.tools.ranks import peers
from dynconf import version
if rank == 1:
    version.__version__ = "99.0"
result = [attempt(each, timeout=20)[0] for each in (check, broadcast, collect)]
result.append([each.dynconf for each in collect(timeout=20).values()])
if rank == 1:
    peers.FORMAT = 7
result += [attempt(each, timeout=20)[0] for each in (check, broadcast, collect)]
"""
    import dynconf

    own = dynconf.__version__
    differ = f"ConflictError: not the same dynconf on all ranks: {own} on ranks 0,2; 99.0 on rank 1"
    for rank, (first, second, third, versions, *formats) in enumerate(ranks.run(3, program)):
        assert (first, second, third) == (differ, differ, "done")
        assert versions == [own, "99.0", own]
        used = 7 if rank == 1 else 1
        for each in formats:
            assert f"the format of messages is {used} in dynconf" in each
            assert "1 to 7 on all ranks" in each


def test_a_refused_call_on_one_rank_is_an_error_on_all_and_leaves_none_behind(ranks, tmp_path):
    """There it is the mistake, before the others come; they hear who refused; the next call works."""
    program = f"""
{ATTEMPT}
refused = Path({str(tmp_path)!r}, "refused")
wrong = -1 if rank == 1 else 20
if rank != 1:
    wait_for(refused)
came_later = rank == 1 or refused.exists()
result = [attempt(each, timeout=wrong)[0] for each in (check, broadcast, collect)]
result += [attempt(check, on_difference="shout" if rank == 1 else "raise", timeout=20)[0]]
refused.touch()
result += [attempt(each, timeout=20)[0] for each in (check, broadcast, collect)]
result.append(came_later)
"""
    done = ranks.run(3, program)
    names = ["check_consistency", "broadcast", "collect", "check_consistency"]
    for rank, (*texts, came_later) in enumerate(done):
        assert came_later
        assert texts[4:] == ["done"] * 3
        if rank == 1:
            assert all("InvalidValueError: timeout: -1 is not a time" in text for text in texts[:3])
            assert texts[3] == "InvalidValueError: on_difference: expected 'raise' or 'warn', got 'shout'"
        else:
            why = "because rank 1 refuses it; the error there says why"
            assert texts[:4] == [f"ConflictError: {name} is not done on any rank, {why}" for name in names]


def test_a_device_mesh_is_a_group(ranks):
    """Of one dimension, or of all ranks; on a rank that is not in it nothing happens."""
    program = f"""
{ATTEMPT}
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
torch._dynamo.config.recompile_limit = [8, 8, 9, 9][rank]
mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
part = DeviceMesh("cpu", [0, 1])
result = [attempt(check, each, timeout=20)[0] for each in (mesh["tp"], mesh["dp"], mesh, part)]
result.append(sorted(collect(part, timeout=20)))
result.append(attempt(check, "tp", timeout=20)[0])
"""
    for rank, (tp, dp, whole, part, collected, wrong) in enumerate(ranks.run(4, program)):
        assert tp == part == "done"
        assert (
            dp
            == f"ConflictError: recompile_limit: 8 on rank {rank % 2}; 9 (assignment) on rank {2 + rank % 2}"
        )
        assert whole == "ConflictError: recompile_limit: 8 on ranks 0-1; 9 (assignment) on ranks 2-3"
        assert collected == ([0, 1] if rank < 2 else [])
        assert wrong.startswith("InvalidValueError: group: 'tp' is not a group of ranks")


def test_imports_do_not_count(ranks):
    """Neither on the rank that sends nor on those that receive; and a rank that imports has come."""
    program = f"""
{ATTEMPT}
import dynconf.tools.ranks.distributed, sys
slow = "torch._inductor.config_comms"
class Slow:
    def find_spec(self, name, *_):
        if name == slow:
            time.sleep(seconds)
for name in [name for name in sys.modules if name == slow]:
    del sys.modules[name]
import dynconf.live.binding
sys.meta_path.insert(0, Slow())
seconds = 2
result = [attempt(broadcast, timeout=1)]
"""
    for (said, seconds), *_ in ranks.run(2, program):
        assert said == "done"
        assert seconds > 2


@pytest.mark.parametrize("copy", ["to", "cpu"])
def test_a_copy_that_blocks_ends_with_the_timeout(ranks, copy):
    """As one to or from a GPU does behind a collective call that waits for a frozen rank."""
    program = f"""
{ATTEMPT}
from threading import Event
setattr(torch.Tensor, {copy!r}, lambda *_: Event().wait(30))
result = attempt(check, timeout=1)
"""
    ((said, seconds),) = ranks.run(1, program)
    assert said.startswith("MissingRankError: waited 1 s on rank 0: all of rank 0 came")
    assert seconds < 6


def test_a_rank_that_is_interrupted_between_two_messages_cannot_go_on(ranks, tmp_path):
    """Its next message would be taken for the one that it has missed."""
    program = f"""
{ATTEMPT}
given_up = Path({str(tmp_path)!r}, "given up")
def ctrl_c(*_):
    raise KeyboardInterrupt
torch._dynamo.config.recompile_limit = 8 + rank
if rank == 1:
    dynconf.distributed.in_differing_buckets = ctrl_c
try:
    result = attempt(check, timeout=0.3)[0]
except KeyboardInterrupt:
    result = attempt(collect, timeout=20)[0]
    wait_for(given_up)
given_up.touch()
"""
    first, second = ranks.run(2, program)
    assert first.endswith(" on rank 0: all of ranks 0-1 came, but not all of them continued")
    assert second.endswith("because a call in it failed: KeyboardInterrupt on rank 1")
