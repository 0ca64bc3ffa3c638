"""The names that TORCH_LOGS takes, with the release in which each came; a test compares them with torch's.

Any other name is that of a Python module, or ends the import of torch.
"""

_EARLIEST = (
    *("all", "aot", "aot_graphs", "aot_joint_graph", "autograd", "bytecode", "c10d", "compiled_autograd"),
    *("compiled_autograd_verbose", "cudagraphs", "custom_format_test_artifact", "ddp", "ddp_graphs"),
    *("distributed", "dynamic", "dynamo", "export", "fsdp", "fusion", "graph", "graph_breaks", "graph_code"),
    *("graph_sizes", "guards", "inductor", "kernel_code", "not_implemented", "onnx", "onnx_diagnostics"),
    *("output_code", "overlap", "perf_hints", "post_grad_graphs", "pp", "recompiles", "recompiles_verbose"),
    *("schedule", "sym_node", "torch", "trace_bytecode", "trace_call", "trace_source", "verbose_guards"),
)

LOGS = dict.fromkeys(_EARLIEST, "2.4") | {
    "annotation": "2.10",
    "aot_graphs_effects": "2.5",
    "async_compile": "2.8",
    "auto_chunker": "2.11",
    "autotuning": "2.7",
    "autotuning_inputs": "2.14",
    "benchmarking": "2.5",
    "cache": "2.6",
    "caching": "2.11",
    "compute_dependencies": "2.9",
    "cudagraph_static_inputs": "2.5",
    "dtensor": "2.5",
    "fake_tensor": "2.5",
    "flex_gemm": "2.14",
    "graph_code_verbose": "2.8",
    "graph_region_expansion": "2.6",
    "hierarchical_compile": "2.8",
    "incremental": "2.13",
    "inductor_metrics": "2.8",
    "ir_post_fusion": "2.7",
    "ir_pre_fusion": "2.7",
    "loop_ordering": "2.5",
    "loop_tiling": "2.8",
    "native_dsl": "2.13",
    "native_dsl_compile": "2.14",
    "node_runtime_estimation": "2.10",
    "overlap_scheduling": "2.11",
    "partitioned_scatter": "2.14",
    "pre_grad_graphs": "2.7",
    "side_effects": "2.11",
    "trace_shape_events": "2.5",
}

OF_MODULES = {
    "aot_autograd": "aot",
    "cudagraph_trees": "inductor",
    "distributed_c10d": "c10d",
    "pipelining": "pp",
    "symbolic_shapes": "dynamic",
}
"""The logs of modules of torch that have another name: people write that of the module."""
