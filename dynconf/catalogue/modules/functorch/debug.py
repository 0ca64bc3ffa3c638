"""Debugging: checks, logs and drawings."""

DESCRIPTIONS = """
debug_assert: Checks AOTAutograd's bookkeeping while it compiles; slows tracing down.
    Worth a try when results are wrong. The backend "aot_eager" turns it on by itself.
debug_partitioner: Logs how the joint graph is divided: which results are saved and which are recomputed.
    Read once, when torch._functorch.partitioners is imported. Later changes have no effect, so use the
    variable.
torch_compile_graph_format: File format of drawn graphs whose file name has no extension, such as svg or png.
    Any output format of Graphviz. For large graphs take dot or raw, which skip the layout in recent releases.
"""
