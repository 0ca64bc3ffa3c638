"""What the models cost beside plain models of pydantic with the same fields and variables."""

import contextlib
import functools
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model
from pydantic_settings import BaseSettings
from ratio import Ratio, in_turns, report, seconds

import dynconf

FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)  # without settings of a project; some defaults of torch contain its name


def plain_model(model: Any, base: type[BaseModel] = BaseSettings) -> type[BaseModel]:
    """Return a model with the fields of one of dynconf's, each with its variables as aliases."""
    fields: dict[str, Any] = {}
    for name, declared in model.model_fields.items():
        if name in model.__dynconf__.inner:
            reads = issubclass(declared.annotation, BaseSettings)
            inner = plain_model(declared.annotation, BaseSettings if reads else BaseModel)
            fields[name] = (inner, Field(default_factory=inner))
        else:
            made = declared.get_default(call_default_factory=True)
            default: dict[str, Any] = {
                "default": made
            }  # containers too, as anybody would write: it is copied
            if declared.default_factory and not isinstance(made, (dict, list, set)):
                default = {"default_factory": declared.default_factory}
            field = Field(**default, validation_alias=declared.validation_alias)
            fields[name] = (declared.rebuild_annotation(), field)  # which reads values alike
    made: type[BaseModel] = create_model("Plain", __base__=base, **fields)
    return made


class PlainFlags(BaseModel):
    """The configuration of the models of flags."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True, populate_by_name=True)


def installed() -> None:
    """Install one flag, and take it back."""
    dynconf.install(recompile_limit=64).uninstall()


class Own(dynconf.DynamoSettings):
    """With a field that is not a flag."""

    rate: float = 0.1


Dynamo = plain_model(dynconf.DynamoSettings)
PlainOwn = create_model("PlainOwn", __base__=Dynamo, rate=(float, 0.1))
Flags, PlainDynamo = dynconf.CompileFlags, plain_model(dynconf.DynamoFlags, PlainFlags)
Plain = plain_model(Flags, PlainFlags)
DUMP = Flags().model_dump()
UNKNOWN = {f"unknown_{number}": 1 for number in range(1000)}
LISTED = [{"recompile_limit": 8}] * 1000


def assigned(made: Any) -> Callable[[], None]:
    """Return a function that assigns a flag."""
    return lambda: setattr(made, "verbose", True)


def refused(model: Any) -> None:
    """Validate a thousand unknown names."""
    with contextlib.suppress(ValidationError):
        model.model_validate(UNKNOWN)


def listed(model: Any) -> Callable[[], object]:
    """Return a function that validates a list of models with a flag each."""
    adapter = TypeAdapter[Any](list[model])  # pyright: ignore[reportInvalidTypeForm]  made when this runs
    return functools.partial(adapter.validate_python, LISTED)


def pair(work: Callable[[Any], Callable[[], object]]) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return the work with all flags, and with a plain model of them."""
    return work(Flags), work(Plain)


CASES: list[tuple[str, Callable[[], object], Callable[[], object], float]] = [
    ("DynamoSettings()", dynconf.DynamoSettings, Dynamo, 0.3),
    (
        "DynamoSettings(recompile_limit=64)",
        lambda: dynconf.DynamoSettings(recompile_limit=64),
        lambda: Dynamo(recompile_limit=64),
        0.45,
    ),
    ("DynamoSettings with an own field", Own, PlainOwn, 0.45),
    ("install(...) and uninstall()", installed, Dynamo, 0.4),
    ("InductorSettings()", dynconf.InductorSettings, plain_model(dynconf.InductorSettings), 0.45),
    ("CompileSettings()", dynconf.CompileSettings, plain_model(dynconf.CompileSettings), 0.45),
    (
        "a whole dump of CompileFlags validated",
        *pair(lambda model: functools.partial(model.model_validate, DUMP)),
        5,
    ),
    ("CompileFlags called with a whole dump", *pair(lambda model: lambda: model(**DUMP)), 5),
    (
        "a flag assigned, nothing set",
        assigned(dynconf.DynamoFlags()),
        assigned(PlainDynamo()),
        10,
    ),
    (
        "a flag assigned, everything set",
        assigned(dynconf.DynamoFlags(**DUMP["dynamo"])),
        assigned(PlainDynamo(**DUMP["dynamo"])),
        10,
    ),
    ("1,000 unknown names", *pair(lambda model: functools.partial(refused, model)), 10),
    ("1,000 DynamoFlags with a flag each", listed(dynconf.DynamoFlags), listed(PlainDynamo), 2),
    (
        "a subclass of CompileFlags",
        *pair(lambda model: lambda: type("Sub", (model,), {"__module__": __name__})),
        4,
    ),
]
"""What is compared with the same work of a plain model, and the ratio that must not be exceeded."""


def ratios() -> Iterator[Ratio]:
    """Measure all cases."""
    for name, work, model, bound in CASES:
        ours, theirs = (functools.partial(seconds, each, 5) for each in (work, model))
        name = f"{name} / a plain model"  # noqa: PLW2901
        yield in_turns(name, ours, theirs, rounds=50, bound=bound, scale=1e6, unit="us")


if __name__ == "__main__":
    report(ratios())
