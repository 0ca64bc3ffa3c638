"""Numerics: results that are the same as eager mode's, the same in each run, or faster than either."""

DESCRIPTIONS = """
_use_fp64_for_unbacked_floats:
    Passes numbers that .item() returned to Triton kernels as float64 instead of float32.
align_random_eager: Draws the random numbers that eager mode would draw, in fused kernels.
    CUDA only. Faster than fallback_random, which uses the kernels of eager mode.
assume_32bit_indexing:
    Takes 32 bits to be enough for every index; an example input that needs more is an error.
assume_aligned_inputs: Generates code for inputs that are aligned in memory, and copies those that are not.
batch_invariant: Makes the result for a sample independent of the batch that it is in.
    It implies deterministic, and costs speed.
deterministic: Leaves out every choice by measurement that could change results from run to run.
    torch.use_deterministic_algorithms sets it. Code may be slower.
eager_numerics.disable_ftz:
    Keeps numbers that are close to zero, as eager mode does, instead of flushing them to zero.
eager_numerics.division_rounding: Rounds divisions as eager mode does, at the cost of speed.
eager_numerics.use_pytorch_libdevice:
    Takes functions such as erf from the CUDA toolkit, as eager mode does, instead of Triton's.
    The last bit of their results may differ otherwise. emulate_precision_casts turns it on.
emulate_divison_rounding: Old name of eager_numerics.division_rounding, misspelt in torch.
emulate_precision_casts: Rounds float16 and bfloat16 between fused operations, as eager mode does.
    Otherwise a fused kernel computes in float32 throughout, which is more precise but not the same.
emulate_precision_casts_on_saved_tensors:
    Rounds float16 and bfloat16 results that the backward needs, so that the forward uses the same.
    Otherwise the forward goes on with a more precise value than the one that is saved.
fallback_random: Draws random numbers with the kernels of eager mode, so that seeds give the same results.
    Slow; for comparing compiled results with eager ones.
numerics: How exactly results must be those of eager mode.
    All strict words except strict_reduction imply emulate_precision_casts, eager_numerics.division_rounding
    and eager_numerics.disable_ftz, whatever those are set to. Torch 2.14 knows default and strict only.
strict_signed_zero: Decides by order between 0.0 and -0.0 in minimum and maximum reductions, which is slower.
    Otherwise either may be the result.
test_configs.graphsafe_rng_func_ignores_fallback_random:
    Uses functorch.graphsafe_rng_functionalization even under fallback_random; for tests.
use_fast_math: Uses an exponential function that flushes numbers close to zero to zero.
write_are_deterministic_algorithms_enabled:
    Lets reductions leave out choices by measurement under torch.use_deterministic_algorithms.
"""
