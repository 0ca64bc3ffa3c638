"""Fusion: which operations share a kernel, and in which order loops run."""

DESCRIPTIONS = """
_realize_acc_reads_threshold_default:
    Value of realize_acc_reads_threshold on all devices but CPUs, where that is None.
_realize_opcount_threshold_default:
    Value of realize_opcount_threshold on all devices but CPUs, where that is None.
aggressive_fusion: Also fuses pointwise kernels that read nothing in common.
    Fewer kernels; not always faster.
combo_kernels: Combines kernels that do not depend on each other into one launch.
    Experimental. It pays off for many small kernels, such as those of optimizers.
combo_kernel_allow_mixed_sizes:
    Whether kernels of different sizes may be combined: 0 never, 1 except foreach, 2 always.
combo_kernel_autotune_grouping: Autotunes parts of a combined kernel together if they are alike.
    Only with combo_kernel_per_subkernel_blocks.
combo_kernel_compile_time_autotune:
    Tunes the block sizes of each part of a combined kernel on its own, while compiling.
    Needs combo_kernel_per_subkernel_blocks and combo_kernels_autotune.
combo_kernel_foreach_dynamic_shapes: Combines foreach kernels whose sizes vary as well.
combo_kernel_max_distance:
    How far apart in the schedule kernels may be to be combined; negative numbers set no limit.
    From torch 2.15 on it counts only where the growth of peak memory is limited.
combo_kernel_max_num_args: Most buffers that a combined kernel may read and write.
combo_kernel_max_num_nodes: Most kernels that become one combined kernel.
combo_kernel_peak_memory_increase_gb:
    Gigabytes by which combined kernels may raise peak memory; None sets no such limit.
    The lower of this and combo_kernel_peak_memory_pct_threshold holds.
combo_kernel_peak_memory_pct_threshold:
    Share of peak memory by which combined kernels may raise it; None sets no such limit.
    A fraction: 0.05 is five percent. The lower of this and combo_kernel_peak_memory_increase_gb holds.
combo_kernel_per_subkernel_blocks: Gives each part of a combined kernel block sizes of its own.
combo_kernels_autotune: Whether combined kernels are autotuned: 0 never, 1 except foreach, 2 always.
combo_kernels_pointwise_only: Leaves reductions out of combined kernels.
epilogue_fusion: Fuses pointwise operations after a matmul into its template; needs max_autotune.
epilogue_fusion_first: Fuses epilogues of templates before anything else.
epilogue_fusion_user_defined_triton_kernel:
    Fuses pointwise operations that follow your own Triton kernel into it.
    Only into kernels with one store, to a tensor that was empty before.
epilogue_fusion_with_atomic_add: Fuses atomic additions after a matmul into its Triton template.
    Slower where many additions are to the same element.
expand_dimension_for_pointwise_nodes:
    Gives a smaller pointwise kernel another dimension if it can then be fused.
loop_index_inversion_in_fusion: Rewrites how a result is written if its reader can then be fused with it.
loop_ordering_after_fusion:
    Chooses the order of loops while kernels are fused, so that more of them fit together.
loop_reindexing_after_fusion:
    Rewrites the loops of a pointwise kernel to those of a reduction if the two can then be fused.
max_fusion_buffer_group_pairwise_attempts:
    How many neighbors each kernel is compared with, among those that share a buffer.
    A limit on compile time.
max_fusion_size: How many nodes of the graph one fused kernel may hold.
max_fusion_unique_io_buffers: How many buffers a fused kernel may read and write; None sets no limit.
max_pointwise_cat_inputs: Most inputs with which torch.cat becomes one pointwise kernel.
max_complex_pointwise_cat_inputs:
    Most inputs with which torch.cat becomes one pointwise kernel however complicated their computation is.
    With more of them, up to max_pointwise_cat_inputs, each must take two operations at most. GPUs only.
force_pointwise_cat: Makes torch.cat a pointwise kernel, however many inputs it has.
pick_loop_orders: Orders loops by the strides of the tensors that they read.
prologue_fusion: Fuses pointwise operations before a matmul into its template; needs max_autotune.
realize_acc_reads_threshold: Stores an intermediate result once computing it would read this many buffers.
    Results that are not stored are computed anew by each reader. From torch 2.13 on, None means the default
    of the device.
realize_acc_reads_size_threshold:
    Stores an intermediate result once computing it would read this many bytes; None sets no limit.
    Only if they are in two buffers or more, all of one size.
realize_cpu_acc_reads_threshold: Default of realize_acc_reads_threshold on CPUs.
realize_cpu_opcount_threshold: Default of realize_opcount_threshold on CPUs.
realize_opcount_threshold: Stores an intermediate result once computing it takes this many operations.
    From torch 2.13 on, None means the default of the device.
realize_opusers_threshold:
    On CPUs, stores a costly intermediate result once more operations than this use it.
    Costly is what takes about realize_cpu_opcount_threshold operations.
realize_reads_threshold:
    Stores an intermediate result with several readers once it reads this many buffers itself.
score_fusion_memory_threshold:
    Does not fuse two kernels if that saves fewer bytes of memory traffic than this.
small_memory_access_threshold:
    Most bytes that a kernel may write for expand_dimension_for_pointwise_nodes to apply.
split_reductions: Divides a reduction with few results among several kernels.
    triton.cooperative_reductions does the same within one kernel, and overrides it.
min_num_split: Fewest parts into which split_reductions divides a reduction of varying size.
unroll_reductions_threshold: Unrolls reductions over fewer elements than this; 1 unrolls none.
online_softmax: Computes maximum and sum of a softmax in one pass over its input.
dynamic_scale_rblock:
    Makes the blocks of a reduction smaller where registers would limit how many run at once.
min_overlap_ratio: How much of their common input two kernels must both read to be fused; above 1 fuses none.
delay_realize_cheap_outputs:
    Lets later kernels compute an output again, instead of reading it, if it depends on no buffer.
    Such are constants and indexes.
fusion_memory_timeline_peak_memory_increase_gb:
    Gigabytes by which fusion may raise peak memory; None sets no such limit.
    The lower of this and fusion_memory_timeline_peak_memory_pct_threshold holds.
fusion_memory_timeline_peak_memory_pct_threshold:
    Share of peak memory by which fusion may raise it; None sets no such limit.
    A fraction: 0.1 is ten percent. The lower of this and fusion_memory_timeline_peak_memory_increase_gb
    holds.
"""
