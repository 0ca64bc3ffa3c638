"""For each rule over several flags, a state that breaks it and one that keeps it."""

from typing import Any

BROKEN: dict[str, dict[str, Any]] = {
    "DC001": {"suppress_errors": True, "fail_on_recompile_limit_hit": True},
    "DC002": {"optimize_ddp": False, "compiled_autograd": True},
    "DC003": {"optimize_ddp": "python_reducer", "compiled_autograd": False},
    "DC004": {"optimize_ddp": "ddp_optimizer", "compiled_autograd": True},
    "DC005": {"recompile_limit": 1000, "accumulated_recompile_limit": 256},
    "DC006": {"capture_dynamic_output_shape_ops": True, "capture_scalar_outputs": False},
    "DC007": {"force_compile_during_fx_trace": True, "error_on_nested_fx_trace": True},
    "DC008": {"track_nodes_for_deduplication": True, "use_graph_deduplication": True},
    "DC009": {"graph_deduplication_lint": True, "use_graph_deduplication": False},
    "DC010": {"automatic_dynamic_exclusion_guard": True, "enable_compiler_collectives": True},
    "DC011": {"fake_tensor_cache_crosscheck_enabled": True, "fake_tensor_cache_enabled": False},
    "DC012": {"error_on_recompile": True, "suppress_errors": True},
    "DC013": {"repro_forward_only": True, "repro_after": "aot"},
    "DC014": {"compiled_autograd_kwargs_override": {"fullgraph": True}, "compiled_autograd": False},
    "DC015": {"optimize_ddp": "python_reducer_without_compiled_forward", "compiled_autograd": True},
    "DC101": {
        "functorch.strict_autograd_cache": True,
        "functorch.enable_autograd_cache": False,
        "functorch.enable_remote_autograd_cache": None,
    },
    "DC102": {
        "functorch.force_autograd_cache": True,
        "functorch.enable_autograd_cache": False,
        "functorch.enable_remote_autograd_cache": False,
    },
    "DC103": {
        "functorch.generate_fake_kernels_from_real_mismatches": True,
        "functorch.fake_tensor_propagate_real_tensors": False,
    },
    "DC104": {
        "functorch.activation_offload_separate_stream": True,
        "functorch.enable_activation_offloading": False,
    },
    "DC105": {
        "functorch.activation_offload_sink_wait": True,
        "functorch.activation_offload_separate_stream": False,
    },
    "DC106": {
        "functorch.activation_reload_prefetch": True,
        "functorch.activation_offload_separate_stream": False,
    },
    "DC201": {
        "inductor.aot_inductor.force_mmap_weights": True,
        "inductor.aot_inductor.package_constants_on_disk_format": "binary_blob",
    },
    "DC202": {"inductor.triton.native_matmul": True, "inductor.triton.use_block_ptr": True},
    "DC203": {"inductor.triton.native_matmul": True, "inductor.triton.enable_persistent_tma_matmul": True},
    "DC204": {
        "inductor.coordinate_descent_check_all_directions": True,
        "inductor.coordinate_descent_tuning": False,
    },
    "DC205": {"inductor.autotune_multi_device": True, "inductor.autotune_in_subproc": False},
    "DC206": {"inductor.freezing_discard_parameters": True, "inductor.freezing": False},
    "DC207": {"inductor.benchmark_combo_kernel": True, "inductor.combo_kernels": False},
    "DC208": {"inductor.bundled_autotune_remote_cache": True, "inductor.autotune_local_cache": False},
    "DC209": {"inductor.selective_decompose": True, "inductor.fallback_by_default": False},
}
"""For each rule, a state that breaks it and no other."""

REPAIRED: dict[str, dict[str, Any]] = {
    "DC001": {"fail_on_recompile_limit_hit": False},
    "DC002": {"optimize_ddp": "no_optimization", "compiled_autograd": False},
    "DC003": {"compiled_autograd": True},
    "DC004": {"optimize_ddp": True},
    "DC005": {"recompile_limit": 256},
    "DC006": {"capture_scalar_outputs": True},
    "DC007": {"error_on_nested_fx_trace": False},
    "DC008": {"use_graph_deduplication": False},
    "DC009": {"use_graph_deduplication": True},
    "DC010": {"enable_compiler_collectives": False},
    "DC011": {"fake_tensor_cache_enabled": True},
    "DC012": {"suppress_errors": False},
    "DC013": {"repro_after": "dynamo"},
    "DC014": {"compiled_autograd": True},
    "DC015": {"optimize_ddp": "python_reducer"},
    "DC101": {"functorch.enable_remote_autograd_cache": True},
    "DC102": {"functorch.enable_autograd_cache": True, "functorch.enable_remote_autograd_cache": None},
    "DC103": {"functorch.fake_tensor_propagate_real_tensors": True},
    "DC104": {"functorch.enable_activation_offloading": True},
    "DC105": {"functorch.activation_offload_sink_wait": False},
    "DC106": {
        "functorch.activation_offload_separate_stream": True,
        "functorch.enable_activation_offloading": True,
    },
    "DC201": {"inductor.aot_inductor.package_constants_on_disk_format": "pickle_weights"},
    "DC202": {"inductor.triton.use_block_ptr": False},
    "DC203": {"inductor.triton.native_matmul": False},
    "DC204": {"inductor.coordinate_descent_tuning": True},
    "DC205": {"inductor.autotune_in_subproc": True},
    "DC206": {"inductor.freezing_discard_parameters": False},
    "DC207": {"inductor.combo_kernels": True},
    "DC208": {"inductor.bundled_autotune_remote_cache": None},
    "DC209": {"inductor.fallback_by_default": True},
}
"""For each rule, what the state has instead where it keeps the rule."""

SOUND = {code: BROKEN[code] | instead for code, instead in REPAIRED.items()}
"""For each rule, a state that keeps it."""
