"""Rules over several flags: values that torch refuses together, or that do not do together what they say.

An error is only what torch itself refuses or calls impossible. All else is a warning, since programs that
run today go on running. Each rule was checked in torch's source; `Rule.source` says where.
"""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from dynconf.catalogue.names import canonical, spelled
from dynconf.catalogue.record import ByRelease, by_release, fact_in
from dynconf.ddp import FORBIDS_COMPILED_AUTOGRAD, NEEDS_COMPILED_AUTOGRAD
from dynconf.errors import ConflictError, ConflictWarning
from dynconf.provenance import Origin
from dynconf.values import Mismatch, shown
from dynconf.versions import Minor, minor

Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """One rule.

    Attributes:
        code: What names it in messages.
        flags: The flags that it is about, by their newest names.
        broken: Takes a value of each of these flags and tells whether they break the rule.
        when: The condition that breaks it, in a few words.
        why: What is wrong then, and what to do.
        source: Where torch says so or does so.
        level: What follows, by release where that changed.
        since: First release that it holds in; it needs all of its flags too.
    """

    code: str
    flags: tuple[str, ...]
    broken: Callable[..., bool]
    when: str
    why: str
    source: str
    level: Level | ByRelease = "warning"
    since: str = "2.4"

    def level_in(self, release: Minor) -> Level:
        """Return what follows where that release is at hand."""
        level: Level = fact_in(self.level, release)
        return level

    def holds_in(self, release: Minor) -> bool:
        """Tell whether the rule is one in that release, which then has all of its flags."""
        return minor(self.since) <= release and all(spelled(flag, release) for flag in self.flags)


RULES = (
    Rule(
        code="DC001",
        flags=("suppress_errors", "fail_on_recompile_limit_hit"),
        broken=lambda suppress, fail: suppress and fail,
        when="suppress_errors with fail_on_recompile_limit_hit",
        why="suppress_errors swallows the error that fail_on_recompile_limit_hit asks for, and from 2.7 on"
        " torch.compile refuses the pair; turn one of them off",
        source="torch/_dynamo/eval_frame.py, check_for_incompatible_configs",
        level=by_release("warning", v2_7="error"),
    ),
    Rule(
        code="DC002",
        flags=("optimize_ddp", "compiled_autograd"),
        broken=lambda ddp, autograd: autograd and ddp in (False, "no_optimization"),
        when="optimize_ddp=False or 'no_optimization' with compiled_autograd",
        why=FORBIDS_COMPILED_AUTOGRAD,
        source="torch/_dynamo/config.py, optimize_ddp; from 2.8 on DDP's reducer raises",
        level="error",
    ),
    Rule(
        code="DC003",
        flags=("optimize_ddp", "compiled_autograd"),
        broken=lambda ddp, autograd: (
            not autograd and ddp in ("python_reducer", "python_reducer_without_compiled_forward")
        ),
        when="a Python reducer without compiled_autograd",
        why=NEEDS_COMPILED_AUTOGRAD,
        source="torch/_dynamo/config.py, optimize_ddp",
    ),
    Rule(
        code="DC004",
        flags=("optimize_ddp", "compiled_autograd"),
        # True is the default and tells nothing of what a program wants of DDP.
        broken=lambda ddp, autograd: (
            autograd and ddp in ("ddp_optimizer", "python_reducer_without_compiled_forward")
        ),
        when="'ddp_optimizer' or 'python_reducer_without_compiled_forward' with compiled_autograd",
        why="DDP's C++ reducer, which syncs gradients in that mode, raises in a backward under compiled"
        " autograd; take optimize_ddp='python_reducer'",
        source="torch/csrc/distributed/c10d/reducer.cpp",
        since="2.8",
    ),
    Rule(
        code="DC005",
        flags=("recompile_limit", "accumulated_recompile_limit"),
        broken=lambda limit, accumulated: limit > accumulated,
        when="recompile_limit above accumulated_recompile_limit",
        why="the lower one stops recompilation first, so that recompile_limit is never reached; raise"
        " accumulated_recompile_limit as well",
        source="torch/_dynamo/cache_size.py, exceeds_recompile_limit",
    ),
    Rule(
        code="DC006",
        flags=("capture_dynamic_output_shape_ops", "capture_scalar_outputs"),
        broken=lambda shapes, scalars: shapes and not scalars,
        when="capture_dynamic_output_shape_ops without capture_scalar_outputs",
        why="sizes that depend on data are captured, but reading one with .item() or the like still breaks"
        " the graph; set capture_scalar_outputs=True as well",
        source="torch/_dynamo/config.py, capture_dynamic_output_shape_ops",
    ),
    Rule(
        code="DC007",
        flags=("force_compile_during_fx_trace", "error_on_nested_fx_trace"),
        broken=lambda force, error: force and error,
        when="force_compile_during_fx_trace with error_on_nested_fx_trace",
        why="what is compiled inside a trace is compiled, and no error is raised; set"
        " error_on_nested_fx_trace=False",
        source="torch/_dynamo/config.py, force_compile_during_fx_trace",
    ),
    Rule(
        code="DC008",
        flags=("track_nodes_for_deduplication", "use_graph_deduplication"),
        broken=lambda track, use: track and use,
        when="track_nodes_for_deduplication under use_graph_deduplication",
        why="use_graph_deduplication tracks nodes by itself; leave track_nodes_for_deduplication off",
        source="torch/_dynamo/config.py, track_nodes_for_deduplication",
    ),
    Rule(
        code="DC009",
        flags=("graph_deduplication_lint", "use_graph_deduplication"),
        broken=lambda lint, use: lint and not use,
        when="graph_deduplication_lint without use_graph_deduplication",
        why="there is nothing to check where no region is replaced; set use_graph_deduplication=True",
        source="torch/_dynamo/graph_deduplication.py",
    ),
    Rule(
        code="DC010",
        flags=("automatic_dynamic_exclusion_guard", "enable_compiler_collectives"),
        broken=lambda guard, collectives: guard and collectives,
        when="automatic_dynamic_exclusion_guard with enable_compiler_collectives",
        why="compiler collectives turn these guards off; leave automatic_dynamic_exclusion_guard off",
        source="torch/fx/experimental/symbolic_shapes.py",
    ),
    Rule(
        code="DC011",
        flags=("fake_tensor_cache_crosscheck_enabled", "fake_tensor_cache_enabled"),
        broken=lambda check, cache: check and not cache,
        when="fake_tensor_cache_crosscheck_enabled without fake_tensor_cache_enabled",
        why="there is nothing to check where nothing is cached; set fake_tensor_cache_enabled=True",
        source="torch/_subclasses/fake_tensor.py",
    ),
    Rule(
        code="DC012",
        flags=("error_on_recompile", "suppress_errors"),
        broken=lambda error, suppress: error and suppress,
        when="error_on_recompile with suppress_errors",
        why="the error is logged and swallowed, and the code runs in eager mode; turn suppress_errors off",
        source="torch/_dynamo/convert_frame.py",
    ),
    Rule(
        code="DC013",
        flags=("repro_forward_only", "repro_after"),
        broken=lambda forward, after: forward and after != "dynamo",
        when="repro_forward_only without repro_after='dynamo'",
        why="only the minifier after Dynamo reads it; set repro_after='dynamo'",
        source="torch/_dynamo/repro/after_dynamo.py",
    ),
    Rule(
        code="DC014",
        flags=("compiled_autograd_kwargs_override", "compiled_autograd"),
        broken=lambda override, autograd: override and not autograd,
        when="compiled_autograd_kwargs_override without compiled_autograd",
        why="the arguments are read for compiled autograd only; set compiled_autograd=True",
        source="torch/_dynamo/eval_frame.py",
    ),
)


@functools.cache
def rules_of(flag: str, release: Minor) -> tuple[Rule, ...]:
    """Return the rules of that release in which the flag takes part, under any of its names."""
    newest = canonical(flag)
    return tuple(rule for rule in RULES if newest in rule.flags and rule.holds_in(release))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules have to say of a state: what is refused, and what to warn of."""

    errors: tuple[ConflictError, ...] = ()
    warnings: tuple[ConflictWarning, ...] = ()


SOUND = Verdict()
"""Of a state that breaks no rule."""


def judged(
    rules: Iterable[Rule],
    release: Minor,
    value_of: Callable[[str], Any],
    origin_of: Callable[[str], Origin],
) -> Verdict:
    """Judge the state that results where some flags are set.

    Args:
        rules: The rules in which one of these flags takes part.
        release: The release at hand.
        value_of: Returns the value that a flag, by its newest name, will have; raises `Mismatch` where it
            has one that does not suit it, which no rule can judge.
        origin_of: Returns where that value comes from.
    """
    errors: list[ConflictError] = []
    warnings: list[ConflictWarning] = []
    for rule in dict.fromkeys(rules):
        try:
            values = [value_of(flag) for flag in rule.flags]
        except Mismatch:
            continue
        if rule.broken(*values):
            parts = [
                f"{spelled(flag, release)}={shown(value)} ({origin_of(flag)})"
                for flag, value in zip(rule.flags, values)
            ]
            message = f"{rule.code}: {' with '.join(parts)}: {rule.why}"
            if rule.level_in(release) == "error":
                errors.append(ConflictError(message))
            else:
                warnings.append(ConflictWarning(message))
    return Verdict(tuple(errors), tuple(warnings)) if errors or warnings else SOUND
