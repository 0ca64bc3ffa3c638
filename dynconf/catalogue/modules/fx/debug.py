"""Debugging: more information on guards and symbols, and checks of torch's own reasoning."""

DESCRIPTIONS = """
check_shape_env_recorded_events: Checks that replaying the events of symbolic shapes leads to the same state.
enrich_profiler_metadata: Tells the profiler which node of an FX graph each event belongs to.
    The name of its variable is misspelt in torch; it is read as spelled there.
extended_debug_cpp: Adds the C++ stack to errors and to the output of the other extended_debug flags.
    It is slow and long.
extended_debug_create_symbol: Prints where the symbol of this name, such as "u2", was created.
extended_debug_current_loc: Shows the line of the program that torch.export is at.
    Only with strict=False. It helps to find out where an export hangs.
extended_debug_guard_added: Prints where the guard with this text, such as "Ne(s0, 10)", was added.
inject_EVALUATE_EXPR_flip_equality_TESTING_ONLY:
    Plants a bug in symbolic shapes: equalities are taken for their opposite.
print_specializations: Warns of each symbolic size that becomes a constant.
translation_validation: Has the solver z3 prove that the guards match the conditions of the program.
    Needs the package z3-solver.
translation_validation_no_bisect: Does not search for the first guard that translation_validation rejects.
    The search calls the solver many times and may take long.
translation_validation_timeout: Milliseconds that translation_validation gives the solver for an answer.
validate_shape_env_version_key: Checks that torch notices each change of its own record of symbolic shapes.
"""
