"""Tracing by AOTAutograd: which operators end up in the graph, and in which form."""

DESCRIPTIONS = """
_max_aliased_inputs_with_dynamic_shapes_enabled:
    Most inputs that may share memory with one that is changed, if sizes vary.
    More than that raise an error: torch would have to compare each of them with each other.
_test_disable_functionalization: Not read by torch; a switch for tests that trace without functionalization.
check_custom_op_aliasing: Checks that custom operators do not return views of their inputs or of each other.
    Each compiled function is checked on its first call. error_on_custom_op_aliasing decides whether a
    violation is a warning or an error.
custom_op_default_layout_constraint:
    Required strides of the inputs of a custom operator that does not declare any.
    "needs_exact_strides": the same as in eager mode; "needs_fixed_stride_order": the same order;
    "flexible_layout": anything, which leaves Inductor free to choose.
decompose_custom_triton_ops: Traces into operators made with torch.library.triton_op.
    If False, as during export, each stays one operator in the graph.
enable_complex_wrapper:
    Replaces operations on complex tensors by operations on their real and imaginary parts.
error_on_custom_op_aliasing: Raises where check_custom_op_aliasing finds a violation, instead of warning.
    Has no effect if check_custom_op_aliasing is False.
functionalize_rng_ops: Replaces random operators on CUDA by ones that take seed and offset as inputs.
    Ahead-of-time export raises RuntimeError while it is set.
graphsafe_rng_functionalization:
    Repeats random operators in recomputed regions in a way that CUDA graphs can capture.
    If False, the state of the generator is saved and restored around them. That is done anyway if a graph
    uses several GPUs, or under Inductor's fallback_random.
selective_decompose: Decomposes only operators in regions that were marked for Inductor.
    The mode "lite" of torch.compile turns it on.
static_weight_shapes: Treats the sizes of parameters and buffers as constants.
    Only where AOTAutograd is called directly; under torch.compile, Dynamo decides.
unlift_effect_tokens: Creates the tokens that order side effects inside the graph, not as its inputs.
    Inductor turns it on. The graph is then no longer functional, so a backend that does not know about tokens
    may reorder or drop the side effects.
"""
