"""Old, dotted and full names in the input of a model, and the fields that they mean."""

import functools
from collections.abc import Mapping
from typing import Any

from pydantic import AliasChoices

from dynconf.errors import ConflictError
from dynconf.flags.flag import BARE_MODULE
from dynconf.flags.types import is_same_value, short_repr
from dynconf.modules import MODULES, catalogue
from dynconf.names import is_known, newest_name, split, why_unknown
from dynconf.release import Release
from dynconf.settings.provenance import SourceValue


def path_of(model: Any, name: str) -> tuple[str, ...] | None:
    """Return the fields that lead to a flag of any name, old or new, bare or in full; None if none do."""
    found = _fields_to(model, name)
    # pydantic asks for many private attributes, but some old names of flags begin with an underscore, too.
    if found is not None or (name.startswith("_") and not is_known(name, model._module or BARE_MODULE)):
        return found
    start = f"{model._group}." if model._group else ""
    full = ".".join(split(newest_name(start + name, model._module or BARE_MODULE)))
    own = f"{model._module}.{start}" if model._module else ""
    return _fields_to(model, full.removeprefix(own)) if full.startswith(own) else None


def _fields_to(model: Any, name: str) -> tuple[str, ...] | None:
    if name in model.model_fields:
        return (name,)
    head, _, rest = name.partition(".")
    inner = model._inner_models.get(head)
    below = _fields_to(inner, rest) if inner and rest else None
    return None if below is None else (head, *below)


def why_no_field(model: Any, name: str, release: Release) -> str:
    """Say why a model has no field of a name, with a suggestion."""
    start = f"{model._group}." if model._group else ""
    module, bare = split(start + name, model._module or BARE_MODULE)
    newest, _ = split(newest_name(bare, module))
    if newest != module or (model._module and module != model._module):
        return f"{name} is not a flag of {model._module}: use dynconf.{newest}, or CompileSettings"
    if bare in MODULES:
        return f"{bare} is a config module: use dynconf.{bare.capitalize()}Settings, or CompileSettings"
    known = catalogue(module).at(release).get(bare)
    if known is not None and not known.public:
        return f"{known.qualified} is internal to torch and not a setting; `dynconf.patch` accepts it"
    return why_unknown(bare, release, module)


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
    first: list[tuple[tuple[str, ...], Any]] = [((name,), data[name]) for name in data]
    pending = sorted(first, key=lambda each: len(fields(each[0])))
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
                    ConflictError(f"{'.'.join(given)} is set besides {part}={short_repr(below)}", flag=part)
                )
            holder[part] = dict(below) if isinstance(below, Mapping) else {}
            holder = holder[part]
        name = names.setdefault(path, given[-1] if path[:-1] == given[:-1] else path[-1])
        before = _plain(holder.setdefault(name, value))
        if not is_same_value(before, _plain(value)):
            text = f"{'.'.join(path)} is set twice: {short_repr(before)} and {short_repr(_plain(value))}"
            errors.append(
                ConflictError(f"{text}, as {'.'.join(given)!r}; keep one of them", flag=".".join(given))
            )
    return values, errors


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, SourceValue) else value


def field_named(model: Any, name: str) -> str:
    """Return the field that the input calls *name*; an unknown name stays as it is."""
    model = model if isinstance(model, type) else type(model)
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
