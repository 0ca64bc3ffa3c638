"""Fusion: which operations share a kernel, and in which order loops run."""

from dynconf.flags.described import Described
from dynconf.flags.types import Float, Int, OrNone

FLAGS = (
    Described(
        name="aggressive_fusion",
        summary="Also fuses pointwise kernels that read nothing in common.",
        details="Fewer kernels; not always faster.",
    ),
    Described(
        name="combo_kernels",
        summary="Combines kernels that do not depend on each other into one launch.",
        details="Experimental. It pays for many small kernels, such as those of optimizers.",
    ),
    Described(
        name="combo_kernel_allow_mixed_sizes",
        type=Int(0, 2),
        summary="Whether kernels of unlike sizes may be combined: 0 no, 1 but for foreach, 2 yes.",
    ),
    Described(
        name="combo_kernel_foreach_dynamic_shapes",
        summary="Combines foreach kernels whose sizes vary as well.",
    ),
    Described(
        name="combo_kernels_autotune",
        type=Int(0, 2),
        summary="Whether combined kernels are autotuned: 0 no, 1 but for foreach, 2 yes.",
    ),
    Described(
        name="epilogue_fusion",
        summary="Fuses pointwise operations after a matmul into its template; needs max_autotune.",
    ),
    Described(
        name="epilogue_fusion_first",
        summary="Fuses epilogues of templates before anything else.",
    ),
    Described(
        name="expand_dimension_for_pointwise_nodes",
        summary="Gives a smaller pointwise kernel another dimension if it can then be fused.",
    ),
    Described(
        name="loop_index_inversion_in_fusion",
        summary="Rewrites how a result is written if its reader can then be fused with it.",
    ),
    Described(
        name="loop_ordering_after_fusion",
        summary="Chooses the order of loops while kernels are fused, so that more of them fit together.",
    ),
    Described(
        name="max_fusion_buffer_group_pairwise_attempts",
        type=Int(0),
        summary="How many neighbours each kernel is compared with among those that share a buffer.",
        details="A limit on compile time.",
    ),
    Described(
        name="max_fusion_size",
        type=Int(1),
        summary="How many nodes of the graph one fused kernel may hold.",
    ),
    Described(
        name="max_fusion_unique_io_buffers",
        type=OrNone(Int(0)),
        summary="How many buffers a fused kernel may read and write; None sets no limit.",
    ),
    Described(
        name="max_pointwise_cat_inputs",
        type=Int(0),
        summary="Up to how many inputs torch.cat becomes one pointwise kernel.",
    ),
    Described(
        name="force_pointwise_cat",
        summary="Makes torch.cat a pointwise kernel, however many inputs it has.",
    ),
    Described(
        name="pick_loop_orders",
        summary="Orders loops after the strides of what they read.",
    ),
    Described(
        name="prologue_fusion",
        summary="Fuses pointwise operations before a matmul into its template; needs max_autotune.",
    ),
    Described(
        name="realize_acc_reads_threshold",
        type=OrNone(Int(0)),
        summary="Stores an intermediate result once computing it would read this many buffers.",
        details=(
            "Results that are not stored are computed anew by each reader. From torch 2.13 on, None means "
            "the default of the device."
        ),
    ),
    Described(
        name="realize_opcount_threshold",
        type=OrNone(Int(0)),
        summary="Stores an intermediate result once computing it takes this many operations.",
        details="From torch 2.13 on, None means the default of the device.",
    ),
    Described(
        name="realize_reads_threshold",
        type=Int(0),
        summary="Stores an intermediate result with several readers once it reads this many buffers itself.",
    ),
    Described(
        name="score_fusion_memory_threshold",
        type=Int(0),
        summary="Does not fuse two kernels if that saves fewer bytes of memory traffic than this.",
    ),
    Described(
        name="split_reductions",
        summary="Divides a reduction with few results among several kernels.",
        details="triton.cooperative_reductions does the same within one kernel, and overrides it.",
    ),
    Described(
        name="min_num_split",
        type=Int(0),
        summary="Into at least how many parts split_reductions divides a reduction of varying size.",
    ),
    Described(
        name="unroll_reductions_threshold",
        type=Int(1),
        summary="Writes out reductions over fewer elements than this without a loop; 1 writes out none.",
    ),
    Described(
        name="online_softmax",
        summary="Computes maximum and sum of a softmax in one pass over its input.",
    ),
    Described(
        name="dynamic_scale_rblock",
        summary="Makes the blocks of a reduction smaller where registers would limit how many run at once.",
    ),
    Described(
        name="min_overlap_ratio",
        type=Float(0),
        summary="How much of their common input two kernels must both read to be fused; above 1 is never.",
    ),
)
