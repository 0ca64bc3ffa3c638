"""The harm that values of flags from an untrusted source could do: one register for all config modules.

Each flag that sounds like harm was looked up in torch's source: it is here, or among those of the tests that
are harmless, with the reason. A flag whose values name objects, and that is not here, counts as one by which
torch calls or skips them.
"""

from collections.abc import Mapping

from dynconf.catalogue.flags import risk
from dynconf.catalogue.flags.risk import Risk, RiskKind, Values, above, only


def _without_bound(values: Values) -> Risk:
    return Risk("take time or memory without bound", values)


_RUNS: RiskKind = "run a program or load code"
_CALLS: RiskKind = "call or skip objects"
_UNCHECKED_IF_TRUE = Risk("switch off a safety check", only(True))
_UNCHECKED_IF_FALSE = Risk("switch off a safety check", only(False))

_FLAGS: Mapping[str, Mapping[Risk, str]] = {
    "dynamo": {
        _without_bound(risk.MANY_GRAPHS): "debug_backend_override",
        Risk(_RUNS): "debug_dynamo_config_override debug_inductor_config_override",
        Risk("write a path"): """
            debug_dir_root debug_dynamo_config_override debug_inductor_config_override dynamo_profiler
            log_file_name
        """,
        Risk(_CALLS, only(False)): "replay_side_effects",
        Risk(
            _CALLS, risk.NO_LOGGING
        ): "ignore_logger_methods ignore_logging_functions reorderable_logging_functions",
        Risk("contact a host", only(True)): "automatic_dynamic_remote_pgo",
        _UNCHECKED_IF_TRUE: """
            caching_precompile do_not_emit_runtime_asserts force_unspec_int_unbacked_size_like_on_torchrec_kjt
            skip_guards_on_constant_func_defaults use_recursive_dict_tags_for_guards
        """,
        _UNCHECKED_IF_FALSE: "guard_nn_modules",
    },
    "functorch": {
        Risk("write a path"): "memory_budget_pareto_dir",
        Risk("contact a host", only(True)): "enable_remote_autograd_cache",
        _UNCHECKED_IF_TRUE: """
            autograd_cache_allow_custom_autograd_functions unsafe_allow_optimization_of_collectives
        """,
        _UNCHECKED_IF_FALSE: "check_custom_op_aliasing",
    },
    "inductor": {
        _without_bound(risk.ANY): "cuda.cutlass_instantiation_level cutlass.cutlass_instantiation_level",
        _without_bound(risk.PATTERNS): """
            cuda.cutlass_op_allowlist_regex cuda.cutlass_op_denylist_regex cutlass.cutlass_op_allowlist_regex
            cutlass.cutlass_op_denylist_regex xpu.cutlass_op_allowlist_regex xpu.cutlass_op_denylist_regex
            profile_bandwidth_regex test_configs.autotune_choice_desc_regex
            test_configs.autotune_choice_name_regex
        """,
        _without_bound(above(4)): "coordinate_descent_search_radius",
        _without_bound(above(8)): "triton.cudagraph_initial_mempool_allocation_gb",
        _without_bound(above(60)): "sleep_sec_TESTING_ONLY",
        _without_bound(above(100)): "fx_passes_numeric_check",
        _without_bound(above(256)): "compile_threads",
        # An option is the number of times that torch repeats a pass.
        _without_bound(above(1000)): "pre_grad_fusion_options",
        _without_bound(above(1024)): "auto_chunker.num_chunk cpp.threads unroll_reductions_threshold",
        _without_bound(above(4096)): "partitioned_scatter_max_partitions",
        _without_bound(above(10_000)): "autotune_cudagraph_benchmarking_iters collective_benchmark_nruns",
        _without_bound(above(60_000)): "inductor_default_autotune_rep inductor_default_autotune_warmup",
        # Tuning allocates tensors of these sizes.
        _without_bound(above(65536)): "multi_kernel_hints padding_alignment_bytes unbacked_symint_fallback",
        # On AMD GPUs, Triton gets whatever is no argument of the kernel as an option: libraries to link, too.
        Risk(_RUNS, risk.ANY): "autotune_lookup_table lookup_table.table",
        Risk(_RUNS): """
            aot_inductor.aoti_shim_library aot_inductor.aoti_shim_library_path aot_inductor.custom_op_libs
            aot_inductor.custom_ops_to_c_shims aot_inductor.serialized_in_spec
            aot_inductor.serialized_out_spec cpp.cxx cuda.cuda_cxx cuda.cutlass_dir cudagraph_policy
            cutlass.cutlass_dir rocm.ck_dir rocm.rocm_home xpu.cutlass_dir xpu.oneapi_root
        """,
        Risk(_RUNS, risk.OPTIONS): "cpp.march cuda.arch rocm.arch xpu.arch",
        Risk(_RUNS, risk.QUOTES): "profile_bandwidth_regex",
        Risk("read a path"): """
            aten_distributed_optimizations.profile_guided_estimations_profile_path global_cache_dir
        """,
        # As `"box", image="/a/path"`, which pydot takes for a text that is quoted already.
        Risk("read a path", risk.OPTIONS): "trace.dot_graph_shape",
        Risk("write a path"): """
            aot_inductor.model_name_for_generated_files aot_inductor.output_path autoheuristic_log_path
            profile_bandwidth_output torchinductor_worker_logpath trace.debug_dir
            trace.log_url_for_graph_xform triton.proton_output_dir worker_log_path
        """,
        Risk("write a path", risk.PATHS): "trace.graph_diagram_format trace.orig_fx_graph_diagram_format",
        Risk("contact a host", only(True)): """
            autotune_remote_cache bundled_autotune_remote_cache cuda.binary_remote_cache_force_write
            cuda.upload_to_binary_remote_cache cutlass.binary_remote_cache_force_write
            cutlass.upload_to_binary_remote_cache fx_graph_remote_cache remote_gemm_autotune_cache
            xpu.binary_remote_cache_force_write xpu.upload_to_binary_remote_cache
        """,
        Risk("switch off a safety check", risk.ANY): "unsafe_marked_cacheable_functions",
        # The input of can_inplace_pad_graph_input may be a part of a larger tensor, which padding overwrites.
        _UNCHECKED_IF_TRUE: """
            can_inplace_pad_graph_input cpp.vec_isa_ok do_not_emit_runtime_assertions
            unsafe_ignore_unsupported_triton_autotune_args unsafe_skip_cache_dynamic_shape_guards
            unsafe_skip_scalar_range_asserts
        """,
        _UNCHECKED_IF_FALSE: """
            alignment_asserts aot_inductor.check_lowerbound aot_inductor.check_upperbound
            assert_indirect_indexing aten_distributed_optimizations.spmd_check lookup_table.check_src_hash
            scalar_asserts size_asserts triton.slow_path_cudagraph_asserts
        """,
    },
    "fx": {
        _without_bound(above(3_600_000)): "translation_validation_timeout",
        _UNCHECKED_IF_TRUE: "skip_dtype_check_in_meta_registrations soft_pending_unbacked_not_found_error",
    },
    # log_file_name and reorderable_logging_functions are forwarded to dynamo.
    "compiler": {
        _without_bound(risk.PATTERNS): "dynamic_sources static_sources unbacked_sources",
        Risk("read a path", risk.PATHS): "cache_key_tag job_id",
        Risk("write a path", risk.PATHS): "cache_key_tag job_id",
        Risk("write a path"): "log_file_name",
        Risk(_CALLS, risk.NO_LOGGING): "reorderable_logging_functions",
    },
}

_ONLY_COMPARED = "nontraceable_tensor_subclasses traceable_tensor_subclasses"

RISKS: dict[str, dict[str, tuple[Risk, ...]]] = {"dynamo": dict.fromkeys(_ONLY_COMPARED.split(), ())}
"""The risks of each flag, by module and name."""

for _module, _flags in _FLAGS.items():
    _found = RISKS.setdefault(_module, {})
    for _risk, _names in _flags.items():
        _found |= {name: (*_found.get(name, ()), _risk) for name in _names.split()}
