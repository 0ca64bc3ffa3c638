"""Plain models of pydantic with the same fields as those of dynconf, and models with sources of one's own."""

from collections.abc import Callable, Sequence
from typing import Any, get_args

from pydantic import BaseModel, Field, create_model
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from dynconf.settings.field import flag_in
from dynconf.settings.model import FlagModel


def plain_model(model: Any, base: type[BaseModel] | None = None) -> Any:
    """Return a plain model with the fields of one of dynconf's: their types, defaults and aliases.

    The core schemas of flags are in the annotations, so that both read a value alike.
    """
    base = base or (BaseSettings if issubclass(model, BaseSettings) else BaseModel)
    fields: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        default: Any = (
            {"default": field.default}
            if field.default_factory is None
            else {"default_factory": field.default_factory}
        )
        made = field.get_default(call_default_factory=True)
        if isinstance(made, (list, dict, set)):
            default = {"default": made}  # as anybody would write it: pydantic copies it
        kind: Any = field.annotation
        if isinstance(kind, type) and issubclass(kind, FlagModel):
            kind = plain_model(kind)
            default = {"default_factory": kind}
        elif flag_in(field):
            kind = field.rebuild_annotation()
            assert get_args(kind)
        fields[name] = kind, Field(validation_alias=field.validation_alias, **default)
    quiet = type("Quiet", (base,), {"model_config": {**model.model_config, "protected_namespaces": ()}})
    return create_model(f"Plain{model.__name__}", __base__=quiet, **fields)


CALL: Any = None
"""Stands for the source of what a call passes."""


def reading(model: Any, sources: Sequence[Callable[[Any], Any]]) -> Any:
    """Return a subclass with these sources, the highest first; a list may be changed between two calls."""

    class Ordered(model):
        @classmethod
        def settings_customise_sources(cls, settings_cls: Any, init_settings: Any, **_: Any) -> Any:
            return tuple(init_settings if each is CALL else each(settings_cls) for each in sources)

    return Ordered


def source_of(values: Callable[[Any], dict[str, Any]]) -> type[PydanticBaseSettingsSource]:
    """Return a source as a program has one, with the values that the function returns for a class."""

    class Mine(PydanticBaseSettingsSource):
        def get_field_value(self, _field: object, field_name: str) -> tuple[Any, str, bool]:
            return None, field_name, False

        def __call__(self) -> dict[str, Any]:
            return values(self.settings_cls)

    return Mine
