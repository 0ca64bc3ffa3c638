"""Flags that `torch._functorch.config` lost before torch 2.4."""

from dynconf.flags.flag import Removed

REMOVED: tuple[Removed, ...] = (
    Removed(
        "debug_fake_cross_ref",
        "2.0",
        'use fake_tensor_crossref="all" with the backend "aot_eager_decomp_partition" (torch 2.6)',
    ),
    Removed(
        "debug_graphs",
        "2.0",
        "call torch._logging.set_logs(aot_graphs=True), or set TORCH_LOGS=aot_graphs",
    ),
    Removed(
        "debug_joint",
        "2.0",
        "call torch._logging.set_logs(aot_joint_graph=True), or set TORCH_LOGS=aot_joint_graph",
    ),
    Removed(
        "log_level",
        "2.0",
        "call torch._logging.set_logs(aot=logging.DEBUG), or set TORCH_LOGS=+aot",
    ),
    Removed(
        "use_dynamic_shapes",
        "2.0",
        "pass dynamic=True to torch.compile",
    ),
    Removed(
        "use_fake_tensor",
        "2.0",
        "delete it: fake tensors are always used",
    ),
    Removed(
        "use_functionalize",
        "2.0",
        "delete it: graphs are always functionalized",
    ),
)
