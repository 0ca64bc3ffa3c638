"""The memory budget: trading memory for recomputation in the backward."""

DESCRIPTIONS = """
activation_memory_budget: Share of activation memory to keep, from 0 (recompute everything) to 1 (fastest).
    1 is the memory that compiled code takes by default, 0 the memory that remains if the whole compiled
    region is one checkpoint. In between, the partitioner picks the results that are cheapest to recompute.
    From torch 2.13 on, torch.autograd.graph.region_activation_memory_budget overrides it for a region.
activation_memory_budget_require_full_coverage:
    Raises if a region with a memory budget of its own covers only part of a graph.
    If False, the budget of the region holds for the whole graph.
activation_memory_budget_runtime_estimator: How the cost of recomputing an operator is estimated.
    "flops" counts floating-point operations, "profile" runs and times each operator on the GPU, "testing"
    takes 1 for each. From torch 2.11 on it may also be a
    torch._functorch.partitioners.CustomRuntimeEstimator. Has no effect with a budget of 0 or 1.
activation_memory_budget_solver: Algorithm that chooses the results to recompute under the memory budget.
    "dp" is exact on rounded sizes, "greedy" is quick, "ilp" is exact and needs scipy.
    "dynamic_memory_budget_dp" (torch 2.7), which looks for a budget of its own below the given one, is
    experimental; "dp_knapsack_sliding_hirschberg" (torch 2.10) is "dp" with less memory. From torch 2.6 on it
    may also be a function, from 2.11 on only a torch._functorch.partitioners.CustomKnapsackSolver. Has no
    effect with a budget of 0 or 1.
is_non_builtin_to_include:
    Considers custom operators and Triton kernels for recomputation under the memory budget.
memory_budget_pareto_dir:
    Folder for the plots of visualize_memory_budget_pareto; None is the working directory.
    It is created if it does not exist.
visualize_memory_budget_pareto: Plots for each graph how much recomputation each memory budget would cost.
    Needs matplotlib and writes an SVG file. Solves the problem for many budgets, so compilation takes much
    longer. Graphs with a budget of 0 or 1 are not plotted.
"""
