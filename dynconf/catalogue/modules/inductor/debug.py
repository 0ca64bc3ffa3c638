"""Debugging: assertions in the output code, logs and profiles."""

DESCRIPTIONS = """
_raise_error_for_testing: Makes every compilation fail, for tests.
_profile_var: Text of TORCHINDUCTOR_PROFILE, from which profile_bandwidth and profile_bandwidth_regex are set.
alignment_asserts: Checks at run time that operators return memory that is aligned as expected.
alignment_asserts_inputs:
    Checks at run time that inputs are aligned as expected, instead of copying those that are not.
annotate_training: Marks forward, backward and optimizer for the profiler of NVIDIA (NVTX).
benchmark_kernel: Adds code to each Triton kernel with which it can be run and measured on its own.
comment_origin: Notes in comments of the output code where each line comes from.
    The comments keep graphs from being found in the cache.
debug: Prints the steps of the scheduler, and adds information to the output code.
debug_fusion: Notes in comments of the output code which nodes each kernel fuses.
debug_index_asserts: Also checks indexes at run time that torch itself generated.
debug_ir_traceback: Records where in Inductor each node was made, for error messages.
developer_warnings: Shows warnings that are meant for developers of torch.
disable_progress: Shows no progress bar while kernels compile.
verbose_progress: Names the item being compiled in the progress bar; needs disable_progress=False.
enabled_metric_tables: Names of tables of facts about kernels, written as CSV files to the working directory.
generate_intermediate_hooks: Calls torch._inductor.hooks with each intermediate result that the graph knows.
nan_asserts: Checks at run time that inputs and results contain no NaN and no infinity.
reorder_for_peak_memory_debug:
    Logs the graph that reorder_for_peak_memory starts from as JSON, for TORCH_TRACE.
size_asserts: Checks at run time that inputs have the sizes and strides that code was compiled for.
    Turning it off saves a little time per call; a wrong input is then undefined behavior.
scalar_asserts: Checks assumptions about data-dependent sizes at run time.
unsafe_skip_scalar_range_asserts: Leaves out those of scalar_asserts that compare a size with a constant.
    Among them are hand-written calls of torch._check.
runtime_triton_nan_asserts: Checks for NaN inside Triton kernels.
profile_bandwidth: Measures the memory bandwidth of each kernel, and prints it.
profile_bandwidth_output: File that the results of profile_bandwidth are written to.
profile_bandwidth_regex: Kernels that profile_bandwidth measures, as a regular expression; empty for all.
profile_bandwidth_with_do_bench_using_profiling:
    Measures with the profiler under profile_bandwidth, without the cost on the CPU.
profiler_mark_wrapper_call: Shows each compiled graph in the profiler of torch.
save_args: Saves the arguments of compile_fx to a temporary file, so that the call can be repeated.
sleep_sec_TESTING_ONLY: Sleeps this many seconds while compiling, for tests.
test_configs.bisect_keep_custom_backend_for_inductor:
    Lets torch's bisector keep a backend that is a function, where it would test "inductor"; for tests.
test_configs.bisect_pre_grad_graph:
    Lets torch's bisector also look among the graphs before differentiation; for tests.
test_configs.runtime_triton_dtype_assert: Asserts the dtype of each variable in Triton kernels; for tests.
test_configs.runtime_triton_shape_assert: Asserts the shape of each variable in Triton kernels; for tests.
test_configs.static_cpp_dtype_assert: Asserts the dtype of each variable in kernels for CPUs; for tests.
test_configs.track_memory_lifecycle:
    Compares when intermediate results are allocated and freed with the plan; for tests.
    "log" logs differences, "assert" raises. It does nothing under cpp_wrapper.
triton.debug_dump_kernel_inputs: The last number given to stored inputs of each kernel; kept by torch.
    It counts only with the variable TORCHINDUCTOR_DUMP_LAUNCH_TENSORS=1.
triton.max_kernel_dump_occurrences: For how many of its last runs the inputs of each kernel are kept on disk.
    It counts only with the variable TORCHINDUCTOR_DUMP_LAUNCH_TENSORS=1.
log_tlparse: Logs an estimate of the time of each operation for tlparse.
check_stack_no_cycles_TESTING_ONLY: Fails if a line is on the stack twice while code is generated, for tests.
is_nightly_or_source:
    Whether torch is a nightly build, or built from source; the default of developer_warnings.
    Instead: set developer_warnings
"""
