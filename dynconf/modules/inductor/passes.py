"""Passes over the graph before code is generated: patterns, fusions by hand, freezing, custom passes."""

from dynconf.flags.described import Described
from dynconf.flags.flag import by_release
from dynconf.flags.types import OrNone, Reference

_PASS = OrNone(Reference("callable"))
_CUSTOM = (
    "Takes the graph and changes it in place. Give it a uuid() by deriving it from CustomGraphPass; without "
    "one, graphs are not cached."
)

FLAGS = (
    Described(
        name="add_pre_grad_passes",
        summary="Names of more passes to run before the graph is differentiated, separated by commas.",
    ),
    Described(
        name="b2b_gemm_pass",
        summary="Fuses two matmuls in a row into one Triton kernel where the first result is small.",
    ),
    Described(
        name="batch_fusion",
        summary="Batches matmuls and layers of the same shape.",
        status=by_release("deprecated", v2_13="no-op"),
        instead="list the fusions in pre_grad_fusion_options and post_grad_fusion_options",
    ),
    Described(
        name="constant_and_index_propagation",
        summary="Folds constants and index expressions while the graph is lowered.",
    ),
    Described(
        name="conv_1x1_as_mm",
        summary="Computes convolutions of size 1 as matmuls.",
        details="max_autotune does so by itself where memory is in channels-last order.",
    ),
    Described(
        name="custom_partitioner_fn",
        summary="Function that divides the joint graph into forward and backward, instead of torch's own.",
        details="It must be a CustomPartitionerFn with a uuid(), which becomes part of the cache key.",
        reach=("runs a program",),
    ),
    Described(
        name="dce",
        summary="Removes nodes whose results nobody uses, after the passes on the forward or backward graph.",
        details="Off because it can remove changes of inputs in inference.",
    ),
    Described(
        name="decompose_mem_bound_mm",
        summary="Writes matmuls that are limited by memory as products and sums, which can be fused.",
        status=by_release("active", v2_13="no-op"),
        details='In newer releases this is the pass "decompose_mm_pass".',
        instead="list the pass in post_grad_fusion_options",
    ),
    Described(
        name="disabled_passes",
        summary="Names of passes to skip, in capitals and separated by commas.",
        details="For finding the pass that breaks a program.",
    ),
    Described(
        name="efficient_conv_bn_eval_fx_passes",
        summary="Fuses a convolution with the batch normalization in eval mode that follows it.",
        details="Slightly less precise.",
    ),
    Described(
        name="enable_auto_functionalized_v2",
        summary="Lets custom operators that change views of one tensor do so without copies.",
    ),
    Described(
        name="enable_linear_binary_folding",
        summary="Folds additions and multiplications by constants into the linear layer before them.",
        details="Only with freezing.",
    ),
    Described(
        name="fallback_by_default",
        summary="Runs every operator as eager mode does, but for regions marked for compilation.",
        details="The mode lite sets it.",
    ),
    Described(
        name="force_fuse_int_mm_with_mul",
        summary="Fuses an int8 matmul with the multiplication after it, so that no int32 result is stored.",
        details="For quantized models. Fusing with other operations may be lost for it.",
    ),
    Described(
        name="freezing",
        summary="Takes parameters as constants and computes ahead what depends on them only.",
        details="For inference under torch.no_grad(): later changes of the weights have no effect.",
    ),
    Described(
        name="freezing_discard_parameters",
        summary="Frees the parameters of the module once freezing has taken them over.",
        details="Saves memory; the eager module can no longer be used.",
    ),
    Described(
        name="fx_passes_numeric_check",
        summary="Compares results before and after the passes, as this dict says.",
        details='Keys: "pre_grad" (whether to check), "precision", "num_iterations", "requires_optimizer".',
    ),
    Described(
        name="group_fusion",
        summary="Runs matmuls of unlike shapes in groups.",
        status=by_release("deprecated", v2_13="no-op"),
        instead="list the fusions in pre_grad_fusion_options and post_grad_fusion_options",
    ),
    Described(
        name="is_predispatch",
        summary="Makes the passes expect the graph of torch.export before dispatch.",
    ),
    Described(
        name="joint_custom_post_pass",
        summary="Function that is called with the joint graph after torch's own passes.",
        details=_CUSTOM,
        reach=("runs a program",),
    ),
    Described(
        name="joint_custom_pre_pass",
        summary="Function that is called with the joint graph before torch's own passes.",
        details=_CUSTOM,
        reach=("runs a program",),
    ),
    Described(
        name="joint_graph_constant_folding",
        summary="Replaces parts of the joint graph that are constant by their value.",
    ),
    Described(
        name="keep_addmm_fused_for_half_dtypes",
        summary="Keeps addmm in one piece for float16 and bfloat16, which rounds once less.",
    ),
    Described(
        name="mixed_mm_choice",
        summary="How a matmul of two dtypes is computed.",
        status=by_release("active", v2_8="no-op"),
        instead="delete it: torch decides by itself",
    ),
    Described(
        name="optimize_scatter_upon_const_tensor",
        summary="Makes a scatter of one element per row into a constant tensor a pointwise kernel.",
    ),
    Described(
        name="pattern_matcher",
        summary="Runs the passes that find patterns in the graph and replace them by faster operators.",
    ),
    Described(
        name="permute_fusion",
        summary="Fuses permutations with the linear layer or matmul that they feed or follow.",
    ),
    Described(
        name="post_grad_custom_post_pass",
        summary="Function that is called with each forward and backward graph after torch's own passes.",
        details=_CUSTOM,
        reach=("runs a program",),
    ),
    Described(
        name="post_grad_custom_pre_pass",
        summary="Function that is called with each forward and backward graph before torch's own passes.",
        details=_CUSTOM,
        reach=("runs a program",),
    ),
    Described(
        name="post_grad_fusion_options",
        summary=(
            "Batch fusions and other passes to run on each forward and backward graph, with their options."
        ),
        details="A dict by name of the pass; an empty one runs none. The order counts.",
    ),
    Described(
        name="pre_grad_custom_pass",
        summary="Function that is called with the graph before it is differentiated.",
        details=(
            "That graph is not functional yet, and its form is not stable; prefer post_grad_custom_pre_pass."
        ),
        reach=("runs a program",),
    ),
    Described(
        name="pre_grad_fusion_options",
        summary="Batch fusions and split or cat passes to run before differentiation, with their options.",
        details=(
            "A dict by name of the pass, such as batch_linear or normalization_pass; an empty one runs none."
        ),
    ),
    Described(
        name="remove_pre_grad_passes",
        summary="Names of passes not to run before the graph is differentiated, separated by commas.",
    ),
    Described(
        name="reorder_for_locality",
        summary="Moves each operation next to what uses its result, in inference.",
    ),
    Described(
        name="selective_decompose",
        summary="Decomposes only operators in regions marked for compilation.",
        details="The mode lite sets it, with the flag of that name in functorch.",
    ),
    Described(
        name="split_cat_fx_passes",
        summary="Simplifies splits and concatenations that cancel out.",
        status=by_release("deprecated", v2_13="no-op"),
        instead="list the passes in pre_grad_fusion_options",
    ),
    Described(
        name="use_dce",
        summary="Removes nodes whose results nobody uses while the graph is scheduled.",
    ),
    Described(
        name="use_joint_graph_passes",
        summary="Runs the passes on the joint graph of forward and backward.",
    ),
    Described(
        name="use_mixed_mm",
        summary="Uses a kernel for matmuls of two dtypes.",
        status=by_release("active", v2_8="no-op"),
        instead="delete it: torch decides by itself",
    ),
    Described(
        name="use_post_grad_passes",
        summary="Runs the passes on each forward and backward graph.",
    ),
    Described(
        name="use_pre_grad_passes",
        summary="Runs the passes on the graph before it is differentiated.",
    ),
    Described(
        name="_post_fusion_custom_pass",
        summary="Function that is called with the schedule after fusion.",
        details="The form of the schedule is not stable.",
        reach=("runs a program",),
    ),
    Described(
        name="_pre_fusion_custom_pass",
        summary="Function that is called with the schedule before fusion.",
        details="The form of the schedule is not stable.",
        reach=("runs a program",),
    ),
)
