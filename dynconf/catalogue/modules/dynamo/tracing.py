"""Tracing: the code that Dynamo traces into, captures, skips or rejects."""

_NUMPY = (
    "Read once per process, at first use: set it before anything is compiled. NumPy itself keeps its own "
    "default."
)

DESCRIPTIONS = f"""
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
"""
