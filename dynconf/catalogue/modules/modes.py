"""What torch.compile takes: modes, with the flags of inductor that each sets, its own options, backends."""

from collections.abc import Mapping
from typing import Any

from dynconf.catalogue.flags.flag import ByRelease, by_release
from dynconf.catalogue.flags.types import Bool, Reference, ValueType
from dynconf.release import Release, within

_TUNED = {"max_autotune": True, "coordinate_descent_tuning": True}
_GRAPHS = {"triton.cudagraphs": True}

_LITE = {
    "allow_buffer_reuse": False,
    "fallback_by_default": True,
    "reorder_for_compute_comm_overlap": False,
    "reorder_for_peak_memory": False,
    "selective_decompose": True,
    "triton.reorder_for_reducing_graph_partitions": False,
    "use_dce": False,
    "use_joint_graph_passes": False,
    "use_post_grad_passes": False,
    "use_pre_grad_passes": False,
}

MODES: Mapping[str, ByRelease[Mapping[str, Any] | None]] = {
    "default": by_release({}),
    "reduce-overhead": by_release(_GRAPHS),
    "max-autotune-no-cudagraphs": by_release({"max_autotune": True}, v2_6=_TUNED),
    "max-autotune": by_release({"max_autotune": True, **_GRAPHS}, v2_6={**_TUNED, **_GRAPHS}),
    "lite": by_release(None, v2_10=_LITE),
}
"""The flags and their values; None in a release that lacks the mode."""

OF_TORCH_COMPILE: Mapping[str, tuple[ValueType, str]] = {
    "guard_filter_fn": (Reference("callable"), "2.8"),
    "use_aoti": (Bool(), "2.10"),
}
"""The options that torch.compile keeps for itself, since when. All others are flags of inductor."""

KEYWORDS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("model", "fullgraph", "dynamic", "backend", "mode", "options", "disable"), ("2.4", "")),
    **dict.fromkeys(("name", "recompile_limit"), ("2.12", "")),
    "isolate_recompiles": ("2.13", ""),
    "shapes_spec": ("2.13", "2.13"),
    "dynamic_shapes": ("2.14", ""),
}
"""The arguments of torch.compile, with the first release that has each, and the last if it is gone."""

BACKENDS = (
    *("aot_eager", "aot_eager_decomp_partition", "aot_eager_decomp_partition_crossref"),
    *("aot_eager_decomp_partition_with_mode", "aot_eager_default_partitioner", "aot_ts", "cudagraphs"),
    *("dynamo_accuracy_minifier_backend", "dynamo_minifier_backend", "eager", "eager_debug"),
    *("eager_noexcept", "inductor", "invoke_subgraph", "non_leaf_compile_error_TESTING_ONLY", "onnxrt"),
    *("openxla", "openxla_eval", "pre_dispatch_eager", "relu_accuracy_error_TESTING_ONLY"),
    *("relu_compile_error_TESTING_ONLY", "relu_runtime_error_TESTING_ONLY", "ts", "tvm"),
)
"""The backends that torch itself registers."""

STANCES = (
    *("default", "force_eager", "eager_on_recompile", "fail_on_recompile", "eager_then_compile"),
    "aot_eager_then_compile",
)
"""What `torch.compiler.set_stance` takes."""


def is_argument(name: str, release: Release) -> bool:
    """Tell whether a name is an argument of torch.compile in that release."""
    return name in KEYWORDS and within(release.minor, *KEYWORDS[name])
