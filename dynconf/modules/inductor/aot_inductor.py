"""Ahead-of-time compilation: AOTInductor."""

from dynconf.flags.described import Described
from dynconf.flags.types import Choice, Float, Int, OneOrMore, OrNone, Text

FLAGS = (
    Described(
        name="aot_inductor.allow_stack_allocation",
        summary="Keeps small intermediate results on the stack.",
    ),
    Described(
        name="aot_inductor.aoti_shim_library",
        type=OrNone(OneOrMore(Text())),
        summary="Libraries that a Windows model is linked with in place of torch's.",
        reach=("runs a program",),
    ),
    Described(
        name="aot_inductor.aoti_shim_library_path",
        summary="Folder of aot_inductor.aoti_shim_library.",
        host=True,
        reach=("runs a program",),
    ),
    Described(
        name="aot_inductor.autotune_offload_constants_min_device_fraction",
        type=Float(0, 1),
        summary="Share of GPU memory from which on constants go to the disk during autotuning.",
        details="1.0 keeps them on the GPU. It saves memory, at the cost of reading them back.",
    ),
    Described(
        name="aot_inductor.autotune_per_kernel_alloc",
        summary="Allocates tensors for each kernel anew while it is tuned, which takes less memory at once.",
        details="Otherwise kernels share tensors, which is faster.",
    ),
    Described(
        name="aot_inductor.check_lowerbound",
        summary="Checks at run time that dynamic sizes are not below what was compiled for.",
        details="Turn it off for models that are compiled for sizes of 2 and more but also work with 0 or 1.",
    ),
    Described(
        name="aot_inductor.check_upperbound",
        summary="Checks at run time that dynamic sizes are not above what was compiled for.",
        details="The bound comes from the example inputs, and may be lower than what the model can compute.",
    ),
    Described(
        name="aot_inductor.compile_standalone",
        summary="Compiles a model that does not need torch.",
        renamed="aot_inductor_mode.compile_standalone",
    ),
    Described(
        name="aot_inductor.compile_wrapper_opt_level",
        type=Choice(("O0", "O1", "O2", "O3", "Os", "Oz", "Og", "Ofast")),
        summary="How far the compiler optimizes the code that launches kernels.",
    ),
    Described(
        name="aot_inductor.compile_wrapper_with_O0",
        summary="Does not optimize the code that launches kernels.",
        instead='set aot_inductor.compile_wrapper_opt_level="O0"',
    ),
    Described(
        name="aot_inductor.cross_target_platform",
        type=OrNone(Choice(("windows",))),
        summary="Platform other than this one that the model is compiled for; only windows.",
        details="Needs the MinGW compiler and, for CUDA, the variable WINDOWS_CUDA_HOME.",
    ),
    Described(
        name="aot_inductor.custom_op_libs",
        summary="Libraries with custom operators that the model is linked with.",
        reach=("runs a program",),
    ),
    Described(
        name="aot_inductor.custom_ops_to_c_shims",
        summary="C declarations for custom operators, by operator, which the model then calls directly.",
        details="The text becomes part of the generated code.",
        reach=("runs a program",),
    ),
    Described(
        name="aot_inductor.debug_compile",
        summary="Compiles the model without optimization and with debug information.",
    ),
    Described(
        name="aot_inductor.debug_dump_consts_bin",
        summary="Writes the weights to a file of their own, for debugging.",
    ),
    Described(
        name="aot_inductor.debug_intermediate_value_printer",
        summary=(
            "What is told of intermediate results: 0 nothing, 1 saved, 2 printed, 3 kernel names printed."
        ),
    ),
    Described(
        name="aot_inductor.debug_symbols",
        summary="Compiles the model with debug information.",
    ),
    Described(
        name="aot_inductor.dump_aoti_minifier",
        summary="Writes a script that reduces the program when ahead-of-time compilation fails.",
        details="aot_inductor.repro_level says when.",
    ),
    Described(
        name="aot_inductor.dynamic_linkage",
        summary="Makes a shared library of C++ that is packaged; if False, a static one.",
        details="Only with aot_inductor.package_cpp_only.",
    ),
    Described(
        name="aot_inductor.embed_kernel_binary",
        summary="Puts compiled GPU kernels into the library of the model; None leaves it to torch.",
    ),
    Described(
        name="aot_inductor.emit_multi_arch_kernel",
        summary="Compiles GPU kernels for several architectures; None leaves it to torch.",
    ),
    Described(
        name="aot_inductor.enable_frame_pointer",
        summary="Keeps frame pointers in the model, for profilers that sample stacks.",
    ),
    Described(
        name="aot_inductor.enable_line_tables",
        summary="Adds line numbers to the model, for profilers, without other debug information.",
    ),
    Described(
        name="aot_inductor.enable_lto",
        summary="Optimizes the model while it is linked.",
    ),
    Described(
        name="aot_inductor.filtered_kernel_names",
        summary="Kernels that aot_inductor.debug_intermediate_value_printer prints, separated by commas.",
    ),
    Described(
        name="aot_inductor.force_mmap_weights",
        summary="Appends weights to the library and maps them into memory, for models over 2 GB.",
    ),
    Described(
        name="aot_inductor.link_libtorch",
        summary="Links the model with the libraries of torch.",
    ),
    Described(
        name="aot_inductor.metadata",
        summary="Texts by name that are stored with the model.",
    ),
    Described(
        name="aot_inductor.model_name_for_generated_files",
        summary="Name of the generated files; letters, digits and underscores.",
        details="None names them after a hash.",
        reach=("writes a path",),
    ),
    Described(
        name="aot_inductor.output_path",
        summary="Where the compiled model is written; empty is a new folder in the cache.",
        details="A relative path is below the cache; a name that ends in .so names the library.",
        host=True,
        reach=("writes a path",),
    ),
    Described(
        name="aot_inductor.package",
        summary="Writes one archive (.pt2) with everything that the model needs.",
    ),
    Described(
        name="aot_inductor.package_constants_in_so",
        summary="Puts weights into the library of the model.",
    ),
    Described(
        name="aot_inductor.package_constants_on_disk",
        summary="Stores weights as files of their own.",
        instead="use aot_inductor.package_constants_on_disk_format",
    ),
    Described(
        name="aot_inductor.package_constants_on_disk_format",
        type=OrNone(Choice(("pickle_weights", "binary_blob"))),
        summary="How weights are stored as files of their own; None does not.",
        details='"pickle_weights": one pickle each, for Python; "binary_blob": one file.',
    ),
    Described(
        name="aot_inductor.package_cpp_only",
        summary="Packs generated sources with a CMakeLists.txt instead of a compiled library.",
    ),
    Described(
        name="aot_inductor.precompile_headers",
        summary="Compiles the headers that models have in common only once.",
    ),
    Described(
        name="aot_inductor.presets",
        summary="Values that torch passes on to the code generator.",
    ),
    Described(
        name="aot_inductor.raise_error_on_ignored_optimization",
        summary="Fails if generated C++ is too long for the compiler to optimize; only inside Meta.",
    ),
    Described(
        name="aot_inductor.repro_level",
        type=Int(0, 4),
        summary="When aot_inductor.dump_aoti_minifier writes a script.",
        details=(
            "1: the graph if compilation fails; 2: a minifier if it fails; 3: always; 4: if results are "
            "wrong."
        ),
    ),
    Described(
        name="aot_inductor.serialized_in_spec",
        summary="How inputs are nested; filled in by torch.",
        details="The text becomes part of the generated code.",
        status="internal",
        reach=("runs a program",),
    ),
    Described(
        name="aot_inductor.serialized_out_spec",
        summary="How outputs are nested; filled in by torch.",
        details="The text becomes part of the generated code.",
        status="internal",
        reach=("runs a program",),
    ),
    Described(
        name="aot_inductor.use_consts_asm_build",
        summary="Puts weights into the model by way of assembly language; if False, of C++.",
    ),
    Described(
        name="aot_inductor.use_minimal_arrayref_interface",
        summary="Adds an interface to the model that takes plain arrays, with less overhead.",
    ),
    Described(
        name="aot_inductor.use_runtime_constant_folding",
        summary="Computes what depends on weights only when the model is loaded, in a graph of its own.",
    ),
    Described(
        name="aot_inductor.weight_use_caching_allocator",
        summary="Takes the memory for weights on CUDA from torch's caching allocator.",
    ),
    Described(
        name="aot_inductor_mode.compile_standalone",
        summary="Compiles a model that does not need libtorch, by setting several flags of aot_inductor.",
    ),
)
