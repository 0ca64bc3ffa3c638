"""Numerics: results that are the same as eager mode's, the same in each run, or faster than either."""

from dynconf.flags.described import Described

FLAGS = {
    "align_random_eager": Described(
        "Draws the random numbers that eager mode would draw, in fused kernels.",
        details="CUDA only. Faster than fallback_random, which uses the kernels of eager mode.",
    ),
    "assume_32bit_indexing": "Uses 32 bits for every index; an example input that needs more is an error.",
    "assume_aligned_inputs": "Generates code for inputs aligned in memory, and copies those that are not.",
    "batch_invariant": Described(
        "Makes the result for a sample independent of the batch that it is in.",
        details="It implies deterministic, and costs speed.",
    ),
    "deterministic": Described(
        "Leaves out every choice by measurement that could change results from run to run.",
        details="torch.use_deterministic_algorithms sets it. Code may be slower.",
    ),
    "eager_numerics.disable_ftz": (
        "Keeps numbers that are close to zero, as eager mode does, instead of flushing them to zero."
    ),
    "eager_numerics.division_rounding": "Rounds divisions as eager mode does, at the cost of speed.",
    "eager_numerics.use_pytorch_libdevice": Described(
        "Takes functions such as erf from the CUDA toolkit, as eager mode does, instead of Triton's.",
        details="The last bit of their results may differ otherwise. emulate_precision_casts turns it on.",
    ),
    "emulate_divison_rounding": Described(
        details="The name is misspelt in torch.",
        renamed_to="eager_numerics.division_rounding",
    ),
    "emulate_precision_casts": Described(
        "Rounds float16 and bfloat16 between fused operations, as eager mode does.",
        details="Otherwise a fused kernel computes in float32 throughout, more precisely but not the same.",
    ),
    "fallback_random": Described(
        "Draws random numbers with the kernels of eager mode, so that seeds give the same results.",
        details="Slow; for comparing compiled results with eager ones.",
    ),
    "numerics": Described(
        "How exactly results must be those of eager mode.",
        details="All strict words except strict_reduction imply emulate_precision_casts, "
        "eager_numerics.division_rounding and eager_numerics.disable_ftz, whatever those are set to. Torch "
        "2.14 knows default and strict only.",
    ),
    "use_fast_math": "Uses an exponential function that flushes numbers close to zero to zero.",
}
