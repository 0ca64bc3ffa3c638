"""CUTLASS, ROCm, oneAPI and other libraries of one sort of device."""

from dynconf.flags.described import Described
from dynconf.flags.types import OrNone, PathText

_HOME = OrNone(PathText())

FLAGS = (
    Described(
        name="cuda.arch",
        summary="Architecture that CUTLASS kernels are compiled for, such as 90; None is the GPU at hand.",
        details="The text becomes part of the compiler's command.",
        host=True,
        reach=("runs a program",),
    ),
    Described(
        name="cuda.version",
        summary="CUDA version that CUTLASS kernels are compiled for, such as 12.1; None is torch's.",
        host=True,
    ),
    Described(
        name="cuda.cuda_cxx",
        type=_HOME,
        summary="CUDA compiler (nvcc) that torch runs; None looks for one.",
        details="It looks in CUDACXX, CUDA_HOME and the search path.",
        host=True,
        reach=("runs a program",),
    ),
    Described(
        name="cuda.cutlass_dir",
        type=PathText(),
        summary="Folder of CUTLASS for NVIDIA GPUs; torch imports Python modules from it.",
        details="The default is right only where torch was built from source.",
        reach=("runs a program",),
    ),
    Described(
        name="cutlass.cutlass_dir",
        type=PathText(),
        summary="Folder of CUTLASS, where a device has none of its own.",
        reach=("runs a program",),
    ),
    Described(
        name="cuda.cutlass_max_profiling_configs",
        summary="How many CUTLASS configurations max_autotune measures; None measures all.",
    ),
    Described(
        name="cuda.cutlass_op_allowlist_regex",
        summary="Measures only CUTLASS configurations whose name matches this regular expression.",
    ),
    Described(
        name="cuda.cutlass_op_denylist_regex",
        summary="Does not measure CUTLASS configurations whose name matches this regular expression.",
    ),
    Described(
        name="cuda.cutlass_backend_min_gemm_size",
        summary="CUTLASS is a candidate only for matmuls with at least this product of M, N and K.",
    ),
    Described(
        name="cuda.compile_opt_level",
        summary="How far nvcc optimizes CUTLASS kernels.",
    ),
    Described(
        name="cuda.enable_cuda_lto",
        summary="Links CUTLASS kernels with optimization at link time.",
    ),
    Described(
        name="cuda.use_fast_math",
        summary="Compiles CUTLASS kernels with -use_fast_math.",
    ),
    Described(
        name="rocm.arch",
        summary="Architectures to compile for, such as gfx90a; none is that of the machine.",
        details="The texts become part of the compiler's command.",
        host=True,
        reach=("runs a program",),
    ),
    Described(
        name="rocm.ck_dir",
        type=_HOME,
        summary="Folder of Composable Kernel, from which torch compiles.",
        host=True,
        reach=("runs a program",),
    ),
    Described(
        name="rocm.rocm_home",
        type=_HOME,
        summary="Folder of ROCm, whose compiler torch runs; None is that of ROCM_HOME.",
        host=True,
        reach=("runs a program",),
    ),
    Described(
        name="rocm.compile_opt_level",
        summary="How far the compiler optimizes kernels of Composable Kernel.",
    ),
    Described(
        name="rocm.n_max_profiling_configs",
        summary="How many configurations of Composable Kernel max_autotune measures; None measures all.",
        status="deprecated",
        instead="use rocm.ck_max_profiling_configs and rocm.ck_tile_max_profiling_configs",
    ),
    Described(
        name="rocm.ck_max_profiling_configs",
        summary="How many Composable Kernel configurations max_autotune measures.",
    ),
    Described(
        name="rocm.ck_tile_max_profiling_configs",
        summary="How many CK-Tile configurations max_autotune measures.",
    ),
    Described(
        name="xpu.arch",
        summary="Xe architecture that SYCL kernels are compiled for.",
        details="The text becomes part of the compiler's command.",
        host=True,
        reach=("runs a program",),
    ),
    Described(
        name="xpu.cutlass_dir",
        type=PathText(),
        summary="Folder of CUTLASS for Intel GPUs; torch imports Python modules from it.",
        reach=("runs a program",),
    ),
    Described(
        name="xpu.oneapi_root",
        type=_HOME,
        summary="Folder of oneAPI, whose compiler torch runs; None looks for one.",
        host=True,
        reach=("runs a program",),
    ),
    Described(
        name="halide.cpu_target",
        summary="What Halide compiles for on CPUs.",
    ),
    Described(
        name="halide.gpu_target",
        summary="What Halide compiles for on GPUs.",
    ),
)
