"""Flags that newer releases do not have, and what to use instead."""

from dynconf.flags.described import Described

FLAGS = (
    Described(
        name="abi_compatible",
        summary="Generates C++ that calls torch through a stable C interface.",
        instead="delete it: generated C++ always does",
    ),
    Described(
        name="allow_stack_allocation",
        summary="Keeps small intermediate results of ahead-of-time compiled code on the stack.",
        renamed="aot_inductor.allow_stack_allocation",
    ),
    Described(
        name="autoheuristic_collect",
        summary="Operations for which data on autotuning is collected, separated by commas.",
        instead="set autoheuristic_collect.pad_mm",
    ),
    Described(
        name="autoheuristic_use",
        summary="Operations for which a learned heuristic decides, separated by commas.",
        instead="set autoheuristic_use.pad_mm",
    ),
    Described(
        name="c_shim_version",
        summary="Version of the C interface that generated C++ calls torch through.",
        instead="delete it: there is one version",
    ),
    Described(
        name="cuda.nvgemm_max_profiling_configs",
        summary="How many NVGEMM configurations max_autotune measures; None measures all.",
        instead="use nvgemm_max_profiling_configs",
    ),
    Described(
        name="disable_decompose_k",
        summary="Does not divide matmuls along K.",
        instead="set triton.num_decompose_k_splits=0",
    ),
    Described(
        name="force_mixed_mm",
        summary="Uses a kernel for matmuls of two dtypes wherever possible.",
        instead="delete it: torch decides by itself",
    ),
    Described(
        name="force_same_precision",
        summary="Uses no precision for a matmul that its inputs would not have in eager mode.",
        instead="delete it: nothing replaces it",
    ),
    Described(
        name="max_epilogue_benchmarked_choices",
        summary="How many of the fastest templates are measured with fused epilogues.",
    ),
    Described(
        name="triton.enable_epilogue_subtiling",
        summary="Divides the epilogue of a matmul template into smaller tiles.",
        instead="delete it: templates decide by themselves",
    ),
    Described(
        name="triton.enable_tlx_templates",
        summary="Measures templates in Triton's TLX as candidates.",
        instead='set triton.tlx_mode="allow" (torch 2.14)',
    ),
    Described(
        name="use_minimal_arrayref_interface",
        summary="Adds an interface to ahead-of-time compiled models that takes plain arrays.",
        renamed="aot_inductor.use_minimal_arrayref_interface",
    ),
)
