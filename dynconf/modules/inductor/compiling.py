"""Compilation itself: backends, workers, wrappers, and operators that cannot be lowered."""

from dynconf.flags.described import Described
from dynconf.flags.flag import by_release
from dynconf.flags.types import Choice, Int, OrNone, PathText

_STARTS = Choice(("subprocess", "fork", "spawn"))

FLAGS = {
    "always_keep_tensor_constants": "Keeps constant tensors as constants of the graph, even small ones.",
    "assert_indirect_indexing": "Checks at run time that indexes taken from tensors are within bounds.",
    "benchmark_harness": "Adds code with which the output code can be run and measured on its own.",
    "compile_threads": Described(
        "How many worker processes compile kernels; 0 and 1 compile in the process itself.",
        type=OrNone(Int(0)),
        details="Use 1 under a debugger. The default is the number of processors, at most 32.",
    ),
    "compile_worker_mode": Described(
        "Whether kernels are compiled by processes or by threads.",
        type=Choice(("auto", "process", "thread")),
        details='"thread" needs an interpreter without a GIL; "auto" chooses accordingly.',
    ),
    "cpp_cache_precompile_headers": "Compiles common C++ headers once, to compile each kernel faster.",
    "cpp_wrapper": Described(
        "Generates C++ instead of Python for the code that launches kernels.",
        details="Calls have less overhead, but compilation takes longer.",
    ),
    "cpp_wrapper_build_separate": "Compiles kernels and the code that launches them apart under cpp_wrapper.",
    "cpu_backend": "Code generator for CPUs; all but cpp are experimental.",
    "cuda_backend": "Code generator for NVIDIA and AMD GPUs; all but triton are experimental.",
    "custom_should_partition_ops": Described(
        "Operators at which a graph is divided, such as aten::mm or aten::mm.default.",
        details="The parts between them can run as CUDA graphs; see graph_partition.",
    ),
    "custom_op_default_layout_constraint": Described(
        renamed_to="functorch.custom_op_default_layout_constraint"
    ),
    "external_matmul": Described(
        "Functions that max_autotune measures as candidates for matmuls.",
        details="Each takes two inputs and the tensor for the result.",
        risks=("runs a program",),
    ),
    "fx_wrapper": "Generates an FX graph instead of Python for the code that launches kernels.",
    "graph_partition": "Divides a graph at operations that cannot be in a CUDA graph, so that the rest can.",
    "implicit_fallbacks": "Calls ATen for operators that Inductor cannot lower; False makes them an error.",
    "inductor_choices_class": Described(
        "Function that returns an InductorChoices, which decides in place of torch's heuristics.",
        details="The object must have a uuid(), which becomes part of the cache key.",
        risks=("runs a program",),
    ),
    "quiesce_async_compile_pool": Described(
        "Stops the worker processes after each compilation; they start again when needed.",
        details="quiesce_async_compile_time says after how long.",
    ),
    "quiesce_async_compile_time": Described(
        "Seconds without work after which quiesce_async_compile_pool stops the workers.",
        type=Int(0),
    ),
    "static_launch_user_defined_triton_kernels": (
        "Launches your own Triton kernels without Triton's launcher, as those of Inductor are."
    ),
    "torchinductor_worker_logpath": Described(
        "File that worker processes write to; only with worker_suppress_logging=False.",
        machine_dependent=True,
        risks=("writes a path",),
    ),
    "triton_kernel_default_layout_constraint": Described(
        "Layouts that your own Triton kernels get their inputs in.",
        details='"needs_fixed_stride_order" is that of eager mode; "flexible_layout" is any.',
    ),
    "use_static_cuda_launcher": Described(
        "Launches Triton kernels from C++, without Triton's launcher.",
        details="Less overhead for each call.",
    ),
    "use_static_triton_launcher": "Another name of use_static_cuda_launcher.",
    "strict_static_triton_launcher": "Another name of strict_static_cuda_launcher.",
    "strict_static_cuda_launcher": "Raises where use_static_cuda_launcher cannot be honored.",
    "worker_log_path": Described(
        "File that worker processes write to at Meta.",
        type=OrNone(PathText()),
        machine_dependent=True,
        risks=("writes a path",),
    ),
    "worker_start_method": Described(
        "How worker processes are started.",
        type=OrNone(_STARTS),
        type_by_release=by_release(_STARTS, v2_6=OrNone(_STARTS), v2_7=_STARTS),
        details='"fork" copies the whole program and may hang once it has threads.',
        status=by_release("active", v2_6="no-op", v2_7="active"),
    ),
    "worker_suppress_logging": "Discards the output of worker processes.",
}
