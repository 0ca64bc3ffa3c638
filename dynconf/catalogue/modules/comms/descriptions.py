"""What each flag does, by topic: see `dynconf.catalogue.flags.described`."""

DESCRIPTIONS = """
[reorder]: Starting collectives earlier, as the pass ``reorder_communication_preserving_peak_memory`` does.
env_str: Not a setting, but a leftover of how the module reads its variables; nothing else reads it.
    torch takes every name of the module for a flag, so its value is part of cache keys.
reorder_iterative_debug_limit_to_reorder:
    Moves at most this many collectives; for finding the one that goes wrong.
reorder_iterative_debug_memory_recompute:
    Computes peak memory from scratch after each move, and stops where the passes were wrong.
    Both passes obey it. It makes compilation slow.
reorder_iterative_extra_comm_comp_overlap:
    How much more computation than needed is put beside a collective, as a fraction of its time.
    Only with reorder_iterative_use_runtime_estimations.
reorder_iterative_group_with_collectives: Lets other collectives move along with one that depends on them.
reorder_iterative_peak_memory_budget: How much the moves may add to peak memory, as a fraction of it.
reorder_iterative_unsafe_collectives_reorder: Lets collectives overtake each other.
    Every rank must then decide alike, or they wait for each other forever: see
    runtime_estimations_align_across_all_distributed_ranks.
reorder_iterative_use_runtime_estimations: Moves a collective only until enough computation runs beside it.
    Set runtime_estimations_mms_benchmark of inductor too. If False, it moves as far as it can.
reorder_sink_verbose_logging: Logs the moves of each collective by both passes, and why they stopped.

[sink]: Waiting later for collectives, as the pass ``sink_waits_iterative`` does.
sink_iterative_extra_comm_comp_overlap:
    How much more computation than needed is put before a wait, as a fraction of the collective.
    Only with sink_iterative_use_runtime_estimations.
sink_iterative_peak_memory_budget: How much later waits may add to peak memory, as a fraction of it.
sink_iterative_use_runtime_estimations: Moves a wait only until enough computation runs before it.
    If False, it moves as far as it can.
sink_waits_iterative_debug_limit_to_sink: Moves at most this many waits; for finding the one that goes wrong.
sink_waits_iterative_swap_with_collectives: Lets a wait move past collectives that have nothing to do with it.
sink_waits_iterative_unsafe_collectives_reorder: Lets collectives overtake each other as waits move.
    Every rank must then decide alike, or they wait for each other forever.

[estimates]: How long operations are thought to take, on which the passes base their decisions.
reorder_for_compute_comm_overlap_broadcast_runtime_estimations:
    Makes all ranks use the estimates of one, sent to them as they compile.
    Ranks that estimate differently may order collectives differently, and then wait forever.
reorder_sink_runtime_estimations_comm_mult: Factor by which estimates for collectives are multiplied.
reorder_sink_runtime_estimations_non_comm_mult:
    Factor by which estimates for everything but collectives are multiplied.
runtime_estimations_align_across_all_distributed_ranks:
    Makes all ranks agree on one estimate for each operation.
    Ranks exchange messages while they compile. Needed wherever estimates are measured, since ranks that order
    collectives differently wait for each other forever.
runtime_estimations_use_nccl_lib_estimations:
    Asks NCCL how long a collective takes, instead of a formula of bandwidths.
"""
