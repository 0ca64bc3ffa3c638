"""Autograd: compiled autograd, checkpoints and what the backward pass allows."""

from dynconf.catalogue.host import BANNED_OPS
from dynconf.catalogue.record import Flag, by_release
from dynconf.catalogue.value_types import Bool, ListOf, Mapping, Text

FLAGS = (
    Flag(
        name="_autograd_backward_strict_mode_banned_ops",
        type=ListOf(Text()),
        default=by_release(BANNED_OPS, v2_7=("layout", "is_neg", "is_conj", "is_pinned")),
        summary="@@",
        status="internal",
    ),
    Flag(
        name="_autograd_backward_strict_mode_conditional_banned_ops",
        type=ListOf(Text()),
        default=('stride', 'storage_offset', 'is_contiguous'),
        summary="@@",
        since="2.7",
        status="internal",
    ),
    Flag(
        name="_experimental_support_context_fn_in_torch_utils_checkpoint",
        type=Bool(),
        default=False,
        summary="@@",
        until="2.4",
        status="internal",
    ),
    Flag(
        name="capture_autograd_function",
        type=Bool(),
        default=True,
        summary="@@",
        status=by_release("active", v2_6="no-op"),
    ),
    Flag(
        name="compiled_autograd",
        type=Bool(),
        default=False,
        summary="@@",
    ),
    Flag(
        name="compiled_autograd_kwargs_override",
        type=Mapping(),
        default=(),
        summary="@@",
        since="2.6",
    ),
    Flag(
        name="cudagraph_backend_keep_input_mutation",
        type=Bool(),
        default=False,
        summary="@@",
    ),
    Flag(
        name="cudagraph_backend_support_input_mutation",
        type=Bool(),
        default=False,
        summary="@@",
    ),
    Flag(
        name="raise_on_unsafe_aot_autograd",
        type=Bool(),
        default=False,
        summary="@@",
        status="no-op",
    ),
    Flag(
        name="skip_fwd_side_effects_in_bwd_under_checkpoint",
        type=Bool(),
        default=False,
        summary="@@",
        since="2.10",
    ),
    Flag(
        name="trace_autograd_ops",
        type=Bool(),
        default=False,
        summary="@@",
        since="2.11",
    ),
)
