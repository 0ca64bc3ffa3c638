"""The rules over flags of functorch. Each was checked in torch's source; `Rule.source` says where."""

from dynconf.catalogue.flags.described import described_rules
from dynconf.catalogue.flags.rule import Rule, set_alone

DESCRIPTIONS = """
DC103 generate_fake_kernels_from_real_mismatches without fake_tensor_propagate_real_tensors
    (torch/_subclasses/fake_tensor.py):
    without real results there is nothing to compare with; set fake_tensor_propagate_real_tensors=True
DC104 activation_offload_separate_stream without enable_activation_offloading
    (torch/_functorch/partitioners.py):
    nothing is offloaded; set enable_activation_offloading=True
DC105 activation_offload_sink_wait without activation_offload_separate_stream
    (torch/_functorch/_activation_offloading/activation_offloading.py):
    transfers on the stream of the computation are never waited for; set
    activation_offload_separate_stream=True
DC106 activation_reload_prefetch without activation_offload_separate_stream
    (torch/_functorch/_activation_offloading/activation_offloading.py):
    transfers on the stream of the computation cannot start early; set activation_offload_separate_stream=True
"""

RULES = described_rules(
    DESCRIPTIONS,
    Rule(
        code="DC101",
        flags=("strict_autograd_cache", "enable_autograd_cache", "enable_remote_autograd_cache"),
        is_broken=set_alone,
        when="strict_autograd_cache without a cache",
        why="the cache is not used, so there is nothing to be strict about; set enable_autograd_cache=True",
        source="torch/_functorch/aot_autograd.py, where the cache is consulted",
    ),
    Rule(
        code="DC102",
        flags=("force_autograd_cache", "enable_autograd_cache", "enable_remote_autograd_cache"),
        is_broken=set_alone,
        when="force_autograd_cache without a cache",
        why="it chooses the backends that are cached, and nothing is cached; set enable_autograd_cache=True",
        source="torch/_functorch/aot_autograd.py, where the cache is consulted",
    ),
)
