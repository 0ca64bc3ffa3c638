"""Compilation itself: backends, workers, wrappers, and what cannot be lowered."""

from dynconf.flags.described import Described
from dynconf.flags.flag import by_release
from dynconf.flags.types import Choice, Int, OrNone, PathText

_STARTS = Choice(("subprocess", "fork", "spawn"))

FLAGS = (
    Described(
        name="always_keep_tensor_constants",
        summary="Keeps constant tensors as constants of the graph, even small ones.",
    ),
    Described(
        name="assert_indirect_indexing",
        summary="Checks at run time that indexes taken from tensors are within bounds.",
    ),
    Described(
        name="benchmark_harness",
        summary="Adds code to the output code by which it can be run and measured on its own.",
    ),
    Described(
        name="compile_threads",
        type=OrNone(Int(0)),
        summary="How many worker processes compile kernels; 0 and 1 compile in the process itself.",
        details="1 is best for a debugger. The default is the number of processors, at most 32.",
    ),
    Described(
        name="compile_worker_mode",
        type=Choice(("auto", "process", "thread")),
        summary="Whether kernels are compiled by processes or by threads.",
        details='"thread" needs an interpreter without a GIL; "auto" chooses by that.',
    ),
    Described(
        name="cpp_cache_precompile_headers",
        summary="Compiles common C++ headers once, to compile each kernel faster.",
    ),
    Described(
        name="cpp_wrapper",
        summary="Generates C++ instead of Python for the code that launches kernels.",
        details="Less overhead for each call, for longer compilation.",
    ),
    Described(
        name="cpp_wrapper_build_separate",
        summary="Compiles kernels and the code that launches them separately under cpp_wrapper.",
    ),
    Described(
        name="cpu_backend",
        summary="What generates code for CPUs.",
        details="Everything but cpp is experimental.",
    ),
    Described(
        name="cuda_backend",
        summary="What generates code for NVIDIA and AMD GPUs.",
        details="Everything but triton is experimental.",
    ),
    Described(
        name="custom_should_partition_ops",
        summary="Operators at which a graph is divided, such as aten::mm or aten::mm.default.",
        details="What is between them can run as CUDA graphs; see graph_partition.",
    ),
    Described(
        name="custom_op_default_layout_constraint",
        summary="What layouts custom operators get their inputs in.",
        renamed="functorch.custom_op_default_layout_constraint",
    ),
    Described(
        name="external_matmul",
        summary="Functions that max_autotune measures as candidates for matmuls.",
        details="Each takes two inputs and the tensor for the result.",
        reach=("runs a program",),
    ),
    Described(
        name="fx_wrapper",
        summary="Generates an FX graph instead of Python for the code that launches kernels.",
    ),
    Described(
        name="graph_partition",
        summary="Divides a graph at what cannot be in a CUDA graph, so that the rest still can.",
    ),
    Described(
        name="implicit_fallbacks",
        summary="Calls ATen for operators that Inductor cannot lower.",
        details="With False, such an operator is an error.",
    ),
    Described(
        name="inductor_choices_class",
        summary="Function that returns an InductorChoices, which decides in place of torch's heuristics.",
        details="The object must have a uuid(), which becomes part of the cache key.",
        reach=("runs a program",),
    ),
    Described(
        name="quiesce_async_compile_pool",
        summary="Stops the worker processes after each compilation; they start again when needed.",
        details="quiesce_async_compile_time says after how long.",
    ),
    Described(
        name="quiesce_async_compile_time",
        type=Int(0),
        summary="Seconds without work after which quiesce_async_compile_pool stops the workers.",
    ),
    Described(
        name="static_launch_user_defined_triton_kernels",
        summary="Launches your own Triton kernels without Triton's launcher, as those of Inductor are.",
    ),
    Described(
        name="torchinductor_worker_logpath",
        summary="File that worker processes write to; only with worker_suppress_logging=False.",
        host=True,
        reach=("writes a path",),
    ),
    Described(
        name="triton_kernel_default_layout_constraint",
        summary="What layouts your own Triton kernels get their inputs in.",
        details='"needs_fixed_stride_order" is that of eager mode; "flexible_layout" is any.',
    ),
    Described(
        name="use_static_cuda_launcher",
        summary="Launches Triton kernels from C++, without Triton's launcher.",
        details="Less overhead for each call.",
    ),
    Described(
        name="use_static_triton_launcher",
        summary="Another name of use_static_cuda_launcher.",
    ),
    Described(
        name="strict_static_triton_launcher",
        summary="Another name of strict_static_cuda_launcher.",
    ),
    Described(
        name="strict_static_cuda_launcher",
        summary="Raises where use_static_cuda_launcher cannot be heeded.",
    ),
    Described(
        name="worker_log_path",
        type=OrNone(PathText()),
        summary="File that worker processes write to at Meta.",
        host=True,
        reach=("writes a path",),
    ),
    Described(
        name="worker_start_method",
        type=OrNone(_STARTS),
        type_by_release=by_release(_STARTS, v2_6=OrNone(_STARTS), v2_7=_STARTS),
        summary="How worker processes are started.",
        details='"fork" copies the whole program and may hang once it has threads.',
        status=by_release("active", v2_6="no-op", v2_7="active"),
    ),
    Described(
        name="worker_suppress_logging",
        summary="Throws away what worker processes print.",
    ),
)
