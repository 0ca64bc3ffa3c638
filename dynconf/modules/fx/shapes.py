"""Symbolic shapes: which sizes share a symbol, and what is decided without a guard."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, Int, OrNone
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="aggressive_guard_free_semantics",
        type=Int(0, 2),
        default=0,
        summary="Skips the analysis of conditions that have a general answer anyway, to trace faster.",
        details=(
            "It concerns questions about sizes that are not known, asked in a form that has a fallback. 0: "
            "the full analysis; 1: only the ranges of values are looked at before the fallback is taken; 2: "
            "the fallback is taken at once. The graph stays correct, but may be less specific."
        ),
        since="2.12",
    ),
    Flag(
        name="backed_size_oblivious",
        type=Bool(),
        default=False,
        summary="Makes graphs with symbolic sizes valid for sizes 0 and 1 as well.",
        details=(
            "Sizes that come from an example input are then reasoned about as if they were unknown, so that "
            "no guard excludes 0 and 1. Meant for torch.export."
        ),
        since="2.7",
    ),
    Flag(
        name="meta_nonzero_assume_all_nonzero",
        type=Bool(),
        default=False,
        summary="Lets nonzero() work on the device meta, as if every element were nonzero.",
        details="If False, it raises there, because the size of its result depends on the data.",
        since="2.7",
    ),
    Flag(
        name="no_data_dependent_graph_break",
        type=Bool(),
        default=False,
        summary="Raises where a branch depends on data, instead of breaking the graph.",
        since="2.7",
        variables=(Variable("TORCHDYNAMO_NO_DATA_DEPENDENT_GRAPH_BREAK", "equals_one"),),
        compile_ignored=True,
    ),
    Flag(
        name="skip_dtype_check_in_meta_registrations",
        type=Bool(),
        default=False,
        summary="Trusts the caller about dtypes when the shape of a result is worked out.",
        details="For systems that check dtypes themselves.",
        since="2.8",
    ),
    Flag(
        name="soft_pending_unbacked_not_found_error",
        type=Bool(),
        default=False,
        summary="Warns where a new size does not appear in any output, instead of raising.",
        details=(
            "The error is PendingUnbackedSymbolNotFound. Without it, something may fail later in the stack, "
            "or a check at run time may be missing from the output code."
        ),
        since="2.11",
    ),
    Flag(
        name="symbol_guard_limit_before_specialize",
        type=OrNone(Int(0)),
        default=None,
        summary="Makes a size constant once more than this many guards mention it; None never does.",
    ),
    Flag(
        name="unify_view_symbols_bso_meta",
        type=Bool(),
        default=False,
        summary="Lets a view conclude that two symbolic sizes are equal, before it makes one constant.",
        details="Only where backed_size_oblivious is True.",
        since="2.13",
    ),
    Flag(
        name="use_duck_shape",
        type=Bool(),
        default=True,
        summary="Gives sizes that are equal in the example inputs one symbol.",
        details=(
            "A later call in which they differ then recompiles. With False, each size has a symbol of its "
            "own: more general code, with more guards."
        ),
        since="2.5",
    ),
)
