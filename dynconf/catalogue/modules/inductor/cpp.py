"""Code generation for CPUs, in C++."""

DESCRIPTIONS = """
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
"""
