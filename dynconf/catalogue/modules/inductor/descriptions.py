"""What each flag does, by topic: see `dynconf.catalogue.flags.described`."""

from dynconf.catalogue.flags.described import described_removals, texts_of
from dynconf.catalogue.modules.inductor.facts import INHERITED

DESCRIPTIONS = """
[autotune]: Measuring candidates on the machine before choosing one.
_conv_default_backends:
    Default of max_autotune_conv_bwd_input_backends and max_autotune_conv_bwd_weight_backends.
autoheuristic_collect.pad_mm: Collects data on whether padding a matmul pays; see autoheuristic_log_path.
autoheuristic_log_path: File that collected autotuning data is written to; DEFAULT is one in the cache folder.
autoheuristic_use.pad_mm: Lets a learned heuristic decide whether shape_padding pads a matmul.
    From torch 2.13 on, None does so only under deterministic, where measuring is not allowed.
autotune_cudagraph_benchmarking:
    Measures each candidate as a replayed CUDA graph, without the cost of launching it.
    For programs whose output runs inside a CUDA graph. Only with max_autotune.
autotune_cudagraph_benchmarking_iters:
    How often a candidate runs in one CUDA graph under autotune_cudagraph_benchmarking.
autotune_fallback_to_aten: Uses ATen's kernel where no candidate of the chosen backends works.
    Instead: list ATEN in inductor.max_autotune_gemm_backends
autotune_in_subproc: Measures matmul candidates in another process, which may crash without harm.
autotune_local_cache: Keeps the results of autotuning Triton kernels on disk, for later processes.
autotune_lookup_table:
    Configurations to use for given Triton kernels, by a hash of the source, instead of tuning.
autotune_multi_device: Measures candidates on all visible devices at once; only with autotune_in_subproc.
autotune_num_choices_displayed: Prints at most this many candidates of each autotuned matmul; None prints all.
autotune_remote_cache: Shares the results of autotuning Triton kernels through a remote cache, such as Redis.
    None leaves the decision to torch, which outside Meta means no.
benchmark_combo_kernel: Combines kernels only where a measurement shows that it pays.
benchmark_epilogue_fusion:
    Measures whether a matmul template is faster with its epilogue fused or in a kernel of its own.
    Only with max_autotune. Turning it off saves compile time.
benchmark_fusion: Fuses two kernels only where a measurement shows that it pays.
    Compilation takes much longer.
benchmark_template_fusion:
    Measures whether a matmul template is faster with what comes before or after it fused.
    Only with max_autotune.
bundled_autotune_remote_cache: Stores all autotuning results of a graph as one entry of the remote cache.
    Needs autotune_local_cache. None leaves the decision to torch.
coordinate_descent_check_all_directions:
    Also tries changes of several parameters at once in coordinate_descent_tuning.
    Sometimes finds better kernels, with many more measurements.
coordinate_descent_search_radius:
    How many steps away from the best value coordinate_descent_check_all_directions looks.
coordinate_descent_tuning: Improves each Triton kernel by measuring small changes of its launch parameters.
    It starts from the best known configuration, changes one parameter at a time, and keeps improvements.
    Compilation takes longer; results are cached. The modes max-autotune set it.
distributed_max_autotune_gemm:
    Divides the candidates of a matmul among the ranks, which share their measurements.
inductor_default_autotune_rep: Milliseconds for which the kernel of each candidate is measured.
inductor_default_autotune_warmup: Milliseconds for which each candidate runs before it is measured.
lookup_table.check_src_hash: Leaves out stored configurations whose template has changed since.
    If False, a configuration is used for any version of its template.
lookup_table.table: Template configurations for given matmuls, which are used in place of torch's own.
    Needs an inductor_choices_class derived from torch._inductor.lookup_table.LookupTableChoices, and a GPU.
    Texts in it become part of the generated code.
max_autotune: Measures more candidates for matmuls, convolutions and Triton kernels, and takes the fastest.
    Turns on max_autotune_gemm and max_autotune_pointwise. Compilation takes much longer. On GPUs it pays most
    where matmuls dominate; on small ones torch skips it for matmuls.
max_autotune_allow_flexible_layouts:
    Lets candidates choose the layout of their output while they are measured.
max_autotune_conv_backends: Libraries whose convolutions max_autotune measures: ATEN, TRITON.
    A convolution of size 1 that is done as a matmul follows max_autotune_gemm_backends.
max_autotune_conv_bwd_input_backends:
    Libraries whose kernels max_autotune measures for the input gradient of a convolution: ATEN, TRITON.
max_autotune_conv_bwd_weight_backends:
    Libraries whose kernels max_autotune measures for the weight gradient of a convolution: ATEN, TRITON.
max_autotune_flex_search_space: How many configurations of flex attention max_autotune measures.
    EXHAUSTIVE takes very long.
max_autotune_gemm: Measures candidates for matmuls, and takes the fastest; part of max_autotune.
max_autotune_gemm_backends: Libraries whose matmuls max_autotune measures, such as ATEN,TRITON,CPP.
    ATEN: the kernels of eager mode; TRITON: templates; CPP: templates for CPUs; CUTLASS, CUTEDSL and NVGEMM:
    NVIDIA GPUs only; CK, CKTILE and FLYDSL: AMD GPUs only. torch silently ignores a name that it does not
    know or that the machine cannot use. Without ATEN, a matmul that no other library can do is an error.
max_autotune_gemm_search_space: How many configurations of each matmul template max_autotune measures.
    EXHAUSTIVE takes very long.
max_autotune_pointwise: Measures more candidates for pointwise kernels and reductions, and takes the fastest.
    max_autotune includes it.
max_autotune_prune_choices_based_on_shared_mem:
    Does not try matmul configurations that would need more shared memory than the GPU has.
max_autotune_report_choices_stats: Records statistics on the candidates of each autotuned matmul.
max_autotune_subproc_graceful_timeout_seconds:
    Seconds that a measuring process has to end by itself after its time is over, before it gets SIGTERM.
    max_autotune_subproc_result_timeout_seconds says when its time is over.
max_autotune_subproc_result_timeout_seconds:
    Seconds to wait for a measurement in another process; only with autotune_in_subproc.
max_autotune_subproc_terminate_timeout_seconds:
    Seconds that a measuring process has to end after SIGTERM, before it gets SIGKILL.
max_template_fusion_benchmarked_choices:
    How many of the fastest templates of a matmul are measured with what could be fused into them.
multi_kernel_hints: Sizes for which a matmul with varying sizes is tuned; the nearest is picked at run time.
pipeline_max_autotune_gemm: Measures matmul candidates while the rest of the graph is still being lowered.
precompilation_timeout_seconds: Seconds that candidates have to compile before they are measured.
    A candidate that takes longer is left out.
search_autotune_cache: Looks for matmul configurations among earlier results, even without max_autotune.
    Instead: delete it: cached results are used anyway
triton.autotune_cublasLt:
    Measures a cuBLASLt kernel as well where a bias is added to each row of a matmul.
    Only with ATEN among max_autotune_gemm_backends, and not under cpp_wrapper.
triton.disallow_failing_autotune_kernels_TESTING_ONLY:
    Raises if a fusion that is measured does not compile or run; for tests.
test_configs.autotune_choice_desc_regex:
    Measures only candidates whose description matches this regular expression; for tests.
test_configs.autotune_choice_name_regex:
    Measures only candidates whose name matches this regular expression; for tests.
test_configs.distort_benchmarking_result: Falsifies the measurements of kernels; for tests.
    "inverse" takes the slowest for the fastest, "random" makes numbers up; an empty text is off.
test_configs.force_custom_op_decomposition:
    Which candidate wins where custom operators are tuned; for tests.
    True: a decomposition; False: the operator itself; None: the faster one.
test_configs.force_extern_kernel_in_multi_template:
    Takes a kernel of ATEN for each matmul that was tuned but not fused; for tests.
test_configs.force_filter_reduction_configs:
    Leaves out configurations of reductions as deterministic does, whatever that is set to; for tests.
test_configs.force_no_impl_grouping:
    Chooses among the implementations of a custom operator for each range of sizes alone; for tests.
    Ranges with the same implementation are otherwise merged.
test_configs.max_flex_configs:
    How many configurations of flex attention with FlashAttention are measured; for tests.
test_configs.max_mm_configs: How many configurations of each matmul template are measured; for tests.
unsafe_ignore_unsupported_triton_autotune_args:
    Ignores arguments of triton.autotune that torch.compile does not support in your kernels.
    Otherwise they are an error. Without them a kernel may be tuned wrongly.
use_experimental_benchmarker: Measures candidates with Inductor's own benchmark instead of Triton's do_bench.
    Faster; the numbers are not comparable.
use_torch_profiler_benchmarker:
    Measures candidates with the profiler of torch; ranks above use_experimental_benchmarker.
bmm_shared_a: Measures a template for batched matmuls whose first matrix is the same for all of the batch.
    Only for batches of 64 and more.
cuda.autotune_tunableop_dynamic_dims_wildcard:
    Lets TunableOp reuse what it found for a matmul whatever value its dynamic sizes have.
cutedsl_enable_autotuning:
    Measures several configurations of CuTeDSL kernels for grouped matmuls, instead of taking one.
flydsl_enable_autotuning:
    Measures several configurations of FlyDSL kernels for matmuls, instead of taking one.
incremental_autotune: Spreads the measurements of Triton kernels over their first calls; only inside Meta.

[fusion]: Which operations share a kernel, and in which order loops run.
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

[passes]: Passes over the graph before code is generated: patterns, fusions by hand, freezing, custom passes.
_partitioned_scatter_default: Default of partitioned_scatter_enabled, as "0" or "1".
add_pre_grad_passes: Names of more passes to run before the graph is differentiated, separated by commas.
b2b_gemm_pass: Fuses two matmuls in a row into one Triton kernel where the first result is small.
batch_fusion: Batches matmuls and layers of the same shape.
    Instead: list the fusions in inductor.pre_grad_fusion_options and inductor.post_grad_fusion_options
constant_and_index_propagation: Folds constants and index expressions while the graph is lowered.
conv_1x1_as_mm: Computes convolutions of size 1 as matmuls.
    max_autotune does so by itself where memory is in channels-last order.
custom_partitioner_fn:
    Function that divides the joint graph into forward and backward, instead of torch's own.
    It must be a CustomPartitionerFn with a uuid(), which becomes part of the cache key.
dce: Removes nodes whose results nobody uses, after the passes on the forward or backward graph.
    Off because it can remove changes of inputs in inference.
decompose_mem_bound_mm: Writes matmuls that are limited by memory as products and sums, which can be fused.
    In newer releases this is the pass "decompose_mm_pass".
    Instead: list the pass in inductor.post_grad_fusion_options
disabled_passes: Names of passes to skip, in capitals and separated by commas.
    For finding the pass that breaks a program.
efficient_conv_bn_eval_fx_passes:
    Fuses a convolution with the batch normalization in eval mode that follows it.
    Slightly less precise.
enable_auto_functionalized_v2: Lets custom operators that change views of one tensor do so without copies.
enable_linear_binary_folding:
    Folds additions and multiplications by constants into the linear layer before them.
    Only with freezing.
fallback_by_default: Runs every operator as eager mode does, except in regions marked for compilation.
    The mode lite sets it.
force_fuse_int_mm_with_mul:
    Fuses an int8 matmul with the multiplication after it, so that no int32 result is stored.
    For quantized models. It may prevent fusion with other operations.
freezing: Takes parameters as constants and computes ahead all that depends only on them.
    For inference under torch.no_grad(): later changes of the weights have no effect.
freezing_discard_parameters: Frees the parameters of the module once freezing has taken them over.
    Saves memory; the eager module can no longer be used.
fx_passes_numeric_check: Compares results before and after the passes, as this dict says.
    Keys: "pre_grad" (whether to check), "precision", "num_iterations", "requires_optimizer".
group_fusion: Runs matmuls of different shapes in groups.
    Instead: list the fusions in inductor.pre_grad_fusion_options and inductor.post_grad_fusion_options
is_predispatch: Makes the passes expect the graph of torch.export before dispatch.
joint_custom_post_pass: Function that is called with the joint graph after torch's own passes.
    Takes the graph and changes it in place. Give it a uuid() by deriving it from CustomGraphPass; without
    one, graphs are not cached.
joint_custom_pre_pass: Function that is called with the joint graph before torch's own passes.
    Takes the graph and changes it in place. Give it a uuid() by deriving it from CustomGraphPass; without
    one, graphs are not cached.
joint_graph_constant_folding: Replaces parts of the joint graph that are constant by their value.
keep_addmm_fused_for_half_dtypes: Keeps addmm in one piece for float16 and bfloat16, which rounds once less.
mixed_mm_choice: How a matmul of two dtypes is computed.
    Instead: delete it: torch decides by itself
optimize_scatter_upon_const_tensor:
    Makes a scatter of one element per row into a constant tensor a pointwise kernel.
partitioned_scatter_enabled:
    Adds values to the same elements in several copies of the result, and then sums the copies.
    For index_put with accumulate=True, such as gradients of embeddings: fewer atomic additions wait for each
    other, but it takes more memory.
partitioned_scatter_force: Applies partitioned_scatter_enabled even where an estimate speaks against it.
    The limits of memory still hold.
partitioned_scatter_max_partitions: Most copies of a result under partitioned_scatter_enabled.
partitioned_scatter_min_contention_ratio:
    Fewest values for each row of the result from which partitioned_scatter_enabled applies, on average.
partitioned_scatter_min_index_size: Fewest indexes from which partitioned_scatter_enabled applies.
partitioned_scatter_min_partitions: Fewest copies of a result under partitioned_scatter_enabled.
partitioned_scatter_non_model_floor_bytes:
    Bytes of GPU memory that partitioned_scatter_enabled leaves to everything but the tensors of the graph.
pattern_matcher: Runs the passes that find patterns in the graph and replace them by faster operators.
permute_fusion: Fuses permutations with the linear layer or matmul that they feed or follow.
post_grad_custom_post_pass:
    Function that is called with each forward and backward graph after torch's own passes.
    Takes the graph and changes it in place. Give it a uuid() by deriving it from CustomGraphPass; without
    one, graphs are not cached.
post_grad_custom_pre_pass:
    Function that is called with each forward and backward graph before torch's own passes.
    Takes the graph and changes it in place. Give it a uuid() by deriving it from CustomGraphPass; without
    one, graphs are not cached.
post_grad_fusion_options:
    Batch fusions and other passes to run on each forward and backward graph, with their options.
    A dict by name of the pass; an empty one runs none. The order counts.
pre_grad_custom_pass: Function that is called with the graph before it is differentiated.
    That graph is not functional yet, and its form is not stable; prefer post_grad_custom_pre_pass.
pre_grad_fusion_options:
    Batch fusions and split or cat passes to run before differentiation, with their options.
    A dict by name of the pass, such as batch_linear or normalization_pass; an empty one runs none.
pre_grad_pass_timing: Whether the passes before differentiation run in each compilation, or only when needed.
    "early": in each; "late": only if the graph is not found in the FX graph cache, which takes a
    pre_grad_custom_pass with a uuid(); "default": late if the custom pass, if any, has a uuid(), else early.
remove_pre_grad_passes: Names of passes not to run before the graph is differentiated, separated by commas.
reorder_for_locality: Moves each operation next to those that use its result, in inference.
reorder_for_locality_in_training: Applies reorder_for_locality in training, too.
selective_decompose: Decomposes only operators in regions marked for compilation.
    The mode lite sets it, with the flag of that name in functorch.
split_cat_fx_passes: Simplifies splits and concatenations that cancel out.
    Instead: list the passes in inductor.pre_grad_fusion_options
use_dce: Removes nodes whose results nobody uses while the graph is scheduled.
use_joint_graph_passes: Runs the passes on the joint graph of forward and backward.
use_mixed_mm: Uses a kernel for matmuls of two dtypes.
    Instead: delete it: torch decides by itself
use_post_grad_passes: Runs the passes on each forward and backward graph.
use_pre_grad_passes: Runs the passes on the graph before it is differentiated.
var_std_reduction_dedup: Computes variance and standard deviation of the same tensor by one reduction.
_post_fusion_custom_pass: Function that is called with the schedule after fusion.
    The form of the schedule is not stable.
_pre_fusion_custom_pass: Function that is called with the schedule before fusion.
    The form of the schedule is not stable.
apply_gumbel_max_trick: Draws samples from a softmax without computing the softmax.
    It applies to argmax(softmax(x) / noise) with exponential noise.

[memory]: Layouts, reuse of buffers, the order of operations, strides and padding.
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

[numerics]: Results that are the same as eager mode's, the same in each run, or faster than either.
_use_fp64_for_unbacked_floats:
    Passes numbers that .item() returned to Triton kernels as float64 instead of float32.
align_random_eager: Draws the random numbers that eager mode would draw, in fused kernels.
    CUDA only. Faster than fallback_random, which uses the kernels of eager mode.
assume_32bit_indexing:
    Takes 32 bits to be enough for every index; an example input that needs more is an error.
assume_aligned_inputs: Generates code for inputs that are aligned in memory, and copies those that are not.
batch_invariant: Makes the result for a sample independent of the batch that it is in.
    It implies deterministic, and costs speed.
deterministic: Leaves out every choice by measurement that could change results from run to run.
    torch.use_deterministic_algorithms sets it. Code may be slower.
eager_numerics.disable_ftz:
    Keeps numbers that are close to zero, as eager mode does, instead of flushing them to zero.
eager_numerics.division_rounding: Rounds divisions as eager mode does, at the cost of speed.
eager_numerics.use_pytorch_libdevice:
    Takes functions such as erf from the CUDA toolkit, as eager mode does, instead of Triton's.
    The last bit of their results may differ otherwise. emulate_precision_casts turns it on.
emulate_divison_rounding: Old name of eager_numerics.division_rounding, misspelt in torch.
emulate_precision_casts: Rounds float16 and bfloat16 between fused operations, as eager mode does.
    Otherwise a fused kernel computes in float32 throughout, which is more precise but not the same: a cast to
    float16 and back is left out, and an overflow that it would show.
emulate_precision_casts_on_saved_tensors:
    Rounds float16 and bfloat16 results that the backward needs, so that the forward uses the same.
    Otherwise the forward goes on with a more precise value than the one that is saved.
fallback_random: Draws random numbers with the kernels of eager mode, so that seeds give the same results.
    Slow; for comparing compiled results with eager ones.
numerics: How exactly results must be those of eager mode.
    All strict words except strict_reduction imply emulate_precision_casts, eager_numerics.division_rounding
    and eager_numerics.disable_ftz, whatever those are set to. Torch 2.14 knows default and strict only.
strict_signed_zero: Decides by order between 0.0 and -0.0 in minimum and maximum reductions, which is slower.
    Otherwise either may be the result.
test_configs.graphsafe_rng_func_ignores_fallback_random:
    Uses functorch.graphsafe_rng_functionalization even under fallback_random; for tests.
use_fast_math: Uses an exponential function that flushes numbers close to zero to zero.
write_are_deterministic_algorithms_enabled:
    Lets reductions leave out choices by measurement under torch.use_deterministic_algorithms.

[cudagraphs]: Recording the launches of a compiled graph, and replaying them at once.
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

[triton]: Code generation for Triton.
triton.autotune_at_compile_time:
    Tunes Triton kernels while compiling, on made-up inputs, instead of at their first call.
    None does so only where it must, as under cpp_wrapper.
triton.autotune_pointwise: Measures several block sizes for pointwise kernels with complicated layouts.
triton.autotune_with_sample_inputs:
    Tunes your own Triton kernels on the example inputs instead of random ones.
    Uses more memory in the first call.
triton.coalesce_tiling_analysis: Chooses tiles so that neighboring threads read neighboring memory.
triton.codegen_upcast_to_fp32: Computes float16 and bfloat16 in float32 inside kernels.
triton.cooperative_reductions:
    Divides a reduction with few results among thread blocks that wait for each other.
triton.debug_sync_graph: Waits for the device before and after each compiled graph, for debugging.
triton.debug_sync_kernel: Waits for the device after each kernel, so that an error shows where it happens.
triton.decompose_k_threshold: Ratio of K to M and N from which a matmul divided along K is a candidate.
    0 makes them candidates for every matmul, with max_autotune.
triton.decompose_sort_ops: Generates kernels for mode and median, and for sorting more than 512 values.
    Otherwise they are left to ATen.
triton.dense_indexing: Loads full blocks instead of broadcasting within a block.
triton.descriptive_names: How kernels are named; False gives them no descriptive name.
    "torch": the operations of the program; "original_aten": ATen operators; "inductor_node": nodes of the
    graph that Inductor got.
triton.divisible_by_16: Tells Triton which arguments are divisible by 16, for faster loads.
triton.dynamic_disable_pipelining:
    Compiles a kernel without pipelining if no configuration of it fits on the GPU otherwise.
triton.emit_pointer_range_32: Tells Triton on AMD GPUs which tensors are smaller than 2 GB, for faster access.
    Turn it off if the compiler fails.
triton.enable_flex_tdm: Lets flex attention load by tensor descriptors on AMD GPUs that can (gfx1250).
triton.enable_host_side_tma: Makes tensor descriptors outside the kernels that use them.
    Kernels other than matmul templates also need triton.use_tensor_descriptor and assume_aligned_inputs.
triton.enable_pdl: Lets a kernel start before the previous one has ended; NVIDIA Hopper and later.
    Not for templates.
triton.enable_persistent_tma_matmul:
    Measures matmul templates that stay on the GPU and load by TMA; NVIDIA Hopper and later.
triton.enable_template_autows: Measures more configurations of matmuls on NVIDIA Blackwell.
    It needs a build of Triton with Meta's warp specialization.
triton.enable_template_tma_store:
    Stores results by TMA in the templates of triton.enable_persistent_tma_matmul.
triton.enable_tma_load_for_template_epilogue:
    Loads what is fused after a matmul by TMA in the templates of triton.enable_persistent_tma_matmul.
triton.force_cooperative_reductions: Uses triton.cooperative_reductions for every reduction, for debugging.
triton.inject_relu_bug_TESTING_ONLY: Plants a bug in relu on GPUs, to test the minifier.
triton.max_tiles: Most dimensions in which a kernel is tiled; 1 turns tiling off.
    None is 3 with triton.coalesce_tiling_analysis, else 2.
triton.min_split_scan_rblock: Smallest block of a scan, such as cumsum, that is divided among thread blocks.
triton.mix_order_reduction: Fuses reductions over rows and over columns of the same input into one kernel.
    Such as those in the backward of layer norm.
triton.mix_order_reduction_allow_multi_stages: Lets kernels of triton.mix_order_reduction load ahead.
    Faster, but needs more shared memory.
triton.mix_order_reduction_autotune_split_size:
    Measures how many rows a block of triton.mix_order_reduction gets.
    max_autotune and coordinate_descent_tuning do so, too; deterministic never.
triton.mix_order_reduction_initial_xblock: By its name, the first block size of triton.mix_order_reduction.
triton.mix_order_reduction_max_reads:
    Most buffers that a kernel of triton.mix_order_reduction reads; 0 sets no limit.
triton.mix_order_reduction_non_strict_mode: Applies triton.mix_order_reduction to inputs of all sizes.
    Otherwise only to large ones with at least twice as many rows as columns; with sizes that vary, that may
    recompile.
triton.mix_order_reduction_split_size: How many rows a block of triton.mix_order_reduction gets.
    None derives it from the GPU.
triton.multi_kernel: Whether several versions of a reduction are compiled, of which the fastest is used.
    0: no; 1: yes, chosen by measurement; 2 and 3: always the persistent or the other one, for debugging.
triton.native_matmul: Generates matmuls as ordinary kernels, which fuse with everything, without templates.
    Other matmul kernels are not considered then. It supports neither block pointers nor TMA.
triton.nested_reduction: Fuses a reduction with one over smaller groups of its result into one kernel.
    Such as a norm with the scale factors of a conversion to float8. Not under cpp_wrapper.
triton.num_decompose_k_splits: How many ways of dividing a matmul along K max_autotune measures; 0 for none.
triton.persistent_reductions: Reduces short rows at once, without a loop.
triton.prefer_nd_tiling: Tiles in as many dimensions as possible, which suits block pointers.
triton.proton_group_by_sm: Shows the blocks of a multiprocessor in one row in triton.proton_profiling.
triton.proton_output_dir: Folder for the traces of triton.proton_profiling; None is the debug folder.
triton.proton_per_cta_occupancy: Shows whole blocks, not their warps, in triton.proton_profiling.
    Those of a multiprocessor share a row unless they ran at the same time. It overrides
    triton.proton_group_by_sm.
triton.proton_profiling: Profiles inside Triton kernels with Proton, and stores traces.
    triton.proton_output_dir says where.
triton.proton_split_invocations: Also stores a trace for each run of a kernel under triton.proton_profiling.
triton.scalar_accumulators:
    Keeps one value for each row, not a block, while a softmax over long rows is computed; CUDA only.
triton.skip_l1_cache: Lets loads of data that is used once bypass the L1 cache.
triton.spill_threshold: Leaves out configurations that spill more registers than this.
triton.store_cubin: Keeps compiled kernels as files, for C++ code to load.
triton.tile_reductions: Tiles reductions in several dimensions; use it with triton.prefer_nd_tiling.
triton.tiling_prevents_pointwise_fusion: Does not fuse pointwise kernels that need different tiles.
triton.tiling_prevents_reduction_fusion: Does not fuse reductions that need different tiles.
triton.tlx_mode: Whether templates in Triton's TLX are candidates, or the only ones.
    None: no; "allow": measured beside the others; "force": only these. Needs a Triton that ships them.
triton.transpose_discontiguous_tensor_descriptor:
    Uses tensor descriptors for transposed tensors as well, and transposes what they load.
    Only with triton.use_tensor_descriptor.
triton.unique_kernel_names: Gives every kernel a name of its own, which profilers show.
    If False, all are called triton_, and more of them are found in the cache.
triton.unique_user_kernel_names: Gives each use of your own Triton kernels a name of its own.
triton.use_block_ptr: Generates loads and stores with block pointers.
triton.use_tensor_descriptor:
    Generates loads and stores with tensor descriptors; on NVIDIA, needs assume_aligned_inputs.
triton.use_two_step_variance_min_numel:
    Number of float16 or bfloat16 values from which a variance on CUDA is computed in two steps.
    First the mean, then the variance. Very short ones, up to unroll_reductions_threshold, are anyway.
triton.use_two_step_variance_threshold:
    Number of float16 or bfloat16 values up to which a variance on CUDA is computed in two steps.
    Longer ones, and reductions that are divided, use Welford's algorithm.
triton_disable_device_detection: Takes Triton to be missing, without looking for devices.
run_jit_post_compile_hook:
    Calls triton.knobs.runtime.jit_post_compile_hook, if set, for each kernel that Inductor compiles.
use_rand4x: Draws four random numbers at once in one-dimensional kernels on CUDA.
    The numbers differ from those without it. Not with align_random_eager.
kernel_name_max_ops: Most operations that the name of a kernel lists.

[cpp]: Code generation for CPUs, in C++.
cpp.cxx: C++ compilers to try, in order; None in the list is one installed by conda.
    Torch runs the first that works, with every kernel for CPUs and every C++ wrapper.
cpp.descriptive_names: How kernels on CPUs are named; False gives them no descriptive name.
cpp.dynamic_threads: Does not build the number of threads into kernels.
    For programs that change it. Otherwise such a change recompiles.
cpp.enable_concat_linear: Joins linear layers with the same input into one; only with freezing.
cpp.enable_floating_point_contract_flag:
    Whether the compiler may contract a product and a sum into one operation.
    Up to torch 2.6 a bool, from 2.7 on the value of -ffp-contract: "off", "on" or "fast".
cpp.enable_grouped_gemm_template:
    Computes linear layers with the same input in one template; only with max_autotune.
cpp.enable_kernel_context_guard: Adds the origin of each kernel to cpp.enable_kernel_profile.
cpp.enable_kernel_profile: Shows each kernel on the CPU in the profiler of torch.
cpp.enable_loop_tail_vec: Vectorizes the rest of a loop, too, with masks.
cpp.enable_tiling_heuristics: Leaves vectorizing a loop to an estimate of whether it pays.
cpp.enable_unsafe_math_opt_flag: Compiles with -funsafe-math-optimizations.
cpp.fallback_scatter_reduce_sum:
    Calls ATen for scatter_reduce with sum, which is faster than atomic additions.
cpp.force_inline_kernel: Makes the C++ compiler inline the kernels of matmul templates.
cpp.gemm_cache_blocking: Cache blocks of matmul templates, as M,N,K in register blocks, such as 4,1,10.
cpp.gemm_max_k_slices: Most slices along K into which a matmul template may divide its work; 0 sets no limit.
cpp.gemm_thread_factors: How matmul templates divide threads over M,N,K, such as 7,4,2 for 56 threads.
cpp.inject_log1p_bug_TESTING_ONLY: Plants a bug in log1p on CPUs, to test the minifier.
cpp.inject_relu_bug_TESTING_ONLY: Plants a bug in relu on CPUs, to test the minifier.
cpp.march: CPU to compile for, as in -march=; an empty text leaves the option out.
    None compiles for the machine that compiles. The text becomes part of the compiler's command.
cpp.max_horizontal_fusion_size: How many kernels that do not depend on each other may share a loop.
cpp.min_chunk_size: Fewest elements that a thread gets.
cpp.no_redundant_loops: Leaves out loops that would run once or never.
cpp.simdlen: Width of vectors in bits: 256, 512; 0 or 1 for none, None for the best of the machine.
cpp.threads: Number of threads that kernels run on; -1 is that of torch.get_num_threads().
cpp.use_constexpr_for_int_array: Declares arrays of integers in C++ wrappers as constexpr; if False, as const.
cpp.use_decompose_tanh: Computes tanh from the exponential function, which is faster and less exact.
cpp.use_small_dequant_buffer: Unpacks int4 weights of a linear layer group by group, into a small buffer.
cpp.use_two_step_variance_threshold:
    Number of items from which a variance on the CPU is computed by Welford's algorithm.
    Shorter ones are computed as a mean first.
cpp.vec_isa_ok: Whether vector instructions work; None tries them out.
cpp.weight_prepack: Stores weights of linear layers in the order that suits the CPU; only with freezing.
    Faster, but may need much more memory.
disable_cpp_codegen: Runs operations on CPUs as eager mode does, instead of generating C++.
    Not together with cpp_wrapper.

[devices]: CUTLASS, ROCm, oneAPI and other libraries for one kind of device.
cuda.arch: Architecture that CUTLASS kernels are compiled for, such as 90; None is the GPU at hand.
    The text becomes part of the compiler's command.
cuda.version: CUDA version that CUTLASS kernels are compiled for, such as 12.1; None is torch's.
cuda.cuda_cxx: CUDA compiler (nvcc) that torch runs; None looks for one.
    It looks in CUDACXX, CUDA_HOME and the search path.
cuda.cutlass_dir: Folder of CUTLASS for NVIDIA GPUs; torch imports Python modules from it.
    The default is right only where torch was built from source.
cutlass.compile_opt_level: How far CUTLASS kernels are optimized when compiled.
cutlass.cutlass_backend_min_gemm_size:
    Smallest product of M, N and K from which on CUTLASS is considered for a matmul.
cutlass.cutlass_dir: Folder of CUTLASS, where a device has none of its own.
cutlass.cutlass_dynamic_cluster_fallback:
    Cluster shape to use where cutlass.cutlass_dynamic_cluster_shape is not possible.
cutlass.cutlass_dynamic_cluster_shape: Cluster shape for CUTLASS kernels that get it at run time.
cutlass.cutlass_enabled_ops: Operators that CUTLASS is a candidate for: all, or names separated by commas.
    Known are mm, int_mm, addmm, sparse_semi_structured_mm, bmm and scaled_mm. An empty text names none.
cutlass.cutlass_epilogue_fusion_enabled:
    Fuses pointwise operations into the CUTLASS matmul before them; needs epilogue_fusion.
    Only into kernels that use TMA.
cutlass.cutlass_hash_with_compile_cmd:
    Recompiles a CUTLASS kernel whenever the compiler's command line changes.
cutlass.cutlass_instantiation_level: How many CUTLASS configurations are generated, from 0 to 9999.
    The digits stand for schedules, cluster sizes, multiples of the instruction shape, and instruction shapes.
    Higher ones add configurations, and 9999 takes very long.
cutlass.cutlass_max_profiling_configs:
    How many CUTLASS configurations of any device max_autotune measures; None measures all.
    On Intel GPUs, torch 2.14 and later read xpu.cutlass_max_profiling_configs instead.
cutlass.cutlass_max_profiling_swizzle_options:
    Swizzles with which max_autotune measures each CUTLASS configuration.
    On Intel GPUs, torch 2.14 and later read xpu.cutlass_max_profiling_swizzle_options instead.
cutlass.cutlass_op_allowlist_regex:
    Measures only CUTLASS configurations of any device whose name matches this regular expression.
cutlass.cutlass_op_denylist_regex:
    Leaves out CUTLASS configurations of any device whose name matches this regular expression.
cutlass.cutlass_prescreening:
    Measures CUTLASS configurations with swizzle 2 first, and the other swizzles only for the fastest.
cutlass.cutlass_tma_only: Measures only CUTLASS configurations that use TMA.
cutlass.upload_to_binary_remote_cache: Stores compiled CUTLASS kernels in a remote cache; only inside Meta.
cutlass.use_binary_remote_cache: Looks for compiled CUTLASS kernels in a remote cache; only inside Meta.
cutlass.use_fast_math: Compiles CUTLASS kernels with less exact functions.
cutlass.binary_remote_cache_force_write: Stores CUTLASS kernels even where the remote cache has them already.
cutlass.enable_caching_codegen: Generates the source of equal CUTLASS templates once.
cutlass.enable_debug_info: Compiles CUTLASS kernels with debug information.
cutlass.generate_test_runner:
    Adds a main function to CUTLASS kernels, so that they can be compiled and run on their own.
cuda.cutlass_max_profiling_configs: How many CUTLASS configurations max_autotune measures; None measures all.
cuda.cutlass_op_allowlist_regex:
    Measures only CUTLASS configurations whose name matches this regular expression.
cuda.cutlass_op_denylist_regex:
    Does not measure CUTLASS configurations whose name matches this regular expression.
cuda.cutlass_backend_min_gemm_size:
    Smallest product of M, N and K for which CUTLASS is a candidate for a matmul.
cuda.compile_opt_level: How far nvcc optimizes CUTLASS kernels.
cuda.enable_cuda_lto: Compiles CUTLASS kernels with link-time optimization.
cuda.enable_ptxas_info:
    Makes nvcc report the registers and memory of CUTLASS kernels, and keep its intermediate files.
cuda.use_fast_math: Compiles CUTLASS kernels with -use_fast_math.
rocm.arch: Architectures to compile for, such as gfx90a; if empty, that of the machine.
    The texts become part of the compiler's command.
rocm.ck_dir: Folder of Composable Kernel, from which torch compiles.
rocm.rocm_home: Folder of ROCm, whose compiler torch runs; None is that of ROCM_HOME.
rocm.compile_opt_level: How far the compiler optimizes kernels of Composable Kernel.
rocm.n_max_profiling_configs:
    How many configurations of Composable Kernel max_autotune measures; None measures all.
    Instead: use inductor.rocm.ck_max_profiling_configs and inductor.rocm.ck_tile_max_profiling_configs
rocm.ck_max_profiling_configs: How many Composable Kernel configurations max_autotune measures.
rocm.ck_supported_arch: Architectures for which Composable Kernel is a candidate.
rocm.ck_tile_max_profiling_configs: How many CK-Tile configurations max_autotune measures.
rocm.contiguous_threshold:
    Ratio of K to M and N from which a matmul with its second input made contiguous is a candidate.
    AMD GPUs only, and neither ahead of time nor under cpp_wrapper.
rocm.flush_denormals: Compiles kernels of Composable Kernel to flush numbers close to zero to zero.
rocm.generate_test_runner: Also compiles each kernel of Composable Kernel as a program of its own, for tests.
rocm.is_debug: Compiles kernels of Composable Kernel with debug information.
rocm.kBatch_sweep: Numbers of parts along K to measure for matmuls of Composable Kernel; None computes one.
    Only where K is large enough for rocm.split_k_threshold.
rocm.origami: Lets the package rocm-origami choose which configurations of a matmul max_autotune measures.
    Saves compile time. Only with max_autotune_gemm_search_space="DEFAULT", and only if this flag and
    max_autotune are on when torch first loads its templates.
rocm.origami_topk: How many configurations of each matmul rocm.origami chooses.
rocm.print_kernel_resource_usage:
    Lets the compiler report the registers and the memory that each kernel of Composable Kernel uses.
rocm.save_temps: Keeps what the compiler makes on the way to each kernel of Composable Kernel.
rocm.split_k_threshold:
    Ratio of K to M and N from which matmuls of Composable Kernel may be divided along K.
rocm.use_fast_math: Compiles kernels of Composable Kernel with -ffast-math.
rocm.use_preselected_instances:
    Measures only a short list of Composable Kernel configurations; float16 matmuls with usual layouts only.
mtia.disable_welford_reduction: Computes variances in two steps, never by Welford's algorithm.
    Meant for Meta's MTIA, but it holds for all devices.
nvgemm_max_profiling_configs: How many configurations of NVIDIA Universal GEMM (NVGEMM) max_autotune measures.
    None measures all.
nvgemm_pdl: Which matmuls of NVGEMM with NVFP4 inputs let the next kernel start before they end.
    "0": none; "1": all that can; "auto": those of sizes for which it was found to be faster.
nvgemm_supplement_configs:
    Measures a few NVGEMM configurations in addition to those that NVIDIA's heuristics propose.
nvgemm_swap_ab: Also measures NVGEMM matmuls with swapped inputs, which suits few rows and many columns.
    For NVFP4 inputs of such sizes torch does so anyway.
xpu.arch: Xe architecture that SYCL kernels are compiled for.
    Instead: delete it: torch asks the GPU
xpu.compile_opt_level: Like cutlass.compile_opt_level, for Intel GPUs.
    Instead: delete it: torch compiles with -O3
xpu.cutlass_dir: Folder of CUTLASS for Intel GPUs; torch imports Python modules from it.
xpu.cutlass_max_profiling_configs:
    How many CUTLASS configurations max_autotune measures on Intel GPUs; None measures all.
    Instead: up to torch 2.13, set inductor.cutlass.cutlass_max_profiling_configs
xpu.cutlass_max_profiling_swizzle_options:
    Swizzles with which max_autotune measures each CUTLASS configuration on Intel GPUs.
    Instead: up to torch 2.13, set inductor.cutlass.cutlass_max_profiling_swizzle_options
xpu.oneapi_root: Folder of oneAPI, whose compiler torch runs; None looks for one.
xpu.cutlass_op_allowlist_regex: Like cuda.cutlass_op_allowlist_regex, for Intel GPUs.
xpu.cutlass_op_denylist_regex: Like cuda.cutlass_op_denylist_regex, for Intel GPUs.
xpu.use_fast_math: Like cutlass.use_fast_math, for Intel GPUs.
    Instead: delete it: nothing replaces it
xpu.version: Version of oneAPI that SYCL kernels are compiled for.
    Instead: delete it: torch takes the version it was built for
halide.asserts: Leaves Halide's own assertions in the kernels that it compiles.
halide.cpu_target: Target that Halide compiles for on CPUs.
halide.debug: Compiles Halide kernels for debugging.
halide.gpu_target: Target that Halide compiles for on GPUs.
halide.scan_kernels: Generates Halide kernels for scans, such as cumsum, instead of calling ATen.
halide.scheduler_cpu: Autoscheduler with which Halide compiles kernels for CPUs.
    Anderson2021 is for GPUs only.
halide.scheduler_cuda: Autoscheduler with which Halide compiles kernels for NVIDIA GPUs.
    Adams2019 and Mullapudi2016 are for CPUs only.

[compiling]: Backends, workers, wrappers, and operators that cannot be lowered.
always_keep_tensor_constants: Keeps constant tensors as constants of the graph, even small ones.
assert_indirect_indexing: Checks at run time that indexes taken from tensors are within bounds.
benchmark_harness: Adds code with which the output code can be run and measured on its own.
compile_threads: How many worker processes compile kernels; 0 and 1 compile in the process itself.
    Use 1 under a debugger. The default is the number of processors, at most 32.
compile_worker_mode: Whether kernels are compiled by processes or by threads.
    "thread" needs an interpreter without a GIL; "auto" chooses accordingly.
compile_worker_wait_timeout:
    Seconds to wait for a kernel that a worker process compiles, before raising; 0 sets no limit.
compile_worker_watchdog_interval_seconds:
    Seconds after which a kernel that is still being compiled is reported; 0 reports none.
    The reports are in the trace that tlparse shows.
compute_all_bounds: Also computes ranges for values that are not nodes of the graph, while code is generated.
cpp_cache_precompile_headers: Compiles common C++ headers once, to compile each kernel faster.
    They take more than 100 MB for each set of compiler options, in torchinductor_USER in the system's folder
    for temporary files, whatever TORCHINDUCTOR_CACHE_DIR says (torch 2.13.0, codecache.py).
cpp_wrapper: Generates C++ instead of Python for the code that launches kernels.
    Calls have less overhead, but compilation takes longer.
cpp_wrapper_build_separate: Compiles kernels and the code that launches them separately under cpp_wrapper.
cpu_backend: Code generator for CPUs; all but cpp are experimental.
cuda_backend: Code generator for NVIDIA and AMD GPUs; all but triton are experimental.
custom_should_partition_ops: Operators at which a graph is divided, such as aten::mm or aten::mm.default.
    The parts between them can run as CUDA graphs; see graph_partition.
do_not_emit_runtime_assertions: Leaves checks of sizes that depend on data out of the output code.
external_matmul: Functions that max_autotune measures as candidates for matmuls.
    Each takes two inputs and the tensor for the result.
fx_wrapper: Generates an FX graph instead of Python for the code that launches kernels.
graph_partition: Divides a graph at operations that cannot be in a CUDA graph, so that the rest can.
implicit_fallbacks: Calls ATen for operators that Inductor cannot lower; False makes them an error.
inductor_choices_class:
    Function that returns an InductorChoices, which decides in place of torch's heuristics.
    The object must have a uuid(), which becomes part of the cache key.
quiesce_async_compile_pool: Stops the worker processes after each compilation; they start again when needed.
    quiesce_async_compile_time says after how long.
quiesce_async_compile_time: Seconds without work after which quiesce_async_compile_pool stops the workers.
static_launch_user_defined_triton_kernels:
    Launches your own Triton kernels without Triton's launcher, as those of Inductor are.
torchinductor_worker_logpath: File that worker processes write to; only with worker_suppress_logging=False.
tpu_backend: Code generator for TPUs; there is only pallas.
triton_kernel_default_layout_constraint: Layouts that your own Triton kernels get their inputs in.
    "needs_fixed_stride_order" is that of eager mode; "flexible_layout" is any.
unbacked_symint_fallback: Size that tuning and estimates assume where a size depends on data.
use_fast_triton_launcher: Launches Triton kernels through a faster C++ function on NVIDIA and AMD GPUs.
    Only for kernels to which use_static_cuda_launcher applies.
use_launch_metadata_schema: Asks Triton for what C++ needs to launch a kernel, in a form that does not change.
    If False, or where Triton cannot say, torch takes it from Triton's internals.
use_static_cuda_launcher: Launches Triton kernels from C++, without Triton's launcher.
    Less overhead for each call.
use_static_triton_launcher: Another name of use_static_cuda_launcher.
strict_static_triton_launcher: Another name of strict_static_cuda_launcher.
strict_static_cuda_launcher: Raises where use_static_cuda_launcher cannot be honored.
worker_log_path: File that worker processes write to at Meta.
worker_start_method: How worker processes are started.
    "fork" copies the whole program and may hang once it has threads.
worker_suppress_logging: Discards the output of worker processes.
wrap_inductor_compiled_regions: Shows compiled graphs to a TorchDispatchMode as one operator each.
    Such as DebugMode, or selective activation checkpointing.
xpu_backend: Code generator for Intel GPUs; there is only triton.
fallback_embedding_bag_byte_unpack:
    Calls ATen for embedding_bag_byte_unpack, which unpacks quantized embeddings.
custom_op_default_layout_constraint:

[caching]: Caches of compiled graphs, kernels and measurements, on disk and remote.
_save_config_ignore: Flags that save_config leaves out, most of them because they cannot be pickled.
_cache_config_factory_keys:
    Flags whose function is called for the cache key: the key has the uuid() of what it returns.
_cache_config_ignore_prefix: Flags that are not part of the cache key, by how their names begin.
bundle_triton_into_fx_graph_cache: Stores compiled Triton kernels inside the entries of the FX graph cache.
    If False, an entry only refers to Triton's own cache. None leaves the decision to torch.
enable_caching_generated_triton_templates: Generates the source of equal Triton templates once per process.
force_disable_caches: Turns off every compile cache, whatever the flags of each say.
fx_graph_cache: Keeps compiled graphs on disk, for later processes.
    The folder is that of TORCHINDUCTOR_CACHE_DIR. Off by default in torch 2.4 and 2.5.
fx_graph_remote_cache: Shares compiled graphs through a remote cache, such as Redis.
    From torch 2.5 on, None leaves the decision to torch, which outside Meta means no.
global_cache_dir: Folder of matmul configurations that come with a program.
    Nothing outside Meta reads it.
non_blocking_remote_cache_write: Does not wait until the remote cache has stored an entry.
remote_gemm_autotune_cache: Asks a remote cache for the best matmul configuration, instead of measuring.
unsafe_marked_cacheable_functions:
    Functions that may be in cached graphs although torch cannot look into them.
    A dict from the full name to a text that becomes part of the cache key. Change the text whenever the
    function changes; otherwise stale code is loaded.
unsafe_skip_cache_dynamic_shape_guards: Loads cached graphs without checking that they suit the sizes at hand.
    A wrong graph may be loaded.
file_lock_timeout: Seconds to wait for another process that compiles the same code.
    It counts when Inductor is first used; later changes have no effect.
keep_static_cubin_raw:
    Stores the binaries of Triton kernels beside them in caches, so that other machines need not compile.
    Entries become larger.

[distributed]: Overlapping communication with computation, and merging collectives.
_collective.auto_select: Sums small tensors with a one-shot all_reduce; needs symmetric memory.
_collective.one_shot_all_reduce_threshold_bytes:
    Most bytes for which _collective.auto_select uses a one-shot all_reduce.
aten_distributed_optimizations.allow_comms_decompositions:
    Replaces collectives by local computation and lighter collectives with the same result.
    So far an all_gather of X that only serves to compute X.T @ X: an all_reduce of the local products does.
aten_distributed_optimizations.bucket_exposed_first:
    Merges those collectives first that computation hides least, instead of in the order of the graph.
    None does so only between machines.
aten_distributed_optimizations.bucket_mode: How overlap scheduling merges collectives; None is "default".
    "default": the copies are part of the graph, and Inductor compiles them; "custom_ops": they are hidden
    from it in custom operators; "custom_ops_multidtype": likewise, and tensors of different dtypes share a
    bucket; "coalesced": reduce_scatters run as one call without copies.
aten_distributed_optimizations.bucket_only_internode_comms: Merges only collectives between machines.
aten_distributed_optimizations.collective_bucketing:
    Merges collectives during overlap scheduling where computation still hides them.
    None does not.
aten_distributed_optimizations.collective_estimator: How overlap scheduling estimates the time of collectives.
    "analytical": from the bandwidth; "benchmark": by measuring. The flag deterministic implies "analytical".
aten_distributed_optimizations.compute_estimator:
    How overlap scheduling estimates the time of matmuls and other heavy operations.
    "analytical": from their sizes; "benchmark": by measuring. The flag deterministic implies "analytical".
aten_distributed_optimizations.compute_overlap_multipler:
    Factor by which computation counts as longer when collectives are hidden behind it.
    Greater values start more collectives beside it. None is 1.
aten_distributed_optimizations.custom_runtime_estimation:
    Function that estimates how long a node of the graph takes; None uses torch's estimates.
aten_distributed_optimizations.enable_fusion_regions:
    Leaves results that fusion saves from being stored out of estimates of time.
aten_distributed_optimizations.enable_low_contention_collectives:
    Uses all_gathers and reduce_scatters that copy without occupying the GPU's multiprocessors.
    Computation beside them is then not slowed down. Needs symmetric memory.
aten_distributed_optimizations.enable_overlap_scheduling:
    Reorders the graph so that collectives run beside computation.
aten_distributed_optimizations.enable_simple_overlap:
    Starts collectives earlier and waits for them later, where that takes no more memory.
    It keeps the order of collectives, and estimates nothing.
aten_distributed_optimizations.insert_overlap_deps:
    Adds dependencies to the graph that keep the order found by overlap scheduling.
    None adds them where Inductor compiles the graph.
aten_distributed_optimizations.log_final_collectives_estimations:
    Logs how long collectives are expected to take after overlap scheduling.
aten_distributed_optimizations.low_contention_all_gather_ce_multicast:
    Uses multicast for all_gathers of enable_low_contention_collectives, where the GPU supports it.
aten_distributed_optimizations.low_contention_min_bytes_per_rank:
    Bytes per rank from which enable_low_contention_collectives replaces a collective; 0 is all.
aten_distributed_optimizations.low_contention_skip_overlap_check:
    Also replaces collectives that no computation runs beside.
    Part of enable_low_contention_collectives.
aten_distributed_optimizations.max_coll_distance:
    How many collectives overlap scheduling considers at once, which limits compile time.
    None leaves it to torch.
aten_distributed_optimizations.max_compute_pre_fetch:
    How many matmuls or other heavy operations ahead of its use a collective may start.
    None leaves it to torch.
aten_distributed_optimizations.max_in_flight_gb:
    Gigabytes of collectives that may run at once; None leaves it to torch.
aten_distributed_optimizations.max_memory_increase_gb:
    Gigabytes by which overlap scheduling may raise peak memory; None leaves it to torch.
    The lower of this and max_memory_increase_ratio holds.
aten_distributed_optimizations.max_memory_increase_ratio:
    Share of peak memory by which overlap scheduling may raise it; None leaves it to torch.
    The lower of this and max_memory_increase_gb holds.
aten_distributed_optimizations.overlap_scheduling_autofix_cycles:
    Drops dependencies of overlap scheduling that form a cycle, instead of raising an error.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives:
    Merges collectives of FSDP before overlap scheduling, so that each uses the whole bandwidth.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives_bucket_cap_mb:
    Size in MB of the buckets of pre_bucketing_fsdp_collectives; None takes it from the bandwidth.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives_max_bucket_cap_mb:
    Largest size in MB that pre_bucketing_fsdp_collectives computes for its buckets.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives_min_bucket_cap_mb:
    Smallest size in MB that pre_bucketing_fsdp_collectives computes for its buckets.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives_saturation_calibration_multiplier:
    Factor on the size that pre_bucketing_fsdp_collectives computes for its buckets.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives_verbose:
    Logs the sizes of collectives and buckets of pre_bucketing_fsdp_collectives.
aten_distributed_optimizations.prioritize_bucketing_during_scheduling:
    Starts collectives that could share a bucket one after the other.
aten_distributed_optimizations.profile_guided_estimations_profile_path:
    Chrome trace from which the time of operations is taken.
aten_distributed_optimizations.spmd_check: Checks that all ranks have the same graph before it is reordered.
    Ranks with different graphs would wait for each other forever.
aten_distributed_optimizations.spmd_mismatch:
    Whether aten_distributed_optimizations.spmd_check warns of different graphs, or raises.
bucket_all_gathers_bucket_mode:
    How bucket_all_gathers_fx merges; see aten_distributed_optimizations.bucket_mode.
bucket_all_gathers_fx: Which all_gathers are merged: none, all, or only those of FSDP.
bucket_all_gathers_fx_bucket_size_determinator:
    Function that says how large a bucket of bucket_all_gathers_fx becomes.
    By default torch decides how large a bucket becomes. The function takes its number, and returns MB.
bucket_all_reduces_fx: Which all_reduces are merged: none or all.
bucket_all_reduces_fx_bucket_size_determinator:
    Function that says how large a bucket of bucket_all_reduces_fx becomes.
    By default torch decides how large a bucket becomes. The function takes its number, and returns MB.
bucket_reduce_scatters_bucket_mode:
    How bucket_reduce_scatters_fx merges; see aten_distributed_optimizations.bucket_mode.
bucket_reduce_scatters_fx: Which reduce_scatters are merged: none or all.
bucket_reduce_scatters_fx_bucket_size_determinator:
    Function that says how large a bucket of bucket_reduce_scatters_fx becomes.
    By default torch decides how large a bucket becomes. The function takes its number, and returns MB.
collective_benchmark_nruns: How often a collective runs when its time is measured.
collective_benchmark_timeout:
    Seconds after which the measurement of a collective is given up; that candidate is then not used.
estimate_op_runtime: Function that estimates how long an operation takes; default is torch's own.
inter_node_bw: Bandwidth between machines in GB/s, for estimates; None asks the GPU.
intra_node_bw: Bandwidth between GPUs of a machine in GB/s, for estimates; None asks the GPU.
reorder_for_compute_comm_overlap: Moves collectives so that they run beside computation.
    reorder_for_compute_comm_overlap_passes says how.
reorder_for_compute_comm_overlap_passes:
    Passes that reorder_for_compute_comm_overlap runs, in that order: names, or functions.
    A function takes the schedule, and returns it in another order.
reorder_prefetch_limit: Most positions by which a collective may move; None sets no limit.
runtime_estimations_mms_benchmark: Measures matmuls for estimates instead of computing them from their sizes.
test_configs.assume_bucketing_reduces_latency:
    Plans overlap as if a collective were merged with a matching one in flight; for tests.
cpu_gpu_bw: Bandwidth between CPU and GPU in GB/s, for estimates.
_fuse_ddp_bucket_size: Size of a bucket of gradients in MB; set by DistributedDataParallel.
_fuse_ddp_communication: Merges the all_reduces of gradients; set by DistributedDataParallel.
_fuse_ddp_communication_passes: Passes that merge the all_reduces of gradients, in order.
_micro_pipeline_tp: Overlaps the collectives of tensor parallelism with the matmuls beside them.
    Needs symmetric memory (torch.distributed._symmetric_memory).
decompose_shard_dim_alltoall:
    Lets Inductor compile the steps by which a DTensor is sharded along another dimension.
    It becomes an all_to_all and changes of layout. Experimental.
dedup_reduce_scatters: Adds the inputs of reduce_scatters whose results are summed, and runs a single one.
env_str:
reorder_iterative_debug_limit_to_reorder:
reorder_iterative_debug_memory_recompute:
sink_waits_iterative_debug_limit_to_sink:

[aot_inductor]: Ahead-of-time compilation.
aot_inductor.allow_stack_allocation: Keeps small intermediate results on the stack.
aot_inductor.aoti_shim_library: Libraries that a Windows model is linked with in place of torch's.
aot_inductor.aoti_shim_library_path: Folder of aot_inductor.aoti_shim_library.
aot_inductor.autotune_offload_constants_min_device_fraction:
    Share of GPU memory from which on constants go to the disk during autotuning.
    1.0 keeps them on the GPU. It saves memory, at the cost of reading them back.
aot_inductor.autotune_per_kernel_alloc:
    Allocates tensors for each kernel anew while it is tuned, which takes less memory at once.
    Otherwise kernels share tensors, which is faster.
aot_inductor.check_lowerbound:
    Checks at run time that dynamic sizes are not below those that were compiled for.
    Turn it off for models that are compiled for sizes of 2 and more but also work with 0 or 1.
aot_inductor.check_upperbound:
    Checks at run time that dynamic sizes are not above those that were compiled for.
    The bound comes from the example inputs, and may be lower than the model allows.
aot_inductor.compile_standalone: Compiles a model that does not need torch.
aot_inductor.compile_wrapper_opt_level: How far the compiler optimizes the code that launches kernels.
aot_inductor.compile_wrapper_with_O0: Does not optimize the code that launches kernels.
    Instead: set inductor.aot_inductor.compile_wrapper_opt_level="O0"
aot_inductor.cross_target_platform: Platform other than this one that the model is compiled for; only windows.
    Needs the MinGW compiler and, for CUDA, the variable WINDOWS_CUDA_HOME.
aot_inductor.custom_op_libs: Libraries with custom operators that the model is linked with.
aot_inductor.custom_ops_to_c_shims:
    C declarations for custom operators, by operator, which the model then calls directly.
    The text becomes part of the generated code.
aot_inductor.debug_compile: Compiles the model without optimization and with debug information.
aot_inductor.debug_dump_consts_bin: Writes the weights to a file of their own, for debugging.
    Instead: delete it: nothing replaces it
aot_inductor.debug_intermediate_value_printer:
    How intermediate results are reported: 0 not, 1 saved, 2 printed, 3 kernel names only.
aot_inductor.debug_symbols: Compiles the model with debug information.
aot_inductor.dump_aoti_minifier:
    Writes a script that reduces the program when ahead-of-time compilation fails.
    aot_inductor.repro_level says when.
aot_inductor.dynamic_linkage: Makes a shared library of C++ that is packaged; if False, a static one.
    Only with aot_inductor.package_cpp_only.
aot_inductor.embed_kernel_binary:
    Puts compiled GPU kernels into the library of the model; None leaves it to torch.
aot_inductor.emit_multi_arch_kernel: Compiles GPU kernels for several architectures; None leaves it to torch.
aot_inductor.enable_frame_pointer: Keeps frame pointers in the model, for profilers that sample stacks.
aot_inductor.enable_line_tables:
    Adds line numbers to the model, for profilers, without other debug information.
aot_inductor.enable_lto: Optimizes the model while it is linked.
aot_inductor.filtered_kernel_names:
    Kernels that aot_inductor.debug_intermediate_value_printer prints, separated by commas.
aot_inductor.force_mmap_weights:
    Appends weights to the library and maps them into memory, for models over 2 GB.
aot_inductor.link_libtorch: Links the model with the libraries of torch.
aot_inductor.metadata: Texts by name that are stored with the model.
aot_inductor.model_name_for_generated_files: Name of the generated files; letters, digits and underscores.
    None names them after a hash.
aot_inductor.output_path: Where the compiled model is written; empty is a new folder in the cache.
    A relative path is below the cache; a name that ends in .so names the library.
aot_inductor.package: Writes one archive (.pt2) with everything that the model needs.
aot_inductor.package_constants_in_so: Puts weights into the library of the model.
aot_inductor.package_constants_on_disk: Stores weights as files of their own.
    Instead: use inductor.aot_inductor.package_constants_on_disk_format
aot_inductor.package_constants_on_disk_format: How weights are stored as files of their own; None does not.
    "pickle_weights": one pickle each, for Python; "binary_blob": one file.
aot_inductor.package_cpp_only: Packs generated sources with a CMakeLists.txt instead of a compiled library.
aot_inductor.precompile_headers: Compiles the headers that models have in common only once.
aot_inductor.presets: Values that torch passes on to the code generator.
aot_inductor.raise_error_on_ignored_optimization:
    Fails if generated C++ is too long for the compiler to optimize; only inside Meta.
aot_inductor.repro_level: When aot_inductor.dump_aoti_minifier writes a script.
    1: the graph if compilation fails; 2: a minifier if it fails; 3: always; 4: if results are wrong.
aot_inductor.serialized_in_spec: How inputs are nested; filled in by torch.
    The text becomes part of the generated code.
aot_inductor.serialized_out_spec: How outputs are nested; filled in by torch.
    The text becomes part of the generated code.
aot_inductor.use_consts_asm_build: Puts weights into the model as assembly code; if False, as C++.
aot_inductor.use_minimal_arrayref_interface:
    Adds an interface to the model that takes plain arrays, with less overhead.
aot_inductor.use_runtime_constant_folding:
    Computes values that depend only on weights when the model is loaded, in a separate graph.
aot_inductor.weight_use_caching_allocator: Allocates weights on CUDA with torch's caching allocator.
test_configs.use_libtorch: Lets models of aot_inductor_mode.compile_standalone use libtorch; for tests.
aot_inductor_mode.compile_standalone:
    Compiles a model that does not need libtorch, by setting several flags of aot_inductor.
enable_autograd_for_aot: Compiles ahead of time with autograd, as in just-in-time compilation; set by torch.

[debug]: Assertions in the output code, logs and profiles.
_raise_error_for_testing: Makes every compilation fail, for tests.
_profile_var: Text of TORCHINDUCTOR_PROFILE, from which profile_bandwidth and profile_bandwidth_regex are set.
alignment_asserts: Checks at run time that operators return memory that is aligned as expected.
alignment_asserts_inputs:
    Checks at run time that inputs are aligned as expected, instead of copying those that are not.
annotate_training: Marks forward, backward and optimizer for the profiler of NVIDIA (NVTX).
benchmark_kernel: Adds code to each Triton kernel with which it can be run and measured on its own.
comment_origin: Notes in comments of the output code where each line comes from.
    The comments keep graphs from being found in the cache.
debug: Prints the steps of the scheduler, and adds information to the output code.
debug_fusion: Notes in comments of the output code which nodes each kernel fuses.
debug_index_asserts: Also checks indexes at run time that torch itself generated.
debug_ir_traceback: Records where in Inductor each node was made, for error messages.
developer_warnings: Shows warnings that are meant for developers of torch.
disable_progress: Shows no progress bar while kernels compile.
verbose_progress: Names the item being compiled in the progress bar; needs disable_progress=False.
enabled_metric_tables: Names of tables of facts about kernels, written as CSV files to the working directory.
generate_intermediate_hooks: Calls torch._inductor.hooks with each intermediate result that the graph knows.
nan_asserts: Checks at run time that inputs and results contain no NaN and no infinity.
reorder_for_peak_memory_debug:
    Logs the graph that reorder_for_peak_memory starts from as JSON, for TORCH_TRACE.
size_asserts: Checks at run time that inputs have the sizes and strides that code was compiled for.
    Turning it off saves a little time per call; a wrong input is then undefined behavior.
scalar_asserts: Checks assumptions about data-dependent sizes at run time.
unsafe_skip_scalar_range_asserts: Leaves out those of scalar_asserts that compare a size with a constant.
    Among them are hand-written calls of torch._check.
runtime_triton_nan_asserts: Checks for NaN inside Triton kernels.
profile_bandwidth: Measures the memory bandwidth of each kernel, and prints it.
profile_bandwidth_output: File that the results of profile_bandwidth are written to.
profile_bandwidth_regex: Kernels that profile_bandwidth measures, as a regular expression; empty for all.
profile_bandwidth_with_do_bench_using_profiling:
    Measures with the profiler under profile_bandwidth, without the cost on the CPU.
profiler_mark_wrapper_call: Shows each compiled graph in the profiler of torch.
save_args: Saves the arguments of compile_fx to a temporary file, so that the call can be repeated.
sleep_sec_TESTING_ONLY: Sleeps this many seconds while compiling, for tests.
test_configs.bisect_keep_custom_backend_for_inductor:
    Lets torch's bisector keep a backend that is a function, where it would test "inductor"; for tests.
test_configs.bisect_pre_grad_graph:
    Lets torch's bisector also look among the graphs before differentiation; for tests.
test_configs.runtime_triton_dtype_assert: Asserts the dtype of each variable in Triton kernels; for tests.
test_configs.runtime_triton_shape_assert: Asserts the shape of each variable in Triton kernels; for tests.
test_configs.static_cpp_dtype_assert: Asserts the dtype of each variable in kernels for CPUs; for tests.
test_configs.track_memory_lifecycle:
    Compares when intermediate results are allocated and freed with the plan; for tests.
    "log" logs differences, "assert" raises. It does nothing under cpp_wrapper.
triton.debug_dump_kernel_inputs: The last number given to stored inputs of each kernel; kept by torch.
    It counts only with the variable TORCHINDUCTOR_DUMP_LAUNCH_TENSORS=1.
triton.max_kernel_dump_occurrences: For how many of its last runs the inputs of each kernel are kept on disk.
    It counts only with the variable TORCHINDUCTOR_DUMP_LAUNCH_TENSORS=1.
log_tlparse: Logs an estimate of the time of each operation for tlparse.
check_stack_no_cycles_TESTING_ONLY: Fails if a line is on the stack twice while code is generated, for tests.
is_nightly_or_source:
    Whether torch is a nightly build, or built from source; the default of developer_warnings.
    Instead: set inductor.developer_warnings

[trace]: A folder with the results of each step of a compilation.
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
    Instead: set inductor.trace.provenance_tracking_level=1

[gone]: Flags that newer releases do not have, and their replacements.
_debug_cpu_to_tpu_pallas: Generates Pallas kernels for TPUs from tensors on the CPU, for debugging.
    Instead: delete it: nothing replaces it
abi_compatible: Generates C++ that calls torch through a stable C interface.
    Instead: delete it: generated C++ always does
allow_stack_allocation: Keeps small intermediate results of ahead-of-time compiled code on the stack.
always_complex_memory_overlap_TESTING_ONLY:
    Has the check for overlapping memory find overlaps everywhere, for torch's own tests.
    Instead: delete it: nothing replaces it
autoheuristic_collect: Operations for which data on autotuning is collected, separated by commas.
    Instead: set inductor.autoheuristic_collect.pad_mm
autoheuristic_collect.mixed_mm: Collects data on autotuning for products of matrices of different dtypes.
    Instead: delete it: there are no such products any more
autoheuristic_use: Operations for which a learned heuristic decides, separated by commas.
    Instead: set inductor.autoheuristic_use.pad_mm
autoheuristic_use.mixed_mm:
    Lets a learned heuristic decide about products of matrices of different dtypes.
    Instead: delete it: there are no such products any more
bfloat16_atomic_adds_enabled: Lets Triton kernels add bfloat16 values atomically, in builds that can.
    Instead: delete it: nothing replaces it
c_shim_version: Version of the C interface that generated C++ calls torch through.
    Instead: delete it: there is one version
cuda.cutlass_presets: Preset groups of CUTLASS configurations to autotune, as numbers separated by commas.
    Instead: delete it: nothing replaces it
cuda.nvgemm_max_profiling_configs: How many NVGEMM configurations max_autotune measures; None measures all.
    Instead: use inductor.nvgemm_max_profiling_configs
disable_decompose_k: Does not divide matmuls along K.
    Instead: set inductor.triton.num_decompose_k_splits=0
force_mixed_mm: Uses a kernel for matmuls of two dtypes wherever possible.
    Instead: delete it: torch decides by itself
force_same_precision: Uses no precision for a matmul that its inputs would not have in eager mode.
    Instead: delete it: nothing replaces it
max_epilogue_benchmarked_choices: How many of the fastest templates are measured with fused epilogues.
pallas_take_first_jax_device_only:
    Runs Pallas kernels on the first of JAX's devices, whatever device torch uses.
    Instead: delete it: nothing replaces it
partitioned_scatter_memory_budget: Share of the free memory that partitioning a contended scatter may take.
    Instead: delete it: nothing replaces it
triton.enable_epilogue_subtiling: Divides the epilogue of a matmul template into smaller tiles.
    Instead: delete it: templates decide by themselves
triton.enable_tlx_templates: Measures templates in Triton's TLX as candidates.
    Instead: set inductor.triton.tlx_mode="allow" (torch 2.14)
use_minimal_arrayref_interface: Adds an interface to ahead-of-time compiled models that takes plain arrays.
"""

_OWN_TEXTS = dict(texts_of(DESCRIPTIONS))
DESCRIPTIONS += "\n[devices]: The flags that these have from CUTLASS.\n" + "".join(
    f"{name}: Like {like}, for {'NVIDIA' if name.startswith('cuda.') else 'Intel'} GPUs.\n"
    for name, like in INHERITED.items()
    if name not in _OWN_TEXTS
)

REMOVED = described_removals("triton.convolution (2.3): list backends in max_autotune_conv_backends")
"""Flags that the module lost before torch 2.4 and that scripts still set."""
