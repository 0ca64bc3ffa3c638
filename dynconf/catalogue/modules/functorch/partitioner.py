"""The partitioner: dividing the joint graph into forward and backward, and choosing what to recompute."""

DESCRIPTIONS = """
aggressive_recomputation: Lifts every ban on recomputation except the one on reductions.
    Overrides ban_recompute_used_far_apart, ban_recompute_long_fusible_chains,
    ban_recompute_materialized_backward and ban_recompute_not_in_allowlist. Usually saves some memory and
    costs some speed.
ban_recompute_long_fusible_chains:
    Saves a result now and then within long chains of operators that could be fused.
    If False, the backward may have to repeat a chain of any length.
ban_recompute_materialized_backward:
    Never recomputes a result that the backward would have to write to memory anyway.
    Recomputing is free only where it can be fused into the operators that use the result.
ban_recompute_not_in_allowlist: Recomputes only operators that are known to be cheap.
    If False, everything may be recomputed but random operators and those that compute a lot, such as matrix
    products.
ban_recompute_reductions: Never recomputes an operator whose output is less than a quarter of its inputs.
    Such results, as of a sum or a normalization, cost little memory to save.
ban_recompute_used_far_apart: Never recomputes from values that were last used much earlier in the graph.
    Recomputing would keep those values in memory for a long time.
cse: Removes repeated computations from the joint graph before it is divided.
joint_custom_pass: Function that may change the joint graph before it is divided.
    It is called with the graph module and its inputs, and returns the graph module to use. It is not part of
    the cache key: turn the caches off while you change it.
max_dist_from_bw: Most steps between an operator and the backward for it to be recomputed.
    1000 or more means no limit; small numbers ban recomputation far from the backward.
recompute_views: Always recomputes views instead of saving them.
remat_using_tags_for_fwd_loss_bwd_graph:
    Applies activation checkpointing in graphs that contain the backward as well.
    Such graphs come from torch.autograd.grad inside compiled code. Checkpointed results are recomputed right
    before the backward uses them. If False, they stay in memory.
treat_parameters_as_free_to_save: Counts parameters and other lasting inputs as free to save for the backward.
    They exist anyway, so saving one costs nothing.
unsafe_treat_script_objects_as_zero_size: Assumes that script objects need no memory, instead of raising.
    The partitioner cannot tell how much memory a torch.ScriptObject holds. The assumption may make it choose
    badly, but lets such models be compiled.
"""
