"""Debugging: assertions in the output code, logs and profiles."""

from dynconf.flags.described import Described
from dynconf.flags.types import Bool, OrNone, PathText

FLAGS = (
    Described(
        name="alignment_asserts",
        summary="Checks at run time that operators return memory that is aligned as expected.",
    ),
    Described(
        name="annotate_training",
        summary="Marks forward, backward and optimizer for the profiler of NVIDIA (NVTX).",
    ),
    Described(
        name="benchmark_kernel",
        summary="Adds code to each Triton kernel by which it can be run and measured on its own.",
    ),
    Described(
        name="comment_origin",
        summary="Says in comments of the output code where each line comes from.",
        details="The comments keep graphs from being found in the cache.",
    ),
    Described(
        name="debug",
        summary="Prints what the scheduler does, and adds information to the output code.",
    ),
    Described(
        name="debug_fusion",
        summary="Says in comments of the output code which nodes each kernel fuses.",
    ),
    Described(
        name="debug_index_asserts",
        summary="Checks indexes at run time also where torch itself made them.",
    ),
    Described(
        name="debug_ir_traceback",
        summary="Keeps where in Inductor each node was made, for error messages.",
    ),
    Described(
        name="developer_warnings",
        summary="Shows warnings that are meant for developers of torch.",
    ),
    Described(
        name="disable_progress",
        summary="Shows no progress bar while kernels compile.",
    ),
    Described(
        name="verbose_progress",
        summary="Shows in the progress bar what is being compiled; needs disable_progress=False.",
    ),
    Described(
        name="enabled_metric_tables",
        summary="Names of tables of facts about kernels, written as CSV files to the working directory.",
    ),
    Described(
        name="generate_intermediate_hooks",
        summary="Calls torch._inductor.hooks with each intermediate result that the graph knows.",
    ),
    Described(
        name="nan_asserts",
        summary="Checks at run time that inputs and results contain no NaN and no infinity.",
    ),
    Described(
        name="size_asserts",
        summary="Checks at run time that inputs have the sizes and strides that code was compiled for.",
        details="Turning it off saves a little time per call; a wrong input is then undefined behavior.",
    ),
    Described(
        name="scalar_asserts",
        summary="Checks at run time what was assumed of sizes that depend on data.",
    ),
    Described(
        name="runtime_triton_nan_asserts",
        summary="Checks for NaN inside of Triton kernels.",
    ),
    Described(
        name="profile_bandwidth",
        type=Bool(any_text=True),  # other text in its variable is the default of profile_bandwidth_regex
        summary="Measures the memory bandwidth of each kernel, and prints it.",
    ),
    Described(
        name="profile_bandwidth_output",
        type=OrNone(PathText()),
        summary="File that the results of profile_bandwidth are written to.",
        host=True,
        reach=("writes a path",),
    ),
    Described(
        name="profile_bandwidth_regex",
        summary="Kernels that profile_bandwidth measures, as a regular expression; empty for all.",
    ),
    Described(
        name="profile_bandwidth_with_do_bench_using_profiling",
        summary="Measures with the profiler under profile_bandwidth, without the cost on the CPU.",
    ),
    Described(
        name="profiler_mark_wrapper_call",
        summary="Shows each compiled graph in the profiler of torch.",
    ),
    Described(
        name="save_args",
        summary="Saves what compile_fx is called with to a temporary file, so that the call can be repeated.",
    ),
    Described(
        name="sleep_sec_TESTING_ONLY",
        summary="Sleeps this many seconds while compiling, for tests.",
    ),
    Described(
        name="log_tlparse",
        summary="Logs an estimate of the time of each operation for tlparse.",
    ),
)
