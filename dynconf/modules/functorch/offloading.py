"""Offloading: keeping activations in CPU memory between forward and backward."""

from dynconf.flags.described import Described
from dynconf.flags.types import Float

FLAGS = {
    "activation_offload_cpu_gpu_bw": Described(
        "Bandwidth between CPU and GPU in GB/s, by which transfer times are estimated.",
        type=Float(0.001),
        details="Used to decide how early activation_reload_prefetch has to start each transfer.",
    ),
    "activation_offload_separate_stream": Described(
        "Moves activations on a CUDA stream of their own, next to the computation.",
        details="Only under enable_activation_offloading.",
    ),
    "activation_offload_sink_wait": Described(
        "Waits for transfers to the CPU at the end of the forward, not right after each.",
        details="Only under activation_offload_separate_stream.",
    ),
    "activation_reload_prefetch": Described(
        "Starts transfers back to the GPU before the backward needs their results.",
        details="Only under activation_offload_separate_stream.",
    ),
    "enable_activation_offloading": Described(
        "Keeps marked activations in CPU memory until the backward needs them; experimental.",
        details="Only activations that the program marked are moved. Saves GPU memory at the cost of the "
        "transfers.",
        status="testing",
    ),
}
