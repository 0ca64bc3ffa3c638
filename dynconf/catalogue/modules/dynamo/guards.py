"""Guards: the checks that decide whether compiled code can be used again."""

DESCRIPTIONS = """
allow_complex_guards_as_runtime_asserts:
    Turns shape guards that export cannot express as constraints into runtime asserts.
    If False, such a guard makes the dimension static or raises a constraint violation.
    Instead: prefer_deferred_runtime_asserts_over_guards
assume_dunder_attributes_remain_unchanged:
    Assumes that functions and classes never rebind __code__, __defaults__ and the like.
    Lets use_recursive_dict_tags_for_guards skip more checks. A program that does rebind such an attribute may
    get wrong results; set the flag to False there.
automatic_dynamic_exclusion_guard:
    Keeps newer dynamic graphs from taking over inputs that an older static graph accepts.
    Covers the tensor sizes and scalars that automatic_dynamic_shapes has made dynamic. Ignored when
    enable_compiler_collectives is on.
do_not_emit_runtime_asserts: Leaves runtime asserts, such as those from torch._check, out of the graph.
    Saves their cost, such as a GPU synchronization. Dynamo still relies on the conditions while compiling, so
    inputs that violate them can give wrong results without an error.
enable_cpp_framelocals_guard_eval:
    No-op since torch 2.8; used to let guards read a frame's locals directly in C++.
    Instead: delete it: guards always read the locals that way
enable_cpp_guard_manager: No-op since torch 2.6; used to check guards in C++ instead of Python.
    Instead: delete it: guards are always checked in C++
enable_cpp_symbolic_shape_guards: Compiles guards on dynamic shapes to C++ instead of running them in Python.
    Only helps with a working C++ compiler. Conditions that do not fit into 64-bit integers stay in Python.
enforce_cond_guards_match: No-op; used to require both branches of torch.cond to have the same guards.
    Instead: delete it: nothing replaces it
guard_nn_modules: Guards on the contents of modules, so that a change to them triggers recompilation.
    If False, Dynamo leaves out the guards inside modules that it has specialized on. Changing such a module
    after compilation may then give wrong results.
guard_nn_modules_using_dict_tags: No-op; used to detect changes to modules by the version tags of their dicts.
issue_3_13_0_warning: Warns on Python 3.13.0 that guards may run slower, and takes the slower path there.
    A bug in that Python release makes dict version tags unreliable. False restores the fast path, and the bug
    with it.
max_saved_pointers_for_recursive_dict_tags_check:
    Maximum number of objects whose dict tags one recursive check remembers.
    Used only with use_recursive_dict_tags_for_guards.
prefer_deferred_runtime_asserts_over_guards:
    Turns conditions on shapes, such as those of torch._check, into asserts instead of guards.
    A guard that fails triggers recompilation; a runtime assert that fails raises an error.
report_guard_failures: No-op; used to report guards that failed.
    Instead: use TORCH_LOGS=recompiles
skip_guards_on_constant_func_defaults: Skips guards on default arguments that are constants.
    Makes guards cheaper, but later changes to a function's __defaults__ go unnoticed.
skip_nnmodule_hook_guards: Skips guards on the hooks of modules.
    Hooks added or removed after compilation then go unnoticed. Set it to False, or recompile, in programs
    that change hooks.
skip_no_tensor_aliasing_guards_on_parameters: Skips the guard that parameters are distinct tensors.
    Code compiled for two different parameters then gives wrong results when it is called with the same
    parameter twice.
skip_tensor_guards_with_matching_dict_tags:
    Skips the guards on a tensor whose containing dict is unchanged since the last call.
    A change to the tensor's own properties may then go unnoticed.
use_lamba_guard_for_object_aliasing:
    Checks whether inputs are the same object in one Python function that runs last.
    Keeps that check out of the guard tree, where it would get in the way of
    use_recursive_dict_tags_for_guards. The misspelling is torch's.
use_recursive_dict_tags_for_guards:
    Skips the guards on nested modules whose dicts are unchanged since the last call.
    Makes deep models faster. For functions it relies on assume_dunder_attributes_remain_unchanged;
    max_saved_pointers_for_recursive_dict_tags_check limits its memory use.
"""
