"""Variables that other parts of torch read under the prefixes that Dynamo's flags use.

They are not flags, and `dynconf check` does not complain about them. A test compares the list with the
sources of the installed torch.
"""

from dynconf.catalogue.flags.types import Bool, Int
from dynconf.catalogue.flags.variable import FIRST_COMPILATION, STOPS_IMPORT, ForeignVariable

PREFIXES = ("TORCHDYNAMO_", "TORCH_DYNAMO_", "TORCH_COMPILE_", "TORCH_COMPILER_")
"""How variables that set Dynamo's flags begin, with few exceptions."""


FOREIGN_VARIABLES = (
    ForeignVariable(
        "TORCHDYNAMO_DEBUG_FUNCTION",
        "torch._dynamo.convert_frame",
        summary="The name of the only function that Dynamo compiles; all others are skipped.",
    ),
    ForeignVariable(
        "TORCHDYNAMO_DISABLE",
        "torch._dynamo.eval_frame",
        summary="At 1, torch.compile compiles nothing; read at each call, and to dynconf the flag disable.",
    ),
    ForeignVariable(
        "TORCHDYNAMO_EXTENDED_ADVICE",
        "torch.fx.experimental.symbolic_shapes",
        since="2.6",
        summary="At 0, errors about symbolic shapes are shorter.",
    ),
    ForeignVariable(
        "TORCHDYNAMO_PRINT_GUARDS",
        "torch._dynamo.guards",
        until="2.5",
        summary="Prints the guards; from torch 2.6 on, TORCH_LOGS=guards does.",
    ),
    ForeignVariable(
        "TORCHDYNAMO_PRINT_MISSING",
        "torch._dynamo.profiler",
        summary="Prints the operators that Dynamo's profiler found outside of compiled graphs.",
        takes=Bool(),
        rule="equals_one",
    ),
    # torch sets this one for the programs that its bisector runs, and reads it in them.
    ForeignVariable(
        "TORCH_COMPILE_BACKEND",
        "torch._inductor.compiler_bisector",
        since="2.11",
        summary="The backend under test, which torch's compiler bisector sets for the programs that it runs.",
    ),
    ForeignVariable(
        "TORCH_COMPILE_STROBELIGHT",
        "torch._utils_internal",
        summary="Profiles compilation with Meta's internal profiler Strobelight.",
    ),
)

OTHER_VARIABLES = (
    ForeignVariable(
        "TORCH_BISECT_BACKEND",
        "torch._inductor.compiler_bisector",
        since="2.6",
        summary="The backend in which torch's compiler bisector searches, such as inductor.",
    ),
    ForeignVariable(
        "TORCH_BISECT_MAX",
        "torch._inductor.compiler_bisector",
        since="2.6",
        summary="How many applications of a pass torch's compiler bisector allows.",
        takes=Int(),
        rule="integer",
        otherwise="the bisection fails",
    ),
    ForeignVariable(
        "TORCH_BISECT_SUBSYSTEM",
        "torch._inductor.compiler_bisector",
        since="2.6",
        summary="The subsystem of a backend in which torch's compiler bisector searches.",
    ),
    ForeignVariable(
        "TORCH_DTRACE",
        "torch._logging._internal",
        since="2.7",
        summary="The folder for structured logs of single events, which programs read.",
        takes="folder",
        otherwise=FIRST_COMPILATION,
    ),
    ForeignVariable(
        "TORCH_FAKE_TENSOR_DEBUG",
        "torch._subclasses.fake_tensor",
        summary="At 1, fake tensors keep the stack of the line that made them.",
        takes=Bool(),
        rule="equals_one",
    ),
    ForeignVariable(
        "TORCH_LOGS",
        "torch._logging._internal",
        summary=(
            "The logs that torch writes, by names separated by commas, such as dynamo, recompiles,"
            " graph_breaks or output_code; +NAME for more, -NAME for errors alone. TORCH_LOGS=help lists the"
            " names."
        ),
    ),
    ForeignVariable(
        "TORCH_LOGS_FORMAT",
        "torch._logging._internal",
        summary="The format of each line of TORCH_LOGS, as that of Python's logging; short is a brief one.",
    ),
    ForeignVariable(
        "TORCH_LOGS_OUT",
        "torch._logging._internal",
        summary="A file to which torch writes the logs of TORCH_LOGS, beside stderr.",
        takes="file",
        otherwise=STOPS_IMPORT,
        empty=STOPS_IMPORT,
    ),
    ForeignVariable(
        "TORCH_TRACE",
        "torch._logging._internal",
        summary="The folder for structured logs of every compilation, which tlparse turns into pages.",
        takes="folder",
        otherwise=FIRST_COMPILATION,
        empty=FIRST_COMPILATION,
    ),
    ForeignVariable(
        "TRITON_CACHE_DIR",
        "triton",
        summary="The folder of Triton's cache of compiled kernels; Inductor sets it to one in its own cache.",
        takes="folder",
        otherwise="no kernel can be compiled",
    ),
    ForeignVariable(
        "TRITON_INTERPRET",
        "triton",
        summary="At 1, Triton runs kernels in its interpreter, slowly and on the CPU, to debug them.",
    ),
)
"""Variables under other prefixes that users of torch.compile set."""
