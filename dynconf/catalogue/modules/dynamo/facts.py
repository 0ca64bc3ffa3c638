"""What no release reveals of Dynamo's flags, each fact with the flags that it is true of."""

from dynconf.catalogue.flags.described import Facts, facts_by_flag
from dynconf.catalogue.flags.types import (
    BoolOr,
    Choice,
    Float,
    GraphRules,
    Int,
    OrNone,
    PathText,
    SetOf,
    Text,
)
from dynconf.catalogue.modules.dynamo.ddp_mode import DdpMode

DDP_MODES = tuple(mode.value for mode in DdpMode)

FACTS = facts_by_flag(
    {
        Facts(renamed_to="_dynamic_shapes_spec"): "_shapes_spec",
        Facts(renamed_to="allow_complex_guards_as_runtime_asserts"): """
            _allow_complex_guards_as_runtime_asserts
        """,
        Facts(machine_dependent=True): "dynamo_profiler log_file_name",
        Facts(status="internal"): "base_dir",
        Facts(status="testing"): """
            debug_disable_compile_counter debug_force_graph_break_on_leaf_return debug_force_nested_calls
            enable_invoke_subgraph_regional_compile track_nodes_for_deduplication
        """,
        Facts(type=BoolOr(Choice(DDP_MODES))): "optimize_ddp",
        Facts(type=BoolOr(PathText())): "dynamo_profiler",
        Facts(type=Choice(("complex64", "complex128"))): "numpy_default_complex",
        Facts(type=Choice(("float16", "bfloat16", "float32", "float64"))): "numpy_default_float",
        Facts(type=Choice(("silent", "info", "warn", "error"))): "side_effect_replay_policy",
        Facts(type=Choice(("uint8", "int8", "int16", "int32", "int64"))): "numpy_default_int",
        Facts(type=Float(0)): "repro_tolerance",
        Facts(type=GraphRules("inductor")): "debug_backend_override",
        Facts(type=GraphRules("key=value")): "debug_dynamo_config_override debug_inductor_config_override",
        Facts(type=Int(0)): """
            accumulated_cache_size_limit accumulated_recompile_limit cache_size_limit
            computed_lazy_constant_max_nodes max_saved_pointers_for_recursive_dict_tags_check
            minimum_call_count recompile_limit
        """,
        Facts(type=Int(1, 4)): "repro_level",
        Facts(type=OrNone(Choice(("aot", "dynamo")))): "repro_after",
        Facts(type=OrNone(Int(0))): "gc_gen2_threshold_during_compile",
        Facts(type=OrNone(PathText())): "debug_dir_root log_file_name",
        Facts(type=PathText()): "base_dir",
        Facts(type=SetOf(Text())): "_save_config_ignore allowed_functions_module_string_ignorelist",
    }
)
