"""Memory and layout: reuse of buffers, the order of operations, strides and padding."""

from dynconf.flags.described import Described
from dynconf.flags.types import Int

FLAGS = (
    Described(
        name="allow_buffer_reuse",
        summary="Reuses the memory of a result that is no longer needed for another one.",
    ),
    Described(
        name="bw_outputs_user_visible",
        summary="Gives gradients the strides that eager mode would give them.",
    ),
    Described(
        name="comprehensive_padding",
        summary="Pads rows of intermediate results, so that GPUs read them in whole lines.",
        details="Costs some memory; see padding_alignment_bytes and padding_stride_threshold.",
    ),
    Described(
        name="disable_padding_cpu",
        summary="Leaves out comprehensive_padding on CPUs.",
    ),
    Described(
        name="force_layout_optimization",
        summary="Uses layout_optimization even where torch expects it to be slower.",
    ),
    Described(
        name="force_shape_pad",
        summary="Pads matmuls with shape_padding wherever possible, without measuring whether it pays.",
    ),
    Described(
        name="inplace_buffers",
        summary="Lets a kernel write its result over an input that is no longer needed.",
    ),
    Described(
        name="inplace_padding",
        summary="Pads a tensor in place where its memory is large enough.",
    ),
    Described(
        name="keep_output_stride",
        summary="Gives outputs the strides of eager mode, whatever layouts were used inside.",
    ),
    Described(
        name="layout_optimization",
        summary="Runs convolutions in channels-last order where that is faster.",
    ),
    Described(
        name="memory_planning",
        summary="Divides few large blocks among intermediate results, instead of allocating each.",
        details="memory_pool says how.",
    ),
    Described(
        name="memory_pool",
        summary="What shares a block of memory under memory_planning.",
        details=(
            '"none": nothing, memory is only reused; "intermediates": all but outputs; "outputs": '
            'intermediate results in one block, outputs in another; "combined": everything in one block.'
        ),
    ),
    Described(
        name="pad_channels_last",
        summary="Lets comprehensive_padding pad tensors in channels-last order, too.",
    ),
    Described(
        name="pad_dynamic_shapes",
        summary="Lets comprehensive_padding pad tensors of varying size, too.",
    ),
    Described(
        name="pad_outputs",
        summary="Lets comprehensive_padding pad outputs; their strides are then not those of eager mode.",
    ),
    Described(
        name="padding_alignment_bytes",
        type=Int(1),
        summary="To a multiple of how many bytes comprehensive_padding pads.",
    ),
    Described(
        name="padding_stride_threshold",
        type=Int(0),
        summary="Rows with fewer elements than this are not padded.",
    ),
    Described(
        name="reorder_for_peak_memory",
        summary="Orders operations so that less memory is in use at the worst moment.",
    ),
    Described(
        name="shape_padding",
        summary=(
            "Pads the inputs of matmuls to sizes that tensor cores like, where a measurement shows a gain."
        ),
    ),
    Described(
        name="static_weight_shapes",
        summary="Takes the sizes of parameters as constants.",
    ),
    Described(
        name="strict_output_strides",
        summary="Gives outputs that are views the very strides of eager mode, copying where needed.",
        details="If False, only the order of their strides is the same.",
    ),
    Described(
        name="warn_mix_layout",
        summary="Warns of kernels that read tensors in unlike layouts, which may be slow.",
    ),
)
