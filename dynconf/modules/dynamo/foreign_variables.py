"""Variables that other parts of torch read under the prefixes that Dynamo's flags use.

They are not flags, and `dynconf check` does not complain about them. A test compares the list with the
sources of the installed torch.
"""

from dynconf.flags.variable import ForeignVariable

PREFIXES = ("TORCHDYNAMO_", "TORCH_DYNAMO_", "TORCH_COMPILE_", "TORCH_COMPILER_")
"""How variables that set Dynamo's flags begin, with few exceptions."""


FOREIGN_VARIABLES = (
    ForeignVariable("TORCHDYNAMO_AUTO_FUNCTIONALIZED_V2", "torch._inductor.config", since="2.5"),
    ForeignVariable("TORCHDYNAMO_DEBUG_FUNCTION", "torch._dynamo.convert_frame"),
    ForeignVariable("TORCHDYNAMO_DISABLE", "torch._dynamo.eval_frame"),
    ForeignVariable("TORCHDYNAMO_EXTENDED_ADVICE", "torch.fx.experimental.symbolic_shapes", since="2.6"),
    ForeignVariable("TORCHDYNAMO_EXTENDED_DEBUG_CPP", "torch.fx.experimental._config"),
    ForeignVariable("TORCHDYNAMO_EXTENDED_DEBUG_CREATE_SYMBOL", "torch.fx.experimental._config"),
    ForeignVariable("TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED", "torch.fx.experimental._config"),
    ForeignVariable(
        "TORCHDYNAMO_NO_DATA_DEPENDENT_GRAPH_BREAK", "torch.fx.experimental._config", since="2.7"
    ),
    ForeignVariable("TORCHDYNAMO_PRINT_GUARDS", "torch._dynamo.guards", until="2.5"),
    ForeignVariable("TORCHDYNAMO_PRINT_MISSING", "torch._dynamo.profiler"),
    ForeignVariable("TORCHDYNAMO_TRANSLATION_NO_BISECT", "torch.fx.experimental._config"),
    ForeignVariable("TORCHDYNAMO_TRANSLATION_VALIDATION", "torch.fx.experimental._config"),
    ForeignVariable("TORCHDYNAMO_TRANSLATION_VALIDATION_TIMEOUT", "torch.fx.experimental._config"),
    # torch sets this one for the programs that its bisector runs, and reads it in them.
    ForeignVariable("TORCH_COMPILE_BACKEND", "torch._inductor.compiler_bisector", since="2.11"),
    ForeignVariable("TORCH_COMPILE_CACHE_KEY_TAG", "torch.compiler.config", since="2.6"),
    ForeignVariable("TORCH_COMPILE_DEBUG", "torch._inductor.config"),
    ForeignVariable("TORCH_COMPILE_DEBUG_EXTEND", "torch._inductor.config", since="2.14"),
    ForeignVariable("TORCH_COMPILE_DEBUG_MAX_EVENTS", "torch._inductor.config", since="2.14"),
    ForeignVariable("TORCH_COMPILE_DEBUG_SAVE_REAL", "torch._inductor.config", since="2.6"),
    ForeignVariable("TORCH_COMPILE_DYNAMIC_SOURCES", "torch.compiler.config", since="2.7"),
    ForeignVariable("TORCH_COMPILE_DYNAMIC_VALUES", "torch.compiler.config", since="2.13"),
    ForeignVariable("TORCH_COMPILE_FORCE_DISABLE_CACHES", "torch.compiler.config", since="2.9"),
    ForeignVariable("TORCH_COMPILE_JOB_ID", "torch.compiler.config", since="2.6"),
    ForeignVariable("TORCH_COMPILE_ON_ONE_RANK", "torch.compiler.config", since="2.14"),
    ForeignVariable("TORCH_COMPILE_STATIC_SOURCES", "torch.compiler.config", since="2.15"),
    ForeignVariable("TORCH_COMPILE_STICKY_PGO_KEY", "torch.compiler.config", since="2.8"),
    ForeignVariable("TORCH_COMPILE_STICKY_PGO_READ", "torch.compiler.config", since="2.9"),
    ForeignVariable("TORCH_COMPILE_STICKY_PGO_WRITE", "torch.compiler.config", since="2.9"),
    ForeignVariable("TORCH_COMPILE_STROBELIGHT", "torch._utils_internal"),
    ForeignVariable("TORCH_COMPILE_UNBACKED_SOURCES", "torch.compiler.config", since="2.8"),
    ForeignVariable("TORCH_COMPILE_WORKER_MODE", "torch._inductor.config", since="2.15"),
)
