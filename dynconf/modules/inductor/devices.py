"""CUTLASS, ROCm, oneAPI and other libraries for one kind of device."""

from dynconf.flags.described import Facts
from dynconf.flags.risk import OPTIONS, PATTERNS, Risk, only
from dynconf.flags.types import OrNone, PathText

_HOME = OrNone(PathText())

DESCRIPTIONS = """
cuda.arch: Architecture that CUTLASS kernels are compiled for, such as 90; None is the GPU at hand.
    The text becomes part of the compiler's command.
cuda.version: CUDA version that CUTLASS kernels are compiled for, such as 12.1; None is torch's.
cuda.cuda_cxx: CUDA compiler (nvcc) that torch runs; None looks for one.
    It looks in CUDACXX, CUDA_HOME and the search path.
cuda.cutlass_dir: Folder of CUTLASS for NVIDIA GPUs; torch imports Python modules from it.
    The default is right only where torch was built from source.
cutlass.cutlass_dir: Folder of CUTLASS, where a device has none of its own.
cutlass.cutlass_op_allowlist_regex:
    Measures only CUTLASS configurations of any device whose name matches this regular expression.
cutlass.cutlass_op_denylist_regex:
    Leaves out CUTLASS configurations of any device whose name matches this regular expression.
cutlass.upload_to_binary_remote_cache: Stores compiled CUTLASS kernels in a remote cache; only inside Meta.
cutlass.binary_remote_cache_force_write: Stores CUTLASS kernels even where the remote cache has them already.
cuda.cutlass_max_profiling_configs: How many CUTLASS configurations max_autotune measures; None measures all.
cuda.cutlass_op_allowlist_regex:
    Measures only CUTLASS configurations whose name matches this regular expression.
cuda.cutlass_op_denylist_regex:
    Does not measure CUTLASS configurations whose name matches this regular expression.
cuda.cutlass_backend_min_gemm_size:
    Smallest product of M, N and K for which CUTLASS is a candidate for a matmul.
cuda.compile_opt_level: How far nvcc optimizes CUTLASS kernels.
cuda.enable_cuda_lto: Compiles CUTLASS kernels with link-time optimization.
cuda.use_fast_math: Compiles CUTLASS kernels with -use_fast_math.
cuda.upload_to_binary_remote_cache: Like cutlass.upload_to_binary_remote_cache, for NVIDIA GPUs.
cuda.binary_remote_cache_force_write: Like cutlass.binary_remote_cache_force_write, for NVIDIA GPUs.
rocm.arch: Architectures to compile for, such as gfx90a; if empty, that of the machine.
    The texts become part of the compiler's command.
rocm.ck_dir: Folder of Composable Kernel, from which torch compiles.
rocm.rocm_home: Folder of ROCm, whose compiler torch runs; None is that of ROCM_HOME.
rocm.compile_opt_level: How far the compiler optimizes kernels of Composable Kernel.
rocm.n_max_profiling_configs:
    How many configurations of Composable Kernel max_autotune measures; None measures all.
rocm.ck_max_profiling_configs: How many Composable Kernel configurations max_autotune measures.
rocm.ck_tile_max_profiling_configs: How many CK-Tile configurations max_autotune measures.
xpu.arch: Xe architecture that SYCL kernels are compiled for.
    The text becomes part of the compiler's command.
xpu.cutlass_dir: Folder of CUTLASS for Intel GPUs; torch imports Python modules from it.
xpu.oneapi_root: Folder of oneAPI, whose compiler torch runs; None looks for one.
xpu.cutlass_op_allowlist_regex: Like cuda.cutlass_op_allowlist_regex, for Intel GPUs.
xpu.cutlass_op_denylist_regex: Like cuda.cutlass_op_denylist_regex, for Intel GPUs.
xpu.upload_to_binary_remote_cache: Like cutlass.upload_to_binary_remote_cache, for Intel GPUs.
xpu.binary_remote_cache_force_write: Like cutlass.binary_remote_cache_force_write, for Intel GPUs.
halide.cpu_target: Target that Halide compiles for on CPUs.
halide.gpu_target: Target that Halide compiles for on GPUs.
"""

FACTS = {
    "cuda.arch": Facts(machine_dependent=True, risks=(Risk("run a program or load code", OPTIONS),)),
    "cuda.version": Facts(machine_dependent=True),
    "cuda.cuda_cxx": Facts(type=_HOME, machine_dependent=True, risks=(Risk("run a program or load code"),)),
    "cuda.cutlass_dir": Facts(type=PathText(), risks=(Risk("run a program or load code"),)),
    "cutlass.cutlass_dir": Facts(type=PathText(), risks=(Risk("run a program or load code"),)),
    "rocm.arch": Facts(machine_dependent=True, risks=(Risk("run a program or load code", OPTIONS),)),
    "rocm.ck_dir": Facts(type=_HOME, machine_dependent=True, risks=(Risk("run a program or load code"),)),
    "rocm.rocm_home": Facts(type=_HOME, machine_dependent=True, risks=(Risk("run a program or load code"),)),
    "rocm.n_max_profiling_configs": Facts(
        status="deprecated",
        replacement="use rocm.ck_max_profiling_configs and rocm.ck_tile_max_profiling_configs",
    ),
    "xpu.arch": Facts(machine_dependent=True, risks=(Risk("run a program or load code", OPTIONS),)),
    "xpu.cutlass_dir": Facts(type=PathText(), risks=(Risk("run a program or load code"),)),
    "xpu.oneapi_root": Facts(type=_HOME, machine_dependent=True, risks=(Risk("run a program or load code"),)),
    "cuda.cutlass_op_allowlist_regex": Facts(risks=(Risk("take time or memory without bound", PATTERNS),)),
    "cuda.cutlass_op_denylist_regex": Facts(risks=(Risk("take time or memory without bound", PATTERNS),)),
    "cuda.upload_to_binary_remote_cache": Facts(risks=(Risk("contact a host", only(True)),)),
    "cuda.binary_remote_cache_force_write": Facts(risks=(Risk("contact a host", only(True)),)),
    "cutlass.upload_to_binary_remote_cache": Facts(risks=(Risk("contact a host", only(True)),)),
    "cutlass.binary_remote_cache_force_write": Facts(risks=(Risk("contact a host", only(True)),)),
    "xpu.upload_to_binary_remote_cache": Facts(risks=(Risk("contact a host", only(True)),)),
    "xpu.binary_remote_cache_force_write": Facts(risks=(Risk("contact a host", only(True)),)),
    "cutlass.cutlass_op_allowlist_regex": Facts(risks=(Risk("take time or memory without bound", PATTERNS),)),
    "cutlass.cutlass_op_denylist_regex": Facts(risks=(Risk("take time or memory without bound", PATTERNS),)),
    "xpu.cutlass_op_allowlist_regex": Facts(risks=(Risk("take time or memory without bound", PATTERNS),)),
    "xpu.cutlass_op_denylist_regex": Facts(risks=(Risk("take time or memory without bound", PATTERNS),)),
}
