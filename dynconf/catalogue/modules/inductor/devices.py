"""CUTLASS, ROCm, oneAPI and other libraries for one kind of device."""

from dynconf.catalogue.flags.described import texts_of
from dynconf.catalogue.modules.inductor.facts import INHERITED

DESCRIPTIONS = """
cuda.arch: Architecture that CUTLASS kernels are compiled for, such as 90; None is the GPU at hand.
    The text becomes part of the compiler's command.
cuda.version: CUDA version that CUTLASS kernels are compiled for, such as 12.1; None is torch's.
cuda.cuda_cxx: CUDA compiler (nvcc) that torch runs; None looks for one.
    It looks in CUDACXX, CUDA_HOME and the search path.
cuda.cutlass_dir: Folder of CUTLASS for NVIDIA GPUs; torch imports Python modules from it.
    The default is right only where torch was built from source.
cutlass.compile_opt_level: How far CUTLASS kernels are optimized when compiled.
cutlass.cutlass_backend_min_gemm_size:
    Smallest product of M, N and K from which on CUTLASS is considered for a matmul.
cutlass.cutlass_dir: Folder of CUTLASS, where a device has none of its own.
cutlass.cutlass_dynamic_cluster_fallback:
    Cluster shape to use where cutlass.cutlass_dynamic_cluster_shape is not possible.
cutlass.cutlass_dynamic_cluster_shape: Cluster shape for CUTLASS kernels that get it at run time.
cutlass.cutlass_enabled_ops: Operators that CUTLASS is a candidate for: all, or names separated by commas.
    Known are mm, int_mm, addmm, sparse_semi_structured_mm, bmm and scaled_mm. An empty text names none.
cutlass.cutlass_epilogue_fusion_enabled:
    Fuses pointwise operations into the CUTLASS matmul before them; needs epilogue_fusion.
    Only into kernels that use TMA.
cutlass.cutlass_hash_with_compile_cmd:
    Recompiles a CUTLASS kernel whenever the compiler's command line changes.
cutlass.cutlass_instantiation_level: How many CUTLASS configurations are generated, from 0 to 9999.
    The digits stand for schedules, cluster sizes, multiples of the instruction shape, and instruction shapes.
    Higher ones add configurations, and 9999 takes very long.
cutlass.cutlass_max_profiling_configs:
    How many CUTLASS configurations of any device max_autotune measures; None measures all.
    On Intel GPUs, torch 2.14 and later read xpu.cutlass_max_profiling_configs instead.
cutlass.cutlass_max_profiling_swizzle_options:
    Swizzles with which max_autotune measures each CUTLASS configuration.
    On Intel GPUs, torch 2.14 and later read xpu.cutlass_max_profiling_swizzle_options instead.
cutlass.cutlass_op_allowlist_regex:
    Measures only CUTLASS configurations of any device whose name matches this regular expression.
cutlass.cutlass_op_denylist_regex:
    Leaves out CUTLASS configurations of any device whose name matches this regular expression.
cutlass.cutlass_prescreening:
    Measures CUTLASS configurations with swizzle 2 first, and the other swizzles only for the fastest.
cutlass.cutlass_tma_only: Measures only CUTLASS configurations that use TMA.
cutlass.upload_to_binary_remote_cache: Stores compiled CUTLASS kernels in a remote cache; only inside Meta.
cutlass.use_binary_remote_cache: Looks for compiled CUTLASS kernels in a remote cache; only inside Meta.
cutlass.use_fast_math: Compiles CUTLASS kernels with less exact functions.
cutlass.binary_remote_cache_force_write: Stores CUTLASS kernels even where the remote cache has them already.
cutlass.enable_caching_codegen: Generates the source of equal CUTLASS templates once.
cutlass.enable_debug_info: Compiles CUTLASS kernels with debug information.
cutlass.generate_test_runner:
    Adds a main function to CUTLASS kernels, so that they can be compiled and run on their own.
cuda.cutlass_max_profiling_configs: How many CUTLASS configurations max_autotune measures; None measures all.
cuda.cutlass_op_allowlist_regex:
    Measures only CUTLASS configurations whose name matches this regular expression.
cuda.cutlass_op_denylist_regex:
    Does not measure CUTLASS configurations whose name matches this regular expression.
cuda.cutlass_backend_min_gemm_size:
    Smallest product of M, N and K for which CUTLASS is a candidate for a matmul.
cuda.compile_opt_level: How far nvcc optimizes CUTLASS kernels.
cuda.enable_cuda_lto: Compiles CUTLASS kernels with link-time optimization.
cuda.enable_ptxas_info:
    Makes nvcc report the registers and memory of CUTLASS kernels, and keep its intermediate files.
cuda.use_fast_math: Compiles CUTLASS kernels with -use_fast_math.
rocm.arch: Architectures to compile for, such as gfx90a; if empty, that of the machine.
    The texts become part of the compiler's command.
rocm.ck_dir: Folder of Composable Kernel, from which torch compiles.
rocm.rocm_home: Folder of ROCm, whose compiler torch runs; None is that of ROCM_HOME.
rocm.compile_opt_level: How far the compiler optimizes kernels of Composable Kernel.
rocm.n_max_profiling_configs:
    How many configurations of Composable Kernel max_autotune measures; None measures all.
    Instead: use rocm.ck_max_profiling_configs and rocm.ck_tile_max_profiling_configs
rocm.ck_max_profiling_configs: How many Composable Kernel configurations max_autotune measures.
rocm.ck_supported_arch: Architectures for which Composable Kernel is a candidate.
rocm.ck_tile_max_profiling_configs: How many CK-Tile configurations max_autotune measures.
rocm.contiguous_threshold:
    Ratio of K to M and N from which a matmul with its second input made contiguous is a candidate.
    AMD GPUs only, and neither ahead of time nor under cpp_wrapper.
rocm.flush_denormals: Compiles kernels of Composable Kernel to flush numbers close to zero to zero.
rocm.generate_test_runner: Also compiles each kernel of Composable Kernel as a program of its own, for tests.
rocm.is_debug: Compiles kernels of Composable Kernel with debug information.
rocm.kBatch_sweep: Numbers of parts along K to measure for matmuls of Composable Kernel; None computes one.
    Only where K is large enough for rocm.split_k_threshold.
rocm.origami: Lets the package rocm-origami choose which configurations of a matmul max_autotune measures.
    Saves compile time. Only with max_autotune_gemm_search_space="DEFAULT", and only if this flag and
    max_autotune are on when torch first loads its templates.
rocm.origami_topk: How many configurations of each matmul rocm.origami chooses.
rocm.print_kernel_resource_usage:
    Lets the compiler report the registers and the memory that each kernel of Composable Kernel uses.
rocm.save_temps: Keeps what the compiler makes on the way to each kernel of Composable Kernel.
rocm.split_k_threshold:
    Ratio of K to M and N from which matmuls of Composable Kernel may be divided along K.
rocm.use_fast_math: Compiles kernels of Composable Kernel with -ffast-math.
rocm.use_preselected_instances:
    Measures only a short list of Composable Kernel configurations; float16 matmuls with usual layouts only.
mtia.disable_welford_reduction: Computes variances in two steps, never by Welford's algorithm.
    Meant for Meta's MTIA, but it holds for all devices.
nvgemm_max_profiling_configs: How many configurations of NVIDIA Universal GEMM (NVGEMM) max_autotune measures.
    None measures all.
nvgemm_pdl: Which matmuls of NVGEMM with NVFP4 inputs let the next kernel start before they end.
    "0": none; "1": all that can; "auto": those of sizes for which it was found to be faster.
nvgemm_supplement_configs:
    Measures a few NVGEMM configurations in addition to those that NVIDIA's heuristics propose.
nvgemm_swap_ab: Also measures NVGEMM matmuls with swapped inputs, which suits few rows and many columns.
    For NVFP4 inputs of such sizes torch does so anyway.
xpu.arch: Xe architecture that SYCL kernels are compiled for.
    Instead: delete it: torch asks the GPU
xpu.compile_opt_level: Like cutlass.compile_opt_level, for Intel GPUs.
    Instead: delete it: torch compiles with -O3
xpu.cutlass_dir: Folder of CUTLASS for Intel GPUs; torch imports Python modules from it.
xpu.cutlass_max_profiling_configs:
    How many CUTLASS configurations max_autotune measures on Intel GPUs; None measures all.
    Instead: up to torch 2.13, set cutlass.cutlass_max_profiling_configs
xpu.cutlass_max_profiling_swizzle_options:
    Swizzles with which max_autotune measures each CUTLASS configuration on Intel GPUs.
    Instead: up to torch 2.13, set cutlass.cutlass_max_profiling_swizzle_options
xpu.oneapi_root: Folder of oneAPI, whose compiler torch runs; None looks for one.
xpu.cutlass_op_allowlist_regex: Like cuda.cutlass_op_allowlist_regex, for Intel GPUs.
xpu.cutlass_op_denylist_regex: Like cuda.cutlass_op_denylist_regex, for Intel GPUs.
xpu.use_fast_math: Like cutlass.use_fast_math, for Intel GPUs.
    Instead: delete it: nothing replaces it
xpu.version: Version of oneAPI that SYCL kernels are compiled for.
    Instead: delete it: torch takes the version it was built for
halide.asserts: Leaves Halide's own assertions in the kernels that it compiles.
halide.cpu_target: Target that Halide compiles for on CPUs.
halide.debug: Compiles Halide kernels for debugging.
halide.gpu_target: Target that Halide compiles for on GPUs.
halide.scan_kernels: Generates Halide kernels for scans, such as cumsum, instead of calling ATen.
halide.scheduler_cpu: Autoscheduler with which Halide compiles kernels for CPUs.
    Anderson2021 is for GPUs only.
halide.scheduler_cuda: Autoscheduler with which Halide compiles kernels for NVIDIA GPUs.
    Adams2019 and Mullapudi2016 are for CPUs only.
"""

_OWN_TEXTS = dict(texts_of(DESCRIPTIONS))
DESCRIPTIONS += "".join(
    f"{name}: Like {like}, for {'NVIDIA' if name.startswith('cuda.') else 'Intel'} GPUs.\n"
    for name, like in INHERITED.items()
    if name not in _OWN_TEXTS
)
