"""Recompilation: its limits, and the consequences of reaching them."""

DESCRIPTIONS = """
accumulated_recompile_limit: Maximum number of compilations of one code object, across all module instances.
    A safety net above recompile_limit, which has a separate count for each object that guards tie the code
    to. At the limit the code falls back to eager mode, or raises with fullgraph=True or
    fail_on_recompile_limit_hit.
cache_size_limit: Old name of recompile_limit, the maximum number of compiled versions of a function.
error_on_recompile: Raises RecompileError when a function is about to be recompiled.
    For tests, and for jobs where any recompilation is a bug. The error names the guards that failed. With
    suppress_errors, torch logs a warning and runs the code in eager mode instead, unless fullgraph=True.
fail_on_recompile_limit_hit:
    Raises when a recompilation limit is reached instead of falling back to eager mode.
    Applies to both recompile_limit and accumulated_recompile_limit; with fullgraph=True, torch raises even
    without it. Cannot be combined with suppress_errors: torch raises an error if both are set.
gc_gen2_threshold_during_compile:
    Threshold for full garbage collections during compilation, as in gc.set_threshold.
    Putting off full collections saves time and costs some memory; the previous threshold is restored after
    compilation. It applies to the whole process and never lowers a threshold that is already higher. None
    leaves Python's threshold alone; in torch's own variable, 0 means None.
invalidate_compile_context_weakrefs:
    Drops a compilation's weak references to its tensors when the compilation ends.
    Leftover references can block torch.utils.swap_tensors. None drops them for registered backends only, True
    for every backend, False for none.
recompile_limit: Maximum number of compiled versions of a function before it falls back to eager mode.
    Where guards tie the code to objects such as module instances, each object has its own count. Versions
    that are already compiled stay in use; 0 compiles nothing. With fullgraph=True or
    fail_on_recompile_limit_hit, reaching the limit raises instead. From torch 2.12 on, torch.compile takes a
    recompile_limit of its own, which beats the flag and every patch of it; the warning of a limit that was
    hit then shows that number under the name of the flag.
run_gc_after_compile: Collects the younger garbage generations after each compilation.
    From torch 2.10 on, it is off by default on free-threaded Python, where it would be a slow, full
    collection.
skip_code_recursive_on_cache_limit_hit:
    No-op since torch 2.7; used to skip the callees of a frame over the recompile limit too.
    In torch 2.5 and 2.6, False skips only the frame itself.
skip_code_recursive_on_recompile_limit_hit:
    No-op; under its old name it used to skip the callees of a frame over the limit too.
"""
