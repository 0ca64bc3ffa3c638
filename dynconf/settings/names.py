"""Old, dotted and full names in the input of a model, and the fields that they mean."""

import functools
from collections.abc import Mapping
from typing import Any

from pydantic import AliasChoices

from dynconf.errors import ConflictError
from dynconf.flags.types import same, shown
from dynconf.settings.provenance import SourceValue


def unified(model: Any, data: Mapping[str, Any]) -> tuple[dict[str, Any], list[ConflictError]]:
    """Return the input with values where pydantic finds them, and an error for each flag given twice.

    ``{"triton.cudagraphs": True}`` becomes ``{"triton": {"cudagraphs": True}}``. An old name in the same
    model is an alias of the field, and stays, so that mistakes are located as in the input.
    """
    values: dict[str, Any] = {}
    errors: list[ConflictError] = []
    names: dict[tuple[str, ...], str] = {}

    def fields(given: tuple[str, ...]) -> tuple[str, ...]:
        return model._path_of(".".join(given)) or given

    # Mappings first: what goes by a dotted name is then added to them. A lookup resolves values of OmegaConf.
    pending = sorted((((name,), data[name]) for name in data), key=lambda each: len(fields(each[0])))
    for given, value in pending:
        path = fields(given)
        is_module = not model._module and len(given) == 1 and given[0] in model._inner_models
        if is_module and isinstance(value, Mapping) and value:  # each flag may have moved to another module
            pending += [((*given, key), value[key]) for key in value]
            continue
        holder = values
        for part in path[:-1]:
            below = holder.get(part, {})
            if not isinstance(below, Mapping):
                errors.append(
                    ConflictError(f"{'.'.join(given)} is set besides {part}={shown(below)}", flag=part)
                )
            holder[part] = dict(below) if isinstance(below, Mapping) else {}
            holder = holder[part]
        name = names.setdefault(path, given[-1] if path[:-1] == given[:-1] else path[-1])
        first = _plain(holder.setdefault(name, value))
        if not same(first, _plain(value)):
            text = f"{'.'.join(path)} is set twice: {shown(first)} and {shown(_plain(value))}"
            errors.append(
                ConflictError(f"{text}, as {'.'.join(given)!r}; keep one of them", flag=".".join(given))
            )
    return values, errors


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, SourceValue) else value


def field_named(model: Any, name: str) -> str:
    """Return the field that the input calls *name*; an unknown name stays as it is."""
    return name if name in model.model_fields else _fields_by_alias(model).get(name, name)


@functools.lru_cache(maxsize=64)
def _fields_by_alias(model: Any) -> dict[str, str]:
    aliases = {name: (field.alias, field.validation_alias) for name, field in model.model_fields.items()}
    return {
        choice: name
        for name, given in aliases.items()
        for alias in given
        for choice in (alias.choices if isinstance(alias, AliasChoices) else [alias])
        if isinstance(choice, str)
    }
