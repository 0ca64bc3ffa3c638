"""Waiting later for collectives, as the pass ``sink_waits_iterative`` does."""

from dynconf.flags.described import Described
from dynconf.flags.types import Float, Int, OrNone

FLAGS = {
    "sink_iterative_extra_comm_comp_overlap": Described(
        "How much more computation than needed is put before a wait, as a fraction of the collective.",
        type=Float(0),
        details="Only with sink_iterative_use_runtime_estimations.",
    ),
    "sink_iterative_peak_memory_budget": Described(
        "How much later waits may add to peak memory, as a fraction of it.",
        type=Float(0),
    ),
    "sink_iterative_use_runtime_estimations": Described(
        "Moves a wait only until enough computation runs before it.",
        details="If False, it moves as far as it can.",
    ),
    "sink_waits_iterative_debug_limit_to_sink": Described(
        "Moves at most this many waits; for finding the one that goes wrong.",
        type=OrNone(Int(0)),
    ),
    "sink_waits_iterative_swap_with_collectives": "Lets a wait move past collectives that do not concern it.",
    "sink_waits_iterative_unsafe_collectives_reorder": Described(
        "Lets collectives overtake each other as waits move.",
        details="Every rank must then decide alike, or they wait for each other forever.",
    ),
}
