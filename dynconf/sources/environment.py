"""The environment: as dynconf reads it, strictly and alike for every flag, and as bare torch would.

A flag can be set by the variables that torch itself reads for it in the release at hand, and by the uniform
``TORCHDYNAMO_<FLAG>`` under any of its names; torch's own win. An empty variable counts as not set.
"""

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, names_of, spelled
from dynconf.catalogue.record import Flag, Rule, Variable
from dynconf.catalogue.value_types import Bool, Optional
from dynconf.provenance import Origin
from dynconf.sources.layer import Layer, LayerBuilder
from dynconf.values import decode, same
from dynconf.versions import AtHand, Minor

RULES: dict[Rule, str] = {
    "equals_one": "exactly 1 is True, any other text is False",
    "truthy": "any text is True, 0 and false too; empty is False",
    "text": "the text as it stands",
    "integer": "a whole number; anything else stops the import of torch",
    "integer_or_none": "a whole number, 0 meaning None; anything else stops the import of torch",
    "tristate": "1 is True, 0 is False, anything else counts as unset",
    "default": "1 is True, 0 is False, any other text stays a text; assignments beat it",
    "force": "1 is True, 0 is False, any other text stays a text; it beats every assignment",
    "debug_dir": "a path, to which torch_compile_debug is added",
}
"""What each rule of torch's makes of a text, in words."""


@functools.cache
def variables_of(name: str, release: Minor) -> tuple[Variable, ...]:
    """Return what torch itself reads for the setting in that release, the strongest first."""
    found = spelled(name, release)
    return FLAGS[found].variables_in(release) if found else ()


def read_environment(environ: Mapping[str, str], at: AtHand) -> tuple[Layer, Layer]:
    """Return what the environment sets, and apart from it what torch forces from there."""
    ordinary, forced = LayerBuilder(at, missing="warn"), LayerBuilder(at)
    for name in FLAGS:
        if canonical(name) != name or not FLAGS[name].public:
            continue
        own = [v for v in variables_of(name, at.minor) if environ.get(v.name, "").strip()]
        if own:
            _add(forced if own[0].rule == "force" else ordinary, name, own[0], environ)
            continue
        for old in names_of(name):
            if environ.get(FLAGS[old].uniform_variable, "").strip():
                _add(ordinary, old, Variable(FLAGS[old].uniform_variable, "text"), environ)
    return ordinary.done(), forced.done()


def _add(builder: LayerBuilder, name: str, variable: Variable, environ: Mapping[str, str]) -> None:
    raw = environ[variable.name]
    origin = Origin("forced" if variable.rule == "force" else "env", variable.name, raw)
    builder.add(name, origin, lambda flag: plain_value(flag, variable.rule, raw), raw)


def plain_value(flag: Flag, rule: Rule, raw: str) -> Any:
    """Return what dynconf makes of the text of a variable that is not empty: the one reading for all flags.

    Where the rule makes another value than the text itself, as the folder below a path, so does dynconf.

    Raises:
        Mismatch: The text means no value of the flag.
    """
    value = decode(flag.type, raw)
    return torch_value(rule, value, None) if rule == "debug_dir" and isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class TorchReading:
    """What bare torch makes of the environment for one flag: a value, or an error while it is imported."""

    value: Any = None
    error: str = ""
    variable: str | None = None


def torch_reading(flag: Flag, release: Minor, environ: Mapping[str, str]) -> TorchReading:
    """Return the value that bare torch would give the flag in that environment."""
    default = flag.default_in(release)
    for variable in flag.variables_in(release):
        if variable.name in environ:
            raw = environ[variable.name]
            try:
                return TorchReading(torch_value(variable.rule, raw, default), variable=variable.name)
            except ValueError as problem:
                return TorchReading(error=f"ValueError: {problem}", variable=variable.name)
    return TorchReading(default)


def torch_value(rule: Rule, raw: str, default: object) -> Any:
    """Return what torch makes of the text *raw* under *rule*.

    Raises:
        ValueError: torch's own conversion would raise the same.
    """
    match rule:
        case "equals_one":
            return raw == "1"
        case "truthy":
            return bool(raw)
        case "integer":
            return int(raw)
        case "integer_or_none":
            return None if default is None else int(raw) or None
        case "tristate":
            return {"1": True, "0": False}.get(raw, default)
        case "default" | "force":
            return {"1": True, "0": False}.get(raw, raw)
        case "debug_dir":
            return os.path.join(raw, "torch_compile_debug")  # noqa: PTH118  torch joins it so, "" included
        case "text":
            return raw


def torch_disagrees(flag: Flag, reading: TorchReading, value: object) -> bool:
    """Tell whether bare torch would take the flag for something else than *value*.

    A text where a bool belongs counts by its truth: that is how torch uses it.
    """
    if reading.error:
        return True
    inner = flag.type.of if isinstance(flag.type, Optional) else flag.type
    if isinstance(inner, Bool) and isinstance(reading.value, str):
        return bool(reading.value) is not value
    return not same(reading.value, value)
