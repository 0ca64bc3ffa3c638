"""Starting collectives earlier, as the pass ``reorder_communication_preserving_peak_memory`` does."""

DESCRIPTIONS = """
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
"""
