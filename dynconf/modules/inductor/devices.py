"""CUTLASS, ROCm, oneAPI and other libraries for one kind of device."""

from dynconf.flags.described import Described
from dynconf.flags.types import OrNone, PathText

_HOME = OrNone(PathText())

FLAGS = {
    "cuda.arch": Described(
        "Architecture that CUTLASS kernels are compiled for, such as 90; None is the GPU at hand.",
        details="The text becomes part of the compiler's command.",
        machine_dependent=True,
        risks=("runs a program",),
    ),
    "cuda.version": Described(
        "CUDA version that CUTLASS kernels are compiled for, such as 12.1; None is torch's.",
        machine_dependent=True,
    ),
    "cuda.cuda_cxx": Described(
        "CUDA compiler (nvcc) that torch runs; None looks for one.",
        type=_HOME,
        details="It looks in CUDACXX, CUDA_HOME and the search path.",
        machine_dependent=True,
        risks=("runs a program",),
    ),
    "cuda.cutlass_dir": Described(
        "Folder of CUTLASS for NVIDIA GPUs; torch imports Python modules from it.",
        type=PathText(),
        details="The default is right only where torch was built from source.",
        risks=("runs a program",),
    ),
    "cutlass.cutlass_dir": Described(
        "Folder of CUTLASS, where a device has none of its own.",
        type=PathText(),
        risks=("runs a program",),
    ),
    "cuda.cutlass_max_profiling_configs": (
        "How many CUTLASS configurations max_autotune measures; None measures all."
    ),
    "cuda.cutlass_op_allowlist_regex": "Regular expression of the CUTLASS configurations to measure.",
    "cuda.cutlass_op_denylist_regex": "Regular expression of the CUTLASS configurations not to measure.",
    "cuda.cutlass_backend_min_gemm_size": "Smallest M*N*K for which CUTLASS is a candidate for a matmul.",
    "cuda.compile_opt_level": "How far nvcc optimizes CUTLASS kernels.",
    "cuda.enable_cuda_lto": "Compiles CUTLASS kernels with link-time optimization.",
    "cuda.use_fast_math": "Compiles CUTLASS kernels with -use_fast_math.",
    "rocm.arch": Described(
        "Architectures to compile for, such as gfx90a; if empty, that of the machine.",
        details="The texts become part of the compiler's command.",
        machine_dependent=True,
        risks=("runs a program",),
    ),
    "rocm.ck_dir": Described(
        "Folder of Composable Kernel, from which torch compiles.",
        type=_HOME,
        machine_dependent=True,
        risks=("runs a program",),
    ),
    "rocm.rocm_home": Described(
        "Folder of ROCm, whose compiler torch runs; None is that of ROCM_HOME.",
        type=_HOME,
        machine_dependent=True,
        risks=("runs a program",),
    ),
    "rocm.compile_opt_level": "How far the compiler optimizes kernels of Composable Kernel.",
    "rocm.n_max_profiling_configs": Described(
        "How many configurations of Composable Kernel max_autotune measures; None measures all.",
        status="deprecated",
        replacement="use rocm.ck_max_profiling_configs and rocm.ck_tile_max_profiling_configs",
    ),
    "rocm.ck_max_profiling_configs": "How many Composable Kernel configurations max_autotune measures.",
    "rocm.ck_tile_max_profiling_configs": "How many CK-Tile configurations max_autotune measures.",
    "xpu.arch": Described(
        "Xe architecture that SYCL kernels are compiled for.",
        details="The text becomes part of the compiler's command.",
        machine_dependent=True,
        risks=("runs a program",),
    ),
    "xpu.cutlass_dir": Described(
        "Folder of CUTLASS for Intel GPUs; torch imports Python modules from it.",
        type=PathText(),
        risks=("runs a program",),
    ),
    "xpu.oneapi_root": Described(
        "Folder of oneAPI, whose compiler torch runs; None looks for one.",
        type=_HOME,
        machine_dependent=True,
        risks=("runs a program",),
    ),
    "halide.cpu_target": "Target that Halide compiles for on CPUs.",
    "halide.gpu_target": "Target that Halide compiles for on GPUs.",
}
