"""Variables that other parts of torch read under the prefixes that Inductor's flags use.

They are not flags, and `dynconf check` does not complain about them. A test compares the list with the
sources of the installed torch.
"""

from dynconf.flags.variable import ForeignVariable

_CACHING = "torch._inductor.runtime.caching.config"

FOREIGN_VARIABLES = (
    ForeignVariable(
        "TORCHINDUCTOR_AUTOTUNE_POOL_INACTIVITY_TIMEOUT", "torch._inductor.autotune_process", since="2.11"
    ),
    # Its reader moved to another module in 2.6; this one points it at a fresh folder in every release.
    ForeignVariable("TORCHINDUCTOR_CACHE_DIR", "torch._inductor.utils"),
    ForeignVariable("TORCHINDUCTOR_CACHE_DUMP_FILE_PATH", _CACHING, since="2.11"),
    ForeignVariable("TORCHINDUCTOR_CONV_LOGGING_FILE", "torch._inductor.select_algorithm", since="2.12"),
    ForeignVariable("TORCHINDUCTOR_DEBUG_COMPILE", "torch._inductor.cpp_builder", since="2.10"),
    ForeignVariable("TORCHINDUCTOR_DEBUG_SYMBOL", "torch._inductor.cpp_builder", since="2.9"),
    ForeignVariable("TORCHINDUCTOR_DISABLE_MULTI_KERNEL_CACHE", "torch._inductor.codegen.multi_kernel"),
    ForeignVariable("TORCHINDUCTOR_DUMP_LAUNCH_PARAMS", "torch._inductor.runtime.triton_heuristics"),
    ForeignVariable(
        "TORCHINDUCTOR_DUMP_LAUNCH_TENSORS", "torch._inductor.runtime.triton_heuristics", since="2.11"
    ),
    ForeignVariable("TORCHINDUCTOR_DUMP_MEMOIZER_CACHE", _CACHING, since="2.11"),
    ForeignVariable("TORCHINDUCTOR_ENABLE_CACHING_MODULE", _CACHING, since="2.10"),
    ForeignVariable("TORCHINDUCTOR_ENABLE_DETERMINISTIC_CACHING", _CACHING, since="2.10", until="2.10"),
    ForeignVariable(
        "TORCHINDUCTOR_FLEX_ATTENTION_LOGGING_FILE", "torch._inductor.select_algorithm", since="2.10"
    ),
    ForeignVariable("TORCHINDUCTOR_FX_COMPILE_MODE", "torch._inductor.compile_fx", since="2.7"),
    ForeignVariable("TORCHINDUCTOR_GLOBAL_DETERMINISM", _CACHING, since="2.10", until="2.10"),
    ForeignVariable(
        "TORCHINDUCTOR_KERNELS_TO_DUMP", "torch._inductor.runtime.triton_heuristics", since="2.11"
    ),
    ForeignVariable("TORCHINDUCTOR_LOCAL_DETERMINISM", _CACHING, since="2.10", until="2.10"),
    ForeignVariable("TORCHINDUCTOR_MM_LOGGING_FILE", "torch._inductor.select_algorithm"),
    ForeignVariable(
        "TORCHINDUCTOR_NVGEMM_PREFETCH",
        "torch._inductor.kernel.vendored_templates.cutedsl.wrappers.dense_blockscaled_gemm_kernel",
        since="2.14",
        until="2.14",
    ),
    ForeignVariable("TORCHINDUCTOR_PATTERN_MATCH_BACKEND", "torch._inductor.pattern_matcher", since="2.9"),
    ForeignVariable("TORCHINDUCTOR_PATTERN_MATCH_DEBUG", "torch._inductor.pattern_matcher"),
    ForeignVariable("TORCHINDUCTOR_PRE_POPULATE_DETERMINISTIC_CACHE", _CACHING, since="2.10", until="2.10"),
    ForeignVariable("TORCHINDUCTOR_REDIS_HOST", "torch._inductor.remote_cache"),
    ForeignVariable("TORCHINDUCTOR_REDIS_PORT", "torch._inductor.remote_cache"),
    ForeignVariable("TORCHINDUCTOR_REDIS_URL", "torch._inductor.remote_cache", since="2.7"),
    ForeignVariable("TORCHINDUCTOR_STRICTLY_CACHED_DETERMINISM", _CACHING, since="2.10", until="2.10"),
    ForeignVariable("TORCHINDUCTOR_STRICTLY_PRE_POPULATED_DETERMINISM", _CACHING, since="2.10", until="2.10"),
    ForeignVariable(
        "TORCHINDUCTOR_TRITON_AUTOTUNE_AT_COMPILE_TIME",
        "torch._inductor.compile_fx",
        since="2.5",
        until="2.5",
    ),
    ForeignVariable("TORCHINDUCTOR_WINDOWS_TESTS", "torch._dynamo.test_case", since="2.7"),
    ForeignVariable("TORCHINDUCTOR_WRITE_MISSING_OPS", "torch._inductor.exc"),
    ForeignVariable("TORCHINDUCTOR_XPU_KERNEL_FORMAT", "torch._inductor.utils", since="2.11"),
)
