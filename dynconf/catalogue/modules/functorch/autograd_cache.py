"""The AOTAutograd cache: compiled forward and backward graphs on disk, and which of them it accepts."""

DESCRIPTIONS = """
_save_config_ignore: Names of flags that torch's save_config leaves out.
    The cache key is made from the result of save_config, and so leaves them out as well.
autograd_cache_allow_custom_autograd_functions: Caches graphs that contain custom autograd.Functions.
    The cache key then covers only code that was traced into the graph: clear the cache after a change of
    other code that such a function depends on. If False, graphs with one are compiled anew in each process.
autograd_cache_normalize_inputs: Ignores the names of a graph's inputs in the cache key.
    Graphs that differ only in those names then share one entry.
bundled_autograd_cache: Stores Inductor's output inside AOTAutograd's cache entries.
    If False, an entry refers to entries of the FX graph cache, which must still exist when it is loaded.
    Precompilation (caching_precompile of Dynamo) bundles either way.
bypass_autograd_cache_key: Makes up a random cache key for a graph that has none, instead of not caching it.
    Ahead-of-time compilation turns it on, because it needs an entry for every graph and loads each by its own
    name. Elsewhere it only fills the cache with entries that are never found.
enable_autograd_cache: Keeps compiled forward and backward graphs on disk, for later processes.
    On a hit, tracing by AOTAutograd and compilation by the backend are both skipped. Turning off all caches
    (force_disable_caches of torch.compiler.config) overrides it.
enable_remote_autograd_cache: Shares compiled graphs through a remote cache, such as a Redis server.
    None leaves the decision to torch, which outside Meta means no remote cache.
force_autograd_cache: Uses the cache with every backend, even one whose output is not known to be storable.
    If False, only backends that declare their output serializable, as Inductor does, are cached. It also
    makes the backends "eager" and "aot_eager" return output that can be stored.
strict_autograd_cache: Raises if a graph cannot be looked up in or written to the cache.
    If False, the reason is logged, and the graph is compiled without the cache.
"""
