"""Variables that other parts of torch read under the prefixes that Dynamo's flags use.

They are not flags, and `dynconf check` does not complain about them. A test compares the list with the
sources of the installed torch.
"""

from dynconf.flags.variable import ForeignVariable

PREFIXES = ("TORCHDYNAMO_", "TORCH_DYNAMO_", "TORCH_COMPILE_", "TORCH_COMPILER_")
"""How variables that set Dynamo's flags begin, with few exceptions."""


FOREIGN_VARIABLES = (
    ForeignVariable("TORCHDYNAMO_DEBUG_FUNCTION", "torch._dynamo.convert_frame"),
    ForeignVariable("TORCHDYNAMO_DISABLE", "torch._dynamo.eval_frame"),
    ForeignVariable("TORCHDYNAMO_EXTENDED_ADVICE", "torch.fx.experimental.symbolic_shapes", since="2.6"),
    ForeignVariable("TORCHDYNAMO_PRINT_GUARDS", "torch._dynamo.guards", until="2.5"),
    ForeignVariable("TORCHDYNAMO_PRINT_MISSING", "torch._dynamo.profiler"),
    # torch sets this one for the programs that its bisector runs, and reads it in them.
    ForeignVariable("TORCH_COMPILE_BACKEND", "torch._inductor.compiler_bisector", since="2.11"),
    ForeignVariable("TORCH_COMPILE_STROBELIGHT", "torch._utils_internal"),
)
