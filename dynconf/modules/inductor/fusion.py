"""Fusion: which operations share a kernel, and in which order loops run."""

from dynconf.flags.described import Described
from dynconf.flags.types import Float, Int, OrNone

FLAGS = {
    "aggressive_fusion": "Also fuses pointwise kernels that read nothing in common; not always faster.",
    "combo_kernels": Described(
        "Combines kernels that do not depend on each other into one launch.",
        details="Experimental. It pays off for many small kernels, such as those of optimizers.",
    ),
    "combo_kernel_allow_mixed_sizes": Described(
        "Whether kernels of different sizes may be combined: 0 never, 1 except foreach, 2 always.",
        type=Int(0, 2),
    ),
    "combo_kernel_foreach_dynamic_shapes": "Combines foreach kernels whose sizes vary as well.",
    "combo_kernels_autotune": Described(
        "Whether combined kernels are autotuned: 0 never, 1 except foreach, 2 always.",
        type=Int(0, 2),
    ),
    "epilogue_fusion": "Fuses pointwise operations after a matmul into its template; needs max_autotune.",
    "epilogue_fusion_first": "Fuses epilogues of templates before anything else.",
    "expand_dimension_for_pointwise_nodes": "Adds a dimension to a pointwise kernel if it can then be fused.",
    "loop_index_inversion_in_fusion": "Rewrites how a result is written if its reader can then be fused.",
    "loop_ordering_after_fusion": "Orders loops while kernels are fused, so that more of them fit together.",
    "max_fusion_buffer_group_pairwise_attempts": Described(
        "How many neighbors each kernel is compared with, among those that share a buffer.",
        type=Int(0),
        details="A limit on compile time.",
    ),
    "max_fusion_size": Described("How many nodes of the graph one fused kernel may hold.", type=Int(1)),
    "max_fusion_unique_io_buffers": Described(
        "How many buffers a fused kernel may read and write; None sets no limit.",
        type=OrNone(Int(0)),
    ),
    "max_pointwise_cat_inputs": Described(
        "Most inputs with which torch.cat becomes one pointwise kernel.",
        type=Int(0),
    ),
    "force_pointwise_cat": "Makes torch.cat a pointwise kernel, however many inputs it has.",
    "pick_loop_orders": "Orders loops by the strides of the tensors that they read.",
    "prologue_fusion": "Fuses pointwise operations before a matmul into its template; needs max_autotune.",
    "realize_acc_reads_threshold": Described(
        "Stores an intermediate result once computing it would read this many buffers.",
        type=OrNone(Int(0)),
        details="Results that are not stored are computed anew by each reader. From torch 2.13 on, None "
        "means the default of the device.",
    ),
    "realize_opcount_threshold": Described(
        "Stores an intermediate result once computing it takes this many operations.",
        type=OrNone(Int(0)),
        details="From torch 2.13 on, None means the default of the device.",
    ),
    "realize_reads_threshold": Described(
        "Stores an intermediate result with several readers once it reads this many buffers itself.",
        type=Int(0),
    ),
    "score_fusion_memory_threshold": Described(
        "Does not fuse two kernels if that saves fewer bytes of memory traffic than this.",
        type=Int(0),
    ),
    "split_reductions": Described(
        "Divides a reduction with few results among several kernels.",
        details="triton.cooperative_reductions does the same within one kernel, and overrides it.",
    ),
    "min_num_split": Described(
        "Fewest parts into which split_reductions divides a reduction of varying size.",
        type=Int(0),
    ),
    "unroll_reductions_threshold": Described(
        "Unrolls reductions over fewer elements than this; 1 unrolls none.",
        type=Int(1),
    ),
    "online_softmax": "Computes maximum and sum of a softmax in one pass over its input.",
    "dynamic_scale_rblock": "Makes blocks of reductions smaller where registers limit how many run at once.",
    "min_overlap_ratio": Described(
        "How much of their common input two kernels must both read to be fused; above 1 fuses none.",
        type=Float(0),
    ),
}
