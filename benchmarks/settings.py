"""What settings cost beside a plain pydantic-settings model of the same fields and variables."""

import functools
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import BaseModel, Field, create_model
from pydantic_settings import BaseSettings
from ratio import Ratio, in_turns, report, seconds

import dynconf


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
    ("DynamoSettings with an own field", Own, PlainOwn, 0.45),
    ("install(...) and uninstall()", installed, Dynamo, 0.4),
    ("InductorSettings()", dynconf.InductorSettings, Inductor, 0.45),
    ("CompileSettings()", dynconf.CompileSettings, Whole, 0.45),
]
"""What is compared with the construction of a plain model, and the ratio that must not be exceeded."""


def ratios() -> Iterator[Ratio]:
    """Measure all cases in a folder without settings of a project."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, work, model, bound in CASES:
            ours, theirs = (functools.partial(seconds, each, 5) for each in (work, model))
            name = f"{name} / a plain model"  # noqa: PLW2901
            yield in_turns(name, ours, theirs, rounds=50, bound=bound, scale=1e6, unit="us")
        os.chdir(os.path.sep)


if __name__ == "__main__":
    report(ratios())
