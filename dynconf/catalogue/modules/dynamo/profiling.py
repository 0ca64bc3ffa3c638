"""Profiling: where compile time goes."""

DESCRIPTIONS = """
_custom_ops_profile: Recorded profiles used to generate fake results of custom operators, for tests.
capture_profiler_record_function: Keeps torch.profiler.record_function regions in the compiled graph.
    If False, they are left out with a warning. If True, a graph break inside a region is not supported.
constant_fold_autograd_profiler_enabled:
    Treats torch.autograd._profiler_enabled() as a constant instead of breaking the graph.
    Export sets it to True. Distributed training with the profiler on has been seen to time out with it.
cprofile: Runs cProfile over each compilation and writes the profile to the temporary folder.
    Draws it as SVG if gprof2dot and dot are installed, and prints the top entries otherwise. Any text in
    torch's own variable turns it on, even 0.
dynamo_profiler: Prints how long Dynamo traced each function; given a path, also saves the profile there.
    The file is in pstats format, with a call graph next to it if gprof2dot and dot are installed. torch
    always reads its own variable as a path: the text 1 writes a file named 1.
enrich_profiler_metadata: No-op; a stand-in for the torch.fx flag of the same name.
    Instead: use torch.fx.experimental._config.enrich_profiler_metadata
log_compilation_metrics:
    Logs the metrics of each compilation, and counts the parameters that a graph guards on.
pt2_compile_id_prefix: Prefix of the unique process id in compile event logs; None adds no prefix.
    Read when the first event is logged; later changes have no effect in that process.
record_compile_time_instruction_count: Counts the CPU instructions that compilation takes.
    torch._dynamo.utils.CompileTimeInstructionCounter.value() returns the total. Needs Linux performance
    counters.
record_runtime_overhead: Shows the time spent around a compiled graph as separate entries in profiler traces.
    Costs next to nothing while no profiler is running.
"""
