"""Risks of every flag of torch: each that sounds like harm was looked up in torch's source and decided."""

import json
import re
from collections import Counter
from typing import get_args

import pytest

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import Flag
from dynconf.catalogue.flags.risk import RiskKind
from dynconf.catalogue.flags.types import Mismatch, Named
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import newest_record
from dynconf.release import RELEASES, Release
from dynconf.sources.trust import risks_of

EVERY = [flag for module in MODULES for flag in catalogue(module).flags.values()]

_PARTS = "remote|cache|unsafe|assert|check|thread|pattern|dir|path|host|folder|url|command|cmd|script|program"
_PARTS += "|regex|pickl|server|port|upload|skip|ignor"
IN_A_NAME = re.compile(_PARTS, re.IGNORECASE)

_WORDS = (
    "remote|caches?|unsafe|asserts?|assertions?|check(s|ed)?|threads?|patterns?|folders?|directory|paths?"
)
_WORDS += (
    "|hosts?|files?|urls?|commands?|scripts?|regular expressions?|pickles?|servers?|ports?|upload(s|ed)?"
)
_WORDS += "|skip(s|ped)?|ignor(es|ed)|writes|imports?"
IN_A_TEXT = re.compile(rf"\b({_WORDS})\b", re.IGNORECASE)

HARMLESS = {
    "it switches a check on, which is off by default": """
        leaf_function_check_escaped_gradients fake_tensor_cache_crosscheck_enabled graph_deduplication_lint
        verify_correctness strict_precompile functorch.debug_assert functorch.strict_autograd_cache
        functorch.fake_tensor_crossref inductor.triton.fast_path_cudagraph_asserts
        inductor.debug_index_asserts inductor.nan_asserts inductor.runtime_triton_nan_asserts
        inductor.alignment_asserts_inputs inductor.check_stack_no_cycles_TESTING_ONLY
        inductor.halide.asserts inductor.test_configs.runtime_triton_dtype_assert
        inductor.test_configs.runtime_triton_shape_assert inductor.test_configs.static_cpp_dtype_assert
        inductor.test_configs.track_memory_lifecycle
        fx.check_shape_env_recorded_events fx.validate_shape_env_version_key
    """,
    "the lax value is torch's own default in every release, and the other one is stricter": """
        assume_dunder_attributes_remain_unchanged skip_nnmodule_hook_guards
        skip_no_tensor_aliasing_guards_on_parameters skip_tensor_guards_with_matching_dict_tags
        skip_fsdp_guards skip_fsdp_hooks skip_torchrec compiler.skip_tensor_guards_with_matching_dict_tags
        functorch.fake_tensor_allow_unsafe_data_ptr_access
        comms.reorder_iterative_unsafe_collectives_reorder
        comms.sink_waits_iterative_unsafe_collectives_reorder only_allow_pt2_compliant_ops
    """,
    "it decides between a guard, a check at run time, a graph break and an error; none is lost": """
        allow_complex_guards_as_runtime_asserts prefer_deferred_runtime_asserts_over_guards
        automatic_dynamic_exclusion_guard rewrite_assert_with_torch_assert allow_ignore_mark_dynamic
        force_compile_during_fx_trace error_on_dynamo_callback_in_fullgraph_compiled_code
        inline_torch_dispatch_torch_compile dont_skip_tracing enable_trace_unittest
        skip_fwd_side_effects_in_bwd_under_checkpoint issue_3_13_0_warning
        use_lamba_guard_for_object_aliasing fx.aggressive_guard_free_semantics
        install_free_tensors_for_export
    """,
    "torch does nothing with it": """
        report_guard_failures enable_cpp_guard_manager skip_code_recursive_on_cache_limit_hit
        skip_code_recursive_on_recompile_limit_hit allowed_functions_module_string_ignorelist
        skipfiles_inline_module_allowlist raise_on_unsafe_aot_autograd inductor.search_autotune_cache
        inductor.decompose_mem_bound_mm inductor.aot_inductor.presets inductor.layout_opt_default
        inductor.xpu.cutlass_enabled_ops inductor.xpu.cutlass_instantiation_level inductor.xpu.version
    """,
    "it is a limit whose cost the program sets: it counts compiled versions, or what a check remembers": """
        cache_size_limit accumulated_cache_size_limit fail_on_cache_limit_hit
        max_saved_pointers_for_recursive_dict_tags_check
    """,
    "the cache is a folder of the user, which the flag does not name": """
        fake_tensor_cache_enabled automatic_dynamic_local_pgo functorch.autograd_cache_normalize_inputs
        functorch.bundled_autograd_cache functorch.bypass_autograd_cache_key functorch.enable_autograd_cache
        functorch.force_autograd_cache inductor.autotune_local_cache
        inductor.bundle_triton_into_fx_graph_cache inductor.force_disable_caches inductor.fx_graph_cache
        compiler.force_disable_caches inductor.cpp_cache_precompile_headers inductor.cache_sdpa_constraint
        inductor.triton.store_cubin inductor.cuda.cutlass_hash_with_compile_cmd
        inductor.cutlass.cutlass_hash_with_compile_cmd inductor.xpu.cutlass_hash_with_compile_cmd
        inductor.triton.unique_kernel_names inductor.comment_origin inductor.keep_static_cubin_raw
        inductor.test_configs.graphsafe_rng_func_ignores_fallback_random inductor.pre_grad_pass_timing
    """,
    "it does not decide whether a host is contacted: only how, or only at Meta, where it is the default": """
        inductor.non_blocking_remote_cache_write inductor.cuda.use_binary_remote_cache
        inductor.cutlass.use_binary_remote_cache inductor.xpu.use_binary_remote_cache
        compiler.pgo_extra_read_key compiler.pgo_extra_write_key
    """,
    "it writes files of fixed names to a folder that other flags name, or to none": """
        replay_record_enabled repro_after repro_level repro_tolerance repro_ignore_non_fp cprofile
        functorch.visualize_memory_budget_pareto inductor.aot_inductor.debug_dump_consts_bin
        inductor.aot_inductor.dump_aoti_minifier inductor.aot_inductor.package
        inductor.aot_inductor.repro_level inductor.aot_inductor.package_constants_on_disk
        inductor.cuda.enable_ptxas_info
        inductor.aot_inductor.package_constants_on_disk_format inductor.enabled_metric_tables
        inductor.save_args inductor.trace.enabled inductor.trace.debug_log inductor.trace.info_log
        inductor.trace.fx_graph inductor.trace.fx_graph_transformed inductor.trace.ir_pre_fusion
        inductor.trace.ir_post_fusion inductor.trace.output_code inductor.trace.log_autotuning_results
        inductor.trace.save_real_tensors inductor.max_autotune_report_choices_stats
        inductor.triton.cudagraph_trees_objgraph
    """,
    "it chooses kernels, layouts or numerics; the programs that compile them are the same": """
        inductor.coordinate_descent_check_all_directions inductor.pattern_matcher inductor.max_autotune
        inductor.max_autotune_gemm_backends inductor.triton.cudagraph_skip_dynamic_graphs
        inductor.triton.cudagraph_support_input_mutation cudagraph_backend_support_input_mutation
        cudagraph_backend_keep_input_mutation inductor.triton.skip_cudagraph_warmup
        inductor.triton.skip_l1_cache inductor.triton.use_tensor_descriptor
        inductor.triton.enable_host_side_tma inductor.triton.transpose_discontiguous_tensor_descriptor
        inductor.triton.coalesce_tiling_analysis inductor.triton.cooperative_reductions
        inductor.triton.min_split_scan_rblock inductor.cpp.enable_unsafe_math_opt_flag
        inductor.cudagraph_unsafe_unbacked_ops inductor.rocm.ck_supported_arch
        inductor.aot_inductor.raise_error_on_ignored_optimization
        inductor.aten_distributed_optimizations.low_contention_skip_overlap_check
        functorch.unsafe_treat_script_objects_as_zero_size
        inductor.triton.descriptive_names inductor.cpp.descriptive_names debug_disable_compile_counter
        inductor.always_complex_memory_overlap_TESTING_ONLY
        inductor.triton.cudagraph_managed_input_rerecord_action
    """,
    "it says how threads share work, or how compile workers start, not how many there are": """
        inductor.cpp.dynamic_threads inductor.cpp.min_chunk_size inductor.compile_worker_mode
        inductor.worker_start_method
    """,
    "torch parses the text as numbers": """
        inductor.cpp.gemm_cache_blocking inductor.cpp.gemm_thread_factors inductor.cuda.version
        compiler.dynamic_values inductor.cuda.cutlass_presets
    """,
    "torch only compares the text with names that it knows, and ignores or refuses others": """
        compiled_autograd_kwargs_override functorch.backward_pass_autocast
        functorch.fake_tensor_prefer_device_type functorch.torch_compile_graph_format
        inductor.add_pre_grad_passes inductor.remove_pre_grad_passes inductor.disabled_passes
        inductor.post_grad_fusion_options
        inductor.custom_should_partition_ops inductor.aot_inductor.filtered_kernel_names
        inductor.cuda.cutlass_enabled_ops inductor.cutlass.cutlass_enabled_ops
        inductor.autoheuristic_collect inductor.autoheuristic_use inductor.c_shim_version
        fx.extended_debug_create_symbol fx.extended_debug_guard_added
        inductor.max_autotune_conv_bwd_input_backends inductor.max_autotune_conv_bwd_weight_backends
        inductor.nvgemm_pdl inductor.test_configs.distort_benchmarking_result
    """,
    "the text is shown or stored as it is, or parsed by Halide or Graphviz, never by a shell": """
        pt2_compile_id_prefix inductor.aot_inductor.metadata inductor.halide.cpu_target
        inductor.halide.gpu_target
    """,
}
"""By reason: public flags that sound like harm, or take any text, and that no value makes harmful."""

REVIEWED = {name: reason for reason, names in HARMLESS.items() for name in names.split()}

SAMPLES = (
    "/a/path",
    ["/a/path"],
    ("/a/path",),
    {"/a/path"},
    {"key": "/a/path"},
    [{"key": "/a/path"}],
    "1:name",
)


def takes_any_text(flag: Flag) -> bool:
    """Tell whether a value of the flag may contain a text that dynconf does not know."""

    def accepts(value: object) -> bool:
        try:
            flag.type.check(value)
        except Mismatch:
            return False
        return True

    return any(map(accepts, SAMPLES))


def sounds_like_harm(flag: Flag) -> bool:
    """Tell whether the name or the description of the flag demands a decision."""
    return bool(IN_A_NAME.search(flag.name) or IN_A_TEXT.search(flag.description))


def is_refused_anyway(flag: Flag) -> bool:
    """Tell whether data from others cannot set the flag: it is internal, or a text that nobody described."""
    return not flag.public or (not flag.described and takes_any_text(flag))


def test_each_flag_that_sounds_like_harm_is_decided() -> None:
    """It has risks, or it is in the reviewed list with a reason; so has each flag that takes any text."""
    undecided = [
        flag.qualified
        for flag in EVERY
        if (sounds_like_harm(flag) or takes_any_text(flag))
        and not (flag.risks or is_refused_anyway(flag) or flag.qualified in REVIEWED)
    ]
    assert undecided == []


def test_the_reviewed_list_is_of_flags_without_risks() -> None:
    """Each of its entries is a flag that demands a decision, and has one reason."""
    known = {flag.qualified: flag for flag in EVERY}
    assert [name for name in REVIEWED if name not in known or known[name].risks] == []
    idle = [name for name in REVIEWED if not (sounds_like_harm(known[name]) or takes_any_text(known[name]))]
    assert idle == []
    names = [name for names in HARMLESS.values() for name in names.split()]
    assert [name for name, times in Counter(names).items() if times > 1] == []


def test_old_names_have_the_risks_of_the_newest() -> None:
    """A state of an older release cannot set by an old name what the new one refuses."""
    for flag in EVERY:
        newest = newest_record(flag.name, flag.module)
        assert [str(risk) for risk in flag.risks] == [str(risk) for risk in newest.risks], flag.qualified


HARM = {
    "contact a host": {
        "automatic_dynamic_remote_pgo": True,
        "functorch.enable_remote_autograd_cache": True,
        "inductor.fx_graph_remote_cache": True,
        "inductor.autotune_remote_cache": True,
        "inductor.bundled_autotune_remote_cache": True,
        "inductor.remote_gemm_autotune_cache": True,
        "inductor.cutlass.upload_to_binary_remote_cache": True,
    },
    "switch off a safety check": {
        "inductor.assert_indirect_indexing": False,
        "inductor.size_asserts": False,
        "inductor.alignment_asserts": False,
        "inductor.scalar_asserts": False,
        "inductor.do_not_emit_runtime_assertions": True,
        "inductor.unsafe_skip_cache_dynamic_shape_guards": True,
        "inductor.unsafe_marked_cacheable_functions": {"torch.ops.mine.op": ""},
        "inductor.aot_inductor.check_lowerbound": False,
        "do_not_emit_runtime_asserts": True,
        "guard_nn_modules": False,
        "functorch.check_custom_op_aliasing": False,
        # torch writes the padding over what lies beside the input in the memory of the caller.
        "inductor.can_inplace_pad_graph_input": True,
        "functorch.unsafe_allow_optimization_of_collectives": True,
        "fx.skip_dtype_check_in_meta_registrations": True,
    },
    "take time or memory without bound": {
        "compiler.dynamic_sources": "(a+)+$",
        "compiler.unbacked_sources": "(a|a)(a|a)",
        "inductor.cutlass.cutlass_op_allowlist_regex": "(){300000000}",
        "inductor.profile_bandwidth_regex": "(a*)*b",
        "inductor.cutlass.cutlass_op_denylist_regex": "(a{1,9}){1,9}",
        "inductor.compile_threads": 100_000,
        "inductor.cpp.threads": 100_000,
        "inductor.sleep_sec_TESTING_ONLY": 10**9,
        "inductor.padding_alignment_bytes": 2**40,
        "inductor.auto_chunker.num_chunk": 10**9,
        "debug_backend_override": "0-999999999999:eager",
        "inductor.fx_passes_numeric_check": {"pre_grad": True, "num_iterations": 10**9},
        "inductor.pre_grad_fusion_options": {"split_cat_pass": {"counter": 10**9}},
        "inductor.partitioned_scatter_max_partitions": 2**30,
        "inductor.unbacked_symint_fallback": 10**9,
        "inductor.multi_kernel_hints": [64, 10**9],
    },
    "read a path": {
        "inductor.global_cache_dir": "/evil/x",
        "compiler.job_id": "x/../../../evil/x",
        # Graphviz reads it, as pydot passes on a text between quotes as it is.
        "inductor.trace.dot_graph_shape": '"box", image="/evil/x"',
    },
    "write a path": {"compiler.cache_key_tag": "/../../x", "inductor.trace.debug_dir": "/evil/x"},
    "run a program or load code": {
        "inductor.cpp.cxx": (None, "/evil/x"),
        "inductor.cpp.march": "native -fplugin=/evil/x.so",
        "inductor.cuda.arch": "90;/evil/x",
        "inductor.rocm.arch": ["native", "gfx90a\t-B/evil"],
        "inductor.cutlass.cutlass_dir": "/evil/x",
        "inductor.autotune_lookup_table": {"hash": {"extern_libs": {"ocml": "/evil.bc"}}},
        "inductor.profile_bandwidth_regex": "''', device_str='cuda'), evil(), dict('''",
    },
    "call or skip objects": {
        "replay_side_effects": False,
        # torch calls it with no arguments, which silences all logs of the process.
        "inductor.inductor_choices_class": Named("logging", "disable"),
        "inductor.joint_custom_post_pass": Named("logging", "shutdown"),
        "reorderable_logging_functions": {Named("package", "function")},
    },
}
"""By kind of harm: values that do it, of flags of torch 2.13."""

SAFE = {
    "automatic_dynamic_remote_pgo": (None, False),
    "inductor.fx_graph_remote_cache": (None, False),
    "inductor.assert_indirect_indexing": (True,),
    "do_not_emit_runtime_asserts": (False,),
    "compiler.dynamic_sources": ("", "L['x'],L['y'].size", "L['self']._modules['fc']", "L['x.*']"),
    "inductor.profile_bandwidth_regex": ("", "gemm", "fused_.*"),
    "inductor.cutlass.cutlass_op_allowlist_regex": ("128x256x64.*stream_k",),
    "inductor.cpp.march": (None, "", "native", "x86-64-v3", "armv8-a+sve2"),
    "inductor.cuda.arch": (None, "90", "sm_90a"),
    "inductor.rocm.arch": ([], ["native", "gfx942"]),
    "inductor.reorder_for_compute_comm_overlap_passes": (["sink_waits", "raise_comms"],),
    "compiler.job_id": (None, "nightly-7"),
    "compiler.cache_key_tag": ("", "v2"),
    "inductor.compile_threads": (None, 0, 1, 64, 256),
    "inductor.cpp.threads": (-1, 1, 128),
    "inductor.cpp.vec_isa_ok": (None, False),
    "inductor.unsafe_marked_cacheable_functions": ({},),
    "inductor.fx_passes_numeric_check": ({"pre_grad": True, "num_iterations": 2},),
    "replay_side_effects": (True,),
    "reorderable_logging_functions": ({Named("logging", "info"), Named("builtins", "print")},),
    "debug_backend_override": ("", "0-5,>=10:eager;<3:inductor"),
    "inductor.auto_chunker.num_chunk": (None, 16),
    "inductor.can_inplace_pad_graph_input": (False,),
    "inductor.pre_grad_fusion_options": ({}, {"split_cat_pass": {"counter": 2}, "batch_linear": {}}),
    "inductor.partitioned_scatter_max_partitions": (2, 256),
    "inductor.unbacked_symint_fallback": (1, 4096, 32768),
    "inductor.multi_kernel_hints": ([], [64, 256, 4096]),
    "inductor.trace.dot_graph_shape": (None, "record", "box"),
}
"""Values of such flags that do no harm."""


def setting_of(name: str) -> Setting:
    """Return the setting of a flag in torch 2.13."""
    module, dot, bare = name.partition(".")
    known = catalogue(module if dot else "dynamo").at(Release.named("2.13")).settings
    return known[bare if dot else name]


@pytest.mark.parametrize("kind", HARM)
def test_values_that_do_harm_are_known(kind: str) -> None:
    """Each is a risk of its kind."""
    for name, value in HARM[kind].items():
        assert kind in risks_of(setting_of(name), value), name


def test_a_key_is_judged_whatever_its_value() -> None:
    """To torch, the key alone marks the function: an empty list is as good as a text."""
    setting = setting_of("inductor.unsafe_marked_cacheable_functions")
    for value in ("", [], {}, None):
        assert risks_of(setting, {"torch.ops.mine.op": value}) == ("switch off a safety check",)


@pytest.mark.parametrize("name", SAFE)
def test_other_values_of_such_flags_are_free(name: str) -> None:
    """A risk belongs to values, not to flags."""
    for value in SAFE[name]:
        assert risks_of(setting_of(name), value) == (), value


def test_every_kind_of_harm_has_examples() -> None:
    """The table above covers all kinds."""
    assert set(HARM) == set(get_args(RiskKind))


@pytest.mark.parametrize("release", RELEASES)
def test_defaults_do_no_harm(release: str) -> None:
    """A whole dump of any release needs no trust there."""
    for module in MODULES:
        for setting in catalogue(module).at(Release.named(release)).settings.values():
            assert risks_of(setting, setting.default_value()) == (), setting.qualified


def test_commands_tell_which_values_are_harmful(run_cli) -> None:
    """So do explain, for people and as JSON, and the descriptions for editors."""
    done = run_cli("explain", "inductor.compile_threads")
    assert "a number above 256 would make torch take time" in " ".join(done.out.split())
    explained = json.loads(run_cli("explain", "inductor.assert_indirect_indexing", "--format", "json").out)
    assert explained["reach"] == [{"kind": "switch off a safety check", "values": "False"}]
    schema = json.loads(run_cli("init", "--schema").out)
    described = schema["properties"]["inductor"]["properties"]["assert_indirect_indexing"]["description"]
    assert described.endswith("from others: False would make torch switch off a safety check.")
