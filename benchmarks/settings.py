"""What settings cost beside a plain pydantic-settings model of the same fields and variables.

Run as ``python benchmarks/settings.py``: prints the ratio of dynconf to the plain model for each use, with
its bound, and exits with 1 if one is missed.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from pydantic import BaseModel, Field, create_model
from pydantic_settings import BaseSettings

import dynconf

ROUNDS = 50
"""How often each side is measured; the two take turns, and the median of the ratios counts."""


def plain_model(model: Any, base: type[BaseModel] = BaseSettings) -> type[BaseModel]:
    """Return a model with the fields of one of dynconf's, each with its variables as aliases."""
    fields: dict[str, Any] = {}
    for name, declared in model.model_fields.items():
        if name in model._inner_models:
            reads = issubclass(declared.annotation, BaseSettings)
            inner = plain_model(declared.annotation, BaseSettings if reads else BaseModel)
            fields[name] = (inner, Field(default_factory=inner))
        else:
            alias = declared.validation_alias
            if declared.default_factory is None:
                field = Field(default=declared.default, validation_alias=alias)
            else:
                field = Field(default_factory=declared.default_factory, validation_alias=alias)
            fields[name] = (declared.annotation, field)
    return create_model("Plain", __base__=base, **fields)


def installed() -> None:
    """Install one flag, and take it back."""
    dynconf.install(recompile_limit=64).uninstall()


class Own(dynconf.DynamoSettings):
    """With a field that is not a flag."""

    rate: float = 0.1


Dynamo = plain_model(dynconf.DynamoSettings)
PlainOwn = create_model("PlainOwn", __base__=Dynamo, rate=(float, 0.1))
Inductor = plain_model(dynconf.InductorSettings)
Whole = plain_model(dynconf.CompileSettings)
CASES: list[tuple[str, Callable[[], object], Callable[[], object], float]] = [
    ("DynamoSettings()", dynconf.DynamoSettings, Dynamo, 0.45),
    (
        "DynamoSettings(recompile_limit=64)",
        lambda: dynconf.DynamoSettings(recompile_limit=64),
        lambda: Dynamo(recompile_limit=64),
        0.45,
    ),
    ("DynamoSettings with a field of its own", Own, PlainOwn, 0.45),
    ("install(recompile_limit=64) + uninstall", installed, Dynamo, 0.4),
    ("InductorSettings()", dynconf.InductorSettings, Inductor, 0.45),
    ("CompileSettings()", dynconf.CompileSettings, Whole, 0.45),
]
"""What is compared with the construction of a plain model, and the ratio that must not be exceeded."""


def seconds(work: Callable[[], object]) -> float:
    """Return how long a few calls take."""
    start = time.perf_counter()
    for _ in range(5):
        work()
    return (time.perf_counter() - start) / 5


def main() -> int:
    """Print all of it; return 1 if a bound is missed."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # settings of the project that this runs in are not part of the comparison
        print(f"{'':40} dynconf us   plain us   ratio   bound")
        missed = False
        for name, work, model, bound in CASES:
            seconds(work)
            pairs = [(seconds(work), seconds(model)) for _ in range(ROUNDS)]
            ratio = statistics.median(ours / plain for ours, plain in pairs)
            ours, plain = (statistics.median(side) * 1e6 for side in zip(*pairs, strict=True))
            missed |= ratio > bound
            verdict = "  MISSED" if ratio > bound else ""
            print(f"{name:40} {ours:10.1f} {plain:10.1f} {ratio:7.3f} {bound:7.2f}{verdict}")
        os.chdir(os.path.sep)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
