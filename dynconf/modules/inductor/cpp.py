"""Code generation for CPUs, in C++."""

from dynconf.flags.described import Described
from dynconf.flags.flag import by_release
from dynconf.flags.types import Bool, Choice, FalseOr, Int, OrNone

FLAGS = (
    Described(
        name="cpp.cxx",
        summary="C++ compilers to try, in order; None in the list is one installed by conda.",
        details="Torch runs the first that works, with every kernel for CPUs and every C++ wrapper.",
        reach=("runs a program",),
    ),
    Described(
        name="cpp.descriptive_names",
        type=FalseOr(Choice(("torch", "original_aten", "inductor_node"))),
        summary="After what kernels on CPUs are named; False gives them no descriptive name.",
    ),
    Described(
        name="cpp.dynamic_threads",
        summary="Does not build the number of threads into kernels.",
        details="For programs that change it. Otherwise such a change recompiles.",
    ),
    Described(
        name="cpp.enable_concat_linear",
        summary="Joins linear layers with the same input into one; only with freezing.",
    ),
    Described(
        name="cpp.enable_floating_point_contract_flag",
        type_by_release=by_release(Bool(), v2_7=Choice(("off", "on", "fast"))),
        summary="Whether the compiler may contract a product and a sum into one operation.",
        details='Up to torch 2.6 a bool, from 2.7 on what follows -ffp-contract=: "off", "on" or "fast".',
    ),
    Described(
        name="cpp.enable_grouped_gemm_template",
        summary="Computes linear layers with the same input in one template; only with max_autotune.",
    ),
    Described(
        name="cpp.enable_kernel_context_guard",
        summary="Adds what each kernel was made from to cpp.enable_kernel_profile.",
    ),
    Described(
        name="cpp.enable_kernel_profile",
        summary="Shows each kernel on the CPU in the profiler of torch.",
    ),
    Described(
        name="cpp.enable_loop_tail_vec",
        summary="Vectorizes the rest of a loop, too, with masks.",
    ),
    Described(
        name="cpp.enable_tiling_heuristics",
        summary="Leaves vectorizing a loop to an estimate of whether it pays.",
    ),
    Described(
        name="cpp.enable_unsafe_math_opt_flag",
        summary="Compiles with -funsafe-math-optimizations.",
    ),
    Described(
        name="cpp.fallback_scatter_reduce_sum",
        summary="Calls ATen for scatter_reduce with sum, which is faster than atomic additions.",
    ),
    Described(
        name="cpp.force_inline_kernel",
        summary="Makes the C++ compiler inline the kernels of matmul templates.",
    ),
    Described(
        name="cpp.gemm_cache_blocking",
        summary="Cache blocks of matmul templates, as M,N,K in register blocks, such as 4,1,10.",
    ),
    Described(
        name="cpp.gemm_max_k_slices",
        type=Int(0),
        summary="Into how many slices along K a matmul template may divide its work; 0 sets no limit.",
    ),
    Described(
        name="cpp.gemm_thread_factors",
        summary="How matmul templates divide threads over M,N,K, such as 7,4,2 for 56 threads.",
    ),
    Described(
        name="cpp.inject_log1p_bug_TESTING_ONLY",
        type=OrNone(Choice(("accuracy",))),
        summary="Plants a bug in log1p on CPUs, to test the minifier.",
    ),
    Described(
        name="cpp.inject_relu_bug_TESTING_ONLY",
        type=OrNone(Choice(("compile_error", "runtime_error", "accuracy"))),
        summary="Plants a bug in relu on CPUs, to test the minifier.",
    ),
    Described(
        name="cpp.march",
        summary="CPU to compile for, as after -march=; an empty text leaves the option out.",
        details=(
            "None compiles for the machine that compiles. The text becomes part of the compiler's command."
        ),
        host=True,
        reach=("runs a program",),
    ),
    Described(
        name="cpp.max_horizontal_fusion_size",
        type=Int(0),
        summary="How many kernels that do not depend on each other may share a loop.",
    ),
    Described(
        name="cpp.min_chunk_size",
        type=Int(0),
        summary="How many elements a thread gets at least.",
    ),
    Described(
        name="cpp.no_redundant_loops",
        summary="Leaves out loops that would run once or never.",
    ),
    Described(
        name="cpp.simdlen",
        type=OrNone(Int(0)),
        summary="Width of vectors in bits: 256, 512; 0 or 1 for none, None for the best of the machine.",
    ),
    Described(
        name="cpp.threads",
        type=Int(-1),
        summary="Number of threads that kernels run on; -1 is that of torch.get_num_threads().",
    ),
    Described(
        name="cpp.use_constexpr_for_int_array",
        summary="Declares arrays of integers in C++ wrappers as constexpr; if False, as const.",
    ),
    Described(
        name="cpp.use_decompose_tanh",
        summary="Computes tanh from the exponential function, which is faster and less exact.",
    ),
    Described(
        name="cpp.use_small_dequant_buffer",
        summary="Unpacks int4 weights of a linear layer group by group, into a small buffer.",
    ),
    Described(
        name="cpp.use_two_step_variance_threshold",
        type=Int(0),
        summary="From how many items on a variance on the CPU is computed by Welford's algorithm.",
        details="Shorter ones are computed as a mean first.",
    ),
    Described(
        name="cpp.vec_isa_ok",
        summary="Whether vector instructions work; None tries them out.",
    ),
    Described(
        name="cpp.weight_prepack",
        summary="Stores weights of linear layers in the order that the CPU likes; only with freezing.",
        details="Faster, but may need much more memory.",
    ),
)
