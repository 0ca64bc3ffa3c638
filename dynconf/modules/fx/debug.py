"""Debugging: more information on guards and symbols, and checks of torch's own reasoning."""

from dynconf.flags.described import Described
from dynconf.flags.types import Int

FLAGS = {
    "check_shape_env_recorded_events": Described(
        "Checks that replaying the events of symbolic shapes leads to the same state.",
        status="testing",
    ),
    "enrich_profiler_metadata": Described(
        "Tells the profiler which node of an FX graph each event belongs to.",
        details="The name of its variable is misspelt in torch; it is read as spelled there.",
    ),
    "extended_debug_cpp": Described(
        "Adds the C++ stack to errors and to the output of the other extended_debug flags.",
        details="It is slow and long.",
    ),
    "extended_debug_create_symbol": 'Prints where the symbol of this name, such as "u2", was created.',
    "extended_debug_current_loc": Described(
        "Shows the line of the program that torch.export is at.",
        details="Only with strict=False. It helps to find out where an export hangs.",
    ),
    "extended_debug_guard_added": 'Prints where the guard with this text, such as "Ne(s0, 10)", was added.',
    "inject_EVALUATE_EXPR_flip_equality_TESTING_ONLY": (
        "Plants a bug in symbolic shapes: equalities are taken for their opposite."
    ),
    "print_specializations": "Warns of each symbolic size that becomes a constant.",
    "translation_validation": Described(
        "Has the solver z3 prove that the guards match the conditions of the program.",
        details="Needs the package z3-solver.",
    ),
    "translation_validation_no_bisect": Described(
        "Does not search for the first guard that translation_validation rejects.",
        details="The search calls the solver many times and may take long.",
    ),
    "translation_validation_timeout": Described(
        "Milliseconds that translation_validation gives the solver for an answer.",
        type=Int(0),
    ),
    "validate_shape_env_version_key": Described(
        "Checks that torch notices each change of its own record of symbolic shapes.",
        status="testing",
    ),
}
