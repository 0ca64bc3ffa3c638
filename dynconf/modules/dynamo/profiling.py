"""Profiling: where compile time goes."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, BoolOr, Opaque, OrNone, PathText, Text
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="_custom_ops_profile",
        type=Opaque(),
        default=None,
        summary="Recorded profiles used to generate fake results of custom operators, for tests.",
        since="2.6",
        status="internal",
    ),
    Flag(
        name="capture_profiler_record_function",
        type=Bool(),
        default=False,
        summary="Keeps torch.profiler.record_function regions in the compiled graph.",
        details=(
            "If False, they are left out with a warning. If True, a graph break inside a region is not "
            "supported."
        ),
        since="2.11",
    ),
    Flag(
        name="constant_fold_autograd_profiler_enabled",
        type=Bool(),
        default=False,
        summary="Treats torch.autograd._profiler_enabled() as a constant instead of breaking the graph.",
        details=(
            "Export sets it to True. Distributed training with the profiler on has been seen to time out "
            "with it."
        ),
        since="2.10",
    ),
    Flag(
        name="cprofile",
        type=Bool(),
        default=False,
        summary="Runs cProfile over each compilation and writes the profile to the temporary folder.",
        details=(
            "Draws it as SVG if gprof2dot and dot are installed, and prints the top entries otherwise. Any "
            "text in torch's own variable turns it on, even 0."
        ),
        variables=(Variable("TORCH_COMPILE_CPROFILE", "text"),),
        compile_ignored=True,
    ),
    Flag(
        name="dynamo_profiler",
        type=BoolOr(PathText()),
        default=False,
        summary="Prints how long Dynamo traced each function; given a path, also saves the profile there.",
        details=(
            "The file is in pstats format, with a call graph next to it if gprof2dot and dot are installed. "
            "torch always reads its own variable as a path: the text 1 writes a file named 1."
        ),
        since="2.11",
        variables=(Variable("TORCH_COMPILE_DYNAMO_PROFILER", "text"),),
        compile_ignored=True,
        host=True,
        reach=("writes a path",),
    ),
    Flag(
        name="enrich_profiler_metadata",
        type=Bool(),
        default=False,
        summary="No-op; a stand-in for the torch.fx flag of the same name.",
        since="2.10",
        until="2.10",
        status="no-op",
        instead="use torch.fx.experimental._config.enrich_profiler_metadata",
    ),
    Flag(
        name="log_compilation_metrics",
        type=Bool(),
        default=True,
        summary="Logs the metrics of each compilation, and counts the parameters that a graph guards on.",
    ),
    Flag(
        name="pt2_compile_id_prefix",
        type=OrNone(Text()),
        default=None,
        summary="Prefix of the unique process id in compile event logs; None adds no prefix.",
        details="Read when the first event is logged; later changes have no effect in that process.",
        since="2.9",
        variables=(Variable("PT2_COMPILE_ID_PREFIX", "text"),),
    ),
    Flag(
        name="record_compile_time_instruction_count",
        type=Bool(),
        default=False,
        summary="Counts the CPU instructions that compilation takes.",
        details=(
            "torch._dynamo.utils.CompileTimeInstructionCounter.value() returns the total. Needs Linux "
            "performance counters."
        ),
        since="2.5",
    ),
    Flag(
        name="record_runtime_overhead",
        type=Bool(),
        default=True,
        summary="Shows the time spent around a compiled graph as separate entries in profiler traces.",
        details="Costs next to nothing while no profiler is running.",
        since="2.8",
    ),
)
