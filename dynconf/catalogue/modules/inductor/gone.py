"""Flags that newer releases do not have, and their replacements."""

from dynconf.catalogue.flags.flag import Removed

REMOVED = {"triton.convolution": Removed("2.3", "list backends in max_autotune_conv_backends")}
"""Flags that were gone before torch 2.4."""

DESCRIPTIONS = """
_debug_cpu_to_tpu_pallas: Generates Pallas kernels for TPUs from tensors on the CPU, for debugging.
    Instead: delete it: nothing replaces it
abi_compatible: Generates C++ that calls torch through a stable C interface.
    Instead: delete it: generated C++ always does
allow_stack_allocation: Keeps small intermediate results of ahead-of-time compiled code on the stack.
always_complex_memory_overlap_TESTING_ONLY:
    Has the check for overlapping memory find overlaps everywhere, for torch's own tests.
    Instead: delete it: nothing replaces it
autoheuristic_collect: Operations for which data on autotuning is collected, separated by commas.
    Instead: set autoheuristic_collect.pad_mm
autoheuristic_collect.mixed_mm: Collects data on autotuning for products of matrices of different dtypes.
    Instead: delete it: there are no such products any more
autoheuristic_use: Operations for which a learned heuristic decides, separated by commas.
    Instead: set autoheuristic_use.pad_mm
autoheuristic_use.mixed_mm:
    Lets a learned heuristic decide about products of matrices of different dtypes.
    Instead: delete it: there are no such products any more
bfloat16_atomic_adds_enabled: Lets Triton kernels add bfloat16 values atomically, in builds that can.
    Instead: delete it: nothing replaces it
c_shim_version: Version of the C interface that generated C++ calls torch through.
    Instead: delete it: there is one version
cuda.cutlass_presets: Preset groups of CUTLASS configurations to autotune, as numbers separated by commas.
    Instead: delete it: nothing replaces it
cuda.nvgemm_max_profiling_configs: How many NVGEMM configurations max_autotune measures; None measures all.
    Instead: use nvgemm_max_profiling_configs
disable_decompose_k: Does not divide matmuls along K.
    Instead: set triton.num_decompose_k_splits=0
force_mixed_mm: Uses a kernel for matmuls of two dtypes wherever possible.
    Instead: delete it: torch decides by itself
force_same_precision: Uses no precision for a matmul that its inputs would not have in eager mode.
    Instead: delete it: nothing replaces it
max_epilogue_benchmarked_choices: How many of the fastest templates are measured with fused epilogues.
pallas_take_first_jax_device_only:
    Runs Pallas kernels on the first of JAX's devices, whatever device torch uses.
    Instead: delete it: nothing replaces it
partitioned_scatter_memory_budget: Share of the free memory that partitioning a contended scatter may take.
    Instead: delete it: nothing replaces it
triton.enable_epilogue_subtiling: Divides the epilogue of a matmul template into smaller tiles.
    Instead: delete it: templates decide by themselves
triton.enable_tlx_templates: Measures templates in Triton's TLX as candidates.
    Instead: set triton.tlx_mode="allow" (torch 2.14)
use_minimal_arrayref_interface: Adds an interface to ahead-of-time compiled models that takes plain arrays.
"""
