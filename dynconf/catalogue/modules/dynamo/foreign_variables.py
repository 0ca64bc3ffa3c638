"""Variables that other parts of torch read under the prefixes that Dynamo's flags use.

They are not flags, and `dynconf check` does not complain about them. A test compares the list with the
sources of the installed torch.
"""

from dynconf.catalogue.flags.described import described_variables
from dynconf.catalogue.flags.types import Int
from dynconf.catalogue.flags.variable import FIRST_COMPILATION, STOPS_IMPORT, SWITCH, Takes

PREFIXES = ("TORCHDYNAMO_", "TORCH_DYNAMO_", "TORCH_COMPILE_", "TORCH_COMPILER_")
"""How variables that set Dynamo's flags begin, with few exceptions."""

DESCRIPTIONS = """
TORCHDYNAMO_DEBUG_FUNCTION (torch._dynamo.convert_frame):
    The name of the only function that Dynamo compiles; all others are skipped.
TORCHDYNAMO_DISABLE (torch._dynamo.eval_frame):
    At 1, torch.compile compiles nothing; read at each call, and to dynconf the flag disable.
TORCHDYNAMO_EXTENDED_ADVICE (torch.fx.experimental.symbolic_shapes, since 2.6):
    At 0, errors about symbolic shapes are shorter.
TORCHDYNAMO_PRINT_GUARDS (torch._dynamo.guards, until 2.5):
    Prints the guards; from torch 2.6 on, TORCH_LOGS=guards does.
TORCHDYNAMO_PRINT_MISSING (torch._dynamo.profiler):
    Prints the operators that Dynamo's profiler found outside of compiled graphs.
TORCH_COMPILE_BACKEND (torch._inductor.compiler_bisector, since 2.11):
    The backend under test, which torch's compiler bisector sets for the programs that it runs.
TORCH_COMPILE_STROBELIGHT (torch._utils_internal):
    Profiles compilation with Meta's internal profiler Strobelight.
"""

OTHERS = """
TORCH_BISECT_BACKEND (torch._inductor.compiler_bisector, since 2.6):
    The backend in which torch's compiler bisector searches, such as inductor.
TORCH_BISECT_MAX (torch._inductor.compiler_bisector, since 2.6):
    How many applications of a pass torch's compiler bisector allows.
TORCH_BISECT_SUBSYSTEM (torch._inductor.compiler_bisector, since 2.6):
    The subsystem of a backend in which torch's compiler bisector searches.
TORCH_DTRACE (torch._logging._internal, since 2.7):
    The folder for structured logs of single events, which programs read.
TORCH_FAKE_TENSOR_DEBUG (torch._subclasses.fake_tensor):
    At 1, fake tensors keep the stack of the line that made them.
TORCH_LOGS (torch._logging._internal):
    The logs that torch writes, by names separated by commas, such as dynamo, recompiles, graph_breaks or
    output_code; +NAME for more, -NAME for errors alone. TORCH_LOGS=help lists the names.
TORCH_LOGS_FORMAT (torch._logging._internal):
    The format of each line of TORCH_LOGS, as that of Python's logging; short is a brief one.
TORCH_LOGS_OUT (torch._logging._internal): A file to which torch writes the logs of TORCH_LOGS, beside stderr.
TORCH_TRACE (torch._logging._internal):
    The folder for structured logs of every compilation, which tlparse turns into pages.
TRITON_CACHE_DIR (triton):
    The folder of Triton's cache of compiled kernels; Inductor sets it to one in its own cache.
TRITON_INTERPRET (triton): At 1, Triton runs kernels in its interpreter, slowly and on the CPU, to debug them.
"""
"""Those under other prefixes that users of torch.compile set."""

TAKES = {
    "TORCHDYNAMO_PRINT_MISSING": SWITCH,
    "TORCH_BISECT_MAX": Takes(Int(), "the bisection fails", "integer"),
    "TORCH_DTRACE": Takes("folder", FIRST_COMPILATION),
    "TORCH_FAKE_TENSOR_DEBUG": SWITCH,
    "TORCH_LOGS_OUT": Takes("file", STOPS_IMPORT, empty=STOPS_IMPORT),
    "TORCH_TRACE": Takes("folder", FIRST_COMPILATION, empty=FIRST_COMPILATION),
    "TRITON_CACHE_DIR": Takes("folder", "no kernel can be compiled"),
}

FOREIGN_VARIABLES = described_variables(DESCRIPTIONS, TAKES)
OTHER_VARIABLES = described_variables(OTHERS, TAKES)

_OFF = "set TORCH_COMPILE_DISABLE=1, which compiles nothing"
_ON = f"compiling is on; to switch it off, {_OFF}"

PHANTOMS = {
    "PYTORCH_COMPILE_DISABLE": _OFF,
    "PYTORCH_DISABLE_COMPILE": _OFF,
    "PYTORCH_NO_COMPILE": _OFF,
    "TORCHDYNAMO_ENABLE": _ON,
    "TORCH_COMPILE_ENABLE": _ON,
    "TORCH_DISABLE_COMPILE": _OFF,
    "TORCH_DISABLE_DYNAMO": _OFF,
    "TORCH_DISABLE_INDUCTOR": _OFF,
    "TORCH_DYNAMO_DISABLE": _OFF,
    "TORCH_NO_COMPILE": _OFF,
    "TRITON_NO_COMPILE": f"to run without Triton's kernels, {_OFF}; TRITON_INTERPRET=1 interprets them",
}
"""Variables that people set to switch compilation off or on and that nothing reads, with advice."""
