"""Waiting later for collectives, as the pass ``sink_waits_iterative`` does."""

DESCRIPTIONS = """
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
"""
