"""Fake tensors, which stand for real ones while a program is traced."""

DESCRIPTIONS = """
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
"""
