"""Flags that newer releases do not have, and their replacements."""

from dynconf.flags.described import Facts

DESCRIPTIONS = """
abi_compatible: Generates C++ that calls torch through a stable C interface.
allow_stack_allocation: Keeps small intermediate results of ahead-of-time compiled code on the stack.
autoheuristic_collect: Operations for which data on autotuning is collected, separated by commas.
autoheuristic_use: Operations for which a learned heuristic decides, separated by commas.
c_shim_version: Version of the C interface that generated C++ calls torch through.
cuda.nvgemm_max_profiling_configs: How many NVGEMM configurations max_autotune measures; None measures all.
disable_decompose_k: Does not divide matmuls along K.
force_mixed_mm: Uses a kernel for matmuls of two dtypes wherever possible.
force_same_precision: Uses no precision for a matmul that its inputs would not have in eager mode.
max_epilogue_benchmarked_choices: How many of the fastest templates are measured with fused epilogues.
triton.enable_epilogue_subtiling: Divides the epilogue of a matmul template into smaller tiles.
triton.enable_tlx_templates: Measures templates in Triton's TLX as candidates.
use_minimal_arrayref_interface: Adds an interface to ahead-of-time compiled models that takes plain arrays.
"""

FACTS = {
    "abi_compatible": Facts(replacement="delete it: generated C++ always does"),
    "allow_stack_allocation": Facts(renamed_to="aot_inductor.allow_stack_allocation"),
    "autoheuristic_collect": Facts(replacement="set autoheuristic_collect.pad_mm"),
    "autoheuristic_use": Facts(replacement="set autoheuristic_use.pad_mm"),
    "c_shim_version": Facts(replacement="delete it: there is one version"),
    "cuda.nvgemm_max_profiling_configs": Facts(replacement="use nvgemm_max_profiling_configs"),
    "disable_decompose_k": Facts(replacement="set triton.num_decompose_k_splits=0"),
    "force_mixed_mm": Facts(replacement="delete it: torch decides by itself"),
    "force_same_precision": Facts(replacement="delete it: nothing replaces it"),
    "triton.enable_epilogue_subtiling": Facts(replacement="delete it: templates decide by themselves"),
    "triton.enable_tlx_templates": Facts(replacement='set triton.tlx_mode="allow" (torch 2.14)'),
    "use_minimal_arrayref_interface": Facts(renamed_to="aot_inductor.use_minimal_arrayref_interface"),
}
