"""What no release reveals of Inductor's flags, each fact with the flags that it is true of."""

from typing import Any

from dynconf.catalogue.flags.described import Facts, facts_by_flag, facts_of_words
from dynconf.catalogue.flags.flag import by_release
from dynconf.catalogue.flags.types import (
    Bool,
    BoolOr,
    Choice,
    ChoiceOr,
    FalseOr,
    Float,
    InstanceOf,
    Int,
    Items,
    OneOrMore,
    OrNone,
    PathText,
    Reference,
    Text,
    ValueType,
    Words,
)
from dynconf.catalogue.modules.inductor import _derived

_CALLABLE, _PATH = Reference("callable"), OrNone(PathText())
_STARTS, _STARTS_2_5 = Choice(("subprocess", "fork", "spawn")), Choice(("subprocess", "fork"))
_CONTRACT = ("off", "on", "fast")
_FUSIONS = ("fuse_ddp_with_concat_op", "fuse_ddp_with_coalesced_op", "schedule_comm_wait")
_GEMM = {
    "2.4": "ATEN TRITON CPP CUTLASS",
    "2.5": "CK",
    "2.8": "CKTILE",
    "2.10": "CUTEDSL",
    "2.11": "NVGEMM",
    "2.15": "FLYDSL",
}
_CONV = {"2.4": "ATEN TRITON", "2.6": "CK"}
_PASSES = {
    "2.4": "reorder_compute_for_overlap sink_waits raise_comms",
    "2.8": "reorder_communication_preserving_peak_memory",
    "2.9": "sink_waits_iterative",
}

_MOVED_TO_COMMS = """
    env_str reorder_iterative_debug_limit_to_reorder reorder_iterative_debug_memory_recompute
    sink_waits_iterative_debug_limit_to_sink
"""
_RENAMED = {name: f"comms.{name}" for name in _MOVED_TO_COMMS.split()} | {
    "allow_stack_allocation": "aot_inductor.allow_stack_allocation",
    "aot_inductor.compile_standalone": "aot_inductor_mode.compile_standalone",
    "custom_op_default_layout_constraint": "functorch.custom_op_default_layout_constraint",
    "emulate_divison_rounding": "eager_numerics.division_rounding",
    "use_minimal_arrayref_interface": "aot_inductor.use_minimal_arrayref_interface",
}


def _passes(words: tuple[str, ...]) -> ValueType:
    return Items(ChoiceOr(_CALLABLE, words))


FACTS = facts_by_flag(
    {
        **{Facts(renamed_to=new): old for old, new in _RENAMED.items()},
        Facts(machine_dependent=True): """
            aot_inductor.aoti_shim_library_path aot_inductor.output_path
            aten_distributed_optimizations.profile_guided_estimations_profile_path autoheuristic_log_path
            cpp.march cuda.arch cuda.cuda_cxx cuda.version global_cache_dir profile_bandwidth_output rocm.arch
            rocm.ck_dir rocm.rocm_home torchinductor_worker_logpath trace.debug_dir
            trace.log_url_for_graph_xform triton.proton_output_dir worker_log_path xpu.arch xpu.oneapi_root
        """,
        Facts(same_code=True): """
            debug_ir_traceback developer_warnings disable_progress enabled_metric_tables log_tlparse save_args
            sleep_sec_TESTING_ONLY verbose_progress
        """,
        Facts(status="deprecated"): "rocm.n_max_profiling_configs",
        Facts(status="internal"): """
            aot_inductor.serialized_in_spec aot_inductor.serialized_out_spec env_str
            triton.debug_dump_kernel_inputs
        """,
        Facts(status="no-op"): """
            is_nightly_or_source xpu.arch xpu.compile_opt_level xpu.use_fast_math xpu.version
        """,
        Facts(status=by_release("no-op", v2_14="active")): """
            xpu.cutlass_max_profiling_configs xpu.cutlass_max_profiling_swizzle_options
        """,
        Facts(status=by_release("active", v2_6="no-op", v2_7="active")): "worker_start_method",
        Facts(status=by_release("active", v2_8="no-op")): """
            autotune_fallback_to_aten mixed_mm_choice use_mixed_mm
        """,
        Facts(status=by_release("active", v2_9="no-op")): "search_autotune_cache",
        Facts(status=by_release("active", v2_13="no-op")): "decompose_mem_bound_mm",
        Facts(status=by_release("deprecated", v2_13="no-op")): """
            batch_fusion group_fusion split_cat_fx_passes
        """,
        Facts(type=Bool(any_text=True)): "profile_bandwidth",
        Facts(type=BoolOr(Int(0, 3))): "triton.multi_kernel",
        Facts(type=Choice(("O0", "O1", "O2", "O3", "Os", "Oz", "Og", "Ofast"))): """
            aot_inductor.compile_wrapper_opt_level
        """,
        Facts(type=Choice(("auto", "process", "thread"))): "compile_worker_mode",
        Facts(type=Choice(("none", "all", "fsdp", "only_fsdp"))): "bucket_reduce_scatters_fx",
        Facts(
            type=ChoiceOr(Bool(), _CONTRACT), type_by_release=by_release(Bool(), v2_7=Choice(_CONTRACT))
        ): "cpp.enable_floating_point_contract_flag",
        Facts(type=ChoiceOr(_CALLABLE, ("default",))): "estimate_op_runtime",
        Facts(type=FalseOr(Choice(("torch", "original_aten", "inductor_node")))): """
            cpp.descriptive_names triton.descriptive_names
        """,
        Facts(type=Float(0)): """
            cpu_gpu_bw max_autotune_subproc_result_timeout_seconds min_overlap_ratio
            triton.cudagraph_partition_memory_budget
        """,
        Facts(type=Float(0, 1)): "aot_inductor.autotune_offload_constants_min_device_fraction",
        Facts(type=Int(-1)): "cpp.threads",
        Facts(type=Int(0)): """
            coordinate_descent_search_radius cpp.gemm_max_k_slices cpp.max_horizontal_fusion_size
            cpp.min_chunk_size cpp.use_two_step_variance_threshold max_fusion_buffer_group_pairwise_attempts
            max_pointwise_cat_inputs min_num_split padding_stride_threshold precompilation_timeout_seconds
            quiesce_async_compile_time realize_reads_threshold score_fusion_memory_threshold
            triton.cudagraph_min_partition_size triton.cudagraph_unexpected_rerecord_limit
            triton.decompose_k_threshold triton.num_decompose_k_splits triton.spill_threshold
        """,
        Facts(type=Int(0, 2)): """
            combo_kernel_allow_mixed_sizes combo_kernels_autotune trace.provenance_tracking_level
        """,
        Facts(type=Int(0, 4)): "aot_inductor.repro_level",
        Facts(type=Int(1)): """
            max_fusion_size padding_alignment_bytes triton.min_split_scan_rblock unroll_reductions_threshold
        """,
        Facts(type=Items(ChoiceOr(_CALLABLE, _FUSIONS))): "_fuse_ddp_communication_passes",
        Facts(type=OrNone(Bool())): "autoheuristic_collect.mixed_mm autoheuristic_use.mixed_mm",
        Facts(type=OrNone(Choice(("accuracy",)))): "cpp.inject_log1p_bug_TESTING_ONLY",
        Facts(type=OrNone(Choice(("compile_error", "runtime_error", "accuracy")))): """
            cpp.inject_relu_bug_TESTING_ONLY triton.inject_relu_bug_TESTING_ONLY
        """,
        Facts(type=OrNone(Choice(("pickle_weights", "binary_blob")))): """
            aot_inductor.package_constants_on_disk_format
        """,
        Facts(type=OrNone(Choice(("windows",)))): "aot_inductor.cross_target_platform",
        Facts(type=OrNone(InstanceOf("torch._inductor.cudagraph_utils.CUDAGraphPolicy"))): "cudagraph_policy",
        Facts(type=OrNone(Int(0))): """
            autotune_num_choices_displayed compile_threads cpp.simdlen max_fusion_unique_io_buffers
            realize_acc_reads_threshold realize_opcount_threshold reorder_prefetch_limit
            triton.cudagraph_dynamic_shape_warn_limit
        """,
        Facts(type=OrNone(Int(1))): "inter_node_bw intra_node_bw",
        Facts(type=OrNone(Int(1, 3))): "triton.max_tiles",
        Facts(type=OrNone(Items(OneOrMore(Int(0), as_tuple=True), as_tuple=True))): """
            triton.cudagraph_capture_sizes
        """,
        Facts(type=OrNone(OneOrMore(Text()))): "aot_inductor.aoti_shim_library",
        Facts(
            type=OrNone(_STARTS),
            type_by_release=by_release(_STARTS, v2_5=_STARTS_2_5, v2_6=OrNone(_STARTS), v2_7=_STARTS),
        ): "worker_start_method",
        Facts(type=PathText()): "cuda.cutlass_dir cutlass.cutlass_dir xpu.cutlass_dir",
        Facts(type=_PATH): """
            aten_distributed_optimizations.profile_guided_estimations_profile_path cuda.cuda_cxx
            profile_bandwidth_output rocm.ck_dir rocm.rocm_home trace.debug_dir trace.log_url_for_graph_xform
            worker_log_path xpu.oneapi_root
        """,
        facts_of_words(Words, _CONV): "max_autotune_conv_backends",
        facts_of_words(Words, _GEMM): "max_autotune_gemm_backends",
        facts_of_words(_passes, _PASSES): "reorder_for_compute_comm_overlap_passes",
    }
)

# From torch 2.11 on, cuda and xpu inherit the flags of cutlass, but torch reads only those of cutlass.
_SINCE = {flag.name: flag.since for flag in _derived.FLAGS}
INHERITED = {
    name: f"cutlass.{bare}"
    for device, _, bare in (name.partition(".") for name in _SINCE)
    for name in (f"{device}.{bare}",)
    if device in ("cuda", "xpu") and f"cutlass.{bare}" in _SINCE and name != "xpu.cutlass_dir"
}
for _name, _instead in INHERITED.items():
    _facts = FACTS.setdefault(_name, {})
    if "status" not in _facts:
        _status: Any = "no-op" if _SINCE[_name] == "2.11" else by_release("active", v2_11="no-op")
        _facts |= {"status": _status, "replacement": f"set inductor.{_instead}"}
