"""What each flag does, by topic: see `dynconf.catalogue.flags.described`."""

DESCRIPTIONS = """
[shapes]: Which sizes share a symbol, and which questions are decided without a guard.
aggressive_guard_free_semantics:
    Skips the analysis of conditions that have a general answer anyway, to trace faster.
    It concerns questions about sizes that are not known, asked in a form that has a fallback. 0: the full
    analysis; 1: only the ranges of values are looked at before the fallback is taken; 2: the fallback is
    taken at once. The graph stays correct, but may be less specific.
backed_size_oblivious: Makes graphs with symbolic sizes valid for sizes 0 and 1 as well.
    Sizes that come from an example input are then reasoned about as if they were unknown, so that no guard
    excludes 0 and 1. Meant for torch.export.
meta_nonzero_assume_all_nonzero: Lets nonzero() work on the device meta, as if every element were nonzero.
    If False, it raises there, because the size of its result depends on the data.
no_data_dependent_graph_break: Raises where a branch depends on data, instead of breaking the graph.
skip_dtype_check_in_meta_registrations:
    Trusts the caller about dtypes when the shape of a result is worked out.
    For systems that check dtypes themselves.
soft_pending_unbacked_not_found_error:
    Warns where a new size does not appear in any output, instead of raising.
    The error is PendingUnbackedSymbolNotFound. Without it, something may fail later in the stack, or a check
    at run time may be missing from the output code.
symbol_guard_limit_before_specialize:
    Makes a size constant once more than this many guards mention it; None never does.
unify_view_symbols_bso_meta:
    Lets a view conclude that two symbolic sizes are equal, before it makes one constant.
    Only where backed_size_oblivious is True.
use_duck_shape: Gives sizes that are equal in the example inputs one symbol.
    A later call in which they differ then recompiles. With False, each size has a symbol of its own: more
    general code, with more guards.

[debug]: More information on guards and symbols, and checks of torch's own reasoning.
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
