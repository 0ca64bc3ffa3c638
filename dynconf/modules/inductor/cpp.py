"""Code generation for CPUs, in C++."""

from dynconf.flags.described import Described
from dynconf.flags.flag import by_release
from dynconf.flags.types import Bool, Choice, ChoiceOr, FalseOr, Int, OrNone

FLAGS = {
    "cpp.cxx": Described(
        "C++ compilers to try, in order; None in the list is one installed by conda.",
        details="Torch runs the first that works, with every kernel for CPUs and every C++ wrapper.",
        risks=("runs a program",),
    ),
    "cpp.descriptive_names": Described(
        "How kernels on CPUs are named; False gives them no descriptive name.",
        type=FalseOr(Choice(("torch", "original_aten", "inductor_node"))),
    ),
    "cpp.dynamic_threads": Described(
        "Does not build the number of threads into kernels.",
        details="For programs that change it. Otherwise such a change recompiles.",
    ),
    "cpp.enable_concat_linear": "Joins linear layers with the same input into one; only with freezing.",
    "cpp.enable_floating_point_contract_flag": Described(
        "Whether the compiler may contract a product and a sum into one operation.",
        type=ChoiceOr(Bool(), ("off", "on", "fast")),
        type_by_release=by_release(Bool(), v2_7=Choice(("off", "on", "fast"))),
        details='Up to torch 2.6 a bool, from 2.7 on the value of -ffp-contract: "off", "on" or "fast".',
    ),
    "cpp.enable_grouped_gemm_template": (
        "Computes linear layers with the same input in one template; only with max_autotune."
    ),
    "cpp.enable_kernel_context_guard": "Adds the origin of each kernel to cpp.enable_kernel_profile.",
    "cpp.enable_kernel_profile": "Shows each kernel on the CPU in the profiler of torch.",
    "cpp.enable_loop_tail_vec": "Vectorizes the rest of a loop, too, with masks.",
    "cpp.enable_tiling_heuristics": "Leaves vectorizing a loop to an estimate of whether it pays.",
    "cpp.enable_unsafe_math_opt_flag": "Compiles with -funsafe-math-optimizations.",
    "cpp.fallback_scatter_reduce_sum": "Calls ATen for scatter_reduce with sum: atomic additions are slower.",
    "cpp.force_inline_kernel": "Makes the C++ compiler inline the kernels of matmul templates.",
    "cpp.gemm_cache_blocking": "Cache blocks of matmul templates: M,N,K in register blocks, such as 4,1,10.",
    "cpp.gemm_max_k_slices": Described(
        "Most slices along K into which a matmul template may divide its work; 0 sets no limit.",
        type=Int(0),
    ),
    "cpp.gemm_thread_factors": "How matmul templates split threads over M,N,K, such as 7,4,2 for 56 threads.",
    "cpp.inject_log1p_bug_TESTING_ONLY": Described(
        "Plants a bug in log1p on CPUs, to test the minifier.",
        type=OrNone(Choice(("accuracy",))),
    ),
    "cpp.inject_relu_bug_TESTING_ONLY": Described(
        "Plants a bug in relu on CPUs, to test the minifier.",
        type=OrNone(Choice(("compile_error", "runtime_error", "accuracy"))),
    ),
    "cpp.march": Described(
        "CPU to compile for, as in -march=; an empty text leaves the option out.",
        details="None is the machine at hand. The text becomes part of the compiler's command.",
        machine_dependent=True,
        risks=("runs a program",),
    ),
    "cpp.max_horizontal_fusion_size": Described(
        "How many kernels that do not depend on each other may share a loop.",
        type=Int(0),
    ),
    "cpp.min_chunk_size": Described("Fewest elements that a thread gets.", type=Int(0)),
    "cpp.no_redundant_loops": "Leaves out loops that would run once or never.",
    "cpp.simdlen": Described(
        "Width of vectors in bits: 256, 512; 0 or 1 for none, None for the best of the machine.",
        type=OrNone(Int(0)),
    ),
    "cpp.threads": Described(
        "Number of threads that kernels run on; -1 is that of torch.get_num_threads().",
        type=Int(-1),
    ),
    "cpp.use_constexpr_for_int_array": "Makes integer arrays in C++ wrappers constexpr; if False, const.",
    "cpp.use_decompose_tanh": "Computes tanh from the exponential function, which is faster and less exact.",
    "cpp.use_small_dequant_buffer": "Unpacks int4 weights of a linear layer by group, into a small buffer.",
    "cpp.use_two_step_variance_threshold": Described(
        "Number of items from which a variance on the CPU is computed by Welford's algorithm.",
        type=Int(0),
        details="Shorter ones are computed as a mean first.",
    ),
    "cpp.vec_isa_ok": "Whether vector instructions work; None tries them out.",
    "cpp.weight_prepack": Described(
        "Stores weights of linear layers in the order that suits the CPU; only with freezing.",
        details="Faster, but may need much more memory.",
    ),
}
