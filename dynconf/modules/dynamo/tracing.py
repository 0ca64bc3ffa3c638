"""Tracing: the code that Dynamo traces into, captures, skips or rejects."""

from dynconf.flags.described import Described
from dynconf.flags.flag import by_release
from dynconf.flags.types import Choice, SetOf, Text

_NUMPY = (
    "Read once per process, at first use: set it before anything is compiled. NumPy itself keeps its own "
    "default."
)

FLAGS = {
    "allow_rnn": Described(
        "Traces RNN, GRU and LSTM modules instead of breaking the graph at them.",
        details="Experimental: how well the traced module compiles depends on the backend.",
    ),
    "allowed_functions_module_string_ignorelist": Described(
        "No-op; used to list torch modules whose functions were kept out of graphs.",
        type=SetOf(Text()),
        status="no-op",
    ),
    "capture_func_transforms": Described(
        "No-op since torch 2.6; used to let Dynamo trace torch.func transforms such as vmap.",
        details="Up to torch 2.5, False breaks the graph at each transform; later ones always trace.",
        status=by_release("active", v2_6="no-op"),
    ),
    "disable": Described(
        "Turns Dynamo off: every frame runs in eager mode and nothing is compiled.",
        details="Code that is already compiled stays in use. From torch 2.13 on, calling a function with "
        "fullgraph=True raises if none of its frames was compiled. Up to torch 2.7, any non-empty text in "
        "torch's variable counts as True, even 0.",
    ),
    "dont_skip_tracing": Described(
        "Traces into functions that Dynamo's skip rules would run in eager mode.",
        details="Most of Dynamo's own code stays skipped. To lift the rules for a single function, use the "
        "decorator torch._dynamo.dont_skip_tracing.",
    ),
    "enable_faithful_generator_behavior": Described(
        "No-op since torch 2.14; used to trace generators lazily, the way Python runs them.",
        details="Up to torch 2.13, False runs each generator to its end as soon as it is called, which can "
        "silently change results where its side effects matter. Later releases are always lazy.",
        status=by_release("active", v2_14="no-op"),
    ),
    "enable_trace_contextlib": "Traces contextlib.contextmanager functions instead of breaking the graph.",
    "enable_trace_load_build_class": Described(
        "Traces class statements in compiled code instead of breaking the graph at them.",
        details="The bases and keyword arguments of the class must be constants.",
    ),
    "enable_trace_unittest": Described(
        "Traces into Python's unittest package instead of skipping its files.",
        details="A test case's warning checks, such as assertWarns, still break the graph.",
    ),
    "error_on_dynamo_callback_in_fullgraph_compiled_code": Described(
        "Raises when Dynamo is about to trace more code while fullgraph=True code is running.",
        details="If False, such code runs in eager mode without notice. Code that Dynamo skips never raises.",
    ),
    "error_on_nested_fx_trace": Described(
        "Raises when FX symbolically traces a compiled function; False runs it uncompiled.",
        details="Has no effect while force_compile_during_fx_trace is on.",
    ),
    "error_on_nested_jit_trace": Described(
        "No-op since torch 2.6; used to raise when torch.jit.trace traces a compiled function.",
        details="Up to torch 2.5, False runs the function uncompiled; later releases always raise.",
        status=by_release("active", v2_6="no-op"),
    ),
    "force_compile_during_fx_trace": Described(
        "Compiles a compiled function even while FX or make_fx traces through it.",
        details="Takes precedence over error_on_nested_fx_trace. The aliasing check of custom operators is "
        "off during such a trace.",
    ),
    "graph_break_on_nn_param_ctor": Described(
        "Breaks the graph where compiled code creates an nn.Parameter from a computed tensor.",
        details="A parameter created directly from a graph input is traced either way. False restores the "
        "older tracing of the constructor, which torch plans to remove. Better to create them elsewhere.",
    ),
    "ignore_logger_methods": Described(
        "Old name of ignore_logging_functions: logger methods whose calls are dropped.",
        details="Up to torch 2.10, only methods of logging.Logger, or of one logger, are recognized.",
        risks=("skips calls",),
    ),
    "ignore_logging_functions": Described(
        "Functions whose calls are dropped while tracing: they neither run nor break the graph.",
        details="A dropped call returns None, so list only functions whose result is not used. A method of "
        "logging.Logger covers every logger of that class, a bound method only its own logger. List the "
        "method that the code calls directly.",
        risks=("skips calls",),
    ),
    "inline_inbuilt_nn_modules": Described(
        "No-op since torch 2.12; used to trace into torch's own modules as into user code.",
        details="Up to torch 2.11, False specializes compiled code on each module instance, so every "
        "instance needs its own compilation. Later releases always trace into them.",
        status=by_release("active", v2_12="no-op"),
    ),
    "inline_torch_dispatch_torch_compile": Described(
        "Lets torch.compile work inside __torch_dispatch__ handlers.",
        details="If True, compilation is skipped only while a dispatch mode is active on the stack. If "
        "False, being anywhere inside a mode is enough to skip it.",
    ),
    "nontraceable_tensor_subclasses": Described(
        "Tensor subclasses whose instances Dynamo does not treat as tensors.",
        details="A workaround for compiler errors caused by a subclass. Its instances may break the graph.",
    ),
    "numpy_default_complex": Described(
        "Default complex dtype of NumPy code that is traced into torch operators.",
        type=Choice(("complex64", "complex128")),
        details=_NUMPY,
    ),
    "numpy_default_float": Described(
        "Default floating-point dtype of NumPy code that is traced into torch operators.",
        type=Choice(("float16", "bfloat16", "float32", "float64")),
        details=f"{_NUMPY} float32 is faster on most accelerators, but results then differ from NumPy's.",
    ),
    "numpy_default_int": Described(
        "Default integer dtype of NumPy code that is traced into torch operators.",
        type=Choice(("uint8", "int8", "int16", "int32", "int64")),
        details=_NUMPY,
    ),
    "raise_on_ctx_manager_usage": Described(
        "Raises when torch._dynamo.optimize(...) is used as a context manager.",
        details="Use it as a decorator, or call it on a function or module.",
    ),
    "reorderable_logging_functions": Described(
        "Functions, such as print, whose calls are deferred until the traced graph has run.",
        details="A listed call does not break the graph, so its output appears later. Its arguments must be "
        "tensors, constants or formatted strings, and an object that is changed after the call is shown as "
        "changed. Export drops the calls.",
        risks=("skips calls",),
    ),
    "skip_torchrec": "Skips the distributed code of TorchRec instead of tracing it, in Meta's own builds.",
    "skipfiles_inline_module_allowlist": Described(
        "No-op; used to list modules to trace even though their files were skipped.",
        status="no-op",
    ),
    "suppress_errors": Described(
        "Falls back to eager mode with a warning when compilation fails, instead of raising.",
        details="Hides compiler bugs and lost speedups. Functions compiled with fullgraph=True still raise. "
        "From torch 2.7 on, torch raises an error if fail_on_recompile_limit_hit is set too. Also swallows "
        "the errors of error_on_recompile.",
    ),
    "trace_numpy": "Traces NumPy calls as torch operators instead of breaking the graph at them.",
    "traceable_tensor_subclasses": Described(
        "No-op since torch 2.8; used to list tensor subclasses to trace as tensors.",
        status=by_release("active", v2_8="no-op"),
        replacement="delete it: subclasses are traced unless nontraceable_tensor_subclasses lists them",
    ),
    "use_numpy_random_stream": Described(
        "Draws random numbers in compiled NumPy code from NumPy's generator instead of torch's.",
        details="The numbers then follow numpy.random.seed, but every such call breaks the graph.",
    ),
    "wrap_top_frame": "Wraps the compiled function or module so that module hooks run in the same frame.",
}
