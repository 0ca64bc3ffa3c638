"""Caching: precompiled code and fake tensors."""

DESCRIPTIONS = """
_save_config_ignore: Names of flags that torch's save_config leaves out.
caching_precompile: Loads compiled code from earlier runs and keeps new code for saving (experimental).
    torch.compiler.save_cache_artifacts() writes the new code. Guards that compare identities are dropped with
    a warning, since identities mean nothing in another process; code may then run where it does not fit.
fake_tensor_cache_crosscheck_enabled: Recomputes each cached fake tensor result and raises if the two differ.
    For debugging the cache; makes it useless for speed.
fake_tensor_cache_enabled:
    Caches the shapes and dtypes that operators return on fake tensors, to speed up tracing.
fake_tensor_disable_inference_mode:
    Traces under no_grad instead of inference_mode, which compiled code still respects.
    If True, calling Tensor.is_inference() breaks the graph.
strict_precompile: Raises if code cannot be loaded from or saved to the precompile cache.
    If False, such failures are only logged and the code is compiled as usual. If True, a plain miss in the
    autograd cache raises too.
"""
