"""Code generation for Triton."""

DESCRIPTIONS = """
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
"""
