"""Starting collectives earlier, as the pass ``reorder_communication_preserving_peak_memory`` does."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, Float, Int, OrNone, Text
from dynconf.flags.variable import Variable

FLAGS = (
    Flag(
        name="env_str",
        type=OrNone(Text()),
        default=None,
        summary="What torch last read from a variable while it was imported.",
        since="2.10",
        variables=(Variable("PYTORCH_SINK_WAITS_LIMIT", "text"),),
        status="internal",
    ),
    Flag(
        name="reorder_iterative_debug_limit_to_reorder",
        type=OrNone(Int(0)),
        default=None,
        summary="Moves at most this many collectives; for finding the one that goes wrong.",
        since="2.10",
        variables=(Variable("PYTORCH_REORDER_COLLECTIVES_LIMIT", "integer"),),
    ),
    Flag(
        name="reorder_iterative_debug_memory_recompute",
        type=Bool(),
        default=False,
        summary="Computes peak memory from scratch after each move, and stops where the passes were wrong.",
        details="Both passes heed it. It makes compilation slow.",
        since="2.10",
    ),
    Flag(
        name="reorder_iterative_extra_comm_comp_overlap",
        type=Float(0),
        default=0.5,
        summary=(
            "How much more computation than needed is put beside a collective, as a fraction of its time."
        ),
        details="Only with reorder_iterative_use_runtime_estimations.",
        since="2.10",
    ),
    Flag(
        name="reorder_iterative_group_with_collectives",
        type=Bool(),
        default=False,
        summary="Lets other collectives move along with one that depends on them.",
        since="2.10",
    ),
    Flag(
        name="reorder_iterative_peak_memory_budget",
        type=Float(0),
        default=0.2,
        summary="How much the moves may add to peak memory, as a fraction of it.",
        since="2.10",
    ),
    Flag(
        name="reorder_iterative_unsafe_collectives_reorder",
        type=Bool(),
        default=True,
        summary="Lets collectives overtake each other.",
        details=(
            "Every rank must then decide alike, or they wait for each other forever: see "
            "runtime_estimations_align_across_all_distributed_ranks."
        ),
        since="2.10",
    ),
    Flag(
        name="reorder_iterative_use_runtime_estimations",
        type=Bool(),
        default=False,
        summary="Moves a collective only until enough computation runs beside it.",
        details="Set runtime_estimations_mms_benchmark of inductor too. If False, it moves as far as it can.",
        since="2.10",
    ),
    Flag(
        name="reorder_sink_verbose_logging",
        type=Bool(),
        default=False,
        summary="Logs what both passes did with each collective, and why they stopped.",
        since="2.11",
    ),
)
