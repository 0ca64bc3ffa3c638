"""Ranks: real processes in groups on gloo that compare their configurations, and share one."""

import importlib.util
import re
from dataclasses import asdict
from pathlib import Path

import pytest
from live_state import PER_CONTEXT

import dynconf
from dynconf.catalogue.names import find
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.tools.ranks.distributed import RankReport

pytestmark = pytest.mark.real_torch


CHECK = "dynconf.distributed.check_consistency(timeout=20); result = 'agree'"

TOLD = """
def told(group=None, **options):
    try:
        dynconf.distributed.check_consistency(group, **options, timeout=20)
        return "agree"
    except dynconf.DynconfError as error:
        return str(error)
"""
"""Checks that the ranks agree, and returns what is told if they do not."""


def test_without_ranks_there_is_nothing_to_compare():
    """A program that forgot to start them hears so."""
    for call in ("check_consistency", "broadcast", "collect"):
        with pytest.raises(dynconf.InvalidValueError, match="there are no ranks: call "):
            getattr(dynconf.distributed, call)()


@pytest.mark.parametrize("world", [1, 2, 8])
def test_ranks_that_agree(ranks, world):
    """However the same values came about, nothing is said."""
    program = """
    if rank % 2:
        torch._dynamo.config.recompile_limit = 64
        import torch._functorch.config
        torch._functorch.config.cse = False
    else:
        dynconf.patch(functorch={"cse": False}, cache_size_limit=64).__enter__()
        dynconf.patch(verbose=False).__enter__()
    """
    program = program.replace("\n    ", "\n")
    if world == 1:
        program = ""
    assert ranks.run(world, program + CHECK) == ["agree"] * world


def test_one_of_eight_differs(ranks):
    """Every rank raises the same: flags of all modules, values with their origins, and ranks in groups."""
    program = """
if rank == 3:
    torch._dynamo.config.recompile_limit = 99
    dynconf.install(functorch={"cse": False}, reorderable_logging_functions={print})
"""
    installed = "(install at <string>:4) on rank 3"
    lines = [
        f"functorch.cse: True on ranks 0-2,4-7; False {installed}",
        "recompile_limit: 8 on ranks 0-2,4-7; 99 (assignment) on rank 3",
        f"reorderable_logging_functions: set() on ranks 0-2,4-7; {{<built-in function print>}} {installed}",
    ]
    done = ranks.run(8, program + CHECK)
    assert done == [["ConflictError", "\n".join(lines)]] * 8


def test_all_modules_of_the_stack(ranks):
    """Flags of a module that only one rank has used are found, and broadcast to the others."""
    program = f"""{TOLD}
if rank == 1:
    dynconf.patch(inductor={{"max_autotune": True, "triton.cudagraphs": True}}).__enter__()
    torch.fx.experimental._config.extended_debug_cpp = True
result = told().splitlines()
dynconf.distributed.broadcast(1, timeout=20)
assert told() == "agree"
import torch._inductor.config
result.append(torch._inductor.config.triton.cudagraphs)
"""
    ways = {"fx.extended_debug_cpp": "assignment", "inductor.max_autotune": "patch at <string>:10"}
    ways["inductor.triton.cudagraphs"] = ways["inductor.max_autotune"]
    differ = [f"{name}: False on ranks 0,2; True ({way}) on rank 1" for name, way in ways.items()]
    assert ranks.run(3, program) == [[*differ, True]] * 3


def test_huge_values(ranks):
    """Values that differ only beyond the length of a message are different, and are sent whole."""
    program = f"""{TOLD}
config = torch._inductor.config
config.post_grad_fusion_options = {{"long": "y" * 1_000_000 + str(rank)}}
text = told()
dynconf.distributed.broadcast(1, timeout=20)
result = [text, config.post_grad_fusion_options["long"][-1]]
"""
    (message, end), other = ranks.run(2, program)
    assert [message, end] == other
    assert end == "1"
    shown = re.fullmatch(
        r"inductor.post_grad_fusion_options: (.*) \[(\w+)\] on rank 0; (.*) \[(\w+)\] on rank 1", message
    )
    assert shown[1] == shown[3]
    assert shown[2] != shown[4]


NEWER = f"""{TOLD}
from torch.utils._config_module import Config, _ConfigEntry
torch.__version__ = "2.16.0"
config = torch._dynamo.config
if HAS:
    config._config["brand_new"] = _ConfigEntry(Config(default=3, value_type=int), "brand_new")
if rank == 1:
    config.brand_new = 4
result = [told()]
try:
    dynconf.distributed.broadcast(1, timeout=20)
    assert told() == "agree"
    result.append(config.brand_new)
except dynconf.DynconfError as error:
    result.append(str(error))
"""


@pytest.mark.since("2.7")  # torch's entries of a config module were of another form
def test_flags_newer_than_the_catalogue(ranks):
    """Compared and broadcast by name; a rank whose torch lacks one is named, and nothing is installed."""
    differ = "brand_new: 3 on ranks 0,2; 4 (assignment) on rank 1"
    assert ranks.run(3, NEWER.replace("HAS", "True")) == [[differ, 4]] * 3
    first, second, _ = ranks.run(3, NEWER.replace("HAS", "rank"))
    assert first[0] == "brand_new: no such flag on rank 0; 4 (assignment) on rank 1; 3 on rank 2"
    assert first[1].startswith("there is no flag 'brand_new'")
    assert second[1].startswith("nothing is installed, because rank 0 cannot install it: rank 0: there is no")


def test_only_some_flags(ranks):
    """Flags under any of their names, or all but some; paths count only if they are named."""
    program = f"""{TOLD}
torch._dynamo.config.recompile_limit = 10 + rank
torch._dynamo.config.debug_dir_root = f"/tmp/{{rank}}"
wanted = (["verbose", "functorch.cse"], ["cache_size_limit"], "debug_dir_root", [], "verbos")
result = [told(flags=flags) for flags in wanted]
both = ["cache_size_limit", "debug_dir_root"]
result += [told(**options) for options in (
    {{"ignore": "cache_size_limit"}}, {{"ignore": {{"recompile_limit"}} | dynconf.ignore.HOST}},
    {{"ignore": ()}}, {{"flags": both, "ignore": ["recompile_limit"]}}, {{"ignore": ["recompil_limit"]}},
)]
torch._dynamo.config.recompile_limit = 10
result.append(told())
"""
    limit = "recompile_limit: 10 (assignment) on rank 0; 11 (assignment) on rank 1"
    root = "debug_dir_root: '/tmp/0' (assignment) on rank 0; '/tmp/1' (assignment) on rank 1"
    unknown = "ignore: there is no flag 'recompil_limit': did you mean 'recompile_limit'?"
    verbos = "there is no flag 'verbos': did you mean 'verbose'?"
    answers = ["agree", limit, root, "agree", verbos, "agree", "agree", limit, root, unknown, "agree"]
    assert ranks.run(2, program) == [answers] * 2


def test_a_difference_as_a_warning(ranks):
    """One for each flag, on the rank that asks for it; whatever is no difference stays an error."""
    program = """
if rank:
    torch._dynamo.config.recompile_limit = 99
    torch._dynamo.config.verbose = True
way = ["warn", "raise"][rank]
result = []
for flags in (None, ["verbos"] if rank else []):
    try:
        dynconf.distributed.check_consistency(on_difference=way, flags=flags, timeout=20)
        result.append("done")
    except (dynconf.DynconfError, TimeoutError) as error:
        result.append(str(error))
"""
    differences = [
        "recompile_limit: 8 on rank 0; 99 (assignment) on rank 1",
        "verbose: False on rank 0; True (assignment) on rank 1",
    ]
    (first, warned), second = ranks.run(2, program)
    assert warned == differences
    assert first[0] == "done"
    assert second[0] == "\n".join(differences)
    assert re.search("rank 1 (refuses it|of ranks 0-1 refused the call)", first[1])
    assert second[1].startswith("there is no flag 'verbos'")


def test_what_tells_the_ranks_apart_is_collected(ranks):
    """Without an error, whatever it is; an answer that cannot be had says so."""
    program = """
import dynconf.tools.ranks.distributed
if rank == 1:
    dynconf.patch(recompile_limit=64, inductor={"max_autotune": True}).__enter__()
    torch.set_float32_matmul_precision("high")
    torch.use_deterministic_algorithms(True)
    torch.backends.cudnn.allow_tf32 = False
if rank == 2:
    torch.__version__ = ".".join(torch.__version__.split(".")[:2]) + ".9"
    torch._dynamo.config.reorderable_logging_functions = {lambda: 0}
    torch.get_float32_matmul_precision = lambda: 1 / 0
reports = dynconf.distributed.collect(timeout=20)
again = dynconf.distributed.collect(timeout=20)
result = [
    [
        each.torch, each.dynconf, each.fingerprint,
        each.flags, {name: origin.kind for name, origin in each.origins.items()},
        each.matmul_precision, each.tf32, each.deterministic_algorithms,
        each.triton is None, each.compiler, each.device,
    ]
    for each in reports.values()
]
assert reports == again and list(reports) == [0, 1, 2]
"""
    done = ranks.run(3, program)
    first, second, third = done[0]
    assert done == [done[0]] * 3
    tf32 = {"matmul": False, "cudnn": True}
    assert first[:2] == [Release.at_hand().version, dynconf.__version__]
    assert first[3:8] == [{}, {}, "highest", tf32, "default"]
    assert re.fullmatch("[0-9a-f]{64}", first[2])
    assert re.fullmatch("[0-9a-f]{64}", second[2])
    assert first[2] != second[2]
    patched = dict.fromkeys(["recompile_limit", "inductor.max_autotune"], "patch")
    # torch sets this one together with the mode, where it has it.
    implied = ["inductor.deterministic"] if find("inductor.deterministic", Release.at_hand()) else []
    assert second[3] == {"recompile_limit": 64, "inductor.max_autotune": True} | dict.fromkeys(implied, True)
    assert second[4] == patched | dict.fromkeys(implied, "assignment")
    assert second[5:8] == ["high", {"matmul": True, "cudnn": False}, "error"]
    assert third[0] == "{}.{}.9".format(*Release.at_hand().minor)
    assert third[2].startswith("unknown: reorderable_logging_functions")
    assert list(third[3]) == ["reorderable_logging_functions"]
    assert third[5] == "unknown: ZeroDivisionError: division by zero"
    assert first[8:] == second[8:] == third[8:]
    assert first[8] == (importlib.util.find_spec("triton") is None)
    assert "unknown" not in "".join(first[9:])


def test_a_report_of_a_later_dynconf_is_read():
    """It may say more of a rank, and of an origin, than this one knows."""
    origin = Origin("env", "TORCHDYNAMO_VERBOSE", "1")
    rest = {"matmul_precision": "highest", "tf32": {}, "deterministic_algorithms": "default", "triton": None}
    rest |= {"fingerprint": "", "compiler": "", "device": ""}
    report = RankReport("2.13.0", "99.0", flags={"verbose": True}, origins={"verbose": origin}, **rest)
    later = asdict(report) | {"kernel": "6.1", "origins": {"verbose": asdict(origin) | {"column": 7}}}
    assert RankReport.from_data(later) == report


@pytest.mark.parametrize("way", ["raise", "warn"])
def test_ranks_that_compare_other_flags_are_an_error(ranks, way):
    """They would agree on nothing, and in silence."""
    program = f"""
flags, ignore = [(None, "verbose"), ("cache_size_limit", ())][rank]
dynconf.distributed.check_consistency(flags=flags, ignore=ignore, on_difference={way!r}, timeout=20)
"""
    lines = [
        "argument flags: not given on rank 0; ['recompile_limit'] on rank 1",
        "argument ignore: ['verbose'] on rank 0; not given on rank 1",
    ]
    done = ranks.run(2, program)
    assert [each[0] for each in done] == ["ConflictError"] * 2
    assert all(line in each[1] for line in lines for each in done)


@pytest.mark.parametrize("wrong", ["'gloo'", "distributed.new_group([0, 1])"])
def test_a_wrong_group_on_one_rank_leaves_the_calls_in_step(ranks, wrong):
    """That rank raises at once, the others hear of it, and the next call of all is one call again."""
    program = f"""
from torch import distributed
given = {wrong}
if given != "gloo":
    distributed.destroy_process_group(given)
try:
    dynconf.distributed.check_consistency(group=given if rank == 1 else None, timeout=20)
except Exception as error:
    first = type(error).__name__, "rank 1 refuses it" in str(error)
dynconf.distributed.check_consistency(timeout=20)
result = first
"""
    assert ranks.run(2, program) == [["ConflictError", True], ["InvalidValueError", False]]


def test_another_release_is_a_difference(ranks):
    """Another torch release is reported like a flag that differs."""
    done = ranks.run(2, "torch.__version__ = ['2.13.0', '2.13.1'][rank]\n" + CHECK)
    assert done == [["ConflictError", "torch: 2.13.0 on rank 0; 2.13.1 on rank 1"]] * 2


def test_objects_count_by_their_names(ranks):
    """Objects that no other process could reproduce, such as lambdas, are equal if their names are."""
    program = """
def one(): pass
def two(): pass
torch._dynamo.config.reorderable_logging_functions = {[one, two][rank * NUMBER]}
"""
    assert ranks.run(2, program.replace("NUMBER", "0") + CHECK) == ["agree"] * 2
    done = ranks.run(2, program.replace("NUMBER", "1") + CHECK)
    assert done[0] == done[1]
    assert "one" in done[0][1]
    assert "two" in done[0][1]


def test_the_order_of_objects_counts_in_lists(ranks):
    """Lists of passes in another order differ, because passes run one after another."""
    name = "_fuse_ddp_communication_passes"
    program = f"torch._inductor.config.{name} = [torch.add, torch.sub][::1 - 2 * rank]\n"
    done = ranks.run(2, program + CHECK)
    assert done[0] == done[1]
    assert done[0][1].startswith(f"inductor.{name}: [")


def test_a_time_that_nobody_can_wait(ranks):
    """Is refused before anybody is asked."""
    program = """
result = []
for timeout in (0, -1, float("nan"), float("inf"), "5", None):
    try:
        dynconf.distributed.check_consistency(timeout=timeout)
    except dynconf.InvalidValueError as error:
        result.append(str(error))
"""
    (told,) = ranks.run(1, program)
    assert len(told) == 6
    assert told[4] == (
        "timeout: '5' is not a time to wait: expected a positive number of seconds or a timedelta"
    )


def test_a_rank_that_dies(ranks):
    """Is named at once, not when the time is over."""
    program = """
import os
from torch.distributed.distributed_c10d import _get_default_store
store = _get_default_store()
store.set(f"connected {rank}", "")
if rank == 1:
    store.wait(["connected 0", "connected 2"])
    os._exit(0)
try:
    dynconf.distributed.check_consistency(timeout=2)
except TimeoutError as error:
    result = str(error).partition("; torch says")[0]
"""
    found = ranks.run(3, program)
    assert found[1] == "hangs"
    for rank in (0, 2):
        assert re.fullmatch(
            rf"failed after \d+\.\d s on rank {rank}: rank 1 of ranks 0-2 did not come", found[rank]
        )


def test_subgroups(ranks):
    """Each group compares its own ranks, by their global numbers; the others have nothing to do with it."""
    program = f"""{TOLD}
torch._dynamo.config.recompile_limit = [8, 8, 8, 9][rank]
groups = [distributed.new_group([0, 2]), distributed.new_group([3, 1])]
result = list(map(told, groups))
dynconf.distributed.broadcast(3, groups[1], timeout=20)
result.append(dynconf.snapshot()["recompile_limit"])
"""
    differ = "recompile_limit: 8 on rank 1; 9 (assignment) on rank 3"
    assert ranks.run(4, program) == [["agree", "agree", 8], ["agree", differ, 9]] * 2


def test_after_broadcast_all_agree(ranks):
    """The source's flags are installed in every thread; flags that only others had set get their defaults."""
    program = """
import threading
if rank == 1:
    dynconf.patch(recompile_limit=64, functorch={"cse": False}).__enter__()
    torch._dynamo.config.traceable_tensor_subclasses.add(torch.nn.Parameter)
if rank == 3:
    torch._dynamo.config.recompile_limit = 99
    torch._dynamo.config.verbose = True
installation = dynconf.distributed.broadcast(src=1, timeout=20)
dynconf.distributed.check_consistency(timeout=20)
seen = []
def look():
    values = dynconf.snapshot()
    seen.append([values["recompile_limit"], dynconf.origin("recompile_limit").kind, values["verbose"]])
    seen[0] += [values["functorch.cse"], list(map(str, values["traceable_tensor_subclasses"]))]
thread = threading.Thread(target=look); thread.start(); thread.join()
installation.uninstall()
result = [*seen, torch._dynamo.config.recompile_limit]
"""
    found = ranks.run(4, program)
    # The source's own patch is above the installation in each thread that has the patch.
    kinds = ["install", "install" if PER_CONTEXT else "patch", "install", "install"]
    assert found == [
        [[64, kind, False, False, ["<class 'torch.nn.parameter.Parameter'>"]], limit]
        for kind, limit in zip(kinds, (8, 64, 8, 99), strict=True)
    ]


def test_a_patch_in_force_is_above_what_is_broadcast(ranks):
    """Which is said."""
    program = """
with dynconf.patch(verbose=bool(rank)):
    dynconf.distributed.broadcast(timeout=20)
    result = torch._dynamo.config.verbose
"""
    first, (value, told) = ranks.run(2, program)
    assert (first, value) == (False, True)
    assert len(told) == 1
    assert told[0].startswith("verbose: False has no effect here as long as True is in force (patch at ")


@pytest.mark.parametrize(
    ("program", "errors"),
    [
        (
            "if not rank: torch._dynamo.config.reorderable_logging_functions = {lambda: 0}",
            [("InvalidValueError", "rank 0 cannot send its flags: reorderable_logging_functions: ")] * 2,
        ),
        (
            "dynconf.distributed.install_state = refuse if rank else dynconf.distributed.install_state",
            [
                ("ConflictError", "nothing is installed, because rank 1 cannot install it: rank 1: not here"),
                ("InvalidValueError", "not here"),
            ],
        ),
        ("src = 5", [("InvalidValueError", "src: rank 5 is not in the group, which has ranks 0-1")] * 2),
        (
            "src = 7 * rank",
            [
                ("InvalidValueError", f"src: not the same on all ranks; on rank {rank} it is {7 * rank}")
                for rank in range(2)
            ],
        ),
        (
            "held = dynconf.patch(verbose=bool(rank)); __import__('warnings').simplefilter('error')",
            [
                (
                    "ConflictError",
                    "nothing is installed, because rank 1 cannot install it: rank 1: ForcedFlag",
                ),
                ("ForcedFlagWarning", "verbose: False has no effect here as long as True is in force"),
            ],
        ),
    ],
    ids=["a_lambda", "a_rank_refuses", "not_in_the_group", "two_sources", "a_warning_is_an_error"],
)
def test_a_broadcast_that_fails_installs_nothing_anywhere(ranks, program, errors):
    """Every rank raises; the one with the problem its own, the others who had it."""
    before = """
import contextlib, dynconf
src = 0
held = contextlib.nullcontext()
def refuse(*_):
    raise dynconf.InvalidValueError("not here")
"""
    after = """
try:
    with held:
        dynconf.distributed.broadcast(src, timeout=20)
except (dynconf.DynconfError, dynconf.DynconfWarning) as error:
    result = [type(error).__name__, str(error), dynconf.origin("verbose").kind]
"""
    done = ranks.run(2, f"{before}{program}\n{after}")
    for (kind, message, origin), (expected, begins) in zip(done, errors, strict=True):
        assert kind == expected
        assert message.startswith(begins)
        assert origin in ("default", "patch")


UNHASHABLE_FOR_A_WHILE = """
class Key:
    error = None
    def __hash__(self):
        if Key.error: raise Key.error
        return 0
if rank == 1:
    torch._inductor.config.post_grad_fusion_options = {Key(): {}}
def attempt(call, error=None):
    Key.error = error
    try:
        getattr(dynconf.distributed, call)(timeout=20)
        return "done"
    except BaseException as raised:
        return f"{type(raised).__name__}: {raised}"
    finally:
        Key.error = None
"""
"""A value of rank 1 that cannot be copied while `attempt` has an error."""


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("check_consistency", "KeyboardInterrupt"),
        ("collect", "SystemExit"),
        ("broadcast", "ZeroDivisionError"),
    ],
)
def test_a_rank_that_fails_before_it_meets_the_others_refuses_the_call(ranks, call, error):
    """It has its own error, the others hear at once who refuses, and the next call works."""
    program = f"""
{UNHASHABLE_FOR_A_WHILE}
result = [attempt({call!r}, {error}("now")), attempt("collect")]
"""
    first, second = ranks.run(2, program)
    refused = f"ConflictError: {call} is not done on any rank, because rank 1 refuses it; the error there"
    assert first[0].startswith(refused)
    assert second[0] == f"{error}: now"
    assert first[1] == second[1] == "done"


def test_a_pass_that_cannot_be_copied_is_no_error(ranks):
    """It is given and compared as it is, and torch never copies it either."""
    program = """
import threading
class Pass:
    def __init__(self): self.lock = threading.Lock()
    def __call__(self, graph): pass
    def uuid(self): return None
torch._inductor.config.post_grad_custom_post_pass = Pass()
dynconf.distributed.check_consistency(timeout=20)
result = list(dynconf.distributed.collect(timeout=20)[1].flags)
"""
    assert ranks.run(2, program) == [["inductor.post_grad_custom_post_pass"]] * 2


def test_a_rank_that_is_interrupted_while_it_installs_keeps_nothing(ranks):
    """Neither do the others, which hear at once that it was; and the next call works."""
    program = """
import warnings
def ctrl_c(*_, **__):
    raise KeyboardInterrupt
if rank == 1:
    warnings.showwarning = ctrl_c
with dynconf.patch(verbose=bool(rank)):
    try:
        dynconf.distributed.broadcast(timeout=20)
    except BaseException as error:
        result = [f"{type(error).__name__}: {error}"]
result += [dynconf.origin("verbose").kind, len(dynconf.distributed.collect(timeout=20))]
"""
    why = "ConflictError: nothing is installed, because rank 1 cannot install it: rank 1: interrupted"
    assert ranks.run(2, program) == [[why, "default", 2], ["KeyboardInterrupt: ", "default", 2]]


@pytest.mark.parametrize(
    "mode", ["torch.device('meta')", "torch._subclasses.fake_tensor.FakeTensorMode()"], ids=["device", "fake"]
)
def test_a_mode_of_the_program_does_not_matter(ranks, mode):
    """Messages are real tensors on the CPU, also where the program builds a model without memory."""
    program = f"""{TOLD}
torch._dynamo.config.recompile_limit = 8 + rank
with {mode}:
    result = told()
"""
    assert ranks.run(2, program) == ["recompile_limit: 8 on rank 0; 9 (assignment) on rank 1"] * 2


def test_agreeing_takes_one_reduction_of_constant_size(ranks):
    """1 KiB and one call for any number of ranks and flags; a difference takes two more calls.

    The store of the group is asked once, to note that the rank has come.
    """
    program = """
from torch.distributed.distributed_c10d import _world
_, store = _world.pg_map[distributed.group.WORLD]
asked = []
for name in ("add", "check", "get", "multi_get", "multi_set", "set", "wait"):
    def asking(self, *given, name=name, do=getattr(type(store), name)):
        asked.append(name)
        return do(self, *given)
    setattr(type(store), name, asking)
kind = distributed.ProcessGroup
reduce = kind.allreduce
sizes = []
def counting(self, tensors, *more):
    sizes.append(tensors[0].nbytes)
    return reduce(self, tensors, *more)
kind.allreduce = counting
dynconf.distributed.check_consistency(timeout=20)
result = [sizes[:]]
state = {"recompile_limit": 9, "verbose": True, "functorch": {"cse": False}}
dynconf.patch(state).__enter__()
dynconf.distributed.check_consistency(timeout=20)
result.append(sizes[1:])
torch._dynamo.config.specialize_int = bool(rank)
try:
    dynconf.distributed.check_consistency(timeout=20)
except dynconf.ConflictError:
    result.append(len(sizes))
result.append(asked)
"""
    for world in (2, 8):
        assert ranks.run(world, program) == [[[1024], [1024], 2 + 1 + 2, ["set"] * 3]] * world


def test_under_torchrun(warm, warm_python):
    """In ranks started by torchrun, all four name the deviating one, and agree after a broadcast."""
    worker = str(Path(__file__).parents[2] / "torchrun_worker.py")
    words = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "4", worker]
    done = warm.run(*words, PYTHON_EXEC=warm_python, OMP_NUM_THREADS="1")
    assert done.returncode == 0, done.stderr
    told = "found [recompile_limit: 8 on ranks 0-1,3; 99 (assignment) on rank 2], then 8"
    assert sorted(done.stdout.splitlines()) == [f"rank {rank} {told}" for rank in range(4)]
