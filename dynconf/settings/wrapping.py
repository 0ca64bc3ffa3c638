"""What is wrapped around the validation and the serialization of models of flags."""

from collections.abc import Callable
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

from dynconf.settings.construction import WRITTEN
from dynconf.settings.tree import Tree
from dynconf.settings.validation import gives_defaults


def dump(held: Any, write: Callable[[Any], Any]) -> Any:
    """Serialize; what the release of the settings lacks is left out."""
    if not isinstance(held, Tree):
        return write(held)
    held._notice_changes()
    token = WRITTEN.set(held._release)
    try:
        data = write(held)
    finally:
        WRITTEN.reset(token)
    if isinstance(data, dict):
        unset = held._plan.settings - held.__pydantic_fields_set__ if gives_defaults() else frozenset()
        for name in (*held._lacking(), *unset):
            data.pop(name, None)
    return data


def validated_by(
    validate: Callable[[Any, core_schema.ValidatorFunctionWrapHandler, core_schema.ValidationInfo], Any],
    model: type[Tree],
    source: Any,
    handler: GetCoreSchemaHandler,
) -> core_schema.CoreSchema:
    """Return the core schema of a model, with *validate* around the validation of what refers to it."""
    schema = handler(source)
    whole: Any = handler.resolve_ref_schema(schema)
    if whole.get("metadata", {}).get("dynconf") is not model:
        # The definition itself is changed, so that everything that refers to the model validates alike.
        inner: Any = {**whole}
        whole.clear()
        whole |= core_schema.with_info_wrap_validator_function(
            validate,
            inner,
            ref=inner.pop("ref", None),
            metadata={"dynconf": model},
            serialization=core_schema.wrap_serializer_function_ser_schema(dump),
        )
    return schema
