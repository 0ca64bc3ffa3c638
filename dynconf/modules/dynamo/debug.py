"""Debugging: logs, checks and overrides for a few graphs."""

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
        summary='Rules that compile chosen graphs by another backend, such as ">10:eager".',
        details=(
            "Rules are separated by semicolons, each with a filter and a backend's name. A filter is "
            "a list of graph numbers (the first number of a compile id), ranges such as 0-5 and "
            "comparisons such as <=5, separated by commas. Two rules with different backends for one "
            "graph, or an unknown backend, raise a ValueError."
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
        details="torch accepts None as well, and then fails where it would write there.",
        variables=(Variable("TORCH_COMPILE_DEBUG_DIR", "debug_dir"),),
        compile_ignored=True,
        host=True,
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
        summary='Rules that give chosen graphs other Dynamo flags, such as "0-5:specialize_int=True".',
        details=(
            "Filters are those of debug_backend_override; settings are name=value pairs, separated by "
            "commas. An unknown flag, or two values of one flag for one graph, raise a ValueError."
        ),
        since="2.12",
        variables=(Variable("TORCH_COMPILE_OVERRIDE_DYNAMO_CONFIGS", "text"),),
        compile_ignored=True,
    ),
    Flag(
        name="debug_force_graph_break_on_leaf_return",
        type=Bool(),
        default=False,
        summary="Breaks the graph at the return of each function that inlines no call.",
        details="Breaks are tolerated in spite of fullgraph=True while it is set.",
        since="2.9",
        status="testing",
    ),
    Flag(
        name="debug_force_nested_calls",
        type=Bool(),
        default=False,
        summary="Wraps each compiled function in another, so that Dynamo always traces it as a nested call.",
        since="2.9",
        status="testing",
    ),
    Flag(
        name="debug_inductor_config_override",
        type=GraphRules("settings"),
        default="",
        summary='Rules that give chosen graphs other Inductor flags, such as ">10:max_autotune=True".',
        details=(
            "Filters are those of debug_backend_override; settings are name=value pairs of "
            "torch._inductor.config, separated by commas. An unknown flag, or two values of one flag "
            "for one graph, raise a ValueError."
        ),
        since="2.11",
        variables=(Variable("TORCH_COMPILE_OVERRIDE_INDUCTOR_CONFIGS", "text"),),
        compile_ignored=True,
    ),
    Flag(
        name="generate_pycode",
        type=Bool(),
        default=False,
        summary="Builds Python source for the code around a compiled graph, besides its bytecode.",
        details="The source is found in the output_pycode attribute of Dynamo's result.",
        since="2.13",
        compile_ignored=True,
    ),
    Flag(
        name="inject_BUILD_SET_unimplemented_TESTING_ONLY",
        type=Bool(),
        default=False,
        summary="Breaks the graph wherever a set is built, as if that were unsupported.",
        status="testing",
    ),
    Flag(
        name="leaf_function_check_escaped_gradients",
        type=Bool(),
        default=False,
        summary="Raises where a leaf function uses a tensor that needs gradients but is not its argument.",
        details=(
            "Such a tensor gets no gradient, silently, without this check. The check walks the "
            "autograd graph at each call."
        ),
        since="2.11",
        compile_ignored=True,
    ),
    Flag(
        name="leaf_function_validate_outputs",
        type=Bool(),
        default=False,
        summary="Raises where a leaf function's fake version differs from the real one in shape or dtype.",
        details="Runs the fake version along with the real one at each call, which costs time.",
        since="2.11",
        compile_ignored=True,
    ),
    Flag(
        name="log_file_name",
        type=OrNone(PathText()),
        default=None,
        summary="Once named a file to copy log output to; does nothing since torch 2.1.",
        compile_ignored=True,
        status="no-op",
        host=True,
        instead="use the variable TORCH_LOGS_OUT",
    ),
    Flag(
        name="replay_record_enabled",
        type=Bool(),
        default=False,
        summary="Writes a recording of the frame to a file when compiling it fails.",
        details=(
            "torch._dynamo.replay(path) compiles the recorded frame again; the error message names "
            "the file, which lies below debug_dir_root. Needs the dill package."
        ),
        variables=(Variable("TORCH_COMPILE_REPLAY_RECORD", "equals_one"),),
        compile_ignored=True,
    ),
    Flag(
        name="verbose",
        type=Bool(),
        default=False,
        summary="Shows full stack traces, those inside Dynamo included, in errors and warnings.",
        variables=(Variable("TORCHDYNAMO_VERBOSE", "equals_one"),),
        compile_ignored=True,
    ),
    Flag(
        name="verify_correctness",
        type=Bool(),
        default=False,
        summary="Runs each new graph eagerly as well and raises where the backend's result differs.",
        details=(
            "The check happens once, while compiling, on copies of the inputs, and only for the "
            "forward graph."
        ),
        compile_ignored=True,
    ),
)
