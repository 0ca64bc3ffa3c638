"""Variables that other parts of torch read under the prefixes that Inductor's flags use.

They are not flags, and `dynconf check` does not complain about them. A test compares the list with the
sources of the installed torch.
"""

from dynconf.catalogue.flags.variable import foreign_variables

# The reader of TORCHINDUCTOR_CACHE_DIR moved in 2.6; this one points it at a fresh folder in every release.
FOREIGN_VARIABLES = foreign_variables("""
TORCHINDUCTOR_AUTOTUNE_POOL_INACTIVITY_TIMEOUT (torch._inductor.autotune_process, 2.11-): The seconds after
    which idle worker processes of the autotuner end.
TORCHINDUCTOR_CACHE_DIR (torch._inductor.utils): The folder of Inductor's cache on disk; by default
    torchinductor_USER in /tmp.
TORCHINDUCTOR_CACHE_DUMP_FILE_PATH (torch._inductor.runtime.caching.config, 2.11-): A file to fill Inductor's
    memoizers, which TORCHINDUCTOR_DUMP_MEMOIZER_CACHE writes.
TORCHINDUCTOR_CONV_LOGGING_FILE (torch._inductor.select_algorithm, 2.12-): The file to which the shapes of
    autotuned convolutions are written.
TORCHINDUCTOR_DEBUG_COMPILE (torch._inductor.cpp_builder, 2.10-): At 1, generated C++ is compiled with debug
    symbols and without optimization.
TORCHINDUCTOR_DEBUG_SYMBOL (torch._inductor.cpp_builder, 2.9-): At 1, generated C++ is compiled with debug
    symbols.
TORCHINDUCTOR_DISABLE_MULTI_KERNEL_CACHE (torch._inductor.codegen.multi_kernel): At 1, the choice among
    variants of a kernel is not cached.
TORCHINDUCTOR_DUMP_LAUNCH_PARAMS (torch._inductor.runtime.triton_heuristics): At 1, the arguments with which
    each Triton kernel is launched are written to a file.
TORCHINDUCTOR_DUMP_LAUNCH_TENSORS (torch._inductor.runtime.triton_heuristics, 2.11-): At 1, the tensors with
    which Triton kernels are launched are saved.
TORCHINDUCTOR_DUMP_MEMOIZER_CACHE (torch._inductor.runtime.caching.config, 2.11-): At 1, the contents of
    Inductor's memoizers are written to a file.
TORCHINDUCTOR_ENABLE_CACHING_MODULE (torch._inductor.runtime.caching.config, 2.10-): Uses Inductor's newer
    caching module.
TORCHINDUCTOR_ENABLE_DETERMINISTIC_CACHING (torch._inductor.runtime.caching.config, 2.10-2.10): Makes
    Inductor's newer caching module deterministic.
TORCHINDUCTOR_FLEX_ATTENTION_LOGGING_FILE (torch._inductor.select_algorithm, 2.10-): The file to which the
    results of autotuning flex attention are written.
TORCHINDUCTOR_FX_COMPILE_MODE (torch._inductor.compile_fx, 2.7-): Where Inductor compiles a graph: NORMAL,
    SERIALIZE or SUBPROCESS.
TORCHINDUCTOR_GLOBAL_DETERMINISM (torch._inductor.runtime.caching.config, 2.10-2.10): Makes Inductor's newer
    caching module deterministic on all ranks.
TORCHINDUCTOR_KERNELS_TO_DUMP (torch._inductor.runtime.triton_heuristics, 2.11-): The names of the kernels
    whose tensors TORCHINDUCTOR_DUMP_LAUNCH_TENSORS saves.
TORCHINDUCTOR_LOCAL_DETERMINISM (torch._inductor.runtime.caching.config, 2.10-2.10): Makes Inductor's newer
    caching module deterministic on a machine.
TORCHINDUCTOR_MM_LOGGING_FILE (torch._inductor.select_algorithm): The file to which the shapes of autotuned
    matrix products are written.
TORCHINDUCTOR_NVGEMM_PREFETCH
    (torch._inductor.kernel.vendored_templates.cutedsl.wrappers.dense_blockscaled_gemm_kernel, 2.14-2.14):
    Whether kernels of the NVGEMM backend fetch data in advance.
TORCHINDUCTOR_PATTERN_MATCH_BACKEND (torch._inductor.pattern_matcher, 2.9-): The name under which torch counts
    the matches of its pattern matcher.
TORCHINDUCTOR_PATTERN_MATCH_DEBUG (torch._inductor.pattern_matcher): Logs the pattern matches at these nodes
    of the graph, separated by commas.
TORCHINDUCTOR_PRE_POPULATE_DETERMINISTIC_CACHE (torch._inductor.runtime.caching.config, 2.10-2.10): A file
    from which Inductor's deterministic cache is filled.
TORCHINDUCTOR_REDIS_HOST (torch._inductor.remote_cache): The host of the Redis server of the remote cache.
TORCHINDUCTOR_REDIS_PORT (torch._inductor.remote_cache): The port of the Redis server of the remote cache.
TORCHINDUCTOR_REDIS_URL (torch._inductor.remote_cache, 2.7-): The address of the Redis server of the remote
    cache, in place of host and port.
TORCHINDUCTOR_STRICTLY_CACHED_DETERMINISM (torch._inductor.runtime.caching.config, 2.10-2.10): Makes a miss in
    Inductor's deterministic cache an error.
TORCHINDUCTOR_STRICTLY_PRE_POPULATED_DETERMINISM (torch._inductor.runtime.caching.config, 2.10-2.10): Makes a
    result outside the file of the deterministic cache an error.
TORCHINDUCTOR_TRITON_AUTOTUNE_AT_COMPILE_TIME (torch._inductor.compile_fx, 2.5-2.5): Autotunes Triton kernels
    while code for the C++ wrapper is generated.
TORCHINDUCTOR_WINDOWS_TESTS (torch._dynamo.test_case, 2.7-): Used by torch's own tests on Windows.
TORCHINDUCTOR_WRITE_MISSING_OPS (torch._inductor.exc): At 1, the operators that Inductor does not lower are
    listed in missing_ops.txt.
TORCHINDUCTOR_XPU_KERNEL_FORMAT (torch._inductor.utils, 2.11-): The binary format of kernels for Intel GPUs:
    zebin or spv.
""")
