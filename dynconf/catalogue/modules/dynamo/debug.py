"""Debugging: logs, checks, and overrides for chosen graphs."""

DESCRIPTIONS = """
base_dir: Folder that contains the torch package; torch itself does not read it.
debug_backend_override: Rules that compile chosen graphs with another backend, such as ">10:eager".
    Rules are separated by semicolons; each has a filter and the name of a backend. A filter is a
    comma-separated list of graph numbers (the first number of a compile id), ranges such as 0-5 and
    comparisons such as <=5. Two backends for one graph, or an unknown backend, raises ValueError.
debug_dir_root: Folder for debug output: minifier scripts, recordings and Inductor's debug traces.
    torch accepts None too, but then fails when it tries to write there.
debug_disable_compile_counter: Makes torch's test classes skip comparisons of compile and graph-break counts.
debug_dynamo_config_override:
    Rules that override Dynamo flags for chosen graphs, such as "0-5:specialize_int=True".
    Filters are those of debug_backend_override; settings are comma-separated name=value pairs. An unknown
    flag, or two values of one flag for one graph, raises ValueError.
debug_force_graph_break_on_leaf_return: Breaks the graph when a function that inlines no calls returns.
    While it is set, graph breaks are tolerated even with fullgraph=True.
debug_force_nested_calls: Wraps each compiled function in another, so that Dynamo always traces a nested call.
debug_inductor_config_override:
    Rules that override Inductor flags for chosen graphs, such as ">10:max_autotune=True".
    Filters are those of debug_backend_override; settings are comma-separated name=value pairs of
    torch._inductor.config. An unknown flag, or two values of one flag for one graph, raises ValueError.
generate_pycode: Generates Python source, as well as bytecode, for the code around a compiled graph.
    The source is in the output_pycode attribute of Dynamo's result.
inject_BUILD_SET_unimplemented_TESTING_ONLY:
    Breaks the graph wherever a set is built, as if Dynamo did not support that.
leaf_function_check_escaped_gradients:
    Raises when a leaf function uses a tensor that requires grad but is not an argument.
    Without the check, such a tensor silently gets no gradient. The check walks the autograd graph on each
    call.
leaf_function_validate_outputs: Raises when a leaf function's fake and real outputs differ in shape or dtype.
    Runs the fake version along with the real one on each call, which costs time.
log_file_name: No-op since torch 2.1; used to name a file to copy log output to.
    Instead: use the variable TORCH_LOGS_OUT
replay_record_enabled: Records a frame to a file when compiling it fails.
    torch._dynamo.replay(path) compiles the recorded frame again. The error message names the file, which is
    under debug_dir_root. Needs the dill package.
verbose: Shows full stack traces in errors and warnings, including frames inside Dynamo.
verify_correctness: Runs each new graph eagerly too, and raises if the backend's result differs.
    The check runs once, during compilation, on copies of the inputs, and covers only the forward graph.
"""

BACKENDS = (
    *("aot_eager", "aot_eager_decomp_partition", "aot_eager_decomp_partition_crossref"),
    *("aot_eager_decomp_partition_with_mode", "aot_eager_default_partitioner", "aot_ts", "cudagraphs"),
    *("dynamo_accuracy_minifier_backend", "dynamo_minifier_backend", "eager", "eager_debug"),
    *("eager_noexcept", "inductor", "invoke_subgraph", "non_leaf_compile_error_TESTING_ONLY", "onnxrt"),
    *("openxla", "openxla_eval", "pre_dispatch_eager", "relu_accuracy_error_TESTING_ONLY"),
    *("relu_compile_error_TESTING_ONLY", "relu_runtime_error_TESTING_ONLY", "ts", "tvm"),
)
"""The backends that torch itself registers."""
