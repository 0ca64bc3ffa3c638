"""The variables of torch's logs, and the names that TORCH_LOGS takes, with the release in which each came.

A test compares these names with torch's. Any other is that of a Python module, or ends the import of torch.
"""

VARIABLE = "TORCH_LOGS"

BY_SET_LOGS = ("TORCH_LOGS_OUT", "TORCH_TRACE")
"""The variables that `torch._logging.set_logs` reads again."""

AT_IMPORT = (VARIABLE, *BY_SET_LOGS)
"""The variables of logs that ``import torch`` itself reads, and else nothing after it."""

_NAMES = {
    "2.4": """
        all aot aot_graphs aot_joint_graph autograd bytecode c10d compiled_autograd
        compiled_autograd_verbose cudagraphs custom_format_test_artifact ddp ddp_graphs distributed
        dynamic dynamo export fsdp fusion graph graph_breaks graph_code graph_sizes guards inductor
        kernel_code not_implemented onnx onnx_diagnostics output_code overlap perf_hints
        post_grad_graphs pp recompiles recompiles_verbose schedule sym_node torch trace_bytecode
        trace_call trace_source verbose_guards
    """,
    "2.5": """
        aot_graphs_effects benchmarking cudagraph_static_inputs dtensor fake_tensor loop_ordering
        trace_shape_events
    """,
    "2.6": "cache graph_region_expansion",
    "2.7": "autotuning ir_post_fusion ir_pre_fusion pre_grad_graphs",
    "2.8": "async_compile graph_code_verbose hierarchical_compile inductor_metrics loop_tiling",
    "2.9": "compute_dependencies",
    "2.10": "annotation node_runtime_estimation",
    "2.11": "auto_chunker caching overlap_scheduling side_effects",
    "2.13": "incremental native_dsl",
    "2.14": "autotuning_inputs flex_gemm native_dsl_compile partitioned_scatter",
}

LOGS = {name: since for since, names in _NAMES.items() for name in names.split()}

OF_MODULES = {
    "aot_autograd": "aot",
    "cudagraph_trees": "inductor",
    "distributed_c10d": "c10d",
    "pipelining": "pp",
    "symbolic_shapes": "dynamic",
}
"""The logs of modules of torch that have another name: people write that of the module."""
