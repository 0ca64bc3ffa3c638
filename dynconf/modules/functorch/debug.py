"""Debugging: checks, logs and drawings."""

from dynconf.flags.described import Described

FLAGS = {
    "debug_assert": Described(
        "Checks AOTAutograd's bookkeeping while it compiles; slows tracing down.",
        details='Worth a try when results are wrong. The backend "aot_eager" turns it on by itself.',
    ),
    "debug_partitioner": Described(
        "Logs how the joint graph is divided: which results are saved and which are recomputed.",
        details="Read once, when torch._functorch.partitioners is imported. Later changes have no effect, so "
        "use the variable.",
    ),
    "torch_compile_graph_format": Described(
        "File format of drawn graphs whose file name has no extension, such as svg or png.",
        details="Any output format of Graphviz. For large graphs take dot or raw, which skip the layout.",
    ),
}
