"""Tracing: what Dynamo follows, captures, skips or refuses."""

from dynconf.flags.flag import Flag, by_release
from dynconf.flags.types import Bool, Choice, JsonDict, Reference, SetOf, Text
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="allow_rnn",
        type=Bool(),
        default=False,
        summary="Traces RNN, GRU and LSTM modules instead of breaking the graph at them.",
        details="Experimental: whether the traced module compiles well depends on the backend.",
    ),
    Flag(
        name="allowed_functions_module_string_ignorelist",
        type=SetOf(Text()),
        default=("torch._decomp", "torch._prims", "torch._refs", "torch.distributions", "torch.testing"),
        summary="Does nothing; once listed torch modules whose functions were kept out of graphs.",
        status="no-op",
    ),
    Flag(
        name="capture_func_transforms",
        type=Bool(),
        default=True,
        summary="Once let Dynamo trace torch.func transforms such as vmap; does nothing since torch 2.6.",
        details=(
            "The transforms are always traced now. Until torch 2.5, False makes each of them a graph break."
        ),
        status=by_release("active", v2_6="no-op"),
    ),
    Flag(
        name="disable",
        type=Bool(),
        default=False,
        summary="Turns Dynamo off: every frame runs in eager and nothing is compiled.",
        details=(
            "Code that is already compiled stays in use. Since torch 2.13 a call of a function with "
            "fullgraph=True raises if none of its frames was compiled. Until torch 2.7, torch takes any "
            "non-empty text of its variable as true, even 0."
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
        summary="Traces into functions that Dynamo's skip rules would leave to eager.",
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
        summary="Once traced generators lazily, as Python runs them; does nothing since torch 2.14.",
        details=(
            "Until torch 2.13, False runs each generator to its end as soon as it is called, which can "
            "silently change results where its side effects matter. Newer releases are always lazy."
        ),
        since="2.7",
        status=by_release("active", v2_14="no-op"),
        deprecated="2.14",
    ),
    Flag(
        name="enable_trace_contextlib",
        type=Bool(),
        default=True,
        summary="Traces context managers made with contextlib.contextmanager; False breaks the graph there.",
        since="2.7",
    ),
    Flag(
        name="enable_trace_load_build_class",
        type=Bool(),
        default=False,
        summary="Traces class statements inside compiled code instead of breaking the graph at them.",
        details="The bases and keyword arguments of the class must be constants.",
        since="2.13",
    ),
    Flag(
        name="enable_trace_unittest",
        type=Bool(),
        default=False,
        summary="Traces into Python's unittest package instead of skipping its files.",
        details="The warning checks of a test case, such as assertWarns, still break the graph.",
        since="2.8",
    ),
    Flag(
        name="error_on_dynamo_callback_in_fullgraph_compiled_code",
        type=Bool(),
        default=False,
        summary="Raises if Dynamo is about to trace more code while fullgraph=True code runs.",
        details=(
            "When False, such code quietly runs in eager. Code that Dynamo skips anyway raises no error "
            "either way."
        ),
        since="2.11",
    ),
    Flag(
        name="error_on_nested_fx_trace",
        type=Bool(),
        default=True,
        summary="Raises when FX symbolically traces a compiled function; False runs it uncompiled.",
        details="Never reached while force_compile_during_fx_trace is on.",
    ),
    Flag(
        name="error_on_nested_jit_trace",
        type=Bool(),
        default=True,
        summary="Once made torch.jit.trace of a compiled function an error; does nothing since torch 2.6.",
        details="Such a trace is always an error now. Until torch 2.5, False runs the function uncompiled.",
        status=by_release("active", v2_6="no-op"),
    ),
    Flag(
        name="force_compile_during_fx_trace",
        type=Bool(),
        default=False,
        summary="Compiles a compiled function even while FX or make_fx traces through it.",
        details=(
            "Takes precedence over error_on_nested_fx_trace. The aliasing check of custom operators is "
            "left out meanwhile."
        ),
        since="2.11",
    ),
    Flag(
        name="graph_break_on_nn_param_ctor",
        type=Bool(),
        default=True,
        summary="Breaks the graph where compiled code makes an nn.Parameter from a computed tensor.",
        details=(
            "A parameter made straight from an input of the graph is traced either way. False brings back "
            "the older tracing of the constructor, which torch means to remove; better create parameters "
            "outside compiled code."
        ),
        since="2.9",
    ),
    Flag(
        name="ignore_logger_methods",
        type=SetOf(Reference("callable")),
        default=(),
        summary="Older name of ignore_logging_functions: logger methods that are dropped while tracing.",
        details="Until torch 2.10 only methods of logging.Logger, or of one logger, are recognised.",
        since="2.6",
        renamed="ignore_logging_functions",
        alias_since="2.11",
    ),
    Flag(
        name="ignore_logging_functions",
        type=SetOf(Reference("callable")),
        default=(),
        summary="Functions whose calls are dropped while tracing: they neither run nor break the graph.",
        details=(
            "A dropped call returns None, so only list functions whose result nobody uses. A method of "
            "logging.Logger covers every logger of that class, a bound method only its own logger. The "
            "method that the code calls directly is the one to list."
        ),
        since="2.11",
    ),
    Flag(
        name="inline_inbuilt_nn_modules",
        type=Bool(),
        default=by_release(False, v2_5=True),
        summary="Once traced into torch's own modules as into user code; does nothing since torch 2.12.",
        details=(
            "Newer releases always trace into them. In older ones, False specializes compiled code on "
            "each module instance, so that every instance costs its own compilation."
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
            "Compilation is skipped only while a dispatch mode is really active on the stack. When False, "
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
            "A way round compiler errors that a subclass causes: expect graph breaks where operators meet "
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
            "Read once, at the first use in the process: set it before anything is compiled. NumPy itself "
            "keeps its own default."
        ),
    ),
    Flag(
        name="numpy_default_float",
        type=Choice(("float16", "bfloat16", "float32", "float64")),
        default="float64",
        summary="Default floating-point dtype of NumPy code that is traced into torch operators.",
        details=(
            "Read once, at the first use in the process: set it before anything is compiled. NumPy itself "
            "keeps its own default. float32 is faster on most accelerators, but results then differ from "
            "NumPy's."
        ),
    ),
    Flag(
        name="numpy_default_int",
        type=Choice(("uint8", "int8", "int16", "int32", "int64")),
        default="int64",
        summary="Default integer dtype of NumPy code that is traced into torch operators.",
        details=(
            "Read once, at the first use in the process: set it before anything is compiled. NumPy itself "
            "keeps its own default."
        ),
    ),
    Flag(
        name="raise_on_ctx_manager_usage",
        type=Bool(),
        default=True,
        summary="Raises when torch._dynamo.optimize(...) is entered as a context manager.",
        details="It is meant as a decorator, or to be called on a function or module.",
    ),
    Flag(
        name="reorderable_logging_functions",
        type=SetOf(Reference("callable")),
        default=(),
        summary="Functions, such as print, whose calls wait until the traced graph has run.",
        details=(
            "A listed call no longer breaks the graph, so its output comes later. Its arguments must be "
            "tensors, constants or formatted strings, and an object that is changed after the call is "
            "shown as changed. While exporting, the calls are dropped."
        ),
    ),
    Flag(
        name="skip_torchrec",
        type=Bool(),
        default=True,
        summary="Skips the distributed code of TorchRec instead of tracing it, in Meta's own builds.",
        details="Public builds of torch never look at it.",
        since="2.5",
    ),
    Flag(
        name="skipfiles_inline_module_allowlist",
        type=JsonDict(),
        default=(),
        summary="Does nothing; once listed modules to trace although their files were skipped.",
        status="no-op",
        torch_saves=False,
    ),
    Flag(
        name="suppress_errors",
        type=Bool(),
        default=False,
        summary="Falls back to eager where compilation fails, with a warning, instead of raising.",
        details=(
            "Hides compiler bugs and lost speed. Functions compiled with fullgraph=True still raise. It "
            "cannot be combined with fail_on_recompile_limit_hit (torch 2.7 and later refuse the pair), "
            "and it also swallows what error_on_recompile raises."
        ),
        variables=(Variable("TORCHDYNAMO_SUPPRESS_ERRORS", "truthy"),),
    ),
    Flag(
        name="trace_numpy",
        type=Bool(),
        default=True,
        summary="Traces NumPy calls as torch operators; False breaks the graph at them.",
    ),
    Flag(
        name="traceable_tensor_subclasses",
        type=SetOf(Reference("class")),
        default=(),
        summary="Once listed tensor subclasses to trace as tensors; does nothing since torch 2.8.",
        status=by_release("active", v2_8="no-op"),
        instead="delete it; subclasses are traced unless nontraceable_tensor_subclasses names them",
    ),
    Flag(
        name="use_numpy_random_stream",
        type=Bool(),
        default=False,
        summary="Draws random numbers of compiled NumPy code from NumPy's generator, not torch's.",
        details="The numbers then follow numpy.random.seed, but every such call is a graph break.",
    ),
    Flag(
        name="wrap_top_frame",
        type=Bool(),
        default=False,
        summary="Wraps the compiled function or module so that module hooks land in the same compiled frame.",
        since="2.8",
    ),
)
