"""Offloading: keeping activations in CPU memory between forward and backward."""

DESCRIPTIONS = """
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
"""
