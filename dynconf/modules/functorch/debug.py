"""Debugging: checks, logs and drawings."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, Text
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="debug_assert",
        type=Bool(),
        default=False,
        summary="Checks AOTAutograd's bookkeeping while it compiles; slows tracing down.",
        details='Worth a try when results are wrong. The backend "aot_eager" turns it on by itself.',
    ),
    Flag(
        name="debug_partitioner",
        type=Bool(),
        default=False,
        summary="Logs how the joint graph is divided: what is saved and what is recomputed.",
        details=(
            "Read once, when torch._functorch.partitioners is imported. Later changes have no effect, so "
            "use the variable."
        ),
        variables=(
            Variable("AOT_PARTITIONER_DEBUG", "text", until="2.4"),
            Variable("AOT_PARTITIONER_DEBUG", "not_zero", since="2.5"),
        ),
    ),
    Flag(
        name="torch_compile_graph_format",
        type=Text(),
        default="svg",
        summary="File format of drawn graphs whose file name has no extension, such as svg or png.",
        details=(
            "Any output format of Graphviz. For large graphs take dot or raw, which skip the layout in "
            "recent releases."
        ),
        variables=(Variable("TORCH_COMPILE_GRAPH_FORMAT", "text"),),
    ),
)
