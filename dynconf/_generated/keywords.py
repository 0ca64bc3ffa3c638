# Generated from dynconf/catalogue by `python -m dynconf._codegen`. DO NOT EDIT.
"""Every public flag, old names included, as a typed keyword."""

from collections.abc import Callable
from typing import Any, Literal

from typing_extensions import TypedDict


class FlagValues(TypedDict, total=False):
    """Values by flag; give any of them."""

    accumulated_cache_size_limit: int
    """Older name of accumulated_recompile_limit.

    Old name of `accumulated_recompile_limit`.
    """

    accumulated_recompile_limit: int
    """Most compilations of one code object, over all module instances that share it.

    A safety cap above recompile_limit, which counts for each object that a guard ties the code to.
    Beyond it the code falls back to eager, or raises under fullgraph=True or
    fail_on_recompile_limit_hit.

    Since torch 2.7.
    """

    allow_complex_guards_as_runtime_asserts: bool
    """Checks at run time the shape conditions that export cannot express as constraints.

    Unset, such a condition makes a dimension static or raises a constraint violation.

    In torch 2.5 to 2.8.
    """

    allow_empty_graphs: bool
    """Keeps a frame whose tracing captured no operation, instead of leaving it to eager.

    Unset, such a frame and later calls of the same code run in plain Python. Frames traced for export
    or with fullgraph=True are kept either way.

    Since torch 2.7.
    """

    allow_ignore_mark_dynamic: bool
    """Accepts that a size marked by mark_dynamic ends up compiled in, instead of raising.

    With False, torch raises when a dimension marked as dynamic had to be fixed to one value. With True
    the promise is dropped silently, and each new size may cost a recompilation.
    """

    allow_rnn: bool
    """Traces RNN, GRU and LSTM modules instead of breaking the graph at them.

    Experimental: whether the traced module compiles well depends on the backend.
    """

    allow_unspec_int_on_nn_module: bool
    """Lets int attributes of modules become dynamic instead of always compiling them in.

    Helps a module that counts its own steps, which otherwise recompiles at each new count until the
    recompilation limit is reached. The attribute is still constant in the first compilation.

    Since torch 2.7.
    """

    allowed_functions_module_string_ignorelist: set[str]
    """Does nothing; once listed torch modules whose functions were kept out of graphs.

    No-op in the newest torch.
    """

    assume_dunder_attributes_remain_unchanged: bool
    """Trusts that functions and classes keep attributes such as __code__ and __defaults__.

    It lets recursive dict tags skip more checks. Assigning a new object to such an attribute may then
    go unnoticed and give wrong results; set it to False in programs that do so.

    Since torch 2.9.
    """

    assume_static_by_default: bool
    """Compiles every size and int in as a constant until something calls for a dynamic one.

    mark_dynamic, automatic_dynamic_shapes and similar requests still make single dimensions dynamic.
    torch.compile(dynamic=True) turns this flag off for its function, dynamic=False turns it on and
    automatic_dynamic_shapes off.
    """

    automatic_dynamic_exclusion_guard: bool
    """Keeps newer dynamic graphs from taking inputs that an older static graph fits.

    It covers input sizes and scalars that automatic_dynamic_shapes has made dynamic, and is ignored
    with enable_compiler_collectives.

    Since torch 2.12.
    """

    automatic_dynamic_local_pgo: bool
    """Keeps on disk which sizes turned out dynamic, so later runs skip the static version.

    Takes effect only with a job name (torch.compiler.config.job_id) and not with caches disabled.
    Entries are found by file, line and function name, so edits of the source lose them. An outdated
    profile costs no correctness; it makes more sizes dynamic than necessary.

    Since torch 2.6.
    """

    automatic_dynamic_remote_pgo: bool | None
    """Shares the profile of dynamic sizes through a remote cache; None leaves it to torch.

    None means off outside of Meta's own builds. With True the profile goes through the remote cache
    that Inductor is set up for (Redis in the public builds); a job name is needed here too.

    Since torch 2.6.
    """

    automatic_dynamic_shapes: bool
    """Recompiles with a dynamic size once a dimension or number has been seen with two values.

    With False every new size is compiled as a constant of its own, unless it is marked as dynamic, and
    the recompilation limit is reached soon.
    """

    automatic_dynamic_shapes_mark_as: Literal["dynamic", "unbacked"]
    """Kind of symbol that a size gets when it is found to vary.

    "dynamic" makes an ordinary symbol: code may branch on it (with guards), and the values 0 and 1 are
    compiled separately. "unbacked" makes a symbol without a known value: no recompilation for any
    value, but code that branches on it fails with a data-dependent error.

    Since torch 2.6.
    """

    cache_size_limit: int
    """Older name of recompile_limit: most compiled versions of one function.

    Old name of `recompile_limit`.
    """

    caching_precompile: bool
    """Loads compiled code of earlier runs and keeps new code for saving; experimental.

    New code is written when torch.compiler.save_cache_artifacts() is called. Guards that compare
    identities are dropped with a warning, since they mean nothing in another process: code may then run
    where it does not fit.

    Since torch 2.9.
    """

    canonicalize_output_graph_node_order: bool
    """Sorts and renames the nodes of the captured graph into one canonical order.

    Helps where processes that trace the same model in different dict orders must end up with identical
    graphs. Export and compiled autograd graphs are left as they are.

    Since torch 2.14.
    """

    capture_autograd_function: bool
    """Once captured custom autograd.Function calls; does nothing since torch 2.6.

    No-op in the newest torch.
    """

    capture_dynamic_output_shape_ops: bool
    """Captures operators such as nonzero and unique, whose output size depends on the data.

    With False they break the graph. Usually wanted together with capture_scalar_outputs. Newer releases
    (from 2.10) capture them anyway under fullgraph=True.
    """

    capture_func_transforms: bool
    """Once let Dynamo trace torch.func transforms such as vmap; does nothing since torch 2.6.

    The transforms are always traced now. Until torch 2.5, False makes each of them a graph break.

    No-op in the newest torch.
    """

    capture_profiler_record_function: bool
    """Keeps torch.profiler.record_function regions in the compiled graph.

    With False they are left out, with a warning. With True a graph break inside a region is not
    supported.

    Since torch 2.11.
    """

    capture_scalar_outputs: bool
    """Captures .item() and similar reads of a tensor's value as symbols in the graph.

    With False they break the graph. The value is unknown while tracing, so branching on it still fails
    or breaks the graph; torch._check can state its bounds. Newer releases (from 2.10) capture these
    reads anyway under fullgraph=True.
    """

    capture_sparse_compute: bool
    """Captures sparse tensors while exporting, where they would otherwise break the graph.

    It matters for export only: torch.compile breaks the graph on a sparse tensor in any case.

    Since torch 2.5.
    """

    compiled_autograd: bool
    """Compiles backward passes started in compiled functions as autograd runs them.

    It captures what is out of reach when each forward graph gets its own backward, such as hooks and
    gradient accumulation, and permits backward hooks on tensors inside the compiled region. It is read
    when torch.compile is called; functions wrapped before keep their behaviour.
    """

    compiled_autograd_kwargs_override: dict[str, Any]
    """Arguments of torch.compile that differ for the graphs of compiled autograd.

    Only the key "fullgraph" is accepted, any other raises AssertionError. Empty, the arguments of the
    forward hold.

    Since torch 2.6.
    """

    computed_lazy_constant_max_nodes: int
    """Most operations on constant inputs whose guards are put off, per expression.

    A longer expression gets its guards at once, with a recompilation for each new value of its inputs.
    0 turns the delay off.

    Since torch 2.14.
    """

    constant_fold_autograd_profiler_enabled: bool
    """Treats torch.autograd._profiler_enabled() as a constant instead of breaking the graph.

    Export sets it to True. In distributed training with the profiler on, time-outs have been seen with
    it.

    Since torch 2.10.
    """

    cprofile: bool
    """Runs cProfile over each compilation and writes the profile to the temporary folder.

    Draws it as SVG where gprof2dot and dot are installed, else prints the top entries. Any text in
    torch's own variable turns it on, even 0.
    """

    cudagraph_backend_keep_input_mutation: bool
    """Leaves changes to inputs in the inference graph that the backend "cudagraphs" gets.

    Unset, they are applied after the graph has run. A graph that changes its inputs is skipped by that
    backend unless cudagraph_backend_support_input_mutation is set as well.
    """

    cudagraph_backend_support_input_mutation: bool
    """Lets the backend "cudagraphs" record graphs that change their inputs.

    Meant for inputs that live in the memory pool of an earlier CUDA graph.
    """

    dead_code_elimination: bool | None
    """Once removed unused instructions from generated bytecode; does nothing since torch 2.6.

    The removal now always takes place.

    No-op in the newest torch.
    """

    debug_backend_override: str
    """Rules that compile chosen graphs by another backend, such as ">10:eager".

    Rules are separated by semicolons, each with a filter and a backend's name. A filter is a list of
    graph numbers (the first number of a compile id), ranges such as 0-5 and comparisons such as <=5,
    separated by commas. Two rules with different backends for one graph, or an unknown backend, raise a
    ValueError.

    Since torch 2.11.
    """

    debug_dir_root: str | None
    """Folder for debug output: minifier scripts, recordings and Inductor's debug traces.

    torch accepts None as well, and then fails where it would write there.
    """

    debug_disable_compile_counter: bool
    """Makes torch's test classes skip comparisons of compile and graph-break counts.

    Since torch 2.9.
    """

    debug_dynamo_config_override: str
    """Rules that give chosen graphs other Dynamo flags, such as "0-5:specialize_int=True".

    Filters are those of debug_backend_override; settings are name=value pairs, separated by commas. An
    unknown flag, or two values of one flag for one graph, raise a ValueError.

    Since torch 2.12.
    """

    debug_force_graph_break_on_leaf_return: bool
    """Breaks the graph at the return of each function that inlines no call.

    Breaks are tolerated in spite of fullgraph=True while it is set.

    Since torch 2.9.
    """

    debug_force_nested_calls: bool
    """Wraps each compiled function in another, so that Dynamo always traces it as a nested call.

    Since torch 2.9.
    """

    debug_inductor_config_override: str
    """Rules that give chosen graphs other Inductor flags, such as ">10:max_autotune=True".

    Filters are those of debug_backend_override; settings are name=value pairs of
    torch._inductor.config, separated by commas. An unknown flag, or two values of one flag for one
    graph, raise a ValueError.

    Since torch 2.11.
    """

    disable: bool
    """Turns Dynamo off: every frame runs in eager and nothing is compiled.

    Code that is already compiled stays in use. Since torch 2.13 a call of a function with
    fullgraph=True raises if none of its frames was compiled. Until torch 2.7, torch takes any non-empty
    text of its variable as true, even 0.
    """

    do_not_emit_runtime_asserts: bool
    """Leaves runtime checks such as those of torch._check out of the graph.

    It saves their cost, for instance a GPU synchronization. The conditions are still assumed while
    compiling, so inputs that violate them may give wrong results without an error.
    """

    dont_skip_tracing: bool
    """Traces into functions that Dynamo's skip rules would leave to eager.

    Most of Dynamo's own code stays skipped. To lift the rules for a single function, use the decorator
    torch._dynamo.dont_skip_tracing.

    Since torch 2.8.
    """

    dynamic_shapes: bool
    """Once allowed sizes to stay dynamic; does nothing since torch 2.1.

    No-op in the newest torch.
    """

    dynamo_profiler: bool | str
    """Prints how long Dynamo traced each function; a path also saves the profile there.

    The file is in the format of pstats, with a call graph beside it where gprof2dot and dot are
    installed. torch's own variable is always read as a path: the text 1 writes a file named 1.

    Since torch 2.11.
    """

    enable_aot_compile: bool
    """Offers the experimental ahead-of-time compilation of functions and modules.

    Functions wrapped while it is False lack the method aot_compile, and compiling a module ahead of
    time raises RuntimeError.

    Since torch 2.9.
    """

    enable_compiler_collectives: bool
    """Lets ranks compare sizes while compiling, so that all make the same ones dynamic.

    Every rank has to compile the same frames at the same time, with the same graph breaks; otherwise
    the collective hangs until it times out. Needs an initialized process group, and switches the guards
    of automatic_dynamic_exclusion_guard off.

    Since torch 2.5.
    """

    enable_cpp_framelocals_guard_eval: bool
    """Once let guards read a frame's locals straight in C++; does nothing since torch 2.8.

    No-op in the newest torch. Since torch 2.7.
    """

    enable_cpp_guard_manager: bool
    """Once moved guard checks from Python to C++; does nothing since torch 2.6.

    No-op in the newest torch.
    """

    enable_cpp_symbolic_shape_guards: bool
    """Compiles the guards on dynamic shapes to C++ instead of running them in Python.

    Needs a working C++ compiler for a gain; conditions too large for 64-bit integers stay in Python.

    Since torch 2.7.
    """

    enable_dynamo_decompositions: bool
    """Splits a few optimizer operations into simpler ones where a scalar argument is a tensor.

    In-place addcmul and addcdiv and the foreach variant of pow are examples: it spares the graph break
    of reading the scalar. Results may differ in the last digits on backends other than inductor.

    Since torch 2.11.
    """

    enable_faithful_generator_behavior: bool
    """Once traced generators lazily, as Python runs them; does nothing since torch 2.14.

    Until torch 2.13, False runs each generator to its end as soon as it is called, which can silently
    change results where its side effects matter. Newer releases are always lazy.

    No-op in the newest torch. Since torch 2.7.
    """

    enable_invoke_subgraph_regional_compile: bool
    """Permits torch.compiler.nested_compile_region to take its argument `options`.

    The argument is an experiment of torch itself; without the flag it raises RuntimeError.

    Since torch 2.11.
    """

    enable_p2p_compilation: bool
    """Captures isend, irecv and batch_isend_irecv in the graph; experimental.

    With False these calls break the graph.

    Since torch 2.12.
    """

    enable_trace_contextlib: bool
    """Traces context managers made with contextlib.contextmanager; False breaks the graph there.

    Since torch 2.7.
    """

    enable_trace_load_build_class: bool
    """Traces class statements inside compiled code instead of breaking the graph at them.

    The bases and keyword arguments of the class must be constants.

    Since torch 2.13.
    """

    enable_trace_unittest: bool
    """Traces into Python's unittest package instead of skipping its files.

    The warning checks of a test case, such as assertWarns, still break the graph.

    Since torch 2.8.
    """

    enforce_cond_guards_match: bool
    """Does nothing; once required both branches of cond to have the same guards.

    No-op in the newest torch. In torch 2.4 to 2.5.
    """

    enrich_profiler_metadata: bool
    """Does nothing; stood in for the flag of the same name of torch.fx.

    No-op in the newest torch. In torch 2.10 to 2.10.
    """

    error_on_dynamo_callback_in_fullgraph_compiled_code: bool
    """Raises if Dynamo is about to trace more code while fullgraph=True code runs.

    When False, such code quietly runs in eager. Code that Dynamo skips anyway raises no error either
    way.

    Since torch 2.11.
    """

    error_on_nested_fx_trace: bool
    """Raises when FX symbolically traces a compiled function; False runs it uncompiled.

    Never reached while force_compile_during_fx_trace is on.
    """

    error_on_nested_jit_trace: bool
    """Once made torch.jit.trace of a compiled function an error; does nothing since torch 2.6.

    Such a trace is always an error now. Until torch 2.5, False runs the function uncompiled.

    No-op in the newest torch.
    """

    error_on_recompile: bool
    """Raises RecompileError when a function is about to be compiled again.

    Meant for tests and for jobs where any recompilation is a bug. The error names the guards that
    failed. With suppress_errors it becomes a warning and eager execution, unless fullgraph=True.
    """

    fail_on_cache_limit_hit: bool
    """Older name of fail_on_recompile_limit_hit.

    Old name of `fail_on_recompile_limit_hit`. Since torch 2.6.
    """

    fail_on_recompile_limit_hit: bool
    """Raises when a recompilation limit is hit instead of falling back to eager.

    Applies to recompile_limit and accumulated_recompile_limit alike; fullgraph=True raises even without
    it. It cannot be combined with suppress_errors: torch refuses the pair.

    Since torch 2.7.
    """

    fake_tensor_cache_crosscheck_enabled: bool
    """Computes each cached fake tensor result again and raises where the two differ.

    For debugging the cache; takes away its benefit.
    """

    fake_tensor_cache_enabled: bool
    """Remembers the shapes and dtypes that operators return on fake tensors; speeds tracing up."""

    fake_tensor_disable_inference_mode: bool
    """Traces under no_grad in place of inference_mode; compiled code still runs in that mode.

    With True a call of Tensor.is_inference() breaks the graph.

    Since torch 2.8.
    """

    force_compile_during_fx_trace: bool
    """Compiles a compiled function even while FX or make_fx traces through it.

    Takes precedence over error_on_nested_fx_trace. The aliasing check of custom operators is left out
    meanwhile.

    Since torch 2.11.
    """

    force_nn_module_property_static_shapes: bool
    """Fixes the shapes of tensors held by modules, even under dynamic=True and mark_dynamic.

    Concerns modules that Dynamo specializes and torch's built-in ones; parameters everywhere follow
    force_parameter_static_shapes as well.
    """

    force_parameter_static_shapes: bool
    """Fixes the shapes of parameters and buffers, even under dynamic=True and mark_dynamic.

    Set both this and force_nn_module_property_static_shapes to False where weights change their size
    between calls. Names listed in torch.compiler.config.dynamic_sources (newer releases) are dynamic
    all the same.
    """

    force_unspec_int_unbacked_size_like_on_torchrec_kjt: bool
    """Treats the lengths and offsets of torchrec's KeyedJaggedTensor as unknown sizes.

    They generalize at once and are taken never to be 0 or 1, which is not checked: a wrong result is
    possible where they are. Meant for export; AOTAutograd and Inductor may fail on such graphs.
    """

    gc_gen2_threshold_during_compile: int | None
    """Threshold for full garbage collections while compiling, as in gc.set_threshold.

    Full collections are put off while compiling, which saves time and costs some memory; the old
    threshold comes back afterwards. It holds for the whole process, is never lowered below a higher one
    already set, and None leaves Python's alone. In torch's variable, 0 stands for None.

    Since torch 2.15.
    """

    generate_pycode: bool
    """Builds Python source for the code around a compiled graph, besides its bytecode.

    The source is found in the output_pycode attribute of Dynamo's result.

    Since torch 2.13.
    """

    graph_break_on_nn_param_ctor: bool
    """Breaks the graph where compiled code makes an nn.Parameter from a computed tensor.

    A parameter made straight from an input of the graph is traced either way. False brings back the
    older tracing of the constructor, which torch means to remove; better create parameters outside
    compiled code.

    Since torch 2.9.
    """

    graph_deduplication_lint: bool
    """Checks the graph for cycles and errors after each region is replaced by a subgraph.

    For debugging use_graph_deduplication, without which it has no effect; it also prints what it finds.

    Since torch 2.8.
    """

    guard_nn_modules: bool
    """Guards on the contents of modules, so that changes to them are noticed.

    False leaves out guards inside modules that Dynamo has specialized on: changing such a module after
    compilation may then give wrong results.
    """

    guard_nn_modules_using_dict_tags: bool
    """Does nothing; once noticed changes to modules by the version tags of their dicts.

    No-op in the newest torch.
    """

    ignore_logger_methods: set[Callable[..., Any]]
    """Older name of ignore_logging_functions: logger methods that are dropped while tracing.

    Until torch 2.10 only methods of logging.Logger, or of one logger, are recognised.

    Old name of `ignore_logging_functions`. Since torch 2.6.
    """

    ignore_logging_functions: set[Callable[..., Any]]
    """Functions whose calls are dropped while tracing: they neither run nor break the graph.

    A dropped call returns None, so only list functions whose result nobody uses. A method of
    logging.Logger covers every logger of that class, a bound method only its own logger. The method
    that the code calls directly is the one to list.

    Since torch 2.11.
    """

    inject_BUILD_SET_unimplemented_TESTING_ONLY: bool
    """Breaks the graph wherever a set is built, as if that were unsupported."""

    inline_inbuilt_nn_modules: bool
    """Once traced into torch's own modules as into user code; does nothing since torch 2.12.

    Newer releases always trace into them. In older ones, False specializes compiled code on each module
    instance, so that every instance costs its own compilation.

    No-op in the newest torch.
    """

    inline_invoke_subgraph: bool
    """Dissolves every nested subgraph into its parent before the backend gets the graph.

    For backends that cannot handle calls of subgraphs. It takes precedence over
    inline_single_use_invoke_subgraph and gives up compiling repeated regions only once.

    Since torch 2.12.
    """

    inline_single_use_invoke_subgraph: bool
    """Dissolves nested subgraphs that are called only once into their parent graph.

    Since torch 2.13.
    """

    inline_torch_dispatch_torch_compile: bool
    """Lets torch.compile work inside __torch_dispatch__ handlers.

    Compilation is skipped only while a dispatch mode is really active on the stack. When False, being
    anywhere inside a mode is enough to skip it.

    Since torch 2.11.
    """

    install_free_tensors: bool
    """Makes global, closure and module tensors attributes of the graph, not inputs of it.

    Meant for export, where the number of graph inputs then depends on the arguments alone.

    Since torch 2.8.
    """

    install_free_tensors_for_export: bool
    """Turns install_free_tensors on for the time of an export.

    Since torch 2.10.
    """

    invalidate_compile_context_weakrefs: bool | None
    """Whether to drop the references a compilation keeps to its tensors once it ends.

    Such references can keep tensors alive or block torch.utils.swap_tensors. None clears them for
    registered backends only, True for every backend, False never.

    Since torch 2.11.
    """

    issue_3_13_0_warning: bool
    """Warns on Python 3.13.0 that guards may run slower, and takes the slower path there.

    A bug of that one Python release makes dict version tags unreliable; False brings back the fast path
    along with the bug.

    Since torch 2.6.
    """

    leaf_function_check_escaped_gradients: bool
    """Raises where a leaf function uses a tensor that needs gradients but is not its argument.

    Such a tensor gets no gradient, silently, without this check. The check walks the autograd graph at
    each call.

    Since torch 2.11.
    """

    leaf_function_validate_outputs: bool
    """Raises where a leaf function's fake version differs from the real one in shape or dtype.

    Runs the fake version along with the real one at each call, which costs time.

    Since torch 2.11.
    """

    log_compilation_metrics: bool
    """Logs the metrics of each compilation, and counts the parameters a graph guards on."""

    log_file_name: str | None
    """Once named a file to copy log output to; does nothing since torch 2.1.

    No-op in the newest torch.
    """

    log_graph_in_out_metadata: bool
    """Notes during export which graph output each returned value comes from.

    The export functions set it themselves; torch.compile has no use for it.

    Since torch 2.9.
    """

    max_saved_pointers_for_recursive_dict_tags_check: int
    """The most objects whose dict tags one recursive check remembers.

    Only used with use_recursive_dict_tags_for_guards.

    Since torch 2.9.
    """

    minimum_call_count: int
    """Does nothing; once the least number of operations for which a graph was made.

    No-op in the newest torch.
    """

    nested_graph_breaks: bool
    """Resumes tracing inside the called function in which the graph broke.

    Unset, a break in an inlined call moves up to the outermost frame, which runs that whole call
    outside the graph and so captures less.

    Since torch 2.9.
    """

    nontraceable_tensor_subclasses: set[type[Any]]
    """Tensor subclasses whose instances Dynamo does not treat as tensors.

    A way round compiler errors that a subclass causes: expect graph breaks where operators meet its
    instances.

    Since torch 2.8.
    """

    numpy_default_complex: Literal["complex64", "complex128"]
    """Default complex dtype of NumPy code that is traced into torch operators.

    Read once, at the first use in the process: set it before anything is compiled. NumPy itself keeps
    its own default.
    """

    numpy_default_float: Literal["float16", "bfloat16", "float32", "float64"]
    """Default floating-point dtype of NumPy code that is traced into torch operators.

    Read once, at the first use in the process: set it before anything is compiled. NumPy itself keeps
    its own default. float32 is faster on most accelerators, but results then differ from NumPy's.
    """

    numpy_default_int: Literal["uint8", "int8", "int16", "int32", "int64"]
    """Default integer dtype of NumPy code that is traced into torch operators.

    Read once, at the first use in the process: set it before anything is compiled. NumPy itself keeps
    its own default.
    """

    only_allow_pt2_compliant_ops: bool
    """Breaks the graph at operators that lack the tag pt2_compliant_tag.

    A guard against custom operators that were never checked with torch.compile; with fullgraph=True the
    break is an error.
    """

    optimize_ddp: (
        bool
        | Literal[
            "ddp_optimizer", "python_reducer", "python_reducer_without_compiled_forward", "no_optimization"
        ]
    )
    """How a compiled DistributedDataParallel model is split and which reducer syncs gradients.

    True is "ddp_optimizer": the graph is cut at DDP's gradient buckets, so the C++ reducer can send one
    bucket while the backward of the next runs. "python_reducer" (experimental) turns the C++ reducer
    off and syncs through hooks in Python, which compiled autograd captures in one graph together with
    overlapping communication; it needs compiled autograd and has to be set before the DDP module is
    built. "python_reducer_without_compiled_forward" was the same for a DDP module that is not compiled
    itself; from 2.7 on it selects neither splitting nor the Python reducer. False is "no_optimization":
    one graph and the C++ reducer, hence no overlap of a graph's backward with communication; not for
    use with compiled autograd.
    """

    optimize_ddp_lazy_compile: bool
    """Once put off compiling DDP's graph pieces to their first run; does nothing since torch 2.5.

    No-op in the newest torch.
    """

    prefer_deferred_runtime_asserts_over_guards: bool
    """Turns shape conditions such as torch._check into checks in the graph, not guards.

    A guard that fails leads to recompilation, a check that fails raises an error at run time.
    """

    prepare_freezing: bool
    """Keeps parameters and buffers as graph attributes, so that backends can freeze them.

    For backends other than inductor, whose own freezing option has the same effect when gradients are
    off.

    Since torch 2.7.
    """

    pt2_compile_id_prefix: str | None
    """Text put before the unique id of a process in compile event logs; None is no prefix.

    Read when the first event is logged; later changes have no effect in that process.

    Since torch 2.9.
    """

    raise_on_ctx_manager_usage: bool
    """Raises when torch._dynamo.optimize(...) is entered as a context manager.

    It is meant as a decorator, or to be called on a function or module.
    """

    raise_on_unsafe_aot_autograd: bool
    """Does nothing; once raised an error where AOTAutograd was unsafe to use.

    No-op in the newest torch.
    """

    recompile_limit: int
    """Most compiled versions of one function; beyond them it falls back to eager.

    Where guards tie the code to objects such as module instances, each object has its own count.
    Compiled versions that exist stay in use. 0 compiles nothing. Under fullgraph=True, or with
    fail_on_recompile_limit_hit, reaching the limit raises instead.

    Since torch 2.7.
    """

    record_compile_time_instruction_count: bool
    """Counts the CPU instructions that compilation takes.

    The sum is torch._dynamo.utils.CompileTimeInstructionCounter.value(). Needs Linux performance
    counters.

    Since torch 2.5.
    """

    record_runtime_overhead: bool
    """Shows the time spent around a compiled graph as entries of its own in profiler traces.

    Costs next to nothing while no profiler runs.

    Since torch 2.8.
    """

    reorderable_logging_functions: set[Callable[..., Any]]
    """Functions, such as print, whose calls wait until the traced graph has run.

    A listed call no longer breaks the graph, so its output comes later. Its arguments must be tensors,
    constants or formatted strings, and an object that is changed after the call is shown as changed.
    While exporting, the calls are dropped.
    """

    replay_record_enabled: bool
    """Writes a recording of the frame to a file when compiling it fails.

    torch._dynamo.replay(path) compiles the recorded frame again; the error message names the file,
    which lies below debug_dir_root. Needs the dill package.
    """

    replay_side_effects: bool
    """Repeats changes to Python objects after the compiled graph has run.

    False is for export: changes to lists, dicts and attributes then stay invisible outside the graph,
    so ordinary programs may compute wrong results.

    Since torch 2.10.
    """

    report_guard_failures: bool
    """Does nothing; once reported guards that failed.

    No-op in the newest torch.
    """

    repro_after: Literal["aot", "dynamo"] | None
    """Stage whose graphs the minifier watches; None turns it off.

    "dynamo" takes the graph that Dynamo hands to the backend, "aot" the forward and backward graphs
    that AOTAutograd hands to the compiler. What counts as a failure, and what is written, is up to
    repro_level.
    """

    repro_forward_only: bool
    """Checks only forward results for accuracy, under repro_after="dynamo" and repro_level=4.

    Helps where only inference matters or the backward fails for another reason.
    """

    repro_ignore_non_fp: bool
    """Compares only floating-point results in accuracy checks of the minifier.

    A tiny rounding difference can flip a bool or an int, which is then no sign of a bug.
    """

    repro_level: int
    """What repro_after writes, and when: a number from 1 to 4.

    1: the graph as a script to reproduce a failure. 2: a minifier script after a failure. 3: a minifier
    script before each graph, for crashes that kill the process. 4: a minifier script where results are
    inaccurate; slow, and after "aot" for Inductor only.
    """

    repro_tolerance: float
    """Tolerance of accuracy checks in the minifier, absolute and relative (no unit)."""

    rewrite_assert_with_torch_assert: bool
    """Turns assert statements into checks inside the graph, instead of graph breaks.

    It has no effect where Python runs with -O, which drops assert statements.
    """

    run_gc_after_compile: bool
    """Collects the younger garbage generations after each compilation.

    Off by default on free-threaded Python from torch 2.10 on, where it would be a slow, full
    collection.

    Since torch 2.7.
    """

    same_two_models_use_fp64: bool
    """Judges accuracy against a double-precision run of the same graph.

    A result then fails only where its error is larger than that of the eager one, allowing for
    tolerance. Costs memory and time; with False results are compared to the eager ones directly.
    """

    side_effect_replay_policy: Literal["silent", "info", "warn", "error"]
    """What happens when the traced code changes Python objects outside the graph.

    "silent" allows it, "info" also logs it under TORCH_LOGS=side_effects, "warn" issues a Python
    warning and "error" raises RuntimeError. Do not change it while something is being compiled.

    Since torch 2.10.
    """

    skip_code_recursive_on_cache_limit_hit: bool
    """Once left callees of a frame over its limit in eager too; does nothing since torch 2.7.

    In torch 2.5 and 2.6, False leaves only the frame itself in eager.

    Old name of `skip_code_recursive_on_recompile_limit_hit`. No-op in the newest torch. Since torch
    2.5.
    """

    skip_code_recursive_on_recompile_limit_hit: bool
    """Does nothing; under its older name it once left callees of a frame over its limit in eager.

    No-op in the newest torch. Since torch 2.7.
    """

    skip_fsdp_guards: bool
    """Leaves out most guards on FSDP-wrapped modules, which are taken not to be modified.

    Changing attributes of such a module after compilation may go unnoticed and give wrong results.
    """

    skip_fsdp_hooks: bool
    """Runs the hooks of fully_shard eagerly, outside of compiled code.

    With False Dynamo traces through the hooks, which was meant for compiled autograd and stayed
    experimental. Set it before torch._dynamo's tracing rules are imported.

    In torch 2.4 to 2.12.
    """

    skip_fwd_side_effects_in_bwd_under_checkpoint: bool
    """Permits side effects in checkpointed code and does not repeat them in the backward.

    Eager mode repeats them when it recomputes the forward, so results may differ from eager; unset,
    such a side effect breaks the graph.

    Since torch 2.10.
    """

    skip_guards_on_constant_func_defaults: bool
    """Leaves out guards on default arguments that are constants.

    Guards get cheaper, but a later change of a function's __defaults__ goes unnoticed.

    Since torch 2.9.
    """

    skip_nnmodule_hook_guards: bool
    """Leaves out guards on the hooks of modules.

    A hook that is added or removed after compilation then goes unnoticed; set it to False, or compile
    anew, in programs that do so.
    """

    skip_no_tensor_aliasing_guards_on_parameters: bool
    """Leaves out the check that parameters are distinct tensors.

    Code compiled for two different parameters gives wrong results when it is later called with the same
    one twice.

    Since torch 2.6.
    """

    skip_tensor_guards_with_matching_dict_tags: bool
    """Skips the guards of a tensor held in a dict that has not changed since the last call.

    A tensor whose own properties change while its dict stays the same may then go unnoticed.

    Since torch 2.7.
    """

    skip_torchrec: bool
    """Skips the distributed code of TorchRec instead of tracing it, in Meta's own builds.

    Public builds of torch never look at it.

    Since torch 2.5.
    """

    skipfiles_inline_module_allowlist: dict[str, Any]
    """Does nothing; once listed modules to trace although their files were skipped.

    No-op in the newest torch.
    """

    specialize_float: bool
    """Compiles each float input in as a constant and recompiles for a new value.

    With False a float that was seen to vary becomes a tensor input, if automatic_dynamic_shapes is on.
    nan, infinities and any float under Inductor's CUDA graphs stay constants.
    """

    specialize_int: bool
    """Compiles each int input in as a constant and recompiles for a new value.

    With False ints follow assume_static_by_default and automatic_dynamic_shapes, as sizes do. Export
    sets it to True. Sizes of tensors remain free to vary either way.
    """

    strict_precompile: bool
    """Raises where code cannot be loaded from or saved to the precompile cache.

    Without it such cases are only logged, and the code is compiled as usual. A plain miss in the
    autograd cache raises as well.

    Since torch 2.9.
    """

    suppress_errors: bool
    """Falls back to eager where compilation fails, with a warning, instead of raising.

    Hides compiler bugs and lost speed. Functions compiled with fullgraph=True still raise. It cannot be
    combined with fail_on_recompile_limit_hit (torch 2.7 and later refuse the pair), and it also
    swallows what error_on_recompile raises.
    """

    trace_autograd_ops: bool
    """Captures torch.autograd.grad and Tensor.backward calls instead of breaking the graph.

    Breaks remain where compiled autograd is enabled, or where a returned tensor still needs the part of
    the autograd graph that the call used up.

    Since torch 2.11.
    """

    trace_distributed: bool
    """Once let Dynamo trace into torch.distributed; does nothing since torch 2.3.

    No-op in the newest torch. In torch 2.4 to 2.4.
    """

    trace_numpy: bool
    """Traces NumPy calls as torch operators; False breaks the graph at them."""

    traceable_tensor_subclasses: set[type[Any]]
    """Once listed tensor subclasses to trace as tensors; does nothing since torch 2.8.

    No-op in the newest torch.
    """

    track_nodes_for_deduplication: bool
    """Collects repeated graph regions without replacing them.

    Redundant with use_graph_deduplication, which collects them as well.

    Since torch 2.6.
    """

    use_graph_deduplication: bool
    """Replaces repeated regions of a graph by calls of one shared subgraph.

    Since torch 2.6.
    """

    use_lamba_guard_for_object_aliasing: bool
    """Checks in one Python function at the end whether two inputs are the same object.

    This keeps the check out of the guard tree, where it would get in the way of
    use_recursive_dict_tags_for_guards. The spelling is torch's own.

    Since torch 2.9.
    """

    use_lazy_graph_module: bool
    """Puts off generating a graph's Python code until it is needed, to compile faster."""

    use_numpy_random_stream: bool
    """Draws random numbers of compiled NumPy code from NumPy's generator, not torch's.

    The numbers then follow numpy.random.seed, but every such call is a graph break.
    """

    use_recursive_dict_tags_for_guards: bool
    """Skips the guards below nested modules whose dicts have not changed.

    Faster for deep models. It relies on assume_dunder_attributes_remain_unchanged for functions, and
    max_saved_pointers_for_recursive_dict_tags_check limits its memory.

    Since torch 2.9.
    """

    verbose: bool
    """Shows full stack traces, those inside Dynamo included, in errors and warnings."""

    verify_correctness: bool
    """Runs each new graph eagerly as well and raises where the backend's result differs.

    The check happens once, while compiling, on copies of the inputs, and only for the forward graph.
    """

    wrap_top_frame: bool
    """Wraps the compiled function or module so that module hooks land in the same compiled frame.

    Since torch 2.8.
    """
