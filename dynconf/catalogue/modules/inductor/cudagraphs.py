"""CUDA graphs: recording the launches of a compiled graph, and replaying them at once."""

DESCRIPTIONS = """
cudagraph_policy: Object that records and replays CUDA graphs in place of torch.
cudagraph_unsafe_unbacked_ops:
    Operators whose data-dependent sizes keep operations that use them out of CUDA graphs.
triton.cudagraphs: Records the launches of a graph, and replays them at once in later calls.
    Avoids the cost of launching kernels, which dominates for small batches. Memory of outputs is reused by
    the next call: clone those that must live longer. Graphs on CPUs, with inputs that are changed, or with
    sizes that vary may be left out. The modes reduce-overhead and max-autotune set it.
triton.cudagraph_capture_sizes: Sizes for which CUDA graphs are recorded; None records for all.
    A tuple of numbers, or of tuples of numbers where several sizes vary.
triton.cudagraph_dynamic_shape_rerecord_limit:
    How many combinations of sizes are recorded for one graph; None sets no limit.
    Further ones run without CUDA graphs.
triton.cudagraph_dynamic_shape_warn_limit:
    Warns once this many CUDA graphs were recorded for one graph with sizes that vary.
triton.cudagraph_or_error: Raises where a graph cannot be recorded, instead of running it without CUDA graphs.
triton.cudagraph_managed_input_rerecord_action:
    What happens to an input from another CUDA graph whose address has changed too often.
    "copy": it is copied to a fixed address before each replay; "skip": the graph runs without CUDA graphs.
triton.cudagraph_managed_input_rerecord_limit:
    How often the address of such an input may change before that happens.
    triton.cudagraph_managed_input_rerecord_action says what happens.
triton.cudagraph_skip_dynamic_graphs: Leaves graphs with sizes that vary out of CUDA graphs.
    If False, each combination of sizes is recorded on its own, which costs memory and time.
triton.cudagraph_support_input_mutation:
    Records graphs that change inputs as well, where those come from a CUDA graph themselves.
triton.cudagraph_trees: Shares one pool of memory among all CUDA graphs of the program.
    If False, each has memory of its own, and outputs of one are copied to the next.
triton.cudagraph_trees_generation_cloning:
    Which results of an earlier step are copied before the next step reuses their memory.
    "user_visible": outputs that the program still holds, but not those of a backward; None: nothing, and to
    use them later is an error. Copies cost time and memory.
triton.cudagraph_trees_history_recording:
    Records where the memory of CUDA graphs was allocated, for debugging.
triton.cudagraph_trees_objgraph: Draws what still refers to a tensor that a CUDA graph should have freed.
    It needs the package objgraph, and draws to the working directory as refs_live_tensor_0.svg.
triton.cudagraph_unexpected_rerecord_limit:
    How often a graph may be recorded anew because an address changed, before it runs without them.
triton.cudagraph_initial_mempool_allocation_gb: Gigabytes that the pool of CUDA graphs allocates ahead of use.
triton.cudagraph_min_partition_size: Parts of a graph with fewer kernels than this are not recorded.
triton.cudagraph_partition_memory_budget: How much more memory fewer parts may cost, as a factor.
    See triton.reorder_for_reducing_graph_partitions.
triton.fast_path_cudagraph_asserts: Checks at each replay that nothing that was recorded has moved.
triton.slow_path_cudagraph_asserts: Checks while recording that memory is used as expected.
triton.force_cudagraph_sync: Waits for the device after each replay, for debugging.
triton.force_cudagraphs_warmup: Never records: each call runs as the warmup before recording does.
triton.reorder_for_reducing_graph_partitions: Orders operations so that graph_partition makes fewer parts.
triton.skip_cudagraph_warmup: Records at the first call, without running the graph once before.
force_disable_cudagraph_TESTING_ONLY: Runs all graphs without CUDA graphs, for tests.
"""
