"""CUDA graphs: recording the launches of a compiled graph, and replaying them at once."""

from dynconf.flags.described import Described
from dynconf.flags.types import Float, InstanceOf, Int, Items, OneOrMore, OrNone

FLAGS = {
    "cudagraph_policy": Described(
        "Object that records and replays CUDA graphs in place of torch.",
        type=OrNone(InstanceOf("torch._inductor.cudagraph_utils.CUDAGraphPolicy")),
        risks=("runs a program",),
    ),
    "cudagraph_unsafe_unbacked_ops": (
        "Operators whose data-dependent sizes keep operations that use them out of CUDA graphs."
    ),
    "triton.cudagraphs": Described(
        "Records the launches of a graph, and replays them at once in later calls.",
        details="Avoids the cost of launching kernels, which dominates for small batches. Memory of outputs "
        "is reused by the next call: clone those that must live longer. Graphs on CPUs, with inputs that are "
        "changed, or with sizes that vary may be left out. reduce-overhead and max-autotune set it.",
    ),
    "triton.cudagraph_capture_sizes": Described(
        "Sizes for which CUDA graphs are recorded; None records for all.",
        type=OrNone(Items(OneOrMore(Int(0), as_tuple=True), as_tuple=True)),
        details="A tuple of numbers, or of tuples of numbers where several sizes vary.",
    ),
    "triton.cudagraph_dynamic_shape_warn_limit": Described(
        "Warns once this many CUDA graphs were recorded for one graph with sizes that vary.",
        type=OrNone(Int(0)),
    ),
    "triton.cudagraph_or_error": "Raises where a graph cannot be recorded, instead of running it as usual.",
    "triton.cudagraph_skip_dynamic_graphs": Described(
        "Leaves graphs with sizes that vary out of CUDA graphs.",
        details="If False, each combination of sizes is recorded on its own, which costs memory and time.",
    ),
    "triton.cudagraph_support_input_mutation": (
        "Records graphs that change inputs as well, where those come from a CUDA graph themselves."
    ),
    "triton.cudagraph_trees": Described(
        "Shares one pool of memory among all CUDA graphs of the program.",
        details="If False, each has memory of its own, and outputs of one are copied to the next.",
    ),
    "triton.cudagraph_trees_history_recording": "Records where CUDA graphs allocate memory, for debugging.",
    "triton.cudagraph_unexpected_rerecord_limit": Described(
        "How often a graph may be recorded anew because an address changed, before it runs without them.",
        type=Int(0),
    ),
    "triton.cudagraph_min_partition_size": Described(
        "Parts of a graph with fewer kernels than this are not recorded.",
        type=Int(0),
    ),
    "triton.cudagraph_partition_memory_budget": Described(
        "How much more memory fewer parts may cost, as a factor.",
        type=Float(0),
        details="See triton.reorder_for_reducing_graph_partitions.",
    ),
    "triton.fast_path_cudagraph_asserts": "Checks at each replay that nothing that was recorded has moved.",
    "triton.slow_path_cudagraph_asserts": "Checks while recording that memory is used as expected.",
    "triton.force_cudagraph_sync": "Waits for the device after each replay, for debugging.",
    "triton.force_cudagraphs_warmup": "Never records: each call runs as the warmup before recording does.",
    "triton.reorder_for_reducing_graph_partitions": "Reorders operations for fewer parts of graph_partition.",
    "triton.skip_cudagraph_warmup": "Records at the first call, without running the graph once before.",
}
