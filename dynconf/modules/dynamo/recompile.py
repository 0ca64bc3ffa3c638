"""Recompilation: its limits, and what happens when they are reached."""

from dynconf.flags.flag import Flag, by_release
from dynconf.flags.types import Bool, Int, OrNone
from dynconf.flags.variable import Variable
from dynconf.modules.dynamo.host import GEN2_THRESHOLD, HAS_GIL

FLAGS = (
    Flag(
        name="accumulated_cache_size_limit",
        type=Int(0),
        default=256,
        summary="Old name of accumulated_recompile_limit.",
        compile_ignored=True,
        renamed="accumulated_recompile_limit",
        alias_since="2.7",
    ),
    Flag(
        name="accumulated_recompile_limit",
        type=Int(0),
        default=256,
        summary="Maximum number of compilations of one code object, across all module instances.",
        details=(
            "A safety net above recompile_limit, which has a separate count for each object that guards tie "
            "the code to. At the limit the code falls back to eager mode, or raises with fullgraph=True or "
            "fail_on_recompile_limit_hit."
        ),
        since="2.7",
        compile_ignored=True,
    ),
    Flag(
        name="cache_size_limit",
        type=Int(0),
        default=8,
        summary="Old name of recompile_limit, the maximum number of compiled versions of a function.",
        compile_ignored=True,
        renamed="recompile_limit",
        alias_since="2.7",
    ),
    Flag(
        name="error_on_recompile",
        type=Bool(),
        default=False,
        summary="Raises RecompileError when a function is about to be recompiled.",
        details=(
            "For tests, and for jobs where any recompilation is a bug. The error names the guards that "
            "failed. With suppress_errors, torch logs a warning and runs the code in eager mode instead, "
            "unless fullgraph=True."
        ),
        compile_ignored=True,
    ),
    Flag(
        name="fail_on_cache_limit_hit",
        type=Bool(),
        default=False,
        summary="Old name of fail_on_recompile_limit_hit.",
        since="2.6",
        compile_ignored=True,
        renamed="fail_on_recompile_limit_hit",
        alias_since="2.7",
    ),
    Flag(
        name="fail_on_recompile_limit_hit",
        type=Bool(),
        default=False,
        summary="Raises when a recompilation limit is reached instead of falling back to eager mode.",
        details=(
            "Applies to both recompile_limit and accumulated_recompile_limit; with fullgraph=True, torch "
            "raises even without it. Cannot be combined with suppress_errors: torch raises an error if both "
            "are set."
        ),
        since="2.7",
        compile_ignored=True,
    ),
    Flag(
        name="gc_gen2_threshold_during_compile",
        type=OrNone(Int(0)),
        default=GEN2_THRESHOLD,
        summary="Threshold for full garbage collections during compilation, as in gc.set_threshold.",
        details=(
            "Putting off full collections saves time and costs some memory; the previous threshold is "
            "restored after compilation. It applies to the whole process and never lowers a threshold that "
            "is already higher. None leaves Python's threshold alone; in torch's own variable, 0 means None."
        ),
        since="2.15",
        variables=(Variable("TORCH_DYNAMO_GC_GEN2_THRESHOLD_DURING_COMPILE", "integer_or_none"),),
    ),
    Flag(
        name="invalidate_compile_context_weakrefs",
        type=OrNone(Bool()),
        default=None,
        summary="Drops a compilation's weak references to its tensors when the compilation ends.",
        details=(
            "Leftover references can block torch.utils.swap_tensors. None drops them for registered backends "
            "only, True for every backend, False for none."
        ),
        since="2.11",
    ),
    Flag(
        name="recompile_limit",
        type=Int(0),
        default=8,
        summary="Maximum number of compiled versions of a function before it falls back to eager mode.",
        details=(
            "Where guards tie the code to objects such as module instances, each object has its own count. "
            "Versions that are already compiled stay in use; 0 compiles nothing. With fullgraph=True or "
            "fail_on_recompile_limit_hit, reaching the limit raises instead."
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
            "From torch 2.10 on, it is off by default on free-threaded Python, where it would be a slow, "
            "full collection."
        ),
        since="2.7",
        variables=(Variable("TORCH_DYNAMO_RUN_GC_AFTER_COMPILE", "default"),),
    ),
    Flag(
        name="skip_code_recursive_on_cache_limit_hit",
        type=Bool(),
        default=True,
        summary="No-op since torch 2.7; used to skip the callees of a frame over the recompile limit too.",
        details="In torch 2.5 and 2.6, False skips only the frame itself.",
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
        summary="No-op; under its old name it used to skip the callees of a frame over the limit too.",
        since="2.7",
        compile_ignored=by_release(True, v2_12=False),
        status="no-op",
        deprecated="2.12",
    ),
)
