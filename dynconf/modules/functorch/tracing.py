"""Tracing by AOTAutograd: which operators end up in the graph, and in what form."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, Choice, Int
from dynconf.flags.variable import Variable
from dynconf.modules.functorch.host import ON_BUILD_SERVER

FLAGS = (
    Flag(
        name="_max_aliased_inputs_with_dynamic_shapes_enabled",
        type=Int(),
        default=5,
        summary="Most inputs that may share memory with one that is changed, if sizes vary.",
        details="More than that raise an error: torch would have to compare each of them with each other.",
        until="2.5",
        status="internal",
    ),
    Flag(
        name="_test_disable_functionalization",
        type=Bool(),
        default=True,
        summary="Not read by torch; a switch for tests that trace without functionalization.",
        since="2.10",
        status="internal",
    ),
    Flag(
        name="check_custom_op_aliasing",
        type=Bool(),
        default=True,
        summary="Checks that custom operators do not return views of their inputs or of each other.",
        details=(
            "Each compiled function is checked on its first call. error_on_custom_op_aliasing decides "
            "whether a violation is a warning or an error."
        ),
        since="2.11",
    ),
    Flag(
        name="custom_op_default_layout_constraint",
        type=Choice(("needs_exact_strides", "needs_fixed_stride_order", "flexible_layout")),
        default="needs_exact_strides",
        summary="What a custom operator that does not say so requires of the strides of its inputs.",
        details=(
            '"needs_exact_strides": the same as in eager mode; "needs_fixed_stride_order": the same order; '
            '"flexible_layout": anything, which leaves Inductor free to choose.'
        ),
        since="2.8",
    ),
    Flag(
        name="decompose_custom_triton_ops",
        type=Bool(),
        default=True,
        summary="Traces into operators made with torch.library.triton_op.",
        details="If False, as during export, each stays one operator in the graph.",
        since="2.7",
    ),
    Flag(
        name="enable_complex_wrapper",
        type=Bool(),
        default=False,
        summary="Replaces operations on complex tensors by operations on their real and imaginary parts.",
        since="2.13",
    ),
    Flag(
        name="error_on_custom_op_aliasing",
        type=Bool(),
        default=ON_BUILD_SERVER,
        summary="Raises where check_custom_op_aliasing finds a violation, instead of warning.",
        details="Has no effect if check_custom_op_aliasing is False.",
        since="2.11",
        variables=(Variable("TORCHINDUCTOR_ERROR_ON_CUSTOM_OP_ALIASING", "force", since="2.13"),),
    ),
    Flag(
        name="functionalize_rng_ops",
        type=Bool(),
        default=False,
        summary="Replaces random operators on CUDA by ones that take seed and offset as inputs.",
        details="Ahead-of-time export raises RuntimeError while it is set.",
    ),
    Flag(
        name="graphsafe_rng_functionalization",
        type=Bool(),
        default=True,
        summary="Repeats random operators in recomputed regions in a way that CUDA graphs can capture.",
        details=(
            "If False, the state of the generator is saved and restored around them. That is done anyway "
            "if a graph uses several GPUs, or under Inductor's fallback_random."
        ),
        since="2.7",
    ),
    Flag(
        name="selective_decompose",
        type=Bool(),
        default=False,
        summary="Decomposes only operators in regions that were marked for Inductor.",
        details='The mode "lite" of torch.compile turns it on.',
        since="2.10",
    ),
    Flag(
        name="static_weight_shapes",
        type=Bool(),
        default=True,
        summary="Treats the sizes of parameters and buffers as constants.",
        details="Only where AOTAutograd is called directly; under torch.compile, Dynamo decides.",
    ),
    Flag(
        name="unlift_effect_tokens",
        type=Bool(),
        default=False,
        summary="Creates the tokens that order side effects inside the graph, not as its inputs.",
        details=(
            "Inductor turns it on. The graph is then no longer functional, so a backend that does not know "
            "about tokens may reorder or drop the side effects."
        ),
    ),
)
