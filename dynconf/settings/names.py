"""The names of the fields of a model, old, dotted and full ones, and the origins of their values."""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import AliasChoices
from pydantic.fields import FieldInfo

from dynconf.flags.flag import BARE_MODULE, qualified
from dynconf.flags.types import short_repr
from dynconf.modules import MODULES, catalogue
from dynconf.names import is_known, names_of, newest_name, split, why_unknown
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.settings.field import NestedFlags, flag_in
from dynconf.spelling import nearest
from dynconf.state import SettingValue

FieldPath = tuple[str, ...]
"""The fields that lead to one: ``("triton", "cudagraphs")``."""


def fields_in(model: Any, outer: FieldPath = ()) -> Iterator[tuple[FieldPath, FieldInfo]]:
    """Yield every field of a model, those of the models in it included."""
    for name, declared in model.model_fields.items():
        path = (*outer, name)
        yield path, declared
        if name in model._inner_models:
            yield from fields_in(model._inner_models[name], path)


@functools.lru_cache(maxsize=64)
def paths(model: Any) -> Mapping[str, FieldPath]:
    """Return the path to the field that each name means.

    In ``InductorFlags``, ``triton.cudagraphs`` and ``inductor.triton.cudagraphs`` mean the same, and so do
    all old names of the flag.
    """
    start = "".join(f"{part}." for part in (model._module, model._group) if part)
    aliases: dict[str, FieldPath] = {}
    full_names: dict[str, FieldPath] = {}
    for path, declared in fields_in(model):
        choices = declared.validation_alias
        names = choices.choices if isinstance(choices, AliasChoices) else [choices]
        for alias in (*names, declared.alias, path[-1]):
            if isinstance(alias, str):
                aliases[".".join((*path[:-1], alias))] = path
        flag = flag_in(declared)
        for name in names_of(flag.setting) if flag else ():
            full = ".".join(split(name))
            for each in (full.removeprefix(start), full, name):
                full_names.setdefault(each, path)
    return full_names | aliases


@functools.lru_cache(maxsize=64)
def field_names(model: Any) -> tuple[str, ...]:
    """Return the dotted names of the fields of a model that are no models of further flags."""
    return tuple(".".join(path) for path, _ in fields_in(model) if not model_at(model, path))


def model_at(model: Any, path: FieldPath) -> Any:
    """Return the model in the field at a path; None if there is another field, or none."""
    for part in path:
        model = model._inner_models.get(part) if model else None
    return model


def holder_at(values: dict[str, Any], path: FieldPath) -> dict[str, Any] | None:
    """Return the dict for the value of a field; None if something else, such as a model, is in its place."""
    for part in path[:-1]:
        inner = values.get(part, {})
        if not isinstance(inner, dict):
            return None
        values[part] = NestedFlags(inner)  # a copy: a source may return the same dict each time
        values = values[part]
    return values


def why_no_field(model: Any, name: str, release: Release) -> str:
    """Say why a model has no field of a name, with a suggestion that is a field of it."""
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
    if not model._module or any(is_known(bare, each) for each in MODULES):
        return why_unknown(bare, release, module)
    flags = [".".join(path) for path, declared in fields_in(model) if flag_in(declared)]
    near = nearest(name, flags)
    hint = f": did you mean {qualified(module, start + near)!r}?" if near else ""
    return f"there is no {catalogue(module).noun} {short_repr(bare)}{hint}"


def values_at(
    states: Mapping[str, Mapping[str, Any]], path: FieldPath, call: Origin
) -> Iterator[SettingValue]:
    """Yield the values that sources have at a path, highest first; those of the call have its origin."""
    for name, value in states.items():
        found: Any = value
        for key in path:
            found = found.get(key) if isinstance(found, Mapping) else None
        if isinstance(found, SettingValue):
            yield found
        elif found is not None and name == "CliSettingsSource":
            yield SettingValue(found, Origin("option", f"--{'.'.join(path)}", str(found)))
        elif found is not None:
            yield SettingValue(found, call if name == "InitSettingsSource" else Origin("source", name))


@dataclass(frozen=True)
class Provenance:
    """Where the values of a model are from.

    It is a private attribute, and pydantic compares those: where a value is from must not count.
    """

    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False)
    """The origins of the fields that were set, those of models in this one left out."""
    release: Release | None = field(default=None, compare=False)
    """The release for which the values were checked; None if they were not."""
