"""Waiting later for collectives, as the pass ``sink_waits_iterative`` does."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, Float, Int, OrNone
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="sink_iterative_extra_comm_comp_overlap",
        type=Float(0),
        default=0.5,
        summary=(
            "How much more computation than needed is put before a wait, as a fraction of the collective."
        ),
        details="Only with sink_iterative_use_runtime_estimations.",
        since="2.10",
    ),
    Flag(
        name="sink_iterative_peak_memory_budget",
        type=Float(0),
        default=0.2,
        summary="How much later waits may add to peak memory, as a fraction of it.",
        since="2.10",
    ),
    Flag(
        name="sink_iterative_use_runtime_estimations",
        type=Bool(),
        default=False,
        summary="Moves a wait only until enough computation runs before it.",
        details="If False, it moves as far as it can.",
        since="2.10",
    ),
    Flag(
        name="sink_waits_iterative_debug_limit_to_sink",
        type=OrNone(Int(0)),
        default=None,
        summary="Moves at most this many waits; for finding the one that goes wrong.",
        since="2.10",
        variables=(Variable("PYTORCH_SINK_WAITS_LIMIT", "integer"),),
    ),
    Flag(
        name="sink_waits_iterative_swap_with_collectives",
        type=Bool(),
        default=False,
        summary="Lets a wait move past collectives that have nothing to do with it.",
        since="2.10",
    ),
    Flag(
        name="sink_waits_iterative_unsafe_collectives_reorder",
        type=Bool(),
        default=True,
        summary="Lets collectives overtake each other as waits move.",
        details="Every rank must then decide alike, or they wait for each other forever.",
        since="2.10",
    ),
)
