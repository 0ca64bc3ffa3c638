"""Recompilation: how often, and what happens at the limits."""

from dynconf.flags.flag import Flag, by_release
from dynconf.flags.types import Bool, Int, OrNone
from dynconf.flags.variable import Variable
from dynconf.modules.dynamo.host import GEN2_THRESHOLD, HAS_GIL

FLAGS = (
    Flag(
        name="accumulated_cache_size_limit",
        type=Int(0),
        default=256,
        summary="Older name of accumulated_recompile_limit.",
        compile_ignored=True,
        renamed="accumulated_recompile_limit",
        alias_since="2.7",
    ),
    Flag(
        name="accumulated_recompile_limit",
        type=Int(0),
        default=256,
        summary="Most compilations of one code object, over all module instances that share it.",
        details=(
            "A safety cap above recompile_limit, which counts for each object that a guard ties the code "
            "to. Beyond it the code falls back to eager, or raises under fullgraph=True or "
            "fail_on_recompile_limit_hit."
        ),
        since="2.7",
        compile_ignored=True,
    ),
    Flag(
        name="cache_size_limit",
        type=Int(0),
        default=8,
        summary="Older name of recompile_limit: most compiled versions of one function.",
        compile_ignored=True,
        renamed="recompile_limit",
        alias_since="2.7",
    ),
    Flag(
        name="error_on_recompile",
        type=Bool(),
        default=False,
        summary="Raises RecompileError when a function is about to be compiled again.",
        details=(
            "Meant for tests and for jobs where any recompilation is a bug. The error names the guards "
            "that failed. With suppress_errors it becomes a warning and eager execution, unless "
            "fullgraph=True."
        ),
        compile_ignored=True,
    ),
    Flag(
        name="fail_on_cache_limit_hit",
        type=Bool(),
        default=False,
        summary="Older name of fail_on_recompile_limit_hit.",
        since="2.6",
        compile_ignored=True,
        renamed="fail_on_recompile_limit_hit",
        alias_since="2.7",
    ),
    Flag(
        name="fail_on_recompile_limit_hit",
        type=Bool(),
        default=False,
        summary="Raises when a recompilation limit is hit instead of falling back to eager.",
        details=(
            "Applies to recompile_limit and accumulated_recompile_limit alike; fullgraph=True raises even "
            "without it. It cannot be combined with suppress_errors: torch refuses the pair."
        ),
        since="2.7",
        compile_ignored=True,
    ),
    Flag(
        name="gc_gen2_threshold_during_compile",
        type=OrNone(Int(0)),
        default=GEN2_THRESHOLD,
        summary="Threshold for full garbage collections while compiling, as in gc.set_threshold.",
        details=(
            "Full collections are put off while compiling, which saves time and costs some memory; the "
            "old threshold comes back afterwards. It holds for the whole process, is never lowered below "
            "a higher one already set, and None leaves Python's alone. In torch's variable, 0 stands for "
            "None."
        ),
        since="2.15",
        variables=(Variable("TORCH_DYNAMO_GC_GEN2_THRESHOLD_DURING_COMPILE", "integer_or_none"),),
    ),
    Flag(
        name="invalidate_compile_context_weakrefs",
        type=OrNone(Bool()),
        default=None,
        summary="Whether to drop the references a compilation keeps to its tensors once it ends.",
        details=(
            "Such references can keep tensors alive or block torch.utils.swap_tensors. None clears them "
            "for registered backends only, True for every backend, False never."
        ),
        since="2.11",
    ),
    Flag(
        name="recompile_limit",
        type=Int(0),
        default=8,
        summary="Most compiled versions of one function; beyond them it falls back to eager.",
        details=(
            "Where guards tie the code to objects such as module instances, each object has its own "
            "count. Compiled versions that exist stay in use. 0 compiles nothing. Under fullgraph=True, "
            "or with fail_on_recompile_limit_hit, reaching the limit raises instead."
        ),
        since="2.7",
        compile_ignored=True,
    ),
    Flag(
        name="run_gc_after_compile",
        type=Bool(),
        default=by_release(True, v2_10=HAS_GIL),
        summary="Collects the younger garbage generations after each compilation.",
        details=(
            "Off by default on free-threaded Python from torch 2.10 on, where it would be a slow, full "
            "collection."
        ),
        since="2.7",
        variables=(Variable("TORCH_DYNAMO_RUN_GC_AFTER_COMPILE", "default"),),
    ),
    Flag(
        name="skip_code_recursive_on_cache_limit_hit",
        type=Bool(),
        default=True,
        summary="Once left callees of a frame over its limit in eager too; does nothing since torch 2.7.",
        details="In torch 2.5 and 2.6, False leaves only the frame itself in eager.",
        since="2.5",
        compile_ignored=True,
        status=by_release("active", v2_7="no-op"),
        deprecated="2.12",
        renamed="skip_code_recursive_on_recompile_limit_hit",
        alias_since="2.7",
    ),
    Flag(
        name="skip_code_recursive_on_recompile_limit_hit",
        type=Bool(),
        default=True,
        summary="Does nothing; under its older name it once left callees of a frame over its limit in eager.",
        since="2.7",
        compile_ignored=by_release(True, v2_12=False),
        status="no-op",
        deprecated="2.12",
    ),
)
