"""The rules over several of Dynamo's flags. Each was checked in torch's source; `Rule.source` says where."""

from dynconf.catalogue.flags.described import described_rules
from dynconf.catalogue.flags.flag import by_release
from dynconf.catalogue.flags.rule import Rule, set_alone

_CPP_REDUCER = (
    "gradients are synced by DDP's C++ reducer, which a backward under compiled autograd does not run: up to"
    " torch 2.7, each rank silently keeps its own gradients, and from torch 2.8 on, the reducer raises"
)
"""What real training does, as ``tests/test_ddp_training.py`` measures it."""

NO_SPLITTING_UNDER_COMPILED_AUTOGRAD = Rule(
    code="DC002",
    flags=("optimize_ddp", "compiled_autograd"),
    is_broken=lambda ddp, autograd: autograd and ddp in (False, "no_optimization"),
    when="optimize_ddp=False or 'no_optimization' with compiled_autograd",
    why=f"without splitting, {_CPP_REDUCER}; set optimize_ddp='python_reducer', or turn compiled_autograd"
    " off",
    source="torch/csrc/distributed/c10d/reducer.cpp",
    level=by_release("warning", v2_8="error"),
)

PYTHON_REDUCER_ALONE = Rule(
    code="DC003",
    flags=("optimize_ddp", "compiled_autograd"),
    is_broken=lambda ddp, autograd: (
        not autograd and ddp in ("python_reducer", "python_reducer_without_compiled_forward")
    ),
    when="a Python reducer without compiled_autograd",
    why="the Python reducers are made for compiled autograd: without it, no communication overlaps with the"
    " backward; set compiled_autograd=True, or choose another mode",
    source="torch/_dynamo/config.py, optimize_ddp",
)

DESCRIPTIONS = """
DC007 force_compile_during_fx_trace with error_on_nested_fx_trace (torch/_dynamo/config.py,
    force_compile_during_fx_trace):
    compiled functions are compiled inside a trace too, so the error is never raised; set
    error_on_nested_fx_trace=False
DC008 track_nodes_for_deduplication with use_graph_deduplication (torch/_dynamo/config.py,
    track_nodes_for_deduplication):
    use_graph_deduplication already tracks nodes; leave track_nodes_for_deduplication off
DC009 graph_deduplication_lint without use_graph_deduplication (torch/_dynamo/graph_deduplication.py):
    without it no region is replaced, so nothing is checked; set use_graph_deduplication=True
DC010 automatic_dynamic_exclusion_guard with enable_compiler_collectives
    (torch/fx/experimental/symbolic_shapes.py):
    compiler collectives turn these guards off; leave automatic_dynamic_exclusion_guard off
DC011 fake_tensor_cache_crosscheck_enabled without fake_tensor_cache_enabled
    (torch/_subclasses/fake_tensor.py):
    without it nothing is cached, so nothing is checked; set fake_tensor_cache_enabled=True
DC012 error_on_recompile with suppress_errors (torch/_dynamo/convert_frame.py):
    the error is only logged, and the code runs in eager mode; turn suppress_errors off
DC014 compiled_autograd_kwargs_override without compiled_autograd (torch/_dynamo/eval_frame.py):
    the arguments apply only to compiled autograd; set compiled_autograd=True
"""

RULES = described_rules(
    DESCRIPTIONS,
    Rule(
        code="DC001",
        flags=("suppress_errors", "fail_on_recompile_limit_hit"),
        why="suppress_errors hides the error that fail_on_recompile_limit_hit raises, and from torch 2.7 on"
        " torch.compile rejects the two together; turn one of them off",
        source="torch/_dynamo/eval_frame.py, check_for_incompatible_configs",
        level=by_release("warning", v2_7="error"),
    ),
    NO_SPLITTING_UNDER_COMPILED_AUTOGRAD,
    PYTHON_REDUCER_ALONE,
    Rule(
        code="DC004",
        flags=("optimize_ddp", "compiled_autograd"),
        # True is the default, so it says nothing about the intentions of a program.
        is_broken=lambda ddp, autograd: autograd and ddp == "ddp_optimizer",
        when="'ddp_optimizer' with compiled_autograd",
        why=f"{_CPP_REDUCER}; set optimize_ddp='python_reducer'",
        source="torch/csrc/distributed/c10d/reducer.cpp",
    ),
    Rule(
        code="DC005",
        flags=("recompile_limit", "accumulated_recompile_limit"),
        is_broken=lambda limit, accumulated: limit > accumulated,
        when="recompile_limit above accumulated_recompile_limit",
        why="the lower limit stops recompilation first, so recompile_limit is never reached; raise"
        " accumulated_recompile_limit too",
        source="torch/_dynamo/cache_size.py, exceeds_recompile_limit",
    ),
    Rule(
        code="DC006",
        flags=("capture_dynamic_output_shape_ops", "capture_scalar_outputs"),
        is_broken=set_alone,
        why="nonzero and the like are captured, but .item() still breaks the graph; if there is one, set"
        " capture_scalar_outputs=True too",
        source="torch/_dynamo/config.py, capture_dynamic_output_shape_ops",
        level="note",
    ),
    Rule(
        code="DC013",
        flags=("repro_forward_only", "repro_after"),
        is_broken=lambda forward, after: forward and after != "dynamo",
        when="repro_forward_only without repro_after='dynamo'",
        why="repro_forward_only only affects the minifier after Dynamo; set repro_after='dynamo'",
        source="torch/_dynamo/repro/after_dynamo.py",
    ),
    Rule(
        code="DC015",
        flags=("optimize_ddp", "compiled_autograd"),
        is_broken=lambda ddp, autograd: autograd and ddp == "python_reducer_without_compiled_forward",
        when="'python_reducer_without_compiled_forward' with compiled_autograd",
        why=f"since torch 2.7, {_CPP_REDUCER}; set optimize_ddp='python_reducer'",
        source="torch/nn/parallel/distributed.py, _use_python_reducer",
        since="2.7",
    ),
)
