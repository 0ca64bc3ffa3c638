"""Passes over the graph before code is generated: patterns, fusions by hand, freezing, custom passes."""

_CUSTOM = (
    "Takes the graph and changes it in place. Give it a uuid() by deriving it from CustomGraphPass; without "
    "one, graphs are not cached."
)

DESCRIPTIONS = f"""
_partitioned_scatter_default: Default of partitioned_scatter_enabled, as "0" or "1".
add_pre_grad_passes: Names of more passes to run before the graph is differentiated, separated by commas.
b2b_gemm_pass: Fuses two matmuls in a row into one Triton kernel where the first result is small.
batch_fusion: Batches matmuls and layers of the same shape.
    Instead: list the fusions in pre_grad_fusion_options and post_grad_fusion_options
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
    Instead: list the pass in post_grad_fusion_options
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
    Instead: list the fusions in pre_grad_fusion_options and post_grad_fusion_options
is_predispatch: Makes the passes expect the graph of torch.export before dispatch.
joint_custom_post_pass: Function that is called with the joint graph after torch's own passes.
    {_CUSTOM}
joint_custom_pre_pass: Function that is called with the joint graph before torch's own passes.
    {_CUSTOM}
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
    {_CUSTOM}
post_grad_custom_pre_pass:
    Function that is called with each forward and backward graph before torch's own passes.
    {_CUSTOM}
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
    Instead: list the passes in pre_grad_fusion_options
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
"""
