"""Names that torch forwards to Dynamo, where their records are."""

from dynconf.flags.described import Described
from dynconf.modules.dynamo import CATALOGUE

_NAMES = (
    "accumulated_recompile_limit",
    "allow_unspec_int_on_nn_module",
    "assume_static_by_default",
    "automatic_dynamic_shapes",
    "capture_dynamic_output_shape_ops",
    "capture_scalar_outputs",
    "dynamic_shapes",
    "enable_cpp_symbolic_shape_guards",
    "fail_on_recompile_limit_hit",
    "log_file_name",
    "recompile_limit",
    "reorderable_logging_functions",
    "skip_tensor_guards_with_matching_dict_tags",
    "verbose",
    "wrap_top_frame",
)


def _forwarded(name: str) -> Described:
    to = CATALOGUE.flags[name]
    return Described(
        to.summary,
        type=to.type,
        details=f"Dynamo's flag {name}, under another name.",
        host=to.host,
        reach=to.reach,
    )


FLAGS = {name: _forwarded(name) for name in _NAMES}
