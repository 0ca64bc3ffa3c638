"""Flags that `torch._functorch.config` lost before torch 2.4."""

from dynconf.catalogue.flags.described import described_removals

REMOVED = described_removals("""
debug_fake_cross_ref (2.0): use fake_tensor_crossref="all" with the backend "aot_eager_decomp_partition"
    (torch 2.6)
debug_graphs (2.0): call torch._logging.set_logs(aot_graphs=True), or set TORCH_LOGS=aot_graphs
debug_joint (2.0): call torch._logging.set_logs(aot_joint_graph=True), or set TORCH_LOGS=aot_joint_graph
log_level (2.0): call torch._logging.set_logs(aot=logging.DEBUG), or set TORCH_LOGS=+aot
use_dynamic_shapes (2.0): pass dynamic=True to torch.compile
use_fake_tensor (2.0): delete it: fake tensors are always used
use_functionalize (2.0): delete it: graphs are always functionalized
""")
