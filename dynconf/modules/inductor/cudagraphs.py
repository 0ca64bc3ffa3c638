"""CUDA graphs: recording what a compiled graph launches, and replaying it at once."""

from dynconf.flags.described import Described
from dynconf.flags.types import Float, InstanceOf, Int, Items, OneOrMore, OrNone

FLAGS = (
    Described(
        name="cudagraph_policy",
        type=OrNone(InstanceOf("torch._inductor.cudagraph_utils.CUDAGraphPolicy")),
        summary="Object that records and replays CUDA graphs in place of torch.",
        details="A CUDAGraphPolicy of torch._inductor.cudagraph_utils.",
        reach=("runs a program",),
    ),
    Described(
        name="cudagraph_unsafe_unbacked_ops",
        summary="Operators whose data-dependent sizes keep what uses them out of CUDA graphs.",
    ),
    Described(
        name="triton.cudagraphs",
        summary="Records what a graph launches, and replays it at once in later calls.",
        details=(
            "Takes away the cost of launching kernels, which dominates for small batches. Memory of outputs "
            "is reused by the next call: clone what must live longer. Graphs on CPUs, with inputs that are "
            "changed, or with sizes that vary may be left out. The modes reduce-overhead and max-autotune "
            "set it."
        ),
    ),
    Described(
        name="triton.cudagraph_capture_sizes",
        type=OrNone(Items(OneOrMore(Int(0), as_tuple=True), as_tuple=True)),
        summary="Sizes for which CUDA graphs are recorded; None records for all.",
        details="A tuple of numbers, or of tuples of numbers where several sizes vary.",
    ),
    Described(
        name="triton.cudagraph_dynamic_shape_warn_limit",
        type=OrNone(Int(0)),
        summary="Warns once this many CUDA graphs were recorded for one graph with sizes that vary.",
    ),
    Described(
        name="triton.cudagraph_or_error",
        summary="Raises where a graph cannot be recorded, instead of running it without CUDA graphs.",
    ),
    Described(
        name="triton.cudagraph_skip_dynamic_graphs",
        summary="Leaves graphs with sizes that vary out of CUDA graphs.",
        details="If False, each combination of sizes is recorded on its own, which costs memory and time.",
    ),
    Described(
        name="triton.cudagraph_support_input_mutation",
        summary="Records graphs that change inputs as well, where those come from a CUDA graph themselves.",
    ),
    Described(
        name="triton.cudagraph_trees",
        summary="Shares one pool of memory among all CUDA graphs of the program.",
        details="If False, each has memory of its own, and outputs of one are copied to the next.",
    ),
    Described(
        name="triton.cudagraph_trees_history_recording",
        summary="Records where the memory of CUDA graphs was allocated, for debugging.",
    ),
    Described(
        name="triton.cudagraph_unexpected_rerecord_limit",
        type=Int(0),
        summary="How often a graph may be recorded anew because an address changed, before it runs without.",
    ),
    Described(
        name="triton.cudagraph_min_partition_size",
        type=Int(0),
        summary="Parts of a graph with fewer kernels than this are not recorded.",
    ),
    Described(
        name="triton.cudagraph_partition_memory_budget",
        type=Float(0),
        summary="How much more memory fewer parts may cost, as a factor.",
        details="See triton.reorder_for_reducing_graph_partitions.",
    ),
    Described(
        name="triton.fast_path_cudagraph_asserts",
        summary="Checks at each replay that nothing that was recorded has moved.",
    ),
    Described(
        name="triton.slow_path_cudagraph_asserts",
        summary="Checks while recording that memory is used as expected.",
    ),
    Described(
        name="triton.force_cudagraph_sync",
        summary="Waits for the device after each replay, for debugging.",
    ),
    Described(
        name="triton.force_cudagraphs_warmup",
        summary="Never records; each call runs as the one before recording would.",
    ),
    Described(
        name="triton.reorder_for_reducing_graph_partitions",
        summary="Orders operations so that graph_partition makes fewer parts.",
    ),
    Described(
        name="triton.skip_cudagraph_warmup",
        summary="Records at the first call, without running the graph once before.",
    ),
)
