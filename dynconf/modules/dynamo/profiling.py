"""Profiling: where compile time goes."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, BoolOr, Opaque, OrNone, PathText, Text
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="_custom_ops_profile",
        type=Opaque(),
        default=None,
        summary="Recorded profiles by which fake results of custom operators are made up; for tests.",
        since="2.6",
        status="internal",
    ),
    Flag(
        name="capture_profiler_record_function",
        type=Bool(),
        default=False,
        summary="Keeps torch.profiler.record_function regions in the compiled graph.",
        details=(
            "With False they are left out, with a warning. With True a graph break inside a region is "
            "not supported."
        ),
        since="2.11",
    ),
    Flag(
        name="constant_fold_autograd_profiler_enabled",
        type=Bool(),
        default=False,
        summary="Treats torch.autograd._profiler_enabled() as a constant instead of breaking the graph.",
        details=(
            "Export sets it to True. In distributed training with the profiler on, time-outs have "
            "been seen with it."
        ),
        since="2.10",
    ),
    Flag(
        name="cprofile",
        type=Bool(),
        default=False,
        summary="Runs cProfile over each compilation and writes the profile to the temporary folder.",
        details=(
            "Draws it as SVG where gprof2dot and dot are installed, else prints the top entries. Any "
            "text in torch's own variable turns it on, even 0."
        ),
        variables=(Variable("TORCH_COMPILE_CPROFILE", "text"),),
        compile_ignored=True,
    ),
    Flag(
        name="dynamo_profiler",
        type=BoolOr(PathText()),
        default=False,
        summary="Prints how long Dynamo traced each function; a path also saves the profile there.",
        details=(
            "The file is in the format of pstats, with a call graph beside it where gprof2dot and dot "
            "are installed. torch's own variable is always read as a path: the text 1 writes a file "
            "named 1."
        ),
        since="2.11",
        variables=(Variable("TORCH_COMPILE_DYNAMO_PROFILER", "text"),),
        compile_ignored=True,
        host=True,
    ),
    Flag(
        name="enrich_profiler_metadata",
        type=Bool(),
        default=False,
        summary="Does nothing; stood in for the flag of the same name of torch.fx.",
        since="2.10",
        until="2.10",
        status="no-op",
        instead="use torch.fx.experimental._config.enrich_profiler_metadata",
    ),
    Flag(
        name="log_compilation_metrics",
        type=Bool(),
        default=True,
        summary="Logs the metrics of each compilation, and counts the parameters a graph guards on.",
    ),
    Flag(
        name="pt2_compile_id_prefix",
        type=OrNone(Text()),
        default=None,
        summary="Text put before the unique id of a process in compile event logs; None is no prefix.",
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
            "The sum is torch._dynamo.utils.CompileTimeInstructionCounter.value(). Needs Linux "
            "performance counters."
        ),
        since="2.5",
    ),
    Flag(
        name="record_runtime_overhead",
        type=Bool(),
        default=True,
        summary="Shows the time spent around a compiled graph as entries of its own in profiler traces.",
        details="Costs next to nothing while no profiler runs.",
        since="2.8",
    ),
)
