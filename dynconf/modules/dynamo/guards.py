"""Guards: the checks that decide whether compiled code can be used again."""

from dynconf.flags.flag import Flag, by_release
from dynconf.flags.types import Bool, Int
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="_allow_complex_guards_as_runtime_asserts",
        type=Bool(),
        default=False,
        summary="Old name of allow_complex_guards_as_runtime_asserts.",
        until="2.4",
        status="internal",
        renamed="allow_complex_guards_as_runtime_asserts",
    ),
    Flag(
        name="allow_complex_guards_as_runtime_asserts",
        type=Bool(),
        default=False,
        summary="Turns shape guards that export cannot express as constraints into runtime asserts.",
        details="If False, such a guard makes the dimension static or raises a constraint violation.",
        since="2.5",
        until="2.8",
        instead="prefer_deferred_runtime_asserts_over_guards",
    ),
    Flag(
        name="assume_dunder_attributes_remain_unchanged",
        type=Bool(),
        default=True,
        summary="Assumes that functions and classes never rebind __code__, __defaults__ and the like.",
        details=(
            "Lets use_recursive_dict_tags_for_guards skip more checks. A program that does rebind such an "
            "attribute may get wrong results; set the flag to False there."
        ),
        since="2.9",
    ),
    Flag(
        name="automatic_dynamic_exclusion_guard",
        type=Bool(),
        default=False,
        summary="Keeps newer dynamic graphs from taking over inputs that an older static graph accepts.",
        details=(
            "Covers the tensor sizes and scalars that automatic_dynamic_shapes has made dynamic. Ignored "
            "when enable_compiler_collectives is on."
        ),
        since="2.12",
    ),
    Flag(
        name="do_not_emit_runtime_asserts",
        type=Bool(),
        default=False,
        summary="Leaves runtime asserts, such as those from torch._check, out of the graph.",
        details=(
            "Saves their cost, such as a GPU synchronization. Dynamo still relies on the conditions while "
            "compiling, so inputs that violate them can give wrong results without an error."
        ),
        variables=(Variable("TORCH_DYNAMO_DO_NOT_EMIT_RUNTIME_ASSERTS", "equals_one"),),
    ),
    Flag(
        name="enable_cpp_framelocals_guard_eval",
        type=Bool(),
        default=True,
        summary="No-op since torch 2.8; used to let guards read a frame's locals directly in C++.",
        since="2.7",
        status=by_release("active", v2_8="no-op"),
        instead="delete it: guards always read the locals that way",
    ),
    Flag(
        name="enable_cpp_guard_manager",
        type=Bool(),
        default=True,
        summary="No-op since torch 2.6; used to check guards in C++ instead of Python.",
        variables=(Variable("TORCHDYNAMO_CPP_GUARD_MANAGER", "equals_one", until="2.5"),),
        status=by_release("active", v2_6="no-op"),
        instead="delete it: guards are always checked in C++",
    ),
    Flag(
        name="enable_cpp_symbolic_shape_guards",
        type=Bool(),
        default=False,
        summary="Compiles guards on dynamic shapes to C++ instead of running them in Python.",
        details=(
            "Only helps with a working C++ compiler. Conditions that do not fit into 64-bit integers stay in "
            "Python."
        ),
        since="2.7",
    ),
    Flag(
        name="enforce_cond_guards_match",
        type=Bool(),
        default=True,
        summary="No-op; used to require both branches of torch.cond to have the same guards.",
        until="2.5",
        status="no-op",
    ),
    Flag(
        name="guard_nn_modules",
        type=Bool(),
        default=True,
        summary="Guards on the contents of modules, so that a change to them triggers recompilation.",
        details=(
            "If False, Dynamo leaves out the guards inside modules that it has specialized on. Changing such "
            "a module after compilation may then give wrong results."
        ),
    ),
    Flag(
        name="guard_nn_modules_using_dict_tags",
        type=Bool(),
        default=True,
        summary="No-op; used to detect changes to modules by the version tags of their dicts.",
        status="no-op",
    ),
    Flag(
        name="issue_3_13_0_warning",
        type=Bool(),
        default=True,
        summary="Warns on Python 3.13.0 that guards may run slower, and takes the slower path there.",
        details=(
            "A bug in that Python release makes dict version tags unreliable. False restores the fast path, "
            "and the bug with it."
        ),
        since="2.6",
    ),
    Flag(
        name="max_saved_pointers_for_recursive_dict_tags_check",
        type=Int(0),
        default=256,
        summary="Maximum number of objects whose dict tags one recursive check remembers.",
        details="Used only with use_recursive_dict_tags_for_guards.",
        since="2.9",
    ),
    Flag(
        name="prefer_deferred_runtime_asserts_over_guards",
        type=Bool(),
        default=False,
        summary="Turns conditions on shapes, such as those of torch._check, into asserts instead of guards.",
        details="A guard that fails triggers recompilation; a runtime assert that fails raises an error.",
    ),
    Flag(
        name="report_guard_failures",
        type=Bool(),
        default=True,
        summary="No-op; used to report guards that failed.",
        compile_ignored=True,
        status="no-op",
        instead="use TORCH_LOGS=recompiles",
    ),
    Flag(
        name="skip_guards_on_constant_func_defaults",
        type=Bool(),
        default=by_release(True, v2_12=False),
        summary="Skips guards on default arguments that are constants.",
        details="Makes guards cheaper, but later changes to a function's __defaults__ go unnoticed.",
        since="2.9",
    ),
    Flag(
        name="skip_nnmodule_hook_guards",
        type=Bool(),
        default=True,
        summary="Skips guards on the hooks of modules.",
        details=(
            "Hooks added or removed after compilation then go unnoticed. Set it to False, or recompile, in "
            "programs that change hooks."
        ),
    ),
    Flag(
        name="skip_no_tensor_aliasing_guards_on_parameters",
        type=Bool(),
        default=True,
        summary="Skips the guard that parameters are distinct tensors.",
        details=(
            "Code compiled for two different parameters then gives wrong results when it is called with the "
            "same parameter twice."
        ),
        since="2.6",
    ),
    Flag(
        name="skip_tensor_guards_with_matching_dict_tags",
        type=Bool(),
        default=True,
        summary="Skips the guards on a tensor whose containing dict is unchanged since the last call.",
        details="A change to the tensor's own properties may then go unnoticed.",
        since="2.7",
    ),
    Flag(
        name="use_lamba_guard_for_object_aliasing",
        type=Bool(),
        default=by_release(True, v2_14=False),
        summary="Checks whether inputs are the same object in one Python function that runs last.",
        details=(
            "Keeps that check out of the guard tree, where it would get in the way of "
            "use_recursive_dict_tags_for_guards. The misspelling is torch's."
        ),
        since="2.9",
    ),
    Flag(
        name="use_recursive_dict_tags_for_guards",
        type=Bool(),
        default=by_release(True, v2_12=False),
        summary="Skips the guards on nested modules whose dicts are unchanged since the last call.",
        details=(
            "Makes deep models faster. For functions it relies on assume_dunder_attributes_remain_unchanged; "
            "max_saved_pointers_for_recursive_dict_tags_check limits its memory use."
        ),
        since="2.9",
    ),
)
