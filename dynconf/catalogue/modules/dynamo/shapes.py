"""Shapes: which sizes and numbers are compiled in as constants, and which stay dynamic."""

_PASSED = (
    "torch patches the flag around each call of the compiled function; pass the argument instead of setting "
    "the flag."
)

DESCRIPTIONS = f"""
_dynamic_shapes_spec: Shapes declared with torch.compile(dynamic_shapes=...), set while a frame is traced.
    {_PASSED}
_shapes_spec: Shapes declared with torch.compile(shapes_spec=...), set while a frame is traced.
    {_PASSED}
allow_ignore_mark_dynamic: Lets a dimension marked by mark_dynamic be specialized instead of raising an error.
    If False, torch raises when a dimension marked dynamic had to be fixed to one value. If True, it silently
    ignores the mark, and each new size may trigger a recompilation.
allow_unspec_int_on_nn_module:
    Lets int attributes of modules become dynamic instead of always compiling them in.
    Helps modules that count their own steps, which otherwise recompile for each new count until they reach
    the recompilation limit. In the first compilation the attribute is still a constant.
assume_static_by_default: Compiles every size and int in as a constant until something asks for a dynamic one.
    mark_dynamic, automatic_dynamic_shapes and the like still make single dimensions dynamic.
    torch.compile(dynamic=True) turns this flag off for its function; dynamic=False turns it on and turns
    automatic_dynamic_shapes off.
automatic_dynamic_local_pgo:
    Remembers on disk which sizes were dynamic, so that later runs skip the static version.
    Takes effect only if torch.compiler.config.job_id is set and caches are not disabled. Entries are found by
    file, line and function name, so editing the source loses them. An outdated profile never makes results
    wrong; it only makes more sizes dynamic than necessary.
automatic_dynamic_remote_pgo:
    Shares the profile of dynamic sizes through a remote cache; None lets torch decide.
    None means off outside Meta's own builds. True uses the remote cache that Inductor is set up for (Redis in
    public builds); torch.compiler.config.job_id must be set too.
automatic_dynamic_shapes: Makes a size or number dynamic when a recompilation shows that its value changes.
    If False, every new size is compiled in as a constant unless it is marked dynamic, and the recompilation
    limit is soon reached.
automatic_dynamic_shapes_mark_as: Kind of symbol that automatic_dynamic_shapes gives to a size that changes.
    "dynamic" is an ordinary symbol: code may branch on it, which adds a guard, and the values 0 and 1 are
    compiled separately. "unbacked" is a symbol without a known value: no value triggers a recompilation, but
    code that branches on it fails with a data-dependent error.
capture_dynamic_output_shape_ops:
    Captures operators whose output shape depends on the data, such as nonzero and unique.
    If False, they break the graph. Usually set together with capture_scalar_outputs. From torch 2.10 on,
    fullgraph=True captures them either way.
capture_scalar_outputs: Captures .item() and similar reads of a tensor's value as symbols in the graph.
    If False, they break the graph. The value is unknown while tracing, so branching on it still fails or
    breaks the graph; torch._check can state its bounds. From torch 2.10 on, fullgraph=True captures these
    reads either way.
computed_lazy_constant_max_nodes:
    Maximum size, in operations, of an expression on constants whose guards are deferred.
    A longer expression gets its guards at once and recompiles for each new value of its inputs. 0 turns
    deferral off.
dynamic_shapes: No-op since torch 2.1; used to allow dynamic sizes.
    Instead: use torch.compile(dynamic=...) or assume_static_by_default
force_nn_module_property_static_shapes:
    Keeps shapes of tensors held by modules static, even with dynamic=True or mark_dynamic.
    Applies to torch's built-in modules and to modules that Dynamo specializes on. Parameters also follow
    force_parameter_static_shapes.
force_parameter_static_shapes:
    Keeps shapes of parameters and buffers static, even with dynamic=True or mark_dynamic.
    If weights change size between calls, set both this flag and force_nn_module_property_static_shapes to
    False. Names listed in torch.compiler.config.dynamic_sources, in releases that have it, are dynamic either
    way.
force_unspec_int_unbacked_size_like_on_torchrec_kjt:
    Treats the lengths and offsets of torchrec's KeyedJaggedTensor as unbacked sizes.
    They become dynamic at once and are assumed never to be 0 or 1. Nothing checks that assumption, so results
    may be wrong where it fails. Meant for export; AOTAutograd and Inductor may fail on such graphs.
specialize_float: Compiles each float input in as a constant and recompiles for each new value.
    If False, and with automatic_dynamic_shapes on, a float whose value changes becomes a tensor input. nan,
    infinities and all floats under Inductor's CUDA graphs stay constants.
specialize_int: Compiles each int input in as a constant and recompiles for each new value.
    If False, ints follow assume_static_by_default and automatic_dynamic_shapes, as sizes do. Export sets it
    to True. Tensor sizes can become dynamic either way.
"""
