"""What each flag does, by topic: see `dynconf.catalogue.flags.described`."""

from dynconf.catalogue.flags.described import described_removals

_PASSED = (
    "torch patches the flag around each call of the compiled function; pass the argument instead of setting "
    "the flag."
)
_NUMPY = (
    "Read once per process, at first use: set it before anything is compiled. NumPy itself keeps its own "
    "default."
)

DESCRIPTIONS = f"""
[guards]: The checks that decide whether compiled code can be used again.
allow_complex_guards_as_runtime_asserts:
    Turns shape guards that export cannot express as constraints into runtime asserts.
    If False, such a guard makes the dimension static or raises a constraint violation.
    Instead: prefer_deferred_runtime_asserts_over_guards
assume_dunder_attributes_remain_unchanged:
    Assumes that functions and classes never rebind __code__, __defaults__ and the like.
    Lets use_recursive_dict_tags_for_guards skip more checks. A program that does rebind such an attribute may
    get wrong results; set the flag to False there.
automatic_dynamic_exclusion_guard:
    Keeps newer dynamic graphs from taking over inputs that an older static graph accepts.
    Covers the tensor sizes and scalars that automatic_dynamic_shapes has made dynamic. Ignored when
    enable_compiler_collectives is on.
do_not_emit_runtime_asserts: Leaves runtime asserts, such as those from torch._check, out of the graph.
    Saves their cost, such as a GPU synchronization. Dynamo still relies on the conditions while compiling, so
    inputs that violate them can give wrong results without an error.
enable_cpp_framelocals_guard_eval:
    No-op since torch 2.8; used to let guards read a frame's locals directly in C++.
    Instead: delete it: guards always read the locals that way
enable_cpp_guard_manager: No-op since torch 2.6; used to check guards in C++ instead of Python.
    Instead: delete it: guards are always checked in C++
enable_cpp_symbolic_shape_guards: Compiles guards on dynamic shapes to C++ instead of running them in Python.
    Only helps with a working C++ compiler. Conditions that do not fit into 64-bit integers stay in Python.
enforce_cond_guards_match: No-op; used to require both branches of torch.cond to have the same guards.
    Instead: delete it: nothing replaces it
guard_nn_modules: Guards on the contents of modules, so that a change to them triggers recompilation.
    If False, Dynamo leaves out the guards inside modules that it has specialized on. Changing such a module
    after compilation may then give wrong results.
guard_nn_modules_using_dict_tags: No-op; used to detect changes to modules by the version tags of their dicts.
issue_3_13_0_warning: Warns on Python 3.13.0 that guards may run slower, and takes the slower path there.
    A bug in that Python release makes dict version tags unreliable. False restores the fast path, and the bug
    with it.
max_saved_pointers_for_recursive_dict_tags_check:
    Maximum number of objects whose dict tags one recursive check remembers.
    Used only with use_recursive_dict_tags_for_guards.
prefer_deferred_runtime_asserts_over_guards:
    Turns conditions on shapes, such as those of torch._check, into asserts instead of guards.
    A guard that fails triggers recompilation; a runtime assert that fails raises an error.
report_guard_failures: No-op; used to report guards that failed.
    Instead: use TORCH_LOGS=recompiles
skip_guards_on_constant_func_defaults: Skips guards on default arguments that are constants.
    Makes guards cheaper, but later changes to a function's __defaults__ go unnoticed.
skip_nnmodule_hook_guards: Skips guards on the hooks of modules.
    Hooks added or removed after compilation then go unnoticed. Set it to False, or recompile, in programs
    that change hooks.
skip_no_tensor_aliasing_guards_on_parameters: Skips the guard that parameters are distinct tensors.
    Code compiled for two different parameters then gives wrong results when it is called with the same
    parameter twice.
skip_tensor_guards_with_matching_dict_tags:
    Skips the guards on a tensor whose containing dict is unchanged since the last call.
    A change to the tensor's own properties may then go unnoticed.
use_lamba_guard_for_object_aliasing:
    Checks whether inputs are the same object in one Python function that runs last.
    Keeps that check out of the guard tree, where it would get in the way of
    use_recursive_dict_tags_for_guards. The misspelling is torch's.
use_recursive_dict_tags_for_guards:
    Skips the guards on nested modules whose dicts are unchanged since the last call.
    Makes deep models faster. For functions it relies on assume_dunder_attributes_remain_unchanged;
    max_saved_pointers_for_recursive_dict_tags_check limits its memory use.

[recompile]: The limits of recompilation, and the consequences of reaching them.
accumulated_recompile_limit: Maximum number of compilations of one code object, across all module instances.
    A safety net above recompile_limit, which has a separate count for each object that guards tie the code
    to. At the limit the code falls back to eager mode, or raises with fullgraph=True or
    fail_on_recompile_limit_hit.
cache_size_limit: Old name of recompile_limit, the maximum number of compiled versions of a function.
error_on_recompile: Raises RecompileError when a function is about to be recompiled.
    For tests, and for jobs where any recompilation is a bug. The error names the guards that failed. With
    suppress_errors, torch logs a warning and runs the code in eager mode instead, unless fullgraph=True.
fail_on_recompile_limit_hit:
    Raises when a recompilation limit is reached instead of falling back to eager mode.
    Applies to both recompile_limit and accumulated_recompile_limit; with fullgraph=True, torch raises even
    without it. Cannot be combined with suppress_errors: torch raises an error if both are set.
gc_gen2_threshold_during_compile:
    Threshold for full garbage collections during compilation, as in gc.set_threshold.
    Putting off full collections saves time and costs some memory; the previous threshold is restored after
    compilation. It applies to the whole process and never lowers a threshold that is already higher. None
    leaves Python's threshold alone; in torch's own variable, 0 means None.
invalidate_compile_context_weakrefs:
    Drops a compilation's weak references to its tensors when the compilation ends.
    Leftover references can block torch.utils.swap_tensors. None drops them for registered backends only, True
    for every backend, False for none.
recompile_limit: Maximum number of compiled versions of a function before it falls back to eager mode.
    Where guards tie the code to objects such as module instances, each object has its own count. Versions
    that are already compiled stay in use; 0 compiles nothing. With fullgraph=True or
    fail_on_recompile_limit_hit, reaching the limit raises instead. From torch 2.12 on, torch.compile takes a
    recompile_limit of its own, which beats the flag and every patch of it; the warning of a limit that was
    hit then shows that number under the name of the flag.
run_gc_after_compile: Collects the younger garbage generations after each compilation.
    From torch 2.10 on, it is off by default on free-threaded Python, where it would be a slow, full
    collection.
skip_code_recursive_on_cache_limit_hit:
    No-op since torch 2.7; used to skip the callees of a frame over the recompile limit too.
    In torch 2.5 and 2.6, False skips only the frame itself.
skip_code_recursive_on_recompile_limit_hit:
    No-op; under its old name it used to skip the callees of a frame over the limit too.

[shapes]: Which sizes and numbers are compiled in as constants, and which stay dynamic.
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
    infinities and all floats under Inductor's CUDA graphs stay constants. Under Inductor up to torch 2.14, a
    number that is made of such a float and returned stays that of the second call.
specialize_int: Compiles each int input in as a constant and recompiles for each new value.
    If False, ints follow assume_static_by_default and automatic_dynamic_shapes, as sizes do. Export sets it
    to True. Tensor sizes can become dynamic either way.

[tracing]: The code that Dynamo traces into, captures, skips or rejects.
allow_rnn: Traces RNN, GRU and LSTM modules instead of breaking the graph at them.
    Experimental: how well the traced module compiles depends on the backend.
allowed_functions_module_string_ignorelist:
    No-op; used to list torch modules whose functions were kept out of graphs.
capture_func_transforms: No-op since torch 2.6; used to let Dynamo trace torch.func transforms such as vmap.
    Up to torch 2.5, False breaks the graph at each transform; later releases always trace them.
disable: Turns Dynamo off: every frame runs in eager mode and nothing is compiled.
    Code that is already compiled stays in use. From torch 2.13 on, calling a function with fullgraph=True
    raises if none of its frames was compiled. Up to torch 2.7, any non-empty text in torch's variable counts
    as True, even 0.
dont_skip_tracing: Traces into functions that Dynamo's skip rules would run in eager mode.
    Most of Dynamo's own code stays skipped. To lift the rules for a single function, use the decorator
    torch._dynamo.dont_skip_tracing.
enable_faithful_generator_behavior:
    No-op since torch 2.14; used to trace generators lazily, the way Python runs them.
    Up to torch 2.13, False runs each generator to its end as soon as it is called, which can silently change
    results where its side effects matter. Later releases are always lazy.
enable_trace_contextlib: Traces contextlib.contextmanager functions instead of breaking the graph at them.
enable_trace_load_build_class: Traces class statements in compiled code instead of breaking the graph at them.
    The bases and keyword arguments of the class must be constants.
enable_trace_unittest: Traces into Python's unittest package instead of skipping its files.
    A test case's warning checks, such as assertWarns, still break the graph.
error_on_dynamo_callback_in_fullgraph_compiled_code:
    Raises when Dynamo is about to trace more code while fullgraph=True code is running.
    If False, such code runs in eager mode without notice. Code that Dynamo skips anyway never raises.
error_on_nested_fx_trace: Raises when FX symbolically traces a compiled function; False runs it uncompiled.
    Has no effect while force_compile_during_fx_trace is on.
error_on_nested_jit_trace:
    No-op since torch 2.6; used to raise when torch.jit.trace traces a compiled function.
    Up to torch 2.5, False runs the function uncompiled; later releases always raise.
force_compile_during_fx_trace: Compiles a compiled function even while FX or make_fx traces through it.
    Takes precedence over error_on_nested_fx_trace. The aliasing check of custom operators is off during such
    a trace.
graph_break_on_nn_param_ctor:
    Breaks the graph where compiled code creates an nn.Parameter from a computed tensor.
    A parameter created directly from a graph input is traced either way. False restores the older tracing of
    the constructor, which torch plans to remove. It is better to create parameters outside compiled code.
ignore_logger_methods: Old name of ignore_logging_functions: logger methods whose calls are dropped.
    Up to torch 2.10, only methods of logging.Logger, or of one logger, are recognized.
ignore_logging_functions:
    Functions whose calls are dropped while tracing: they neither run nor break the graph.
    A dropped call returns None, so list only functions whose result is not used. A method of logging.Logger
    covers every logger of that class, a bound method only its own logger. List the method that the code calls
    directly.
inline_inbuilt_nn_modules: No-op since torch 2.12; used to trace into torch's own modules as into user code.
    Up to torch 2.11, False specializes compiled code on each module instance, so every instance needs its own
    compilation. Later releases always trace into them.
inline_torch_dispatch_torch_compile: Lets torch.compile work inside __torch_dispatch__ handlers.
    If True, compilation is skipped only while a dispatch mode is active on the stack. If False, being
    anywhere inside a mode is enough to skip it.
nontraceable_tensor_subclasses: Tensor subclasses whose instances Dynamo does not treat as tensors.
    A workaround for compiler errors caused by a subclass. Expect graph breaks where operators meet its
    instances.
numpy_default_complex: Default complex dtype of NumPy code that is traced into torch operators.
    {_NUMPY}
numpy_default_float: Default floating-point dtype of NumPy code that is traced into torch operators.
    {_NUMPY} float32 is faster on most accelerators, but results then differ from NumPy's.
numpy_default_int: Default integer dtype of NumPy code that is traced into torch operators.
    {_NUMPY}
raise_on_ctx_manager_usage: Raises when torch._dynamo.optimize(...) is used as a context manager.
    Use it as a decorator, or call it on a function or module.
reorderable_logging_functions:
    Functions, such as print, whose calls are deferred until the traced graph has run.
    A listed call does not break the graph, so its output appears later. Its arguments must be tensors,
    constants or formatted strings, and an object that is changed after the call is shown as changed. Export
    drops the calls.
skip_torchrec: Skips the distributed code of TorchRec instead of tracing it, in Meta's own builds.
    Public builds of torch ignore it.
skipfiles_inline_module_allowlist: No-op; used to list modules to trace even though their files were skipped.
suppress_errors: Falls back to eager mode with a warning when compilation fails, instead of raising.
    Hides compiler bugs and lost speedups. Functions compiled with fullgraph=True still raise. From torch 2.7
    on, torch raises an error if fail_on_recompile_limit_hit is set too. Also swallows the errors of
    error_on_recompile.
trace_numpy: Traces NumPy calls as torch operators instead of breaking the graph at them.
traceable_tensor_subclasses: No-op since torch 2.8; used to list tensor subclasses to trace as tensors.
    Instead: delete it: subclasses are traced unless nontraceable_tensor_subclasses lists them
use_numpy_random_stream:
    Draws random numbers in compiled NumPy code from NumPy's generator instead of torch's.
    The numbers then follow numpy.random.seed, but every such call breaks the graph.
wrap_top_frame: Wraps the compiled function or module so that module hooks run in the same compiled frame.

[graphs]: How the captured graph is shaped, where it breaks, and how the backend gets it.
allow_empty_graphs: Keeps a frame whose graph is empty instead of leaving it to eager mode.
    If False, such a frame, and later calls of the same code, run in plain Python. Frames traced for export or
    with fullgraph=True are kept either way.
canonicalize_output_graph_node_order:
    Sorts and renames the nodes of the captured graph into one canonical order.
    Helps when processes that trace the same model in different dict orders must end up with identical graphs.
    Export and compiled autograd graphs are left as they are.
capture_sparse_compute: Captures sparse tensors during export instead of breaking the graph at them.
    Affects export only: torch.compile always breaks the graph at a sparse tensor.
dead_code_elimination: No-op since torch 2.6; used to remove unused instructions from generated bytecode.
    Later releases always remove them.
    Instead: delete it: unused bytecode is always removed
enable_aot_compile: Enables the experimental ahead-of-time compilation of functions and modules.
    Functions compiled while it is False have no aot_compile method, and compiling a module ahead of time
    raises RuntimeError.
enable_dynamo_decompositions:
    Decomposes a few optimizer operations when one of their scalar arguments is a tensor.
    Examples are in-place addcmul and addcdiv and the foreach variant of pow. It avoids the graph break of
    reading the scalar. Results may differ in the last digits on backends other than inductor.
enable_invoke_subgraph_regional_compile:
    Enables the `options` argument of torch.compiler.nested_compile_region.
    The argument is experimental in torch itself; if the flag is False, passing it raises RuntimeError.
graph_deduplication_lint: Checks the graph for cycles and errors after each region is replaced by a subgraph.
    For debugging use_graph_deduplication, without which it has no effect. It also prints its findings.
inline_invoke_subgraph: Inlines every nested subgraph into its parent before the backend gets the graph.
    For backends that cannot handle calls to subgraphs. Takes precedence over
    inline_single_use_invoke_subgraph, and repeated regions are no longer compiled just once.
inline_single_use_invoke_subgraph: Inlines nested subgraphs that are called only once into their parent graph.
install_free_tensors: Makes global, closure and module tensors attributes of the graph instead of inputs.
    Meant for export, where the number of graph inputs then depends on the arguments alone.
install_free_tensors_for_export: Turns install_free_tensors on during export.
log_graph_in_out_metadata: Records during export which graph output each returned value comes from.
    The export functions set it themselves; torch.compile has no use for it.
minimum_call_count: No-op; used to be the minimum number of operations for a graph to be created.
nested_graph_breaks: Resumes tracing inside the called function in which the graph broke.
    If False, a break in an inlined call moves up to the outermost frame, which runs that whole call outside
    the graph and so captures less.
only_allow_pt2_compliant_ops: Breaks the graph at operators that lack the tag pt2_compliant_tag.
    Protects against custom operators that were never checked with torch.compile. With fullgraph=True, the
    break is an error.
prepare_freezing: Keeps parameters and buffers as graph attributes, so that backends can freeze them.
    For backends other than inductor, whose own freezing option has the same effect when gradients are off.
replay_side_effects: Replays changes to Python objects after the compiled graph has run.
    False is meant for export: changes to lists, dicts and attributes then stay invisible outside the graph,
    so ordinary programs may give wrong results.
rewrite_assert_with_torch_assert: Turns assert statements into asserts in the graph instead of graph breaks.
    Has no effect when Python runs with -O, which removes assert statements.
side_effect_replay_policy: Reaction to traced code that changes Python objects outside the graph.
    "silent" allows it, "info" also logs it under TORCH_LOGS=side_effects, "warn" issues a Python warning and
    "error" raises RuntimeError. Do not change it while something is being compiled.
track_nodes_for_deduplication: Collects repeated graph regions without replacing them.
    Redundant with use_graph_deduplication, which collects them too.
use_graph_deduplication: Replaces repeated regions of a graph with calls to one shared subgraph.
use_lazy_graph_module:
    Defers generating a graph's Python code until it is needed, so that compiling is faster.

[autograd]: Compiled autograd, checkpointing, and tracing the backward.
_autograd_backward_strict_mode_banned_ops:
    Names of tensor attributes and methods that break the graph in a traced backward.
    Applies to the backward of a custom autograd.Function.
_autograd_backward_strict_mode_conditional_banned_ops:
    Names of tensor properties that make Dynamo retrace a backward on contiguous gradients.
_experimental_support_context_fn_in_torch_utils_checkpoint:
    Allows `context_fn` of torch.utils.checkpoint in compiled code; False makes it an error.
    Instead: delete it: later releases accept the argument without the flag
capture_autograd_function: No-op since torch 2.6; used to capture calls of custom autograd.Functions.
    Instead: delete it: custom autograd.Functions are always captured
compiled_autograd: Compiles backward passes started in compiled functions, as autograd runs them.
    Captures hooks, gradient accumulation and the like, which a separate backward for each forward graph
    cannot, and allows backward hooks on tensors inside the compiled region. It is read when torch.compile is
    called; functions compiled earlier keep their behavior.
compiled_autograd_kwargs_override: Arguments of torch.compile to override for the graphs of compiled autograd.
    Only the key "fullgraph" is accepted; any other raises AssertionError. If empty, the arguments of the
    forward apply.
cudagraph_backend_keep_input_mutation:
    Keeps changes to inputs in the inference graph that the "cudagraphs" backend gets.
    If False, they are applied after the graph has run. The backend skips a graph that changes its inputs
    unless cudagraph_backend_support_input_mutation is set too.
cudagraph_backend_support_input_mutation:
    Lets the "cudagraphs" backend record graphs that change their inputs.
    Meant for inputs that live in the memory pool of an earlier CUDA graph.
raise_on_unsafe_aot_autograd: No-op; used to raise when AOTAutograd was unsafe to use.
skip_fwd_side_effects_in_bwd_under_checkpoint:
    Allows side effects in checkpointed code without repeating them in the backward.
    Eager mode repeats them when it recomputes the forward, so results may differ from eager mode. If False,
    such a side effect breaks the graph.
trace_autograd_ops: Captures torch.autograd.grad and Tensor.backward calls instead of breaking the graph.
    The graph still breaks where compiled autograd is enabled, or where a returned tensor needs the part of
    the autograd graph that the call has used up.

[distributed]: DDP, FSDP and collectives.
_ddp_optimization_mode: Modes that optimize_ddp accepts, listed for torch's own check.
_unsafe_skip_fsdp_module_guards: Skips tensor guards on the members of FSDP modules, without any check.
    Replaced parameters go unnoticed, so results may be wrong.
enable_compiler_collectives: Lets ranks compare sizes while compiling, so that all make the same ones dynamic.
    Every rank must compile the same frames at the same time, with the same graph breaks; otherwise the
    collective hangs until it times out. Needs an initialized process group, and turns off the guards of
    automatic_dynamic_exclusion_guard.
enable_p2p_compilation: Captures isend, irecv and batch_isend_irecv in the graph (experimental).
    If False, these calls break the graph.
optimize_ddp: How a compiled DistributedDataParallel model is split and which reducer syncs gradients.
    True is "ddp_optimizer": the graph is split at DDP's gradient buckets, so the C++ reducer can send one
    bucket during the backward of the next. "python_reducer" (experimental) turns the C++ reducer off and
    syncs gradients in Python hooks; compiled autograd captures them in one graph with the backward, so
    communication can overlap. It needs compiled autograd and must be set before the DDP module is built.
    "python_reducer_without_compiled_forward" does the same, up to torch 2.6, for a DDP module that is not
    compiled itself; from 2.7 on it selects neither splitting nor the Python reducer. False is
    "no_optimization": one graph and the C++ reducer, so communication does not overlap with a graph's
    backward; do not use it with compiled autograd.
optimize_ddp_lazy_compile:
    No-op since torch 2.5; used to compile the pieces of a DDP graph on their first run.
skip_fsdp_guards: Skips most guards on FSDP-wrapped modules, which are assumed not to be modified.
    If attributes of such a module change after compilation, results may be wrong without notice.
skip_fsdp_hooks: Runs the hooks of fully_shard eagerly, outside compiled code.
    If False, Dynamo traces through the hooks (experimental, meant for compiled autograd). Set it before
    torch._dynamo's trace rules are imported.
    Instead: delete it: nothing replaces it
trace_distributed: No-op since torch 2.3; used to let Dynamo trace into torch.distributed.
    Instead: delete it: collectives are captured without it

[debug]: Logs, checks, and overrides for chosen graphs.
base_dir: Folder that contains the torch package; torch itself does not read it.
debug_backend_override: Rules that compile chosen graphs with another backend, such as ">10:eager".
    Rules are separated by semicolons; each has a filter and the name of a backend. A filter is a
    comma-separated list of graph numbers (the first number of a compile id), ranges such as 0-5 and
    comparisons such as <=5. Two backends for one graph, or an unknown backend, raises ValueError.
debug_dir_root: Folder for debug output: minifier scripts, recordings and Inductor's debug traces.
    torch accepts None too, but then fails when it tries to write there.
debug_disable_compile_counter: Makes torch's test classes skip comparisons of compile and graph-break counts.
debug_dynamo_config_override:
    Rules that override Dynamo flags for chosen graphs, such as "0-5:specialize_int=True".
    Filters are those of debug_backend_override; settings are comma-separated name=value pairs. An unknown
    flag, or two values of one flag for one graph, raises ValueError.
debug_force_graph_break_on_leaf_return: Breaks the graph when a function that inlines no calls returns.
    While it is set, graph breaks are tolerated even with fullgraph=True.
debug_force_nested_calls: Wraps each compiled function in another, so that Dynamo always traces a nested call.
debug_inductor_config_override:
    Rules that override Inductor flags for chosen graphs, such as ">10:max_autotune=True".
    Filters are those of debug_backend_override; settings are comma-separated name=value pairs of
    torch._inductor.config. An unknown flag, or two values of one flag for one graph, raises ValueError.
generate_pycode: Generates Python source, as well as bytecode, for the code around a compiled graph.
    The source is in the output_pycode attribute of Dynamo's result.
inject_BUILD_SET_unimplemented_TESTING_ONLY:
    Breaks the graph wherever a set is built, as if Dynamo did not support that.
leaf_function_check_escaped_gradients:
    Raises when a leaf function uses a tensor that requires grad but is not an argument.
    Without the check, such a tensor silently gets no gradient. The check walks the autograd graph on each
    call.
leaf_function_validate_outputs: Raises when a leaf function's fake and real outputs differ in shape or dtype.
    Runs the fake version along with the real one on each call, which costs time.
log_file_name: No-op since torch 2.1; used to name a file to copy log output to.
    Instead: use the variable TORCH_LOGS_OUT
replay_record_enabled: Records a frame to a file when compiling it fails.
    torch._dynamo.replay(path) compiles the recorded frame again. The error message names the file, which is
    under debug_dir_root. Needs the dill package.
verbose: Shows full stack traces in errors and warnings, including frames inside Dynamo.
verify_correctness: Runs each new graph eagerly too, and raises if the backend's result differs.
    The check runs once, during compilation, on copies of the inputs, and covers only the forward graph.

[repro]: The minifier, and how it compares results.
repro_after: Stage whose graphs the minifier watches; None turns the minifier off.
    "dynamo" watches the graph that Dynamo hands to the backend; "aot" watches the forward and backward graphs
    that AOTAutograd hands to the compiler. repro_level defines a failure, and the script that is written.
repro_forward_only: Compares only forward results when repro_after="dynamo" and repro_level=4.
    Helps if only inference matters, or if the backward fails for another reason.
repro_ignore_non_fp: Compares only floating-point results in the minifier's accuracy checks.
    A tiny rounding difference can flip a bool or an int without there being a bug.
repro_level: Script that repro_after writes, and when: a level from 1 to 4.
    1: a script that reproduces the failure. 2: a minifier script after a failure. 3: a minifier script before
    each graph, for crashes that kill the process. 4: a minifier script if results are inaccurate; slow, and
    with repro_after="aot" for Inductor only.
repro_tolerance: Tolerance of the minifier's accuracy checks, both absolute and relative.
same_two_models_use_fp64: Judges accuracy against a double-precision run of the same graph.
    A result then fails only if its error is larger than that of the eager result, within the tolerance. Costs
    memory and time. If False, results are compared with the eager ones directly.

[caching]: Precompiled code and fake tensors.
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

[profiling]: Where compile time goes.
_custom_ops_profile: Recorded profiles used to generate fake results of custom operators, for tests.
capture_profiler_record_function: Keeps torch.profiler.record_function regions in the compiled graph.
    If False, they are left out with a warning. If True, a graph break inside a region is not supported.
constant_fold_autograd_profiler_enabled:
    Treats torch.autograd._profiler_enabled() as a constant instead of breaking the graph.
    Export sets it to True. Distributed training with the profiler on has been seen to time out with it.
cprofile: Runs cProfile over each compilation and writes the profile to the temporary folder.
    Draws it as SVG if gprof2dot and dot are installed, and prints the top entries otherwise. Any text in
    torch's own variable turns it on, even 0.
dynamo_profiler: Prints how long Dynamo traced each function; given a path, also saves the profile there.
    The file is in pstats format, with a call graph next to it if gprof2dot and dot are installed. torch
    always reads its own variable as a path: the text 1 writes a file named 1.
enrich_profiler_metadata: No-op; a stand-in for the torch.fx flag of the same name.
    Instead: use torch.fx.experimental._config.enrich_profiler_metadata
log_compilation_metrics:
    Logs the metrics of each compilation, and counts the parameters that a graph guards on.
pt2_compile_id_prefix: Prefix of the unique process id in compile event logs; None adds no prefix.
    Read when the first event is logged; later changes have no effect in that process.
record_compile_time_instruction_count: Counts the CPU instructions that compilation takes.
    torch._dynamo.utils.CompileTimeInstructionCounter.value() returns the total. Needs Linux performance
    counters.
record_runtime_overhead: Shows the time spent around a compiled graph as separate entries in profiler traces.
    Costs next to nothing while no profiler is running.
"""

REMOVED = described_removals("""
constant_functions (2.1): delete it: for your own functions, use torch.compiler.assume_constant_result
DO_NOT_USE_legacy_non_fake_example_inputs (2.0): delete it: nothing replaces it
dynamic_propagation: delete it: shapes are always propagated
fake_tensor_propagation: delete it: fake tensors are always propagated
inject_EVALUATE_EXPR_flip_equality_TESTING_ONLY (2.1): use the flag of the same name in
    torch.fx.experimental._config
log_level (2.0): call torch._logging.set_logs(dynamo=logging.DEBUG), or set TORCH_LOGS=+dynamo
normalize_ir: delete it: nothing replaces it
optimize_user_defined_triton_kernels (2.3): delete it: that optimization is always on
output_code (2.0): call torch._logging.set_logs(graph_code=True, bytecode=True), or set
    TORCH_LOGS=graph_code,bytecode (output_code there is Inductor's)
output_graph_code (2.0): choose graph_code (Python) or graph (table) in torch._logging.set_logs or TORCH_LOGS
print_graph_breaks (2.0): call torch._logging.set_logs(graph_breaks=True), or set TORCH_LOGS=graph_breaks
print_guards: call torch._logging.set_logs(guards=True), or set TORCH_LOGS=guards
print_specializations (2.1): use torch.fx.experimental._config.print_specializations
raise_on_backend_change (2.1): delete it: compiled code is cached per backend, and a new backend compiles its
    own
specialize_int_float (2.0): use specialize_int and specialize_float
translation_validation (2.1): use torch.fx.experimental._config.translation_validation, or
    TORCHDYNAMO_TRANSLATION_VALIDATION=1
translation_validation_timeout (2.1): use torch.fx.experimental._config.translation_validation_timeout
    (milliseconds), or TORCHDYNAMO_TRANSLATION_VALIDATION_TIMEOUT
""")
"""Flags that the module lost before torch 2.4 and that scripts still set."""
