"""Autograd: compiled autograd, checkpointing, and tracing the backward."""

DESCRIPTIONS = """
_autograd_backward_strict_mode_banned_ops:
    Names of tensor attributes and methods that break the graph in a traced backward.
    Applies to the backward of a custom autograd.Function.
_autograd_backward_strict_mode_conditional_banned_ops:
    Names of tensor properties that make Dynamo retrace a backward on contiguous gradients.
_experimental_support_context_fn_in_torch_utils_checkpoint:
    Allows `context_fn` of torch.utils.checkpoint in compiled code; False makes it an error.
    Instead: delete it: later releases accept the argument without the flag
capture_autograd_function: No-op since torch 2.6; used to capture calls of custom autograd.Functions.
    Instead: delete it: custom autograd.Functions are always captured
compiled_autograd: Compiles backward passes started in compiled functions, as autograd runs them.
    Captures hooks, gradient accumulation and the like, which a separate backward for each forward graph
    cannot, and allows backward hooks on tensors inside the compiled region. It is read when torch.compile is
    called; functions compiled earlier keep their behavior.
compiled_autograd_kwargs_override: Arguments of torch.compile to override for the graphs of compiled autograd.
    Only the key "fullgraph" is accepted; any other raises AssertionError. If empty, the arguments of the
    forward apply.
cudagraph_backend_keep_input_mutation:
    Keeps changes to inputs in the inference graph that the "cudagraphs" backend gets.
    If False, they are applied after the graph has run. The backend skips a graph that changes its inputs
    unless cudagraph_backend_support_input_mutation is set too.
cudagraph_backend_support_input_mutation:
    Lets the "cudagraphs" backend record graphs that change their inputs.
    Meant for inputs that live in the memory pool of an earlier CUDA graph.
raise_on_unsafe_aot_autograd: No-op; used to raise when AOTAutograd was unsafe to use.
skip_fwd_side_effects_in_bwd_under_checkpoint:
    Allows side effects in checkpointed code without repeating them in the backward.
    Eager mode repeats them when it recomputes the forward, so results may differ from eager mode. If False,
    such a side effect breaks the graph.
trace_autograd_ops: Captures torch.autograd.grad and Tensor.backward calls instead of breaking the graph.
    The graph still breaks where compiled autograd is enabled, or where a returned tensor needs the part of
    the autograd graph that the call has used up.
"""
