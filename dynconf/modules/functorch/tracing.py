"""Tracing by AOTAutograd: which operators end up in the graph, and in which form."""

from dynconf.flags.described import Described

FLAGS = {
    "_max_aliased_inputs_with_dynamic_shapes_enabled": Described(
        "Most inputs that may share memory with one that is changed, if sizes vary.",
        details="More than that raise an error: torch would have to compare each of them with each other.",
    ),
    "_test_disable_functionalization": "Not read by torch; for tests that trace without functionalization.",
    "check_custom_op_aliasing": Described(
        "Checks that custom operators do not return views of their inputs or of each other.",
        details="Each compiled function is checked on its first call. error_on_custom_op_aliasing decides "
        "whether a violation is a warning or an error.",
    ),
    "custom_op_default_layout_constraint": Described(
        "Required strides of the inputs of a custom operator that does not declare any.",
        details='"needs_exact_strides": the same as in eager mode; "needs_fixed_stride_order": the same '
        'order; "flexible_layout": anything, which leaves Inductor free to choose.',
    ),
    "decompose_custom_triton_ops": Described(
        "Traces into operators made with torch.library.triton_op.",
        details="If False, as during export, each stays one operator in the graph.",
    ),
    "enable_complex_wrapper": "Computes on complex tensors by way of their real and imaginary parts.",
    "error_on_custom_op_aliasing": Described(
        "Raises where check_custom_op_aliasing finds a violation, instead of warning.",
        details="Has no effect if check_custom_op_aliasing is False.",
    ),
    "functionalize_rng_ops": Described(
        "Replaces random operators on CUDA by ones that take seed and offset as inputs.",
        details="Ahead-of-time export raises RuntimeError while it is set.",
    ),
    "graphsafe_rng_functionalization": Described(
        "Repeats random operators in recomputed regions in a way that CUDA graphs can capture.",
        details="If False, the state of the generator is saved and restored around them. That is done anyway "
        "if a graph uses several GPUs, or under Inductor's fallback_random.",
    ),
    "selective_decompose": Described(
        "Decomposes only operators in regions that were marked for Inductor.",
        details='The mode "lite" of torch.compile turns it on.',
    ),
    "static_weight_shapes": Described(
        "Treats the sizes of parameters and buffers as constants.",
        details="Only where AOTAutograd is called directly; under torch.compile, Dynamo decides.",
    ),
    "unlift_effect_tokens": Described(
        "Creates the tokens that order side effects inside the graph, not as its inputs.",
        details="Inductor turns it on. The graph is then no longer functional, so a backend that does not "
        "know about tokens may reorder or drop the side effects.",
    ),
}
