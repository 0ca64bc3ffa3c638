"""Plain models of pydantic with the same fields as those of dynconf, to compare them with."""

from typing import Any, get_args

from pydantic import BaseModel, Field, create_model
from pydantic_settings import BaseSettings

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
