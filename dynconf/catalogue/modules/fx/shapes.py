"""Symbolic shapes: which sizes share a symbol, and which questions are decided without a guard."""

DESCRIPTIONS = """
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
"""
