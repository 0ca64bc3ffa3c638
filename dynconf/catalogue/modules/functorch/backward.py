"""The backward graph: when it is compiled, and which assumptions are made about its inputs."""

DESCRIPTIONS = """
backward_pass_autocast: Which autocast contexts the traced backward runs under.
    The backward is traced together with the forward, before it is known where it will be called.
    "same_as_forward" assumes the contexts around the compiled forward; "off" assumes none. A list gives one
    dict of torch.autocast arguments for each context, such as [{"device_type": "cuda"}].
disable_guess_zero_tangent_for_mutated_input_subclass:
    Expects the gradient of a changed subclass input to be of that subclass as well.
    If False, the backward is traced for a plain tensor of zeros there, since programs rarely use that
    gradient. A wrong guess is an error in the backward.
donated_buffer: Lets the backward reuse the memory of intermediate results saved for it.
    Lowers peak memory, but each backward can then run only once: retain_graph=True and create_graph=True
    raise RuntimeError. Set it to False before compiling if you need either.
force_non_lazy_backward_lowering: Compiles the backward graph together with the forward one.
    If False, the backward is compiled at its first call, except where sizes that vary are saved for it.
    Ahead-of-time compilation turns it on. Errors of that compilation are then raised instead of being put off
    until the backward runs.
guess_tangent_strides_as_outputs: Expects gradients to have the strides of the outputs they belong to.
    If False, they are expected to be contiguous. A gradient with other strides is copied when the backward
    runs, at the cost of time and memory. Subclasses and tensors of varying size are not affected.
saved_tensors_hooks_filtering_mode:
    To which saved tensors the hooks of saved_tensors_hooks are applied in compiled code.
    "donated": only intermediate results, which nothing else keeps alive; "no_static": everything but
    parameters and inputs marked as static; "all": everything.
view_replay_for_aliased_outputs:
    Recreates outputs that are views by repeating the view operations on their base.
    If False, such outputs are made with as_strided, which is faster after long chains of views but slow in
    the backward, and which not every backend supports. From torch 2.6 to 2.8, graphs with such outputs are
    not cached while it is True.
"""
