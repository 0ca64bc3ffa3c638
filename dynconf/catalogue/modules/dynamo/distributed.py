"""Distributed training: DDP, FSDP and collectives."""

DESCRIPTIONS = """
_ddp_optimization_mode: Modes that optimize_ddp accepts, listed for torch's own check.
_unsafe_skip_fsdp_module_guards: Skips tensor guards on the members of FSDP modules, without any check.
    Replaced parameters go unnoticed, so results may be wrong.
enable_compiler_collectives: Lets ranks compare sizes while compiling, so that all make the same ones dynamic.
    Every rank must compile the same frames at the same time, with the same graph breaks; otherwise the
    collective hangs until it times out. Needs an initialized process group, and turns off the guards of
    automatic_dynamic_exclusion_guard.
enable_p2p_compilation: Captures isend, irecv and batch_isend_irecv in the graph (experimental).
    If False, these calls break the graph.
optimize_ddp: How a compiled DistributedDataParallel model is split and which reducer syncs gradients.
    True is "ddp_optimizer": the graph is split at DDP's gradient buckets, so the C++ reducer can send one
    bucket during the backward of the next. "python_reducer" (experimental) turns the C++ reducer off and
    syncs gradients in Python hooks; compiled autograd captures them in one graph with the backward, so
    communication can overlap. It needs compiled autograd and must be set before the DDP module is built.
    "python_reducer_without_compiled_forward" does the same, up to torch 2.6, for a DDP module that is not
    compiled itself; from 2.7 on it selects neither splitting nor the Python reducer. False is
    "no_optimization": one graph and the C++ reducer, so communication does not overlap with a graph's
    backward; do not use it with compiled autograd.
optimize_ddp_lazy_compile:
    No-op since torch 2.5; used to compile the pieces of a DDP graph on their first run.
skip_fsdp_guards: Skips most guards on FSDP-wrapped modules, which are assumed not to be modified.
    If attributes of such a module change after compilation, results may be wrong without notice.
skip_fsdp_hooks: Runs the hooks of fully_shard eagerly, outside compiled code.
    If False, Dynamo traces through the hooks (experimental, meant for compiled autograd). Set it before
    torch._dynamo's trace rules are imported.
    Instead: delete it: nothing replaces it
trace_distributed: No-op since torch 2.3; used to let Dynamo trace into torch.distributed.
    Instead: delete it: collectives are captured without it
"""
