"""Offloading: keeping activations in CPU memory between forward and backward."""

from dynconf.flags.flag import Flag
from dynconf.flags.types import Bool, Float

FLAGS = (
    Flag(
        name="activation_offload_cpu_gpu_bw",
        type=Float(0.001),
        default=50.0,
        summary="Bandwidth between CPU and GPU in GB/s, by which transfer times are estimated.",
        details="Used to decide how early activation_reload_prefetch has to start each transfer.",
        since="2.12",
    ),
    Flag(
        name="activation_offload_separate_stream",
        type=Bool(),
        default=False,
        summary="Moves activations on a CUDA stream of their own, next to the computation.",
        details="Only under enable_activation_offloading.",
        since="2.10",
    ),
    Flag(
        name="activation_offload_sink_wait",
        type=Bool(),
        default=False,
        summary="Waits for transfers to the CPU at the end of the forward, not right after each.",
        details="Only under activation_offload_separate_stream.",
        since="2.10",
    ),
    Flag(
        name="activation_reload_prefetch",
        type=Bool(),
        default=False,
        summary="Starts transfers back to the GPU before the backward needs their results.",
        details="Only under activation_offload_separate_stream.",
        since="2.10",
    ),
    Flag(
        name="enable_activation_offloading",
        type=Bool(),
        default=False,
        summary="Keeps marked activations in CPU memory until the backward needs them; experimental.",
        details=(
            "Only what the program marked for offloading is moved. Saves GPU memory at the cost of the "
            "transfers."
        ),
        since="2.10",
        status="testing",
    ),
)
