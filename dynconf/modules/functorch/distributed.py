"""Several ranks: decisions that must be the same on each."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool

FLAGS = (
    Flag(
        name="_broadcast_rank0_decision",
        type=Bool(),
        default=False,
        summary="Makes all ranks save the tensors for the backward that rank 0 chose.",
        details="Only where graphs are the same on all ranks and contain collectives.",
        since="2.8",
        until="2.8",
        status="internal",
        renamed="_sync_decision_cross_ranks",
    ),
    Flag(
        name="_sync_cache_decision_cross_ranks",
        type=Bool(),
        default=False,
        summary="Uses a cached graph only if every rank has found one.",
        details="Ranks that compile exchange messages, and would wait for a rank that does not.",
        since="2.15",
        status="internal",
    ),
    Flag(
        name="_sync_decision_cross_ranks",
        type=Bool(),
        default=False,
        summary="Makes all ranks agree on the tensors that are saved for the backward.",
        details="Only where graphs are the same on all ranks and contain collectives.",
        since="2.9",
        status="internal",
    ),
    Flag(
        name="unsafe_allow_optimization_of_collectives",
        type=Bool(),
        default=False,
        summary="Lets the partitioner recompute and remove collectives such as all_reduce.",
        details=(
            "Ranks that decide differently then wait for each other forever; torch has no protection "
            "against that yet."
        ),
        since="2.8",
    ),
)
