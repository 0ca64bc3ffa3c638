"""Variables that other parts of torch read under the prefixes that Inductor's flags use.

They are not flags, and `dynconf check` does not complain about them. A test compares the list with the
sources of the installed torch.
"""

from dynconf.catalogue.flags.described import described_variables
from dynconf.catalogue.flags.types import Choice, Int
from dynconf.catalogue.flags.variable import FIRST_COMPILATION, SWITCH, Takes

_CACHING = "torch._inductor.runtime.caching.config"

DESCRIPTIONS = f"""
TORCHINDUCTOR_AUTOTUNE_POOL_INACTIVITY_TIMEOUT (torch._inductor.autotune_process, since 2.11):
    The seconds after which idle worker processes of the autotuner end.
TORCHINDUCTOR_CACHE_DIR (torch._inductor.utils):
    The folder of Inductor's cache on disk; by default torchinductor_USER in the system's folder for temporary
    files, where headers that are compiled once (inductor.cpp_cache_precompile_headers) stay in any case.
TORCHINDUCTOR_CACHE_DUMP_FILE_PATH ({_CACHING}, since 2.11):
    A file to fill Inductor's memoizers, which TORCHINDUCTOR_DUMP_MEMOIZER_CACHE writes.
TORCHINDUCTOR_CONV_LOGGING_FILE (torch._inductor.select_algorithm, since 2.12):
    The file to which the shapes of autotuned convolutions are written.
TORCHINDUCTOR_DEBUG_COMPILE (torch._inductor.cpp_builder, since 2.10):
    At 1, generated C++ is compiled with debug symbols and without optimization.
TORCHINDUCTOR_DEBUG_SYMBOL (torch._inductor.cpp_builder, since 2.9):
    At 1, generated C++ is compiled with debug symbols.
TORCHINDUCTOR_DISABLE_MULTI_KERNEL_CACHE (torch._inductor.codegen.multi_kernel):
    At 1, the choice among variants of a kernel is not cached.
TORCHINDUCTOR_DUMP_LAUNCH_PARAMS (torch._inductor.runtime.triton_heuristics):
    At 1, the arguments with which each Triton kernel is launched are written to a file.
TORCHINDUCTOR_DUMP_LAUNCH_TENSORS (torch._inductor.runtime.triton_heuristics, since 2.11):
    At 1, the tensors with which Triton kernels are launched are saved.
TORCHINDUCTOR_DUMP_MEMOIZER_CACHE ({_CACHING}, since 2.11):
    At 1, the contents of Inductor's memoizers are written to a file.
TORCHINDUCTOR_ENABLE_CACHING_MODULE ({_CACHING}, since 2.10): Uses Inductor's newer caching module.
TORCHINDUCTOR_ENABLE_DETERMINISTIC_CACHING ({_CACHING}, 2.10 only):
    Makes Inductor's newer caching module deterministic.
TORCHINDUCTOR_FLEX_ATTENTION_LOGGING_FILE (torch._inductor.select_algorithm, since 2.10):
    The file to which the results of autotuning flex attention are written.
TORCHINDUCTOR_FX_COMPILE_MODE (torch._inductor.compile_fx, since 2.7):
    Where Inductor compiles a graph: NORMAL, SERIALIZE or SUBPROCESS, which leaves out custom passes; from
    torch 2.8 on after ASYNC+, and from 2.9 on after PROGRESSIVE+.
TORCHINDUCTOR_GLOBAL_DETERMINISM ({_CACHING}, 2.10 only):
    Makes Inductor's newer caching module deterministic on all ranks.
TORCHINDUCTOR_KERNELS_TO_DUMP (torch._inductor.runtime.triton_heuristics, since 2.11):
    The names of the kernels whose tensors TORCHINDUCTOR_DUMP_LAUNCH_TENSORS saves.
TORCHINDUCTOR_LOCAL_DETERMINISM ({_CACHING}, 2.10 only):
    Makes Inductor's newer caching module deterministic on a machine.
TORCHINDUCTOR_MM_LOGGING_FILE (torch._inductor.select_algorithm):
    The file to which the shapes of autotuned matrix products are written.
TORCHINDUCTOR_NVGEMM_PREFETCH
    (torch._inductor.kernel.vendored_templates.cutedsl.wrappers.dense_blockscaled_gemm_kernel, 2.14 only):
    Whether kernels of the NVGEMM backend fetch data in advance.
TORCHINDUCTOR_PATTERN_MATCH_BACKEND (torch._inductor.pattern_matcher, since 2.9):
    The name under which torch counts the matches of its pattern matcher.
TORCHINDUCTOR_PATTERN_MATCH_DEBUG (torch._inductor.pattern_matcher):
    Logs the pattern matches at these nodes of the graph, separated by commas.
TORCHINDUCTOR_PRE_POPULATE_DETERMINISTIC_CACHE ({_CACHING}, 2.10 only):
    A file from which Inductor's deterministic cache is filled.
TORCHINDUCTOR_REDIS_HOST (torch._inductor.remote_cache): The host of the Redis server of the remote cache.
TORCHINDUCTOR_REDIS_PORT (torch._inductor.remote_cache): The port of the Redis server of the remote cache.
TORCHINDUCTOR_REDIS_URL (torch._inductor.remote_cache, since 2.7):
    The address of the Redis server of the remote cache, in place of host and port.
TORCHINDUCTOR_STRICTLY_CACHED_DETERMINISM ({_CACHING}, 2.10 only):
    Makes a miss in Inductor's deterministic cache an error.
TORCHINDUCTOR_STRICTLY_PRE_POPULATED_DETERMINISM ({_CACHING}, 2.10 only):
    Makes a result outside the file of the deterministic cache an error.
TORCHINDUCTOR_TRITON_AUTOTUNE_AT_COMPILE_TIME (torch._inductor.compile_fx, 2.5 only):
    Autotunes Triton kernels while code for the C++ wrapper is generated.
TORCHINDUCTOR_WINDOWS_TESTS (torch._dynamo.test_case, since 2.7): Used by torch's own tests on Windows.
TORCHINDUCTOR_WRITE_MISSING_OPS (torch._inductor.exc):
    At 1, the operators that Inductor does not lower are listed in missing_ops.txt.
TORCHINDUCTOR_XPU_KERNEL_FORMAT (torch._inductor.utils, since 2.11):
    The binary format of kernels for Intel GPUs: zebin or spv.
"""

_STEPS = ("", "ASYNC+", "PROGRESSIVE+", "PROGRESSIVE+ASYNC+")
_MODES = tuple(f"{steps}{mode}" for steps in _STEPS for mode in ("NORMAL", "SERIALIZE", "SUBPROCESS"))
_NO_PASSES = dict.fromkeys(_MODES[2::3], "the other process compiles without custom passes")
_IN_DIRECTORY = f"{FIRST_COMPILATION}, or from torch 2.13 on caches go into the working directory"
_SWITCHES = """
TORCHINDUCTOR_DEBUG_COMPILE TORCHINDUCTOR_DEBUG_SYMBOL TORCHINDUCTOR_DISABLE_MULTI_KERNEL_CACHE
TORCHINDUCTOR_DUMP_LAUNCH_PARAMS TORCHINDUCTOR_DUMP_LAUNCH_TENSORS TORCHINDUCTOR_DUMP_MEMOIZER_CACHE
TORCHINDUCTOR_ENABLE_CACHING_MODULE TORCHINDUCTOR_WRITE_MISSING_OPS
"""
_LOGS = """
TORCHINDUCTOR_CONV_LOGGING_FILE TORCHINDUCTOR_FLEX_ATTENTION_LOGGING_FILE TORCHINDUCTOR_MM_LOGGING_FILE
"""

TAKES = {
    "TORCHINDUCTOR_AUTOTUNE_POOL_INACTIVITY_TIMEOUT": Takes(Int(), FIRST_COMPILATION, "integer"),
    # Its reader moved to another module in 2.6; this one points it at a fresh folder in every release.
    "TORCHINDUCTOR_CACHE_DIR": Takes("folder", FIRST_COMPILATION, empty=_IN_DIRECTORY),
    "TORCHINDUCTOR_CACHE_DUMP_FILE_PATH": Takes("file", "the memoizers cannot be filled"),
    "TORCHINDUCTOR_FX_COMPILE_MODE": Takes(
        Choice(_MODES), "torch compiles as without it", "upper", side_effects=_NO_PASSES
    ),
    "TORCHINDUCTOR_REDIS_PORT": Takes(Int(), "the remote cache fails", "integer"),
    **dict.fromkeys(_LOGS.split(), Takes("file", "autotuning fails")),
    **dict.fromkeys(_SWITCHES.split(), SWITCH),
}

FOREIGN_VARIABLES = described_variables(DESCRIPTIONS, TAKES)

PHANTOMS = {
    "TORCHINDUCTOR_AUTOTUNE_VERBOSE": "set TORCH_LOGS=-inductor to have less printed",
    "TORCHINDUCTOR_CACHE": "set TORCHINDUCTOR_CACHE_DIR",
    "TORCHINDUCTOR_CUDAGRAPH_TREES": (
        "set the flag triton.cudagraph_trees in the program; to have no CUDA graphs, triton.cudagraphs"
    ),
    "TORCHINDUCTOR_DISABLE": "set TORCH_COMPILE_DISABLE=1, which compiles nothing",
    "TORCHINDUCTOR_DISABLE_CUDAGRAPHS": "set the flag triton.cudagraphs in the program",
    "TORCHINDUCTOR_DISABLE_PCH": "set TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS=0",
    "TORCHINDUCTOR_DISABLE_TRITON": 'set TORCH_COMPILE_DISABLE=1, or the backend "aot_eager" in the program',
    "TORCHINDUCTOR_NUM_THREADS": "set TORCHINDUCTOR_COMPILE_THREADS",
    "TORCHINDUCTOR_SAVE_IR": "set TORCH_COMPILE_DEBUG=1, or TORCH_LOGS=ir_post_fusion",
    "TORCHINDUCTOR_TRACE": "set TORCH_COMPILE_DEBUG=1",
    "TORCHINDUCTOR_VERBOSE": "set TORCH_LOGS=+inductor, or -inductor to have less printed",
    "TORCHINDUCTOR_WRITE_KERNELS": "set TORCH_LOGS=output_code, or TORCH_COMPILE_DEBUG=1",
}
"""Variables that public scripts set for Inductor and that no release of torch reads, with advice."""
