"""Ahead-of-time compilation: AOTInductor."""

DESCRIPTIONS = """
aot_inductor.allow_stack_allocation: Keeps small intermediate results on the stack.
aot_inductor.aoti_shim_library: Libraries that a Windows model is linked with in place of torch's.
aot_inductor.aoti_shim_library_path: Folder of aot_inductor.aoti_shim_library.
aot_inductor.autotune_offload_constants_min_device_fraction:
    Share of GPU memory from which on constants go to the disk during autotuning.
    1.0 keeps them on the GPU. It saves memory, at the cost of reading them back.
aot_inductor.autotune_per_kernel_alloc:
    Allocates tensors for each kernel anew while it is tuned, which takes less memory at once.
    Otherwise kernels share tensors, which is faster.
aot_inductor.check_lowerbound:
    Checks at run time that dynamic sizes are not below those that were compiled for.
    Turn it off for models that are compiled for sizes of 2 and more but also work with 0 or 1.
aot_inductor.check_upperbound:
    Checks at run time that dynamic sizes are not above those that were compiled for.
    The bound comes from the example inputs, and may be lower than the model allows.
aot_inductor.compile_standalone: Compiles a model that does not need torch.
aot_inductor.compile_wrapper_opt_level: How far the compiler optimizes the code that launches kernels.
aot_inductor.compile_wrapper_with_O0: Does not optimize the code that launches kernels.
    Instead: set aot_inductor.compile_wrapper_opt_level="O0"
aot_inductor.cross_target_platform: Platform other than this one that the model is compiled for; only windows.
    Needs the MinGW compiler and, for CUDA, the variable WINDOWS_CUDA_HOME.
aot_inductor.custom_op_libs: Libraries with custom operators that the model is linked with.
aot_inductor.custom_ops_to_c_shims:
    C declarations for custom operators, by operator, which the model then calls directly.
    The text becomes part of the generated code.
aot_inductor.debug_compile: Compiles the model without optimization and with debug information.
aot_inductor.debug_dump_consts_bin: Writes the weights to a file of their own, for debugging.
    Instead: delete it: nothing replaces it
aot_inductor.debug_intermediate_value_printer:
    How intermediate results are reported: 0 not, 1 saved, 2 printed, 3 kernel names only.
aot_inductor.debug_symbols: Compiles the model with debug information.
aot_inductor.dump_aoti_minifier:
    Writes a script that reduces the program when ahead-of-time compilation fails.
    aot_inductor.repro_level says when.
aot_inductor.dynamic_linkage: Makes a shared library of C++ that is packaged; if False, a static one.
    Only with aot_inductor.package_cpp_only.
aot_inductor.embed_kernel_binary:
    Puts compiled GPU kernels into the library of the model; None leaves it to torch.
aot_inductor.emit_multi_arch_kernel: Compiles GPU kernels for several architectures; None leaves it to torch.
aot_inductor.enable_frame_pointer: Keeps frame pointers in the model, for profilers that sample stacks.
aot_inductor.enable_line_tables:
    Adds line numbers to the model, for profilers, without other debug information.
aot_inductor.enable_lto: Optimizes the model while it is linked.
aot_inductor.filtered_kernel_names:
    Kernels that aot_inductor.debug_intermediate_value_printer prints, separated by commas.
aot_inductor.force_mmap_weights:
    Appends weights to the library and maps them into memory, for models over 2 GB.
aot_inductor.link_libtorch: Links the model with the libraries of torch.
aot_inductor.metadata: Texts by name that are stored with the model.
aot_inductor.model_name_for_generated_files: Name of the generated files; letters, digits and underscores.
    None names them after a hash.
aot_inductor.output_path: Where the compiled model is written; empty is a new folder in the cache.
    A relative path is below the cache; a name that ends in .so names the library.
aot_inductor.package: Writes one archive (.pt2) with everything that the model needs.
aot_inductor.package_constants_in_so: Puts weights into the library of the model.
aot_inductor.package_constants_on_disk: Stores weights as files of their own.
    Instead: use aot_inductor.package_constants_on_disk_format
aot_inductor.package_constants_on_disk_format: How weights are stored as files of their own; None does not.
    "pickle_weights": one pickle each, for Python; "binary_blob": one file.
aot_inductor.package_cpp_only: Packs generated sources with a CMakeLists.txt instead of a compiled library.
aot_inductor.precompile_headers: Compiles the headers that models have in common only once.
aot_inductor.presets: Values that torch passes on to the code generator.
aot_inductor.raise_error_on_ignored_optimization:
    Fails if generated C++ is too long for the compiler to optimize; only inside Meta.
aot_inductor.repro_level: When aot_inductor.dump_aoti_minifier writes a script.
    1: the graph if compilation fails; 2: a minifier if it fails; 3: always; 4: if results are wrong.
aot_inductor.serialized_in_spec: How inputs are nested; filled in by torch.
    The text becomes part of the generated code.
aot_inductor.serialized_out_spec: How outputs are nested; filled in by torch.
    The text becomes part of the generated code.
aot_inductor.use_consts_asm_build: Puts weights into the model as assembly code; if False, as C++.
aot_inductor.use_minimal_arrayref_interface:
    Adds an interface to the model that takes plain arrays, with less overhead.
aot_inductor.use_runtime_constant_folding:
    Computes values that depend only on weights when the model is loaded, in a separate graph.
aot_inductor.weight_use_caching_allocator: Allocates weights on CUDA with torch's caching allocator.
test_configs.use_libtorch: Lets models of aot_inductor_mode.compile_standalone use libtorch; for tests.
aot_inductor_mode.compile_standalone:
    Compiles a model that does not need libtorch, by setting several flags of aot_inductor.
enable_autograd_for_aot: Compiles ahead of time with autograd, as in just-in-time compilation; set by torch.
"""
