"""The flags that people set, the most often set first."""

_BY_REPOSITORIES = """
48 recompile_limit
21 inductor.coordinate_descent_tuning
17 suppress_errors capture_scalar_outputs
16 inductor.fx_graph_cache
13 accumulated_recompile_limit
12 inductor.epilogue_fusion
11 inductor.coordinate_descent_check_all_directions automatic_dynamic_shapes
10 inductor.max_autotune inductor.triton.unique_kernel_names capture_dynamic_output_shape_ops
9 inductor.triton.cudagraphs
8 inductor.conv_1x1_as_mm optimize_ddp
7 inductor.compile_threads inductor.force_fuse_int_mm_with_mul inductor.reorder_for_compute_comm_overlap
6 inductor.freezing verbose compiler.force_disable_caches
5 inductor.shape_padding functorch.enable_autograd_cache
4 inductor.max_autotune_gemm_backends functorch.donated_buffer force_parameter_static_shapes disable
4 functorch.activation_memory_budget
3 inductor.max_autotune_pointwise allow_unspec_int_on_nn_module
"""

OFTEN_SET = {
    name: int(count)
    for count, *names in map(str.split, _BY_REPOSITORIES.strip().splitlines())
    for name in names
}
"""Thirty flags, by newest full names, each with the public repositories that set it outside tests.

Of 170 repositories, 94 set flags in November 2026: `benchmarks/flags_set.tsv` has each. Flags that do nothing
in the newest torch, and those whose values are objects, are left out.
"""
