"""What no release reveals of functorch's flags, each fact with the flags that it is true of."""

from functools import partial

from dynconf.catalogue.flags.described import Facts, facts_by_flag, facts_of_words
from dynconf.catalogue.flags.types import (
    Bool,
    Choice,
    ChoiceOr,
    FalseOr,
    Float,
    Int,
    Items,
    JsonDict,
    OrNone,
    PathText,
    Reference,
)

_SOLVERS = {
    "2.4": "dp greedy ilp",
    "2.7": "dynamic_memory_budget_dp",
    "2.10": "dp_knapsack_sliding_hirschberg",
}

FACTS = facts_by_flag(
    {
        Facts(renamed_to="_sync_decision_cross_ranks"): "_broadcast_rank0_decision",
        Facts(machine_dependent=True): "memory_budget_pareto_dir",
        Facts(status="testing"): "enable_activation_offloading",
        Facts(type=Choice(("donated", "no_static", "all"))): "saved_tensors_hooks_filtering_mode",
        Facts(type=ChoiceOr(Items(JsonDict()), ("same_as_forward", "off"))): "backward_pass_autocast",
        Facts(type=ChoiceOr(Reference("callable"), ("flops", "profile", "testing"))): """
            activation_memory_budget_runtime_estimator
        """,
        facts_of_words(partial(ChoiceOr, Reference("callable")), _SOLVERS): "activation_memory_budget_solver",
        Facts(type=FalseOr(Choice(("all", "custom_ops")))): "fake_tensor_crossref",
        Facts(type=Float(0, 1)): "activation_memory_budget",
        Facts(type=Float(0.001)): "activation_offload_cpu_gpu_bw",
        Facts(type=Int(0)): "max_dist_from_bw",
        Facts(type=OrNone(Bool())): "enable_remote_autograd_cache",
        Facts(type=OrNone(PathText())): "memory_budget_pareto_dir",
    }
)
