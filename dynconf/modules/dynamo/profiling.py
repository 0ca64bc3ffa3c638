"""Profiling: where compile time goes."""

from dynconf.flags.described import Described
from dynconf.flags.types import BoolOr, PathText

FLAGS = {
    "_custom_ops_profile": "Recorded profiles used to generate fake results of custom operators, for tests.",
    "capture_profiler_record_function": Described(
        "Keeps torch.profiler.record_function regions in the compiled graph.",
        details="If False, they are left out with a warning. If True, none may contain a graph break.",
    ),
    "constant_fold_autograd_profiler_enabled": Described(
        "Treats torch.autograd._profiler_enabled() as a constant instead of breaking the graph.",
        details="Export sets it to True. Distributed training with the profiler on may time out with it.",
    ),
    "cprofile": Described(
        "Runs cProfile over each compilation and writes the profile to the temporary folder.",
        details="Draws it as SVG if gprof2dot and dot are installed, and prints the top entries otherwise. "
        "Any text in torch's own variable turns it on, even 0.",
    ),
    "dynamo_profiler": Described(
        "Prints how long Dynamo traced each function; given a path, also saves the profile there.",
        type=BoolOr(PathText()),
        details="The file is in pstats format, with a call graph next to it if gprof2dot and dot are "
        "installed. torch always reads its own variable as a path: the text 1 writes a file named 1.",
        machine_dependent=True,
        risks=("writes a path",),
    ),
    "enrich_profiler_metadata": Described(
        "No-op; a stand-in for the torch.fx flag of the same name.",
        status="no-op",
        replacement="use torch.fx.experimental._config.enrich_profiler_metadata",
    ),
    "log_compilation_metrics": "Logs the metrics of each compilation, and counts the guarded parameters.",
    "pt2_compile_id_prefix": Described(
        "Prefix of the unique process id in compile event logs; None adds no prefix.",
        details="Read when the first event is logged; later changes have no effect in that process.",
    ),
    "record_compile_time_instruction_count": Described(
        "Counts the CPU instructions that compilation takes.",
        details="torch._dynamo.utils.CompileTimeInstructionCounter.value() returns the total. Linux only.",
    ),
    "record_runtime_overhead": Described(
        "Shows the time spent around a compiled graph as separate entries in profiler traces.",
        details="Costs next to nothing while no profiler is running.",
    ),
}
