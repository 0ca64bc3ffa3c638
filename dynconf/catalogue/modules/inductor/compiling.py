"""Compilation itself: backends, workers, wrappers, and operators that cannot be lowered."""

DESCRIPTIONS = """
always_keep_tensor_constants: Keeps constant tensors as constants of the graph, even small ones.
assert_indirect_indexing: Checks at run time that indexes taken from tensors are within bounds.
benchmark_harness: Adds code with which the output code can be run and measured on its own.
compile_threads: How many worker processes compile kernels; 0 and 1 compile in the process itself.
    Use 1 under a debugger. The default is the number of processors, at most 32.
compile_worker_mode: Whether kernels are compiled by processes or by threads.
    "thread" needs an interpreter without a GIL; "auto" chooses accordingly.
compile_worker_wait_timeout:
    Seconds to wait for a kernel that a worker process compiles, before raising; 0 sets no limit.
compile_worker_watchdog_interval_seconds:
    Seconds after which a kernel that is still being compiled is reported; 0 reports none.
    The reports are in the trace that tlparse shows.
compute_all_bounds: Also computes ranges for values that are not nodes of the graph, while code is generated.
cpp_cache_precompile_headers: Compiles common C++ headers once, to compile each kernel faster.
    They take more than 100 MB for each set of compiler options, in torchinductor_USER in the system's folder
    for temporary files, whatever TORCHINDUCTOR_CACHE_DIR says (torch 2.13.0, codecache.py).
cpp_wrapper: Generates C++ instead of Python for the code that launches kernels.
    Calls have less overhead, but compilation takes longer.
cpp_wrapper_build_separate: Compiles kernels and the code that launches them separately under cpp_wrapper.
cpu_backend: Code generator for CPUs; all but cpp are experimental.
cuda_backend: Code generator for NVIDIA and AMD GPUs; all but triton are experimental.
custom_should_partition_ops: Operators at which a graph is divided, such as aten::mm or aten::mm.default.
    The parts between them can run as CUDA graphs; see graph_partition.
do_not_emit_runtime_assertions: Leaves checks of sizes that depend on data out of the output code.
external_matmul: Functions that max_autotune measures as candidates for matmuls.
    Each takes two inputs and the tensor for the result.
fx_wrapper: Generates an FX graph instead of Python for the code that launches kernels.
graph_partition: Divides a graph at operations that cannot be in a CUDA graph, so that the rest can.
implicit_fallbacks: Calls ATen for operators that Inductor cannot lower; False makes them an error.
inductor_choices_class:
    Function that returns an InductorChoices, which decides in place of torch's heuristics.
    The object must have a uuid(), which becomes part of the cache key.
quiesce_async_compile_pool: Stops the worker processes after each compilation; they start again when needed.
    quiesce_async_compile_time says after how long.
quiesce_async_compile_time: Seconds without work after which quiesce_async_compile_pool stops the workers.
static_launch_user_defined_triton_kernels:
    Launches your own Triton kernels without Triton's launcher, as those of Inductor are.
torchinductor_worker_logpath: File that worker processes write to; only with worker_suppress_logging=False.
tpu_backend: Code generator for TPUs; there is only pallas.
triton_kernel_default_layout_constraint: Layouts that your own Triton kernels get their inputs in.
    "needs_fixed_stride_order" is that of eager mode; "flexible_layout" is any.
unbacked_symint_fallback: Size that tuning and estimates assume where a size depends on data.
use_fast_triton_launcher: Launches Triton kernels through a faster C++ function on NVIDIA and AMD GPUs.
    Only for kernels to which use_static_cuda_launcher applies.
use_launch_metadata_schema: Asks Triton for what C++ needs to launch a kernel, in a form that does not change.
    If False, or where Triton cannot say, torch takes it from Triton's internals.
use_static_cuda_launcher: Launches Triton kernels from C++, without Triton's launcher.
    Less overhead for each call.
use_static_triton_launcher: Another name of use_static_cuda_launcher.
strict_static_triton_launcher: Another name of strict_static_cuda_launcher.
strict_static_cuda_launcher: Raises where use_static_cuda_launcher cannot be honored.
worker_log_path: File that worker processes write to at Meta.
worker_start_method: How worker processes are started.
    "fork" copies the whole program and may hang once it has threads.
worker_suppress_logging: Discards the output of worker processes.
wrap_inductor_compiled_regions: Shows compiled graphs to a TorchDispatchMode as one operator each.
    Such as DebugMode, or selective activation checkpointing.
xpu_backend: Code generator for Intel GPUs; there is only triton.
fallback_embedding_bag_byte_unpack:
    Calls ATen for embedding_bag_byte_unpack, which unpacks quantized embeddings.
custom_op_default_layout_constraint:
"""
