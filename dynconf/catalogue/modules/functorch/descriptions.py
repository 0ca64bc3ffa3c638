"""What each flag does, by topic: see `dynconf.catalogue.flags.described`."""

from dynconf.catalogue.flags.described import described_removals

DESCRIPTIONS = """
[tracing]: Which operators end up in the graph, and in which form.
_max_aliased_inputs_with_dynamic_shapes_enabled:
    Most inputs that may share memory with one that is changed, if sizes vary.
    More than that raise an error: torch would have to compare each of them with each other.
_test_disable_functionalization: Not read by torch; a switch for tests that trace without functionalization.
check_custom_op_aliasing: Checks that custom operators do not return views of their inputs or of each other.
    Each compiled function is checked on its first call. error_on_custom_op_aliasing decides whether a
    violation is a warning or an error.
custom_op_default_layout_constraint:
    Required strides of the inputs of a custom operator that does not declare any.
    "needs_exact_strides": the same as in eager mode; "needs_fixed_stride_order": the same order;
    "flexible_layout": anything, which leaves Inductor free to choose.
decompose_custom_triton_ops: Traces into operators made with torch.library.triton_op.
    If False, as during export, each stays one operator in the graph.
enable_complex_wrapper:
    Replaces operations on complex tensors by operations on their real and imaginary parts.
error_on_custom_op_aliasing: Raises where check_custom_op_aliasing finds a violation, instead of warning.
    Has no effect if check_custom_op_aliasing is False.
functionalize_rng_ops: Replaces random operators on CUDA by ones that take seed and offset as inputs.
    Ahead-of-time export raises RuntimeError while it is set.
graphsafe_rng_functionalization:
    Repeats random operators in recomputed regions in a way that CUDA graphs can capture.
    If False, the state of the generator is saved and restored around them. That is done anyway if a graph
    uses several GPUs, or under Inductor's fallback_random.
selective_decompose: Decomposes only operators in regions that were marked for Inductor.
    The mode "lite" of torch.compile turns it on.
static_weight_shapes: Treats the sizes of parameters and buffers as constants.
    Only where AOTAutograd is called directly; under torch.compile, Dynamo decides.
unlift_effect_tokens: Creates the tokens that order side effects inside the graph, not as its inputs.
    Inductor turns it on. The graph is then no longer functional, so a backend that does not know about tokens
    may reorder or drop the side effects.

[backward]: When the backward is compiled, and which assumptions are made about its inputs.
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

[partitioner]: Dividing the joint graph into forward and backward, and choosing what to recompute.
aggressive_recomputation: Lifts every ban on recomputation except the one on reductions.
    Overrides ban_recompute_used_far_apart, ban_recompute_long_fusible_chains,
    ban_recompute_materialized_backward and ban_recompute_not_in_allowlist. Usually saves some memory and
    costs some speed.
ban_recompute_long_fusible_chains:
    Saves a result now and then within long chains of operators that could be fused.
    If False, the backward may have to repeat a chain of any length.
ban_recompute_materialized_backward:
    Never recomputes a result that the backward would have to write to memory anyway.
    Recomputing is free only where it can be fused into the operators that use the result.
ban_recompute_not_in_allowlist: Recomputes only operators that are known to be cheap.
    If False, everything may be recomputed but random operators and those that compute a lot, such as matrix
    products.
ban_recompute_reductions: Never recomputes an operator whose output is less than a quarter of its inputs.
    Such results, as of a sum or a normalization, cost little memory to save.
ban_recompute_used_far_apart: Never recomputes from values that were last used much earlier in the graph.
    Recomputing would keep those values in memory for a long time.
cse: Removes repeated computations from the joint graph before it is divided.
joint_custom_pass: Function that may change the joint graph before it is divided.
    It is called with the graph module and its inputs, and returns the graph module to use. It is not part of
    the cache key: turn the caches off while you change it.
max_dist_from_bw: Most steps between an operator and the backward for it to be recomputed.
    1000 or more means no limit; small numbers ban recomputation far from the backward.
recompute_views: Always recomputes views instead of saving them.
remat_using_tags_for_fwd_loss_bwd_graph:
    Applies activation checkpointing in graphs that contain the backward as well.
    Such graphs come from torch.autograd.grad inside compiled code. Checkpointed results are recomputed right
    before the backward uses them. If False, they stay in memory.
treat_parameters_as_free_to_save: Counts parameters and other lasting inputs as free to save for the backward.
    They exist anyway, so saving one costs nothing.
unsafe_treat_script_objects_as_zero_size: Assumes that script objects need no memory, instead of raising.
    The partitioner cannot tell how much memory a torch.ScriptObject holds. The assumption may make it choose
    badly, but lets such models be compiled.

[memory_budget]: Trading memory for recomputation in the backward.
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

[offloading]: Keeping activations in CPU memory between forward and backward.
activation_offload_cpu_gpu_bw: Bandwidth between CPU and GPU in GB/s, by which transfer times are estimated.
    Used to decide how early activation_reload_prefetch has to start each transfer.
activation_offload_separate_stream: Moves activations on a CUDA stream of their own, next to the computation.
    Only under enable_activation_offloading.
activation_offload_sink_wait: Waits for transfers to the CPU at the end of the forward, not right after each.
    Only under activation_offload_separate_stream.
activation_reload_prefetch: Starts transfers back to the GPU before the backward needs their results.
    Only under activation_offload_separate_stream.
enable_activation_offloading:
    Keeps marked activations in CPU memory until the backward needs them; experimental.
    Only activations that the program marked are moved. Saves GPU memory at the cost of the transfers.

[fake_tensor]: Fake tensors, which stand for real ones while a program is traced.
fake_tensor_allow_meta: Allows fake tensors on the device meta.
    With False, creating one is an AssertionError, which shows where it comes from.
fake_tensor_allow_unsafe_data_ptr_access: Lets data_ptr() of a fake tensor return 0 instead of raising.
    torch.compile and torch.export turn it off while they trace.
fake_tensor_crossref: Checks fake results against real ones in the backend "aot_eager_decomp_partition".
    As that backend runs the graph, the real result of each operator ("all"), or of each custom operator
    ("custom_ops"), is compared with the result of its fake implementation.
fake_tensor_prefer_device_type: Device type that wins when operands are on different devices, such as cuda.
    None keeps the usual error. It is for programs in which tensors are on different devices only while they
    are traced.
fake_tensor_propagate_real_tensors: Computes real results next to the fake ones while tracing.
    Reading a value, as item() does, then gives a real number instead of ending the trace. Every operator
    runs, and inputs are copied, so it costs time and memory. Fake results are not cached meanwhile.
generate_fake_kernels_from_real_mismatches:
    Derives the fake result from the real one where an operator's two results disagree.
    Works only under fake_tensor_propagate_real_tensors; without it, such a disagreement is an error. Draft
    export turns both on.

[autograd_cache]: Compiled forward and backward graphs on disk, and which of them it accepts.
_save_config_ignore: Names of flags that torch's save_config leaves out.
    The cache key is made from the result of save_config, and so leaves them out as well.
autograd_cache_allow_custom_autograd_functions: Caches graphs that contain custom autograd.Functions.
    The cache key then covers only code that was traced into the graph: clear the cache after a change of
    other code that such a function depends on. If False, graphs with one are compiled anew in each process.
autograd_cache_normalize_inputs: Ignores the names of a graph's inputs in the cache key.
    Graphs that differ only in those names then share one entry.
bundled_autograd_cache: Stores Inductor's output inside AOTAutograd's cache entries.
    If False, an entry refers to entries of the FX graph cache, which must still exist when it is loaded.
    Precompilation (caching_precompile of Dynamo) bundles either way.
bypass_autograd_cache_key: Makes up a random cache key for a graph that has none, instead of not caching it.
    Ahead-of-time compilation turns it on, because it needs an entry for every graph and loads each by its own
    name. Elsewhere it only fills the cache with entries that are never found.
enable_autograd_cache: Keeps compiled forward and backward graphs on disk, for later processes.
    On a hit, tracing by AOTAutograd and compilation by the backend are both skipped. Turning off all caches
    (force_disable_caches of torch.compiler.config) overrides it.
enable_remote_autograd_cache: Shares compiled graphs through a remote cache, such as a Redis server.
    None leaves the decision to torch, which outside Meta means no remote cache.
force_autograd_cache: Uses the cache with every backend, even one whose output is not known to be storable.
    If False, only backends that declare their output serializable, as Inductor does, are cached. It also
    makes the backends "eager" and "aot_eager" return output that can be stored.
strict_autograd_cache: Raises if a graph cannot be looked up in or written to the cache.
    If False, the reason is logged, and the graph is compiled without the cache.

[distributed]: Decisions that must be the same on each rank.
_broadcast_rank0_decision: Makes all ranks save the tensors for the backward that rank 0 chose.
    Only where graphs are the same on all ranks and contain collectives.
_sync_cache_decision_cross_ranks: Uses a cached graph only if every rank has found one.
    Ranks that compile exchange messages, and would wait for a rank that does not.
_sync_decision_cross_ranks: Makes all ranks agree on the tensors that are saved for the backward.
    Only where graphs are the same on all ranks and contain collectives.
unsafe_allow_optimization_of_collectives:
    Lets the partitioner recompute and remove collectives such as all_reduce.
    Ranks that decide differently then wait for each other forever; torch has no protection against that yet.

[debug]: Checks, logs and drawings.
debug_assert: Checks AOTAutograd's bookkeeping while it compiles; slows tracing down.
    Worth a try when results are wrong. The backend "aot_eager" turns it on by itself.
debug_partitioner: Logs how the joint graph is divided: which results are saved and which are recomputed.
    Read once, when torch._functorch.partitioners is imported. Later changes have no effect, so use the
    variable.
torch_compile_graph_format: File format of drawn graphs whose file name has no extension, such as svg or png.
    Any output format of Graphviz. For large graphs take dot or raw, which skip the layout in recent releases.
"""

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
"""Flags that the module lost before torch 2.4 and that scripts still set."""
