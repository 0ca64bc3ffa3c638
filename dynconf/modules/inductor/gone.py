"""Flags that newer releases do not have, and their replacements."""

from dynconf.flags.described import Described

FLAGS = {
    "abi_compatible": Described(
        "Generates C++ that calls torch through a stable C interface.",
        replacement="delete it: generated C++ always does",
    ),
    "allow_stack_allocation": Described(
        "Keeps small intermediate results of ahead-of-time compiled code on the stack.",
        renamed_to="aot_inductor.allow_stack_allocation",
    ),
    "autoheuristic_collect": Described(
        "Operations for which data on autotuning is collected, separated by commas.",
        replacement="set autoheuristic_collect.pad_mm",
    ),
    "autoheuristic_collect.mixed_mm": Described(
        "Collects data on autotuning for products of matrices of different dtypes.",
        replacement="delete it: autotuning has no such products any more",
    ),
    "autoheuristic_use": Described(
        "Operations for which a learned heuristic decides, separated by commas.",
        replacement="set autoheuristic_use.pad_mm",
    ),
    "autoheuristic_use.mixed_mm": Described(
        "Lets a learned heuristic decide about products of matrices of different dtypes.",
        replacement="delete it: autotuning has no such products any more",
    ),
    "always_complex_memory_overlap_TESTING_ONLY": Described(
        "Has the check for overlapping memory find overlaps everywhere, for torch's own tests.",
        replacement="delete it: nothing replaces it",
    ),
    "bfloat16_atomic_adds_enabled": Described(
        "Lets Triton kernels add bfloat16 values atomically, in builds of torch that can.",
        replacement="delete it: nothing replaces it",
    ),
    "c_shim_version": Described(
        "Version of the C interface that generated C++ calls torch through.",
        replacement="delete it: there is one version",
    ),
    "cuda.cutlass_presets": Described(
        "Preset groups of CUTLASS configurations to autotune, as numbers separated by commas.",
        replacement="delete it: nothing replaces it",
    ),
    "cuda.nvgemm_max_profiling_configs": Described(
        "How many NVGEMM configurations max_autotune measures; None measures all.",
        replacement="use nvgemm_max_profiling_configs",
    ),
    "disable_decompose_k": Described(
        "Does not divide matmuls along K.",
        replacement="set triton.num_decompose_k_splits=0",
    ),
    "force_mixed_mm": Described(
        "Uses a kernel for matmuls of two dtypes wherever possible.",
        replacement="delete it: torch decides by itself",
    ),
    "force_same_precision": Described(
        "Uses no precision for a matmul that its inputs would not have in eager mode.",
        replacement="delete it: nothing replaces it",
    ),
    "max_epilogue_benchmarked_choices": "How many of the fastest templates to measure with fused epilogues.",
    "pallas_take_first_jax_device_only": Described(
        "Runs Pallas kernels on the first of JAX's devices, whatever device torch uses.",
        replacement="delete it: nothing replaces it",
    ),
    "partitioned_scatter_memory_budget": Described(
        "Share of the free memory that partitioning a contended scatter may take.",
        replacement="delete it: nothing replaces it",
    ),
    "triton.enable_epilogue_subtiling": Described(
        "Divides the epilogue of a matmul template into smaller tiles.",
        replacement="delete it: templates decide by themselves",
    ),
    "triton.enable_tlx_templates": Described(
        "Measures templates in Triton's TLX as candidates.",
        replacement='set triton.tlx_mode="allow" (torch 2.14)',
    ),
    "use_minimal_arrayref_interface": Described(
        "Adds an interface to ahead-of-time compiled models that takes plain arrays.",
        renamed_to="aot_inductor.use_minimal_arrayref_interface",
    ),
}
