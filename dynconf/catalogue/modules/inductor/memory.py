"""Memory and layout: reuse of buffers, the order of operations, strides and padding."""

DESCRIPTIONS = """
allow_buffer_reuse: Reuses the memory of a result that is no longer needed for another one.
bw_outputs_user_visible: Gives gradients the strides that eager mode would give them.
comprehensive_padding: Pads rows of intermediate results, so that GPUs read them in whole lines.
    Costs some memory; see padding_alignment_bytes and padding_stride_threshold.
disable_padding_cpu: Leaves out comprehensive_padding on CPUs.
force_layout_optimization: Uses layout_optimization even where torch expects it to be slower.
force_shape_pad: Pads matmuls with shape_padding wherever possible, without measuring whether it pays.
inplace_buffers: Lets a kernel write its result over an input that is no longer needed.
inplace_padding: Pads a tensor in place where its memory is large enough.
keep_output_stride: Gives outputs the strides of eager mode, whatever layouts were used inside.
layout_optimization: Runs convolutions in channels-last order where that is faster.
layout_opt_default: The default of layout_optimization, as text: "1", or "0" where torch is built for ROCm.
    torch reads it only while it is imported; set layout_optimization.
memory_planning: Places intermediate results in a few large blocks, instead of allocating each.
    memory_pool says how.
memory_pool: Which results share a block of memory under memory_planning.
    "none": nothing, memory is only reused; "intermediates": all but outputs; "outputs": intermediate results
    in one block, outputs in another; "combined": everything in one block.
pad_channels_last: Lets comprehensive_padding pad tensors in channels-last order, too.
pad_dynamic_shapes: Lets comprehensive_padding pad tensors of varying size, too.
pad_outputs: Lets comprehensive_padding pad outputs; their strides are then not those of eager mode.
padding_alignment_bytes: Number of bytes to a multiple of which comprehensive_padding pads.
padding_stride_threshold: Rows with fewer elements than this are not padded.
reorder_for_peak_memory: Orders operations so that less memory is in use at the peak.
size_threshold_for_succ_based_strategy:
    Result size from which reorder_for_peak_memory prefers operations that others wait for; 0 never does.
    In bytes; it counts where every operation that could come next has a larger result.
shape_padding: Pads the inputs of matmuls to sizes that suit tensor cores, where a measurement shows a gain.
static_weight_shapes: Takes the sizes of parameters as constants.
strict_output_strides: Gives outputs that are views exactly the strides of eager mode, copying where needed.
    If False, only the order of their strides is the same.
warn_mix_layout: Warns of kernels that read tensors in different layouts, which may be slow.
assume_unaligned_fallback_output:
    Generates code for results of ATen's operators that need not be aligned in memory.
auto_chunker.amplify_ratio_threshold:
    How many times larger than its inputs a result must be for auto_chunker.enable.
auto_chunker.enable:
    Computes a matmul with a very large result, and what follows, for a part of the batch at a time.
    Lowers peak memory in training, as for the logits of a language model. Sizes must not vary, and
    cpp_wrapper must be off.
auto_chunker.num_chunk:
    Number of parts into which auto_chunker.enable divides the batch; None leaves it to torch.
auto_chunker.output_size_threshold: Size of a result from which auto_chunker.enable considers it.
cache_sdpa_constraint:
    Copies a tensor into the layout that attention needs once, even if it is several of its inputs.
can_inplace_pad_graph_input: Lets inplace_padding pad inputs of the graph, too.
    For an input that is a slice, torch then writes over the rest of the tensor that it was cut from.
"""
