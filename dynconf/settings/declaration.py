"""Fields that a subclass declares again, as in ``recompile_limit: Literal[8, 16] = 16``.

To pydantic such a field is a new one, of which it knows what the subclass says. It must stay the flag's, with
its variables, its old names and its own check. So its annotation is completed before pydantic reads it.
"""

import sys
import typing
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_settings import NoDecode

from dynconf.settings.field import FlagField, is_flag
from dynconf.settings.names import path_of


def keep_flags(model: Any, parents: Sequence[Any]) -> frozenset[str]:
    """Have the fields that a subclass declares again stay those of flags, before pydantic reads them.

    Args:
        model: The subclass.
        parents: Its bases that are models of flags.

    Returns:
        The flags to which the subclass gives a default.
    """
    annotations = vars(model).get("__annotations__", {})
    bases = [each for parent in parents for each in parent.__mro__ if getattr(each, "model_fields", None)]
    names = vars(sys.modules[model.__module__]) if model.__module__ in sys.modules else {}
    found: set[str] = set()
    for name, annotation in list(annotations.items()) if bases else ():
        field = next((base.model_fields[name] for base in bases if name in base.model_fields), None)
        path = path_of(bases[0], name) if field is None else None
        if path is not None:
            raise TypeError(f"{model.__name__}.{name} is an old name of {'.'.join(path)}: declare that")
        kind, *metadata = _annotation_parts(annotation, names)
        if field is not None and is_flag(field):
            said = [vars(model)[name], *metadata] if name in vars(model) else metadata
            has_default = (said is not metadata and not isinstance(said[0], FieldInfo)) or any(
                isinstance(each, FieldInfo) and not each.is_required() for each in said
            )
            annotations[name] = _declared_again(kind, metadata, field, has_default=has_default)
            if has_default:
                found.add(name)
        elif hasattr(kind, "_inner_models") and name not in vars(model):
            annotations[name] = _annotated(kind, Field(default_factory=kind), *metadata)
    return frozenset(found)


def _annotation_parts(annotation: Any, names: dict[str, Any]) -> tuple[Any, ...]:
    """Return the type in an annotation, followed by what `Annotated` adds to it.

    Args:
        annotation: The annotation, or the text of one.
        names: The names of the module that it is in.
    """
    if isinstance(annotation, str):
        try:
            declared = type("Declared", (), {"__annotations__": {"field": annotation}})
            annotation = typing.get_type_hints(declared, dict(names), include_extras=True)["field"]
        except Exception:  # noqa: BLE001  pydantic will look further, or say what is wrong
            return (annotation,)
    return typing.get_args(annotation) if typing.get_origin(annotation) is Annotated else (annotation,)


def _declared_again(kind: Any, metadata: Sequence[Any], base: FieldInfo, *, has_default: bool) -> Any:
    """Return the annotation of a field that a subclass declares again, made one that stays the flag's.

    Args:
        kind: The type that the subclass gives it.
        metadata: What `Annotated` adds to that.
        base: The field of the flag.
        has_default: Whether the subclass gives it a default. pydantic merges what stands in an annotation,
            and refuses a field with both a default and a factory, so the flag's own must not be there then.
    """
    flag_field = next(each for each in base.metadata if isinstance(each, FlagField))
    factory: Any = base.default_factory
    default: dict[str, Any] = {"default_factory": factory} if factory else {"default": base.default}
    default = {} if has_default else default
    alias, description = base.validation_alias, base.description
    kept = Field(**default, validate_default=True, validation_alias=alias, description=description)
    # The flag's type is innermost: validators and constraints see values of it, as of any type of pydantic.
    return _annotated(kind, FlagField(flag_field.setting, narrowed=True), NoDecode, kept, *metadata)


def _annotated(kind: Any, *metadata: Any) -> Any:
    """Return the type, annotated."""
    form: Any = Annotated
    parts = (kind, *metadata)
    return form[parts]
