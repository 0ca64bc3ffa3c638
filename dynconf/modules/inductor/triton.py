"""Code generation for Triton."""

from dynconf.flags.described import Described
from dynconf.flags.types import BoolOr, Choice, FalseOr, Int, OrNone

FLAGS = (
    Described(
        name="triton.autotune_at_compile_time",
        summary="Tunes Triton kernels while compiling, on made-up inputs, instead of at their first call.",
        details="None does so only where it must, as under cpp_wrapper.",
    ),
    Described(
        name="triton.autotune_pointwise",
        summary="Measures several block sizes for pointwise kernels with complicated layouts.",
    ),
    Described(
        name="triton.autotune_with_sample_inputs",
        summary="Tunes your own Triton kernels on the example inputs instead of random ones.",
        details="Uses more memory in the first call.",
    ),
    Described(
        name="triton.coalesce_tiling_analysis",
        summary="Chooses tiles so that neighbouring threads read neighbouring memory.",
    ),
    Described(
        name="triton.codegen_upcast_to_fp32",
        summary="Computes float16 and bfloat16 in float32 inside of kernels.",
    ),
    Described(
        name="triton.cooperative_reductions",
        summary="Divides a reduction with few results among thread blocks that wait for each other.",
    ),
    Described(
        name="triton.debug_sync_graph",
        summary="Waits for the device before and after each compiled graph, for debugging.",
    ),
    Described(
        name="triton.debug_sync_kernel",
        summary="Waits for the device after each kernel, so that an error shows where it happens.",
    ),
    Described(
        name="triton.decompose_k_threshold",
        type=Int(0),
        summary="How many times M and N K must be for a matmul divided along K to be a candidate.",
        details="0 makes them candidates for every matmul, with max_autotune.",
    ),
    Described(
        name="triton.dense_indexing",
        summary="Loads full blocks instead of broadcasting within a block.",
    ),
    Described(
        name="triton.descriptive_names",
        type=FalseOr(Choice(("torch", "original_aten", "inductor_node"))),
        summary="After what kernels are named; False gives them no descriptive name.",
        details=(
            '"torch": the operations of the program; "original_aten": ATen operators; "inductor_node": nodes '
            "of the graph that Inductor got."
        ),
    ),
    Described(
        name="triton.divisible_by_16",
        summary="Tells Triton which arguments are divisible by 16, for faster loads.",
    ),
    Described(
        name="triton.enable_persistent_tma_matmul",
        summary="Measures matmul templates that stay on the GPU and load by TMA; NVIDIA Hopper and later.",
    ),
    Described(
        name="triton.force_cooperative_reductions",
        summary="Uses triton.cooperative_reductions for every reduction, for debugging.",
    ),
    Described(
        name="triton.inject_relu_bug_TESTING_ONLY",
        type=OrNone(Choice(("compile_error", "runtime_error", "accuracy"))),
        summary="Plants a bug in relu on GPUs, to test the minifier.",
    ),
    Described(
        name="triton.max_tiles",
        type=OrNone(Int(1, 3)),
        summary="In how many dimensions a kernel is tiled; 1 turns tiling off.",
        details="None is 3 with triton.coalesce_tiling_analysis, else 2.",
    ),
    Described(
        name="triton.min_split_scan_rblock",
        type=Int(1),
        summary="Smallest block of a scan, such as cumsum, that is divided among thread blocks.",
    ),
    Described(
        name="triton.multi_kernel",
        type=BoolOr(Int(0, 3)),
        summary="Whether several versions of a reduction are compiled, of which the fastest is used.",
        details=(
            "0: no; 1: yes, chosen by measurement; 2 and 3: always the persistent or the other one, for "
            "debugging."
        ),
    ),
    Described(
        name="triton.native_matmul",
        summary="Generates matmuls as ordinary kernels, which fuse with everything, without templates.",
        details="Other matmul kernels are not considered then. It supports neither block pointers nor TMA.",
    ),
    Described(
        name="triton.num_decompose_k_splits",
        type=Int(0),
        summary="How many ways of dividing a matmul along K max_autotune measures; 0 for none.",
    ),
    Described(
        name="triton.persistent_reductions",
        summary="Reduces short rows at once, without a loop.",
    ),
    Described(
        name="triton.prefer_nd_tiling",
        summary="Tiles in as many dimensions as possible, which suits block pointers.",
    ),
    Described(
        name="triton.proton_output_dir",
        summary="Folder for the traces of triton.proton_profiling; None is the debug folder.",
        host=True,
        reach=("writes a path",),
    ),
    Described(
        name="triton.skip_l1_cache",
        summary="Lets loads of data that is used once pass by the L1 cache.",
    ),
    Described(
        name="triton.spill_threshold",
        type=Int(0),
        summary="Leaves out configurations that spill more registers than this.",
    ),
    Described(
        name="triton.store_cubin",
        summary="Keeps compiled kernels as files, for C++ code to load.",
    ),
    Described(
        name="triton.tile_reductions",
        summary="Tiles reductions in several dimensions; use it with triton.prefer_nd_tiling.",
    ),
    Described(
        name="triton.tiling_prevents_pointwise_fusion",
        summary="Does not fuse pointwise kernels that want unlike tiles.",
    ),
    Described(
        name="triton.tiling_prevents_reduction_fusion",
        summary="Does not fuse reductions that want unlike tiles.",
    ),
    Described(
        name="triton.tlx_mode",
        summary="Whether templates in Triton's TLX are candidates, or the only ones.",
        details=(
            'None: no; "allow": measured beside the others; "force": only these. Needs a Triton that ships '
            "them."
        ),
    ),
    Described(
        name="triton.unique_kernel_names",
        summary="Gives every kernel a name of its own, which profilers show.",
        details="If False, all are called triton_, and more of them are found in the cache.",
    ),
    Described(
        name="triton.unique_user_kernel_names",
        summary="Gives each use of your own Triton kernels a name of its own.",
    ),
    Described(
        name="triton.use_block_ptr",
        summary="Generates loads and stores by block pointers.",
    ),
    Described(
        name="triton.use_tensor_descriptor",
        summary="Generates loads and stores by tensor descriptors; on NVIDIA, needs assume_aligned_inputs.",
    ),
)
