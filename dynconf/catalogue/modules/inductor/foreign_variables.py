"""Variables that other parts of torch read under the prefixes that Inductor's flags use.

They are not flags, and `dynconf check` does not complain about them. A test compares the list with the
sources of the installed torch.
"""

from dynconf.catalogue.flags.types import Bool, Choice, Int
from dynconf.catalogue.flags.variable import FIRST_COMPILATION, ForeignVariable

_CACHING = "torch._inductor.runtime.caching.config"

_MODES = Choice(
    tuple(
        f"{when}{mode}"
        for when in ("", "ASYNC+", "PROGRESSIVE+", "PROGRESSIVE+ASYNC+")
        for mode in ("NORMAL", "SERIALIZE", "SUBPROCESS")
    )
)

FOREIGN_VARIABLES = (
    ForeignVariable(
        "TORCHINDUCTOR_AUTOTUNE_POOL_INACTIVITY_TIMEOUT",
        "torch._inductor.autotune_process",
        since="2.11",
        summary="The seconds after which idle worker processes of the autotuner end.",
        takes=Int(),
        rule="integer",
        otherwise=FIRST_COMPILATION,
    ),
    # Its reader moved to another module in 2.6; this one points it at a fresh folder in every release.
    ForeignVariable(
        "TORCHINDUCTOR_CACHE_DIR",
        "torch._inductor.utils",
        summary=(
            "The folder of Inductor's cache on disk; by default torchinductor_USER in the system's folder for"
            " temporary files."
        ),
        takes="folder",
        otherwise=FIRST_COMPILATION,
        empty=f"{FIRST_COMPILATION}, or from torch 2.13 on caches go into the working directory",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_CACHE_DUMP_FILE_PATH",
        _CACHING,
        since="2.11",
        summary="A file to fill Inductor's memoizers, which TORCHINDUCTOR_DUMP_MEMOIZER_CACHE writes.",
        takes="file",
        otherwise="the memoizers cannot be filled",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_CONV_LOGGING_FILE",
        "torch._inductor.select_algorithm",
        since="2.12",
        summary="The file to which the shapes of autotuned convolutions are written.",
        takes="file",
        otherwise="autotuning fails",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_DEBUG_COMPILE",
        "torch._inductor.cpp_builder",
        since="2.10",
        summary="At 1, generated C++ is compiled with debug symbols and without optimization.",
        takes=Bool(),
        rule="equals_one",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_DEBUG_SYMBOL",
        "torch._inductor.cpp_builder",
        since="2.9",
        summary="At 1, generated C++ is compiled with debug symbols.",
        takes=Bool(),
        rule="equals_one",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_DISABLE_MULTI_KERNEL_CACHE",
        "torch._inductor.codegen.multi_kernel",
        summary="At 1, the choice among variants of a kernel is not cached.",
        takes=Bool(),
        rule="equals_one",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_DUMP_LAUNCH_PARAMS",
        "torch._inductor.runtime.triton_heuristics",
        summary="At 1, the arguments with which each Triton kernel is launched are written to a file.",
        takes=Bool(),
        rule="equals_one",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_DUMP_LAUNCH_TENSORS",
        "torch._inductor.runtime.triton_heuristics",
        since="2.11",
        summary="At 1, the tensors with which Triton kernels are launched are saved.",
        takes=Bool(),
        rule="equals_one",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_DUMP_MEMOIZER_CACHE",
        _CACHING,
        since="2.11",
        summary="At 1, the contents of Inductor's memoizers are written to a file.",
        takes=Bool(),
        rule="equals_one",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_ENABLE_CACHING_MODULE",
        _CACHING,
        since="2.10",
        summary="Uses Inductor's newer caching module.",
        takes=Bool(),
        rule="equals_one",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_ENABLE_DETERMINISTIC_CACHING",
        _CACHING,
        since="2.10",
        until="2.10",
        summary="Makes Inductor's newer caching module deterministic.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_FLEX_ATTENTION_LOGGING_FILE",
        "torch._inductor.select_algorithm",
        since="2.10",
        summary="The file to which the results of autotuning flex attention are written.",
        takes="file",
        otherwise="autotuning fails",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_FX_COMPILE_MODE",
        "torch._inductor.compile_fx",
        since="2.7",
        summary=(
            "Where Inductor compiles a graph: NORMAL, SERIALIZE or SUBPROCESS, which leaves out custom"
            " passes; from torch 2.8 on after ASYNC+, and from 2.9 on after PROGRESSIVE+."
        ),
        takes=_MODES,
        rule="upper",
        otherwise="torch logs an error and compiles as by default",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_GLOBAL_DETERMINISM",
        _CACHING,
        since="2.10",
        until="2.10",
        summary="Makes Inductor's newer caching module deterministic on all ranks.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_KERNELS_TO_DUMP",
        "torch._inductor.runtime.triton_heuristics",
        since="2.11",
        summary="The names of the kernels whose tensors TORCHINDUCTOR_DUMP_LAUNCH_TENSORS saves.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_LOCAL_DETERMINISM",
        _CACHING,
        since="2.10",
        until="2.10",
        summary="Makes Inductor's newer caching module deterministic on a machine.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_MM_LOGGING_FILE",
        "torch._inductor.select_algorithm",
        summary="The file to which the shapes of autotuned matrix products are written.",
        takes="file",
        otherwise="autotuning fails",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_NVGEMM_PREFETCH",
        "torch._inductor.kernel.vendored_templates.cutedsl.wrappers.dense_blockscaled_gemm_kernel",
        since="2.14",
        until="2.14",
        summary="Whether kernels of the NVGEMM backend fetch data in advance.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_PATTERN_MATCH_BACKEND",
        "torch._inductor.pattern_matcher",
        since="2.9",
        summary="The name under which torch counts the matches of its pattern matcher.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_PATTERN_MATCH_DEBUG",
        "torch._inductor.pattern_matcher",
        summary="Logs the pattern matches at these nodes of the graph, separated by commas.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_PRE_POPULATE_DETERMINISTIC_CACHE",
        _CACHING,
        since="2.10",
        until="2.10",
        summary="A file from which Inductor's deterministic cache is filled.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_REDIS_HOST",
        "torch._inductor.remote_cache",
        summary="The host of the Redis server of the remote cache.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_REDIS_PORT",
        "torch._inductor.remote_cache",
        summary="The port of the Redis server of the remote cache.",
        takes=Int(),
        rule="integer",
        otherwise="the remote cache fails",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_REDIS_URL",
        "torch._inductor.remote_cache",
        since="2.7",
        summary="The address of the Redis server of the remote cache, in place of host and port.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_STRICTLY_CACHED_DETERMINISM",
        _CACHING,
        since="2.10",
        until="2.10",
        summary="Makes a miss in Inductor's deterministic cache an error.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_STRICTLY_PRE_POPULATED_DETERMINISM",
        _CACHING,
        since="2.10",
        until="2.10",
        summary="Makes a result outside the file of the deterministic cache an error.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_TRITON_AUTOTUNE_AT_COMPILE_TIME",
        "torch._inductor.compile_fx",
        since="2.5",
        until="2.5",
        summary="Autotunes Triton kernels while code for the C++ wrapper is generated.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_WINDOWS_TESTS",
        "torch._dynamo.test_case",
        since="2.7",
        summary="Used by torch's own tests on Windows.",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_WRITE_MISSING_OPS",
        "torch._inductor.exc",
        summary="At 1, the operators that Inductor does not lower are listed in missing_ops.txt.",
        takes=Bool(),
        rule="equals_one",
    ),
    ForeignVariable(
        "TORCHINDUCTOR_XPU_KERNEL_FORMAT",
        "torch._inductor.utils",
        since="2.11",
        summary="The binary format of kernels for Intel GPUs: zebin or spv.",
    ),
)
