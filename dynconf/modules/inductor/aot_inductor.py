"""Ahead-of-time compilation: AOTInductor."""

from dynconf.flags.described import Described
from dynconf.flags.types import Choice, Float, Int, OneOrMore, OrNone, Text

FLAGS = {
    "aot_inductor.allow_stack_allocation": "Keeps small intermediate results on the stack.",
    "aot_inductor.aoti_shim_library": Described(
        "Libraries that a Windows model is linked with in place of torch's.",
        type=OrNone(OneOrMore(Text())),
        risks=("runs a program",),
    ),
    "aot_inductor.aoti_shim_library_path": Described(
        "Folder of aot_inductor.aoti_shim_library.",
        machine_dependent=True,
        risks=("runs a program",),
    ),
    "aot_inductor.autotune_offload_constants_min_device_fraction": Described(
        "Share of GPU memory from which on constants go to the disk during autotuning.",
        type=Float(0, 1),
        details="1.0 keeps them on the GPU. It saves memory, at the cost of reading them back.",
    ),
    "aot_inductor.autotune_per_kernel_alloc": Described(
        "Allocates tensors for each kernel anew while it is tuned, which takes less memory at once.",
        details="Otherwise kernels share tensors, which is faster.",
    ),
    "aot_inductor.check_lowerbound": Described(
        "Checks at run time that dynamic sizes are not below those that were compiled for.",
        details="Turn it off for models that are compiled for sizes of 2 and more but also work with 0 or 1.",
    ),
    "aot_inductor.check_upperbound": Described(
        "Checks at run time that dynamic sizes are not above those that were compiled for.",
        details="The bound comes from the example inputs, and may be lower than the model allows.",
    ),
    "aot_inductor.compile_standalone": Described(
        "Compiles a model that does not need torch.",
        renamed_to="aot_inductor_mode.compile_standalone",
    ),
    "aot_inductor.compile_wrapper_opt_level": Described(
        "How far the compiler optimizes the code that launches kernels.",
        type=Choice(("O0", "O1", "O2", "O3", "Os", "Oz", "Og", "Ofast")),
    ),
    "aot_inductor.compile_wrapper_with_O0": Described(
        "Does not optimize the code that launches kernels.",
        replacement='set aot_inductor.compile_wrapper_opt_level="O0"',
    ),
    "aot_inductor.cross_target_platform": Described(
        "Platform other than this one that the model is compiled for; only windows.",
        type=OrNone(Choice(("windows",))),
        details="Needs the MinGW compiler and, for CUDA, the variable WINDOWS_CUDA_HOME.",
    ),
    "aot_inductor.custom_op_libs": Described(
        "Libraries with custom operators that the model is linked with.",
        risks=("runs a program",),
    ),
    "aot_inductor.custom_ops_to_c_shims": Described(
        "C declarations for custom operators, by operator, which the model then calls directly.",
        details="The text becomes part of the generated code.",
        risks=("runs a program",),
    ),
    "aot_inductor.debug_compile": "Compiles the model without optimization and with debug information.",
    "aot_inductor.debug_dump_consts_bin": Described(
        "Writes the weights to a file of their own, for debugging.",
        replacement="delete it: nothing replaces it",
    ),
    "aot_inductor.debug_intermediate_value_printer": (
        "How intermediate results are reported: 0 not, 1 saved, 2 printed, 3 kernel names only."
    ),
    "aot_inductor.debug_symbols": "Compiles the model with debug information.",
    "aot_inductor.dump_aoti_minifier": Described(
        "Writes a script that reduces the program when ahead-of-time compilation fails.",
        details="aot_inductor.repro_level says when.",
    ),
    "aot_inductor.dynamic_linkage": Described(
        "Makes a shared library of C++ that is packaged; if False, a static one.",
        details="Only with aot_inductor.package_cpp_only.",
    ),
    "aot_inductor.embed_kernel_binary": "Puts GPU kernels into the model's library; None leaves it to torch.",
    "aot_inductor.emit_multi_arch_kernel": (
        "Compiles GPU kernels for several architectures; None leaves it to torch."
    ),
    "aot_inductor.enable_frame_pointer": "Keeps frame pointers in the model, for stack-sampling profilers.",
    "aot_inductor.enable_line_tables": "Adds line numbers for profilers, without other debug information.",
    "aot_inductor.enable_lto": "Optimizes the model while it is linked.",
    "aot_inductor.filtered_kernel_names": (
        "Kernels that aot_inductor.debug_intermediate_value_printer prints, separated by commas."
    ),
    "aot_inductor.force_mmap_weights": "Appends weights to the library and maps them, for models over 2 GB.",
    "aot_inductor.link_libtorch": "Links the model with the libraries of torch.",
    "aot_inductor.metadata": "Texts by name that are stored with the model.",
    "aot_inductor.model_name_for_generated_files": Described(
        "Name of the generated files; letters, digits and underscores.",
        details="None names them after a hash.",
        risks=("writes a path",),
    ),
    "aot_inductor.output_path": Described(
        "Where the compiled model is written; empty is a new folder in the cache.",
        details="A relative path is below the cache; a name that ends in .so names the library.",
        machine_dependent=True,
        risks=("writes a path",),
    ),
    "aot_inductor.package": "Writes one archive (.pt2) with everything that the model needs.",
    "aot_inductor.package_constants_in_so": "Puts weights into the library of the model.",
    "aot_inductor.package_constants_on_disk": Described(
        "Stores weights as files of their own.",
        replacement="use aot_inductor.package_constants_on_disk_format",
    ),
    "aot_inductor.package_constants_on_disk_format": Described(
        "How weights are stored as files of their own; None does not.",
        type=OrNone(Choice(("pickle_weights", "binary_blob"))),
        details='"pickle_weights": one pickle each, for Python; "binary_blob": one file.',
    ),
    "aot_inductor.package_cpp_only": "Packs sources with a CMakeLists.txt instead of a compiled library.",
    "aot_inductor.precompile_headers": "Compiles the headers that models have in common only once.",
    "aot_inductor.presets": "Values that torch passes on to the code generator.",
    "aot_inductor.raise_error_on_ignored_optimization": (
        "Fails if generated C++ is too long for the compiler to optimize; only inside Meta."
    ),
    "aot_inductor.repro_level": Described(
        "When aot_inductor.dump_aoti_minifier writes a script.",
        type=Int(0, 4),
        details="1: the graph if compilation fails; 2: a minifier then; 3: always; 4: if results are wrong.",
    ),
    "aot_inductor.serialized_in_spec": Described(
        "How inputs are nested; filled in by torch.",
        details="The text becomes part of the generated code.",
        status="internal",
        risks=("runs a program",),
    ),
    "aot_inductor.serialized_out_spec": Described(
        "How outputs are nested; filled in by torch.",
        details="The text becomes part of the generated code.",
        status="internal",
        risks=("runs a program",),
    ),
    "aot_inductor.use_consts_asm_build": "Puts weights into the model as assembly code; if False, as C++.",
    "aot_inductor.use_minimal_arrayref_interface": (
        "Adds an interface to the model that takes plain arrays, with less overhead."
    ),
    "aot_inductor.use_runtime_constant_folding": (
        "Computes values that depend only on weights when the model is loaded, in a separate graph."
    ),
    "aot_inductor.weight_use_caching_allocator": "Allocates weights on CUDA with torch's caching allocator.",
    "aot_inductor_mode.compile_standalone": (
        "Compiles a model that does not need libtorch, by setting several flags of aot_inductor."
    ),
}
