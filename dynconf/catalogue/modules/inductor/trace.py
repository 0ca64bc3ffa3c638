"""The trace of a compilation: a folder with the results of each step."""

DESCRIPTIONS = """
trace.enabled: Writes a folder with graphs, intermediate code and output code of each compilation.
    Its path is logged as a warning. The other flags of trace choose its contents.
trace.debug_dir: Where the folder of trace.enabled is made; None is torch_compile_debug.
trace.debug_log: Puts all log messages into the folder.
trace.info_log: Puts log messages of level INFO and above into the folder.
trace.fx_graph: Puts the graph into the folder, as Inductor got it.
trace.fx_graph_transformed: Puts the graph into the folder, as the passes left it.
trace.ir_pre_fusion: Puts the schedule before fusion into the folder.
trace.ir_post_fusion: Puts the schedule after fusion into the folder.
trace.output_code: Puts the generated code into the folder.
trace.graph_diagram: Draws the graph after fusion; needs Graphviz.
trace.graph_diagram_format: Format of trace.graph_diagram, as an extension that Graphviz knows, such as svg.
    "dot" needs no Graphviz.
trace.draw_orig_fx_graph: Draws the original graph, colored by fusion; needs Graphviz.
trace.orig_fx_graph_diagram_format:
    Format of trace.draw_orig_fx_graph, as an extension that Graphviz knows, such as svg.
    "dot" needs no Graphviz.
trace.dot_graph_shape: Shape of nodes in drawings; none helps where Graphviz fails on large graphs.
trace.compile_profile: Profiles the compilation with cProfile.
trace.log_autotuning_results: Puts the measurements of autotuning into the folder.
trace.log_url_for_graph_xform: Folder for drawings of the graph before and after each pass that changed it.
trace.provenance_tracking_level:
    Records which nodes of the graph each kernel came from: 0 no, 1 in full, 2 basic.
trace.provenance_tracking_max_events:
    Most events of a profile to which trace.provenance_tracking_to_timeline adds anything; 0 sets no limit.
    A large profile takes much memory.
trace.provenance_tracking_to_timeline:
    Adds to a profile which lines of the program each kernel came from.
    Only if torch._inductor.profiler.inductor_trace_handler exports it. Not under cpp_wrapper; it needs
    triton.unique_kernel_names.
trace.save_real_tensors: Puts the values of inputs into the folder.
trace.upload_tar: Function that is called with the path of an archive of the folder.
trace.log_inductor_triton_kernel_to_post_grad_node_info:
    Records which nodes of the graph each kernel came from.
    Instead: set trace.provenance_tracking_level=1
"""
