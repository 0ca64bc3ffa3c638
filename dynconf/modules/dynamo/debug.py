"""Debugging: logs, checks, and overrides for chosen graphs."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, GraphRules, OrNone, PathText
from dynconf.flags.variable import Variable
from dynconf.modules.dynamo.host import BASE_DIR, DEBUG_DIR_ROOT

FLAGS = (
    Flag(
        name="base_dir",
        type=PathText(),
        default=BASE_DIR,
        summary="Folder that contains the torch package; torch itself does not read it.",
        compile_ignored=True,
        status="internal",
        host=True,
    ),
    Flag(
        name="debug_backend_override",
        type=GraphRules("backend"),
        default="",
        summary='Rules that compile chosen graphs with another backend, such as ">10:eager".',
        details=(
            "Rules are separated by semicolons; each has a filter and the name of a backend. A filter is a "
            "comma-separated list of graph numbers (the first number of a compile id), ranges such as 0-5 "
            "and comparisons such as <=5. Two backends for one graph, or an unknown backend, raises "
            "ValueError."
        ),
        since="2.11",
        variables=(Variable("TORCH_COMPILE_OVERRIDE_BACKENDS", "text"),),
        compile_ignored=True,
    ),
    Flag(
        name="debug_dir_root",
        type=OrNone(PathText()),
        default=DEBUG_DIR_ROOT,
        summary="Folder for debug output: minifier scripts, recordings and Inductor's debug traces.",
        details="torch accepts None too, but then fails when it tries to write there.",
        variables=(Variable("TORCH_COMPILE_DEBUG_DIR", "debug_dir"),),
        compile_ignored=True,
        host=True,
        reach=("writes a path",),
    ),
    Flag(
        name="debug_disable_compile_counter",
        type=Bool(),
        default=False,
        summary="Makes torch's test classes skip comparisons of compile and graph-break counts.",
        since="2.9",
        status="testing",
    ),
    Flag(
        name="debug_dynamo_config_override",
        type=GraphRules("settings"),
        default="",
        summary='Rules that override Dynamo flags for chosen graphs, such as "0-5:specialize_int=True".',
        details=(
            "Filters are those of debug_backend_override; settings are comma-separated name=value pairs. An "
            "unknown flag, or two values of one flag for one graph, raises ValueError."
        ),
        since="2.12",
        variables=(Variable("TORCH_COMPILE_OVERRIDE_DYNAMO_CONFIGS", "text"),),
        compile_ignored=True,
        reach=("runs a program", "writes a path"),
    ),
    Flag(
        name="debug_force_graph_break_on_leaf_return",
        type=Bool(),
        default=False,
        summary="Breaks the graph when a function that inlines no calls returns.",
        details="While it is set, graph breaks are tolerated even with fullgraph=True.",
        since="2.9",
        status="testing",
    ),
    Flag(
        name="debug_force_nested_calls",
        type=Bool(),
        default=False,
        summary="Wraps each compiled function in another, so that Dynamo always traces a nested call.",
        since="2.9",
        status="testing",
    ),
    Flag(
        name="debug_inductor_config_override",
        type=GraphRules("settings"),
        default="",
        summary='Rules that override Inductor flags for chosen graphs, such as ">10:max_autotune=True".',
        details=(
            "Filters are those of debug_backend_override; settings are comma-separated name=value pairs of "
            "torch._inductor.config. An unknown flag, or two values of one flag for one graph, raises "
            "ValueError."
        ),
        since="2.11",
        variables=(Variable("TORCH_COMPILE_OVERRIDE_INDUCTOR_CONFIGS", "text"),),
        compile_ignored=True,
        reach=("runs a program", "writes a path"),
    ),
    Flag(
        name="generate_pycode",
        type=Bool(),
        default=False,
        summary="Generates Python source, as well as bytecode, for the code around a compiled graph.",
        details="The source is in the output_pycode attribute of Dynamo's result.",
        since="2.13",
        compile_ignored=True,
    ),
    Flag(
        name="inject_BUILD_SET_unimplemented_TESTING_ONLY",
        type=Bool(),
        default=False,
        summary="Breaks the graph wherever a set is built, as if Dynamo did not support that.",
        status="testing",
    ),
    Flag(
        name="leaf_function_check_escaped_gradients",
        type=Bool(),
        default=False,
        summary="Raises when a leaf function uses a tensor that requires grad but is not an argument.",
        details=(
            "Without the check, such a tensor silently gets no gradient. The check walks the autograd graph "
            "on each call."
        ),
        since="2.11",
        compile_ignored=True,
    ),
    Flag(
        name="leaf_function_validate_outputs",
        type=Bool(),
        default=False,
        summary="Raises when a leaf function's fake and real outputs differ in shape or dtype.",
        details="Runs the fake version along with the real one on each call, which costs time.",
        since="2.11",
        compile_ignored=True,
    ),
    Flag(
        name="log_file_name",
        type=OrNone(PathText()),
        default=None,
        summary="No-op since torch 2.1; used to name a file to copy log output to.",
        compile_ignored=True,
        status="no-op",
        host=True,
        instead="use the variable TORCH_LOGS_OUT",
    ),
    Flag(
        name="replay_record_enabled",
        type=Bool(),
        default=False,
        summary="Records a frame to a file when compiling it fails.",
        details=(
            "torch._dynamo.replay(path) compiles the recorded frame again. The error message names the file, "
            "which is under debug_dir_root. Needs the dill package."
        ),
        variables=(Variable("TORCH_COMPILE_REPLAY_RECORD", "equals_one"),),
        compile_ignored=True,
    ),
    Flag(
        name="verbose",
        type=Bool(),
        default=False,
        summary="Shows full stack traces in errors and warnings, including frames inside Dynamo.",
        variables=(Variable("TORCHDYNAMO_VERBOSE", "equals_one"),),
        compile_ignored=True,
    ),
    Flag(
        name="verify_correctness",
        type=Bool(),
        default=False,
        summary="Runs each new graph eagerly too, and raises if the backend's result differs.",
        details=(
            "The check runs once, during compilation, on copies of the inputs, and covers only the forward "
            "graph."
        ),
        compile_ignored=True,
    ),
)
