"""The trace of a compilation: a folder with what each step made."""

from dynconf.flags.described import Described
from dynconf.flags.types import Int, OrNone, PathText

_FOLDER = OrNone(PathText())

FLAGS = (
    Described(
        name="trace.enabled",
        summary="Writes a folder with graphs, intermediate code and output code of each compilation.",
        details="Its place is logged as a warning. The other flags of trace say what is in it.",
    ),
    Described(
        name="trace.debug_dir",
        type=_FOLDER,
        summary="Where the folder of trace.enabled is made; None is torch_compile_debug.",
        host=True,
        reach=("writes a path",),
    ),
    Described(
        name="trace.debug_log",
        summary="Puts all log messages into the folder.",
    ),
    Described(
        name="trace.info_log",
        summary="Puts log messages of level INFO and above into the folder.",
    ),
    Described(
        name="trace.fx_graph",
        summary="Puts the graph into the folder, as Inductor got it.",
    ),
    Described(
        name="trace.fx_graph_transformed",
        summary="Puts the graph into the folder, as the passes left it.",
    ),
    Described(
        name="trace.ir_pre_fusion",
        summary="Puts the schedule before fusion into the folder.",
    ),
    Described(
        name="trace.ir_post_fusion",
        summary="Puts the schedule after fusion into the folder.",
    ),
    Described(
        name="trace.output_code",
        summary="Puts the generated code into the folder.",
    ),
    Described(
        name="trace.graph_diagram",
        summary="Draws the graph after fusion; needs Graphviz.",
    ),
    Described(
        name="trace.draw_orig_fx_graph",
        summary="Draws the original graph, coloured by what was fused; needs Graphviz.",
    ),
    Described(
        name="trace.dot_graph_shape",
        summary="Shape of nodes in drawings; none helps where Graphviz fails on large graphs.",
    ),
    Described(
        name="trace.compile_profile",
        summary="Profiles the compilation with cProfile.",
    ),
    Described(
        name="trace.log_autotuning_results",
        summary="Puts the measurements of autotuning into the folder.",
    ),
    Described(
        name="trace.log_url_for_graph_xform",
        type=_FOLDER,
        summary="Folder for drawings of the graph before and after each pass that changed it.",
        host=True,
        reach=("writes a path",),
    ),
    Described(
        name="trace.provenance_tracking_level",
        type=Int(0, 2),
        summary="Records which nodes of the graph each kernel came from: 0 no, 1 in full, 2 basic.",
    ),
    Described(
        name="trace.save_real_tensors",
        summary="Puts the values of inputs into the folder.",
    ),
    Described(
        name="trace.upload_tar",
        summary="Function that is called with the path of an archive of the folder.",
        reach=("runs a program",),
    ),
    Described(
        name="trace.log_inductor_triton_kernel_to_post_grad_node_info",
        summary="Records which nodes of the graph each kernel came from.",
        instead="set trace.provenance_tracking_level=1",
    ),
)
