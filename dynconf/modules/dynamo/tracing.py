"""Tracing: what Dynamo traces into, captures, skips or rejects."""

from dynconf.flags.flag import Flag, by_release
from dynconf.flags.types import Bool, Choice, JsonDict, Reference, SetOf, Text
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="allow_rnn",
        type=Bool(),
        default=False,
        summary="Traces RNN, GRU and LSTM modules instead of breaking the graph at them.",
        details="Experimental: how well the traced module compiles depends on the backend.",
    ),
    Flag(
        name="allowed_functions_module_string_ignorelist",
        type=SetOf(Text()),
        default=("torch._decomp", "torch._prims", "torch._refs", "torch.distributions", "torch.testing"),
        summary="No-op; used to list torch modules whose functions were kept out of graphs.",
        status="no-op",
    ),
    Flag(
        name="capture_func_transforms",
        type=Bool(),
        default=True,
        summary="No-op since torch 2.6; used to let Dynamo trace torch.func transforms such as vmap.",
        details=(
            "Up to torch 2.5, False breaks the graph at each transform; later releases always trace them."
        ),
        status=by_release("active", v2_6="no-op"),
    ),
    Flag(
        name="disable",
        type=Bool(),
        default=False,
        summary="Turns Dynamo off: every frame runs in eager mode and nothing is compiled.",
        details=(
            "Code that is already compiled stays in use. From torch 2.13 on, calling a function with "
            "fullgraph=True raises if none of its frames was compiled. Up to torch 2.7, any non-empty text "
            "in torch's variable counts as True, even 0."
        ),
        variables=(
            Variable("TORCH_COMPILE_DISABLE", "text", until="2.7"),
            Variable("TORCH_COMPILE_DISABLE", "equals_one", since="2.8"),
        ),
    ),
    Flag(
        name="dont_skip_tracing",
        type=Bool(),
        default=False,
        summary="Traces into functions that Dynamo's skip rules would run in eager mode.",
        details=(
            "Most of Dynamo's own code stays skipped. To lift the rules for a single function, use the "
            "decorator torch._dynamo.dont_skip_tracing."
        ),
        since="2.8",
    ),
    Flag(
        name="enable_faithful_generator_behavior",
        type=Bool(),
        default=True,
        summary="No-op since torch 2.14; used to trace generators lazily, the way Python runs them.",
        details=(
            "Up to torch 2.13, False runs each generator to its end as soon as it is called, which can "
            "silently change results where its side effects matter. Later releases are always lazy."
        ),
        since="2.7",
        status=by_release("active", v2_14="no-op"),
        deprecated="2.14",
    ),
    Flag(
        name="enable_trace_contextlib",
        type=Bool(),
        default=True,
        summary="Traces contextlib.contextmanager functions instead of breaking the graph at them.",
        since="2.7",
    ),
    Flag(
        name="enable_trace_load_build_class",
        type=Bool(),
        default=False,
        summary="Traces class statements in compiled code instead of breaking the graph at them.",
        details="The bases and keyword arguments of the class must be constants.",
        since="2.13",
    ),
    Flag(
        name="enable_trace_unittest",
        type=Bool(),
        default=False,
        summary="Traces into Python's unittest package instead of skipping its files.",
        details="A test case's warning checks, such as assertWarns, still break the graph.",
        since="2.8",
    ),
    Flag(
        name="error_on_dynamo_callback_in_fullgraph_compiled_code",
        type=Bool(),
        default=False,
        summary="Raises when Dynamo is about to trace more code while fullgraph=True code is running.",
        details=(
            "If False, such code runs in eager mode without notice. Code that Dynamo skips anyway never "
            "raises."
        ),
        since="2.11",
    ),
    Flag(
        name="error_on_nested_fx_trace",
        type=Bool(),
        default=True,
        summary="Raises when FX symbolically traces a compiled function; False runs it uncompiled.",
        details="Has no effect while force_compile_during_fx_trace is on.",
    ),
    Flag(
        name="error_on_nested_jit_trace",
        type=Bool(),
        default=True,
        summary="No-op since torch 2.6; used to raise when torch.jit.trace traces a compiled function.",
        details="Up to torch 2.5, False runs the function uncompiled; later releases always raise.",
        status=by_release("active", v2_6="no-op"),
    ),
    Flag(
        name="force_compile_during_fx_trace",
        type=Bool(),
        default=False,
        summary="Compiles a compiled function even while FX or make_fx traces through it.",
        details=(
            "Takes precedence over error_on_nested_fx_trace. The aliasing check of custom operators is off "
            "during such a trace."
        ),
        since="2.11",
    ),
    Flag(
        name="graph_break_on_nn_param_ctor",
        type=Bool(),
        default=True,
        summary="Breaks the graph where compiled code creates an nn.Parameter from a computed tensor.",
        details=(
            "A parameter created directly from a graph input is traced either way. False restores the older "
            "tracing of the constructor, which torch plans to remove. It is better to create parameters "
            "outside compiled code."
        ),
        since="2.9",
    ),
    Flag(
        name="ignore_logger_methods",
        type=SetOf(Reference("callable")),
        default=(),
        summary="Old name of ignore_logging_functions: logger methods whose calls are dropped.",
        details="Up to torch 2.10, only methods of logging.Logger, or of one logger, are recognized.",
        since="2.6",
        renamed="ignore_logging_functions",
        alias_since="2.11",
        reach=("skips calls",),
    ),
    Flag(
        name="ignore_logging_functions",
        type=SetOf(Reference("callable")),
        default=(),
        summary="Functions whose calls are dropped while tracing: they neither run nor break the graph.",
        details=(
            "A dropped call returns None, so list only functions whose result is not used. A method of "
            "logging.Logger covers every logger of that class, a bound method only its own logger. List the "
            "method that the code calls directly."
        ),
        since="2.11",
        reach=("skips calls",),
    ),
    Flag(
        name="inline_inbuilt_nn_modules",
        type=Bool(),
        default=by_release(False, v2_5=True),
        summary="No-op since torch 2.12; used to trace into torch's own modules as into user code.",
        details=(
            "Up to torch 2.11, False specializes compiled code on each module instance, so every instance "
            "needs its own compilation. Later releases always trace into them."
        ),
        variables=(Variable("TORCHDYNAMO_INLINE_INBUILT_NN_MODULES", "equals_one", until="2.4"),),
        status=by_release("active", v2_12="no-op"),
        deprecated="2.12",
    ),
    Flag(
        name="inline_torch_dispatch_torch_compile",
        type=Bool(),
        default=True,
        summary="Lets torch.compile work inside __torch_dispatch__ handlers.",
        details=(
            "If True, compilation is skipped only while a dispatch mode is active on the stack. If False, "
            "being anywhere inside a mode is enough to skip it."
        ),
        since="2.11",
    ),
    Flag(
        name="nontraceable_tensor_subclasses",
        type=SetOf(Reference("class")),
        default=(),
        summary="Tensor subclasses whose instances Dynamo does not treat as tensors.",
        details=(
            "A workaround for compiler errors caused by a subclass. Expect graph breaks where operators meet "
            "its instances."
        ),
        since="2.8",
    ),
    Flag(
        name="numpy_default_complex",
        type=Choice(("complex64", "complex128")),
        default="complex128",
        summary="Default complex dtype of NumPy code that is traced into torch operators.",
        details=(
            "Read once per process, at first use: set it before anything is compiled. NumPy itself keeps its "
            "own default."
        ),
    ),
    Flag(
        name="numpy_default_float",
        type=Choice(("float16", "bfloat16", "float32", "float64")),
        default="float64",
        summary="Default floating-point dtype of NumPy code that is traced into torch operators.",
        details=(
            "Read once per process, at first use: set it before anything is compiled. NumPy itself keeps its "
            "own default. float32 is faster on most accelerators, but results then differ from NumPy's."
        ),
    ),
    Flag(
        name="numpy_default_int",
        type=Choice(("uint8", "int8", "int16", "int32", "int64")),
        default="int64",
        summary="Default integer dtype of NumPy code that is traced into torch operators.",
        details=(
            "Read once per process, at first use: set it before anything is compiled. NumPy itself keeps its "
            "own default."
        ),
    ),
    Flag(
        name="raise_on_ctx_manager_usage",
        type=Bool(),
        default=True,
        summary="Raises when torch._dynamo.optimize(...) is used as a context manager.",
        details="Use it as a decorator, or call it on a function or module.",
    ),
    Flag(
        name="reorderable_logging_functions",
        type=SetOf(Reference("callable")),
        default=(),
        summary="Functions, such as print, whose calls are deferred until the traced graph has run.",
        details=(
            "A listed call does not break the graph, so its output appears later. Its arguments must be "
            "tensors, constants or formatted strings, and an object that is changed after the call is shown "
            "as changed. Export drops the calls."
        ),
        reach=("skips calls",),
    ),
    Flag(
        name="skip_torchrec",
        type=Bool(),
        default=True,
        summary="Skips the distributed code of TorchRec instead of tracing it, in Meta's own builds.",
        details="Public builds of torch ignore it.",
        since="2.5",
    ),
    Flag(
        name="skipfiles_inline_module_allowlist",
        type=JsonDict(),
        default=(),
        summary="No-op; used to list modules to trace even though their files were skipped.",
        status="no-op",
        torch_saves=False,
    ),
    Flag(
        name="suppress_errors",
        type=Bool(),
        default=False,
        summary="Falls back to eager mode with a warning when compilation fails, instead of raising.",
        details=(
            "Hides compiler bugs and lost speedups. Functions compiled with fullgraph=True still raise. From "
            "torch 2.7 on, torch raises an error if fail_on_recompile_limit_hit is set too. Also swallows "
            "the errors of error_on_recompile."
        ),
        variables=(Variable("TORCHDYNAMO_SUPPRESS_ERRORS", "truthy"),),
    ),
    Flag(
        name="trace_numpy",
        type=Bool(),
        default=True,
        summary="Traces NumPy calls as torch operators instead of breaking the graph at them.",
    ),
    Flag(
        name="traceable_tensor_subclasses",
        type=SetOf(Reference("class")),
        default=(),
        summary="No-op since torch 2.8; used to list tensor subclasses to trace as tensors.",
        status=by_release("active", v2_8="no-op"),
        instead="delete it: subclasses are traced unless nontraceable_tensor_subclasses lists them",
    ),
    Flag(
        name="use_numpy_random_stream",
        type=Bool(),
        default=False,
        summary="Draws random numbers in compiled NumPy code from NumPy's generator instead of torch's.",
        details="The numbers then follow numpy.random.seed, but every such call breaks the graph.",
    ),
    Flag(
        name="wrap_top_frame",
        type=Bool(),
        default=False,
        summary="Wraps the compiled function or module so that module hooks run in the same compiled frame.",
        since="2.8",
    ),
)
