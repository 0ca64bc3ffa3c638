"""Caching: precompiled code and fake tensors."""

from dynconf.flags.described import Described
from dynconf.flags.types import SetOf, Text

FLAGS = {
    "_save_config_ignore": Described(
        "Names of flags that torch's save_config leaves out.",
        type=SetOf(Text()),
    ),
    "caching_precompile": Described(
        "Loads compiled code from earlier runs and keeps new code for saving (experimental).",
        details="torch.compiler.save_cache_artifacts() writes the new code. Guards that compare identities "
        "are dropped with a warning, since identities mean nothing in another process; code may then run "
        "where it does not fit.",
    ),
    "fake_tensor_cache_crosscheck_enabled": Described(
        "Recomputes each cached fake tensor result and raises if the two differ.",
        details="For debugging the cache; makes it useless for speed.",
    ),
    "fake_tensor_cache_enabled": "Caches shapes and dtypes of results on fake tensors, to trace faster.",
    "fake_tensor_disable_inference_mode": Described(
        "Traces under no_grad instead of inference_mode, which compiled code still respects.",
        details="If True, calling Tensor.is_inference() breaks the graph.",
    ),
    "strict_precompile": Described(
        "Raises if code cannot be loaded from or saved to the precompile cache.",
        details="If False, such failures are only logged and the code is compiled as usual. If True, a plain "
        "miss in the autograd cache raises too.",
    ),
}
