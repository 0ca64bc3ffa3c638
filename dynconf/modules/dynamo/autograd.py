"""Autograd: compiled autograd, checkpointing, and what a traced backward may do."""

from dynconf.flags.flag import Flag, by_release
from dynconf.flags.types import Bool, JsonDict, ListOf, Text
from dynconf.modules.dynamo.host import BANNED_OPS

FLAGS = (
    Flag(
        name="_autograd_backward_strict_mode_banned_ops",
        type=ListOf(Text()),
        default=by_release(BANNED_OPS, v2_7=("layout", "is_neg", "is_conj", "is_pinned")),
        summary="Names of tensor attributes and methods that break the graph in a traced backward.",
        details="Applies to the backward of a custom autograd.Function.",
        status="internal",
    ),
    Flag(
        name="_autograd_backward_strict_mode_conditional_banned_ops",
        type=ListOf(Text()),
        default=("stride", "storage_offset", "is_contiguous"),
        summary="Names of tensor properties that make Dynamo retrace a backward on contiguous gradients.",
        since="2.7",
        status="internal",
    ),
    Flag(
        name="_experimental_support_context_fn_in_torch_utils_checkpoint",
        type=Bool(),
        default=False,
        summary="Allows `context_fn` of torch.utils.checkpoint in compiled code; False makes it an error.",
        until="2.4",
        status="internal",
        instead="delete it: later releases accept the argument without the flag",
    ),
    Flag(
        name="capture_autograd_function",
        type=Bool(),
        default=True,
        summary="No-op since torch 2.6; used to capture calls of custom autograd.Functions.",
        status=by_release("active", v2_6="no-op"),
        instead="delete it: custom autograd.Functions are always captured",
    ),
    Flag(
        name="compiled_autograd",
        type=Bool(),
        default=False,
        summary="Compiles backward passes started in compiled functions, as autograd runs them.",
        details=(
            "Captures what a separate backward for each forward graph cannot, such as hooks and gradient "
            "accumulation, and allows backward hooks on tensors inside the compiled region. It is read when "
            "torch.compile is called; functions compiled earlier keep their behavior."
        ),
    ),
    Flag(
        name="compiled_autograd_kwargs_override",
        type=JsonDict(),
        default=(),
        summary="Arguments of torch.compile to override for the graphs of compiled autograd.",
        details=(
            'Only the key "fullgraph" is accepted; any other raises AssertionError. If empty, the arguments '
            "of the forward apply."
        ),
        since="2.6",
    ),
    Flag(
        name="cudagraph_backend_keep_input_mutation",
        type=Bool(),
        default=False,
        summary='Keeps changes to inputs in the inference graph that the "cudagraphs" backend gets.',
        details=(
            "If False, they are applied after the graph has run. The backend skips a graph that changes its "
            "inputs unless cudagraph_backend_support_input_mutation is set too."
        ),
    ),
    Flag(
        name="cudagraph_backend_support_input_mutation",
        type=Bool(),
        default=False,
        summary='Lets the "cudagraphs" backend record graphs that change their inputs.',
        details="Meant for inputs that live in the memory pool of an earlier CUDA graph.",
    ),
    Flag(
        name="raise_on_unsafe_aot_autograd",
        type=Bool(),
        default=False,
        summary="No-op; used to raise when AOTAutograd was unsafe to use.",
        status="no-op",
    ),
    Flag(
        name="skip_fwd_side_effects_in_bwd_under_checkpoint",
        type=Bool(),
        default=False,
        summary="Allows side effects in checkpointed code without repeating them in the backward.",
        details=(
            "Eager mode repeats them when it recomputes the forward, so results may differ from eager mode. "
            "If False, such a side effect breaks the graph."
        ),
        since="2.10",
    ),
    Flag(
        name="trace_autograd_ops",
        type=Bool(),
        default=False,
        summary="Captures torch.autograd.grad and Tensor.backward calls instead of breaking the graph.",
        details=(
            "The graph still breaks where compiled autograd is enabled, or where a returned tensor needs the "
            "part of the autograd graph that the call has used up."
        ),
        since="2.11",
    ),
)
