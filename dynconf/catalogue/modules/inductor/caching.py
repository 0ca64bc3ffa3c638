"""Caches, on disk and remote: compiled graphs, their kernels and measurements."""

DESCRIPTIONS = """
_save_config_ignore: Flags that save_config leaves out, most of them because they cannot be pickled.
_cache_config_factory_keys:
    Flags whose function is called for the cache key: the key has the uuid() of what it returns.
_cache_config_ignore_prefix: Flags that are not part of the cache key, by how their names begin.
bundle_triton_into_fx_graph_cache: Stores compiled Triton kernels inside the entries of the FX graph cache.
    If False, an entry only refers to Triton's own cache. None leaves the decision to torch.
enable_caching_generated_triton_templates: Generates the source of equal Triton templates once per process.
force_disable_caches: Turns off every compile cache, whatever the flags of each say.
fx_graph_cache: Keeps compiled graphs on disk, for later processes.
    The folder is that of TORCHINDUCTOR_CACHE_DIR. Off by default in torch 2.4 and 2.5.
fx_graph_remote_cache: Shares compiled graphs through a remote cache, such as Redis.
    From torch 2.5 on, None leaves the decision to torch, which outside Meta means no.
global_cache_dir: Folder of matmul configurations that come with a program.
    Nothing outside Meta reads it.
non_blocking_remote_cache_write: Does not wait until the remote cache has stored an entry.
remote_gemm_autotune_cache: Asks a remote cache for the best matmul configuration, instead of measuring.
unsafe_marked_cacheable_functions:
    Functions that may be in cached graphs although torch cannot look into them.
    A dict from the full name to a text that becomes part of the cache key. Change the text whenever the
    function changes; otherwise stale code is loaded.
unsafe_skip_cache_dynamic_shape_guards: Loads cached graphs without checking that they suit the sizes at hand.
    A wrong graph may be loaded.
file_lock_timeout: Seconds to wait for another process that compiles the same code.
    It counts when Inductor is first used; later changes have no effect.
keep_static_cubin_raw:
    Stores the binaries of Triton kernels beside them in caches, so that other machines need not compile.
    Entries become larger.
"""
