"""Caching: precompiled code and fake tensors."""

from dynconf.flags.described import Described
from dynconf.flags.types import SetOf, Text

FLAGS = (
    Described(
        name="_save_config_ignore",
        type=SetOf(Text()),
        summary="Names of flags that torch's save_config leaves out.",
    ),
    Described(
        name="caching_precompile",
        summary="Loads compiled code from earlier runs and keeps new code for saving (experimental).",
        details=(
            "torch.compiler.save_cache_artifacts() writes the new code. Guards that compare identities are "
            "dropped with a warning, since identities mean nothing in another process; code may then run "
            "where it does not fit."
        ),
    ),
    Described(
        name="fake_tensor_cache_crosscheck_enabled",
        summary="Recomputes each cached fake tensor result and raises if the two differ.",
        details="For debugging the cache; makes it useless for speed.",
    ),
    Described(
        name="fake_tensor_cache_enabled",
        summary="Caches the shapes and dtypes that operators return on fake tensors, to speed up tracing.",
    ),
    Described(
        name="fake_tensor_disable_inference_mode",
        summary="Traces under no_grad instead of inference_mode, which compiled code still respects.",
        details="If True, calling Tensor.is_inference() breaks the graph.",
    ),
    Described(
        name="strict_precompile",
        summary="Raises if code cannot be loaded from or saved to the precompile cache.",
        details=(
            "If False, such failures are only logged and the code is compiled as usual. If True, a plain "
            "miss in the autograd cache raises too."
        ),
    ),
)
