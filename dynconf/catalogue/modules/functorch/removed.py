"""Flags that `torch._functorch.config` lost before torch 2.4."""

from dynconf.catalogue.flags.flag import Removed

REMOVED = {
    "debug_fake_cross_ref": Removed(
        "2.0", 'use fake_tensor_crossref="all" with the backend "aot_eager_decomp_partition" (torch 2.6)'
    ),
    "debug_graphs": Removed(
        "2.0", "call torch._logging.set_logs(aot_graphs=True), or set TORCH_LOGS=aot_graphs"
    ),
    "debug_joint": Removed(
        "2.0", "call torch._logging.set_logs(aot_joint_graph=True), or set TORCH_LOGS=aot_joint_graph"
    ),
    "log_level": Removed("2.0", "call torch._logging.set_logs(aot=logging.DEBUG), or set TORCH_LOGS=+aot"),
    "use_dynamic_shapes": Removed("2.0", "pass dynamic=True to torch.compile"),
    "use_fake_tensor": Removed("2.0", "delete it: fake tensors are always used"),
    "use_functionalize": Removed("2.0", "delete it: graphs are always functionalized"),
}
