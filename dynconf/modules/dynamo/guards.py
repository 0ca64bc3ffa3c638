"""Guards: what is checked before compiled code is used again."""

from dynconf.flags.flag import Flag, by_release
from dynconf.flags.types import Bool, Int
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="_allow_complex_guards_as_runtime_asserts",
        type=Bool(),
        default=False,
        summary="Older name of allow_complex_guards_as_runtime_asserts.",
        until="2.4",
        status="internal",
        renamed="allow_complex_guards_as_runtime_asserts",
    ),
    Flag(
        name="allow_complex_guards_as_runtime_asserts",
        type=Bool(),
        default=False,
        summary="Checks at run time the shape conditions that export cannot express as constraints.",
        details="Unset, such a condition makes a dimension static or raises a constraint violation.",
        since="2.5",
        until="2.8",
        instead="prefer_deferred_runtime_asserts_over_guards",
    ),
    Flag(
        name="assume_dunder_attributes_remain_unchanged",
        type=Bool(),
        default=True,
        summary="Trusts that functions and classes keep attributes such as __code__ and __defaults__.",
        details=(
            "It lets recursive dict tags skip more checks. Assigning a new object to such an "
            "attribute may then go unnoticed and give wrong results; set it to False in programs that "
            "do so."
        ),
        since="2.9",
    ),
    Flag(
        name="automatic_dynamic_exclusion_guard",
        type=Bool(),
        default=False,
        summary="Keeps newer dynamic graphs from taking inputs that an older static graph fits.",
        details=(
            "It covers input sizes and scalars that automatic_dynamic_shapes has made dynamic, and is "
            "ignored with enable_compiler_collectives."
        ),
        since="2.12",
    ),
    Flag(
        name="do_not_emit_runtime_asserts",
        type=Bool(),
        default=False,
        summary="Leaves runtime checks such as those of torch._check out of the graph.",
        details=(
            "It saves their cost, for instance a GPU synchronization. The conditions are still "
            "assumed while compiling, so inputs that violate them may give wrong results without an "
            "error."
        ),
        variables=(Variable("TORCH_DYNAMO_DO_NOT_EMIT_RUNTIME_ASSERTS", "equals_one"),),
    ),
    Flag(
        name="enable_cpp_framelocals_guard_eval",
        type=Bool(),
        default=True,
        summary="Once let guards read a frame's locals straight in C++; does nothing since torch 2.8.",
        since="2.7",
        status=by_release("active", v2_8="no-op"),
        instead="delete it; guards always read the locals that way",
    ),
    Flag(
        name="enable_cpp_guard_manager",
        type=Bool(),
        default=True,
        summary="Once moved guard checks from Python to C++; does nothing since torch 2.6.",
        variables=(Variable("TORCHDYNAMO_CPP_GUARD_MANAGER", "equals_one", until="2.5"),),
        status=by_release("active", v2_6="no-op"),
        instead="delete it; guards are always checked in C++",
    ),
    Flag(
        name="enable_cpp_symbolic_shape_guards",
        type=Bool(),
        default=False,
        summary="Compiles the guards on dynamic shapes to C++ instead of running them in Python.",
        details=(
            "Needs a working C++ compiler for a gain; conditions too large for 64-bit integers stay "
            "in Python."
        ),
        since="2.7",
    ),
    Flag(
        name="enforce_cond_guards_match",
        type=Bool(),
        default=True,
        summary="Does nothing; once required both branches of cond to have the same guards.",
        until="2.5",
        status="no-op",
    ),
    Flag(
        name="guard_nn_modules",
        type=Bool(),
        default=True,
        summary="Guards on the contents of modules, so that changes to them are noticed.",
        details=(
            "False leaves out guards inside modules that Dynamo has specialized on: changing such a "
            "module after compilation may then give wrong results."
        ),
    ),
    Flag(
        name="guard_nn_modules_using_dict_tags",
        type=Bool(),
        default=True,
        summary="Does nothing; once noticed changes to modules by the version tags of their dicts.",
        status="no-op",
    ),
    Flag(
        name="issue_3_13_0_warning",
        type=Bool(),
        default=True,
        summary="Warns on Python 3.13.0 that guards may run slower, and takes the slower path there.",
        details=(
            "A bug of that one Python release makes dict version tags unreliable; False brings back "
            "the fast path along with the bug."
        ),
        since="2.6",
    ),
    Flag(
        name="max_saved_pointers_for_recursive_dict_tags_check",
        type=Int(0),
        default=256,
        summary="The most objects whose dict tags one recursive check remembers.",
        details="Only used with use_recursive_dict_tags_for_guards.",
        since="2.9",
    ),
    Flag(
        name="prefer_deferred_runtime_asserts_over_guards",
        type=Bool(),
        default=False,
        summary="Turns shape conditions such as torch._check into checks in the graph, not guards.",
        details="A guard that fails leads to recompilation, a check that fails raises an error at run time.",
    ),
    Flag(
        name="report_guard_failures",
        type=Bool(),
        default=True,
        summary="Does nothing; once reported guards that failed.",
        compile_ignored=True,
        status="no-op",
        instead="use TORCH_LOGS=recompiles",
    ),
    Flag(
        name="skip_guards_on_constant_func_defaults",
        type=Bool(),
        default=by_release(True, v2_12=False),
        summary="Leaves out guards on default arguments that are constants.",
        details="Guards get cheaper, but a later change of a function's __defaults__ goes unnoticed.",
        since="2.9",
    ),
    Flag(
        name="skip_nnmodule_hook_guards",
        type=Bool(),
        default=True,
        summary="Leaves out guards on the hooks of modules.",
        details=(
            "A hook that is added or removed after compilation then goes unnoticed; set it to False, "
            "or compile anew, in programs that do so."
        ),
    ),
    Flag(
        name="skip_no_tensor_aliasing_guards_on_parameters",
        type=Bool(),
        default=True,
        summary="Leaves out the check that parameters are distinct tensors.",
        details=(
            "Code compiled for two different parameters gives wrong results when it is later called "
            "with the same one twice."
        ),
        since="2.6",
    ),
    Flag(
        name="skip_tensor_guards_with_matching_dict_tags",
        type=Bool(),
        default=True,
        summary="Skips the guards of a tensor held in a dict that has not changed since the last call.",
        details="A tensor whose own properties change while its dict stays the same may then go unnoticed.",
        since="2.7",
    ),
    Flag(
        name="use_lamba_guard_for_object_aliasing",
        type=Bool(),
        default=by_release(True, v2_14=False),
        summary="Checks in one Python function at the end whether two inputs are the same object.",
        details=(
            "This keeps the check out of the guard tree, where it would get in the way of "
            "use_recursive_dict_tags_for_guards. The spelling is torch's own."
        ),
        since="2.9",
    ),
    Flag(
        name="use_recursive_dict_tags_for_guards",
        type=Bool(),
        default=by_release(True, v2_12=False),
        summary="Skips the guards below nested modules whose dicts have not changed.",
        details=(
            "Faster for deep models. It relies on assume_dunder_attributes_remain_unchanged for "
            "functions, and max_saved_pointers_for_recursive_dict_tags_check limits its memory."
        ),
        since="2.9",
    ),
)
