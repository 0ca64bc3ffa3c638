"""Code generation for Triton."""

from dynconf.flags.described import Described
from dynconf.flags.types import BoolOr, Choice, FalseOr, Int, OrNone

FLAGS = {
    "triton.autotune_at_compile_time": Described(
        "Tunes Triton kernels while compiling, on made-up inputs, instead of at their first call.",
        details="None does so only where it must, as under cpp_wrapper.",
    ),
    "triton.autotune_pointwise": "Measures several block sizes for pointwise kernels with complex layouts.",
    "triton.autotune_with_sample_inputs": Described(
        "Tunes your own Triton kernels on the example inputs instead of random ones.",
        details="Uses more memory in the first call.",
    ),
    "triton.coalesce_tiling_analysis": "Chooses tiles so that neighboring threads read neighboring memory.",
    "triton.codegen_upcast_to_fp32": "Computes float16 and bfloat16 in float32 inside kernels.",
    "triton.cooperative_reductions": (
        "Divides a reduction with few results among thread blocks that wait for each other."
    ),
    "triton.debug_sync_graph": "Waits for the device before and after each compiled graph, for debugging.",
    "triton.debug_sync_kernel": "Synchronizes after each kernel, so that an error shows where it happens.",
    "triton.decompose_k_threshold": Described(
        "Ratio of K to M and N from which a matmul divided along K is a candidate.",
        type=Int(0),
        details="0 makes them candidates for every matmul, with max_autotune.",
    ),
    "triton.dense_indexing": "Loads full blocks instead of broadcasting within a block.",
    "triton.descriptive_names": Described(
        "How kernels are named; False gives them no descriptive name.",
        type=FalseOr(Choice(("torch", "original_aten", "inductor_node"))),
        details='"torch": the operations of the program; "original_aten": ATen operators; "inductor_node": '
        "nodes of the graph that Inductor got.",
    ),
    "triton.divisible_by_16": "Tells Triton which arguments are divisible by 16, for faster loads.",
    "triton.enable_persistent_tma_matmul": (
        "Measures matmul templates that stay on the GPU and load by TMA; NVIDIA Hopper and later."
    ),
    "triton.force_cooperative_reductions": "Applies triton.cooperative_reductions everywhere, for debugging.",
    "triton.inject_relu_bug_TESTING_ONLY": Described(
        "Plants a bug in relu on GPUs, to test the minifier.",
        type=OrNone(Choice(("compile_error", "runtime_error", "accuracy"))),
    ),
    "triton.max_tiles": Described(
        "Most dimensions in which a kernel is tiled; 1 turns tiling off.",
        type=OrNone(Int(1, 3)),
        details="None is 3 with triton.coalesce_tiling_analysis, else 2.",
    ),
    "triton.min_split_scan_rblock": Described(
        "Smallest block of a scan, such as cumsum, that is divided among thread blocks.",
        type=Int(1),
    ),
    "triton.multi_kernel": Described(
        "Whether several versions of a reduction are compiled, of which the fastest is used.",
        type=BoolOr(Int(0, 3)),
        details="0: no; 1: yes, chosen by measurement; 2 and 3: always the persistent or the other one, for "
        "debugging.",
    ),
    "triton.native_matmul": Described(
        "Generates matmuls as ordinary kernels, which fuse with everything, without templates.",
        details="Other matmul kernels are not considered then. It supports neither block pointers nor TMA.",
    ),
    "triton.num_decompose_k_splits": Described(
        "How many ways of dividing a matmul along K max_autotune measures; 0 for none.",
        type=Int(0),
    ),
    "triton.persistent_reductions": "Reduces short rows at once, without a loop.",
    "triton.prefer_nd_tiling": "Tiles in as many dimensions as possible, which suits block pointers.",
    "triton.proton_output_dir": Described(
        "Folder for the traces of triton.proton_profiling; None is the debug folder.",
        machine_dependent=True,
        risks=("writes a path",),
    ),
    "triton.skip_l1_cache": "Lets loads of data that is used once bypass the L1 cache.",
    "triton.spill_threshold": Described(
        "Leaves out configurations that spill more registers than this.",
        type=Int(0),
    ),
    "triton.store_cubin": "Keeps compiled kernels as files, for C++ code to load.",
    "triton.tile_reductions": "Tiles reductions in several dimensions; use it with triton.prefer_nd_tiling.",
    "triton.tiling_prevents_pointwise_fusion": "Does not fuse pointwise kernels that need different tiles.",
    "triton.tiling_prevents_reduction_fusion": "Does not fuse reductions that need different tiles.",
    "triton.tlx_mode": Described(
        "Whether templates in Triton's TLX are candidates, or the only ones.",
        details='None: no; "allow": measured beside the others; "force": only these. Needs a Triton that '
        "ships them.",
    ),
    "triton.unique_kernel_names": Described(
        "Gives every kernel a name of its own, which profilers show.",
        details="If False, all are called triton_, and more of them are found in the cache.",
    ),
    "triton.unique_user_kernel_names": "Gives each use of your own Triton kernels a name of its own.",
    "triton.use_block_ptr": "Generates loads and stores with block pointers.",
    "triton.use_tensor_descriptor": (
        "Generates loads and stores with tensor descriptors; on NVIDIA, needs assume_aligned_inputs."
    ),
}
