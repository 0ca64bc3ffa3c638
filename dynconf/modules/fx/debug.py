"""Debugging: more information on guards and symbols, and checks of torch's own reasoning."""

from dynconf.flags.described import Described
from dynconf.flags.types import Int

FLAGS = (
    Described(
        name="check_shape_env_recorded_events",
        summary="Checks that replaying the events of symbolic shapes leads to the same state.",
        details="A check of torch's own tests.",
        status="testing",
    ),
    Described(
        name="enrich_profiler_metadata",
        summary="Tells the profiler which node of an FX graph each event belongs to.",
        details="The name of its variable is misspelt in torch; it is read as spelled there.",
    ),
    Described(
        name="extended_debug_cpp",
        summary="Adds the C++ stack to what the other extended_debug flags and errors print.",
        details="It is slow and long.",
    ),
    Described(
        name="extended_debug_create_symbol",
        summary='Prints where the symbol of this name, such as "u2", was created.',
    ),
    Described(
        name="extended_debug_current_loc",
        summary="Shows the line of the program that torch.export is at.",
        details="Only with strict=False. It helps to find out where an export hangs.",
    ),
    Described(
        name="extended_debug_guard_added",
        summary='Prints where the guard with this text, such as "Ne(s0, 10)", was added.',
    ),
    Described(
        name="inject_EVALUATE_EXPR_flip_equality_TESTING_ONLY",
        summary="Plants a bug in symbolic shapes: equalities are taken for their opposite.",
    ),
    Described(
        name="print_specializations",
        summary="Warns of each symbolic size that becomes a constant.",
    ),
    Described(
        name="translation_validation",
        summary="Has the solver z3 prove that the guards mean what the program asked for.",
        details="Needs the package z3-solver.",
    ),
    Described(
        name="translation_validation_no_bisect",
        summary="Does not search for the first guard that translation_validation rejects.",
        details="The search calls the solver many times and may take long.",
    ),
    Described(
        name="translation_validation_timeout",
        type=Int(0),
        summary="Milliseconds that translation_validation gives the solver for an answer.",
    ),
    Described(
        name="validate_shape_env_version_key",
        summary="Checks that torch notices each change of its own record of symbolic shapes.",
        status="testing",
    ),
)
