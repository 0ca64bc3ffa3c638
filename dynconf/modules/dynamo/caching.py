"""Caching: precompiled code and fake tensors."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, SetOf, Text
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="_save_config_ignore",
        type=SetOf(Text()),
        default=("constant_functions", "repro_after", "repro_level", "skipfiles_inline_module_allowlist"),
        summary="Names of flags that torch's save_config leaves out.",
        compile_ignored=True,
        status="internal",
    ),
    Flag(
        name="caching_precompile",
        type=Bool(),
        default=False,
        summary="Loads compiled code from earlier runs and keeps new code for saving (experimental).",
        details=(
            "torch.compiler.save_cache_artifacts() writes the new code. Guards that compare identities are "
            "dropped with a warning, since identities mean nothing in another process; code may then run "
            "where it does not fit."
        ),
        since="2.9",
        variables=(Variable("TORCH_CACHING_PRECOMPILE", "equals_one"),),
    ),
    Flag(
        name="fake_tensor_cache_crosscheck_enabled",
        type=Bool(),
        default=False,
        summary="Recomputes each cached fake tensor result and raises if the two differ.",
        details="For debugging the cache; makes it useless for speed.",
        variables=(Variable("TORCH_FAKE_TENSOR_DISPATCH_CACHE_CROSSCHECK", "equals_one"),),
    ),
    Flag(
        name="fake_tensor_cache_enabled",
        type=Bool(),
        default=True,
        summary="Caches the shapes and dtypes that operators return on fake tensors, to speed up tracing.",
        variables=(Variable("TORCH_FAKE_TENSOR_DISPATCH_CACHE", "equals_one"),),
    ),
    Flag(
        name="fake_tensor_disable_inference_mode",
        type=Bool(),
        default=True,
        summary="Traces under no_grad instead of inference_mode, which compiled code still respects.",
        details="If True, calling Tensor.is_inference() breaks the graph.",
        since="2.8",
    ),
    Flag(
        name="strict_precompile",
        type=Bool(),
        default=False,
        summary="Raises if code cannot be loaded from or saved to the precompile cache.",
        details=(
            "If False, such failures are only logged and the code is compiled as usual. If True, a plain "
            "miss in the autograd cache raises too."
        ),
        since="2.9",
        variables=(Variable("TORCH_STRICT_PRECOMPILE", "equals_one"),),
    ),
)
