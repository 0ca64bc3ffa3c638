"""Symbolic shapes: which sizes share a symbol, and which questions are decided without a guard."""

from dynconf.flags.described import Described
from dynconf.flags.types import Int, OrNone

FLAGS = {
    "aggressive_guard_free_semantics": Described(
        "Skips the analysis of conditions that have a general answer anyway, to trace faster.",
        type=Int(0, 2),
        details="It concerns questions about sizes that are not known, asked in a form that has a fallback. "
        "0: the full analysis; 1: only the ranges of values are looked at before the fallback is taken; 2: "
        "the fallback is taken at once. The graph stays correct, but may be less specific.",
    ),
    "backed_size_oblivious": Described(
        "Makes graphs with symbolic sizes valid for sizes 0 and 1 as well.",
        details="Sizes that come from an example input are then reasoned about as if they were unknown, so "
        "that no guard excludes 0 and 1. Meant for torch.export.",
    ),
    "meta_nonzero_assume_all_nonzero": Described(
        "Lets nonzero() work on the device meta, as if every element were nonzero.",
        details="If False, it raises there, because the size of its result depends on the data.",
    ),
    "no_data_dependent_graph_break": "Raises where a branch depends on data, instead of breaking the graph.",
    "skip_dtype_check_in_meta_registrations": Described(
        "Trusts the caller about dtypes when the shape of a result is worked out.",
        details="For systems that check dtypes themselves.",
    ),
    "soft_pending_unbacked_not_found_error": Described(
        "Warns where a new size does not appear in any output, instead of raising.",
        details="The error is PendingUnbackedSymbolNotFound. Without it, something may fail later in the "
        "stack, or a check at run time may be missing from the output code.",
    ),
    "symbol_guard_limit_before_specialize": Described(
        "Makes a size constant once more than this many guards mention it; None never does.",
        type=OrNone(Int(0)),
    ),
    "unify_view_symbols_bso_meta": Described(
        "Lets a view conclude that two symbolic sizes are equal, before it makes one constant.",
        details="Only where backed_size_oblivious is True.",
    ),
    "use_duck_shape": Described(
        "Gives sizes that are equal in the example inputs one symbol.",
        details="A later call in which they differ then recompiles. With False, each size has a symbol of "
        "its own: more general code, with more guards.",
    ),
}
