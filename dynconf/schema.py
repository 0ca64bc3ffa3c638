"""JSON Schema, by which an editor completes and checks ``dynconf.toml``."""

import functools
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import latest
from dynconf.catalogue.record import Flag
from dynconf.catalogue.value_types import (
    Bool,
    BoolOr,
    Choice,
    Float,
    Int,
    ListOf,
    Mapping,
    Opaque,
    Optional,
    Overrides,
    Path,
    Reference,
    SetOf,
    Text,
    ValueType,
)
from dynconf.values import as_json
from dynconf.versions import NEWEST, RELEASES

Schema = dict[str, Any]


def settings_schema() -> Schema:
    """Return the schema of a settings file: every public flag under each of its names, and ``missing``."""
    properties: Schema = {
        "missing": {
            "description": "What to do about flags that the torch at hand does not have.",
            "enum": ["error", "warn", "skip"],
            "default": "error",
        }
    }
    properties |= {name: flag_schema(flag) for name, flag in sorted(FLAGS.items()) if latest(name).public}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dynconf.toml",
        "description": f"Settings for torch._dynamo, torch {RELEASES[0]} to {RELEASES[-1]}.",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }


def flag_schema(flag: Flag) -> Schema:
    """Return the schema of one flag's value, as files hold it, with its documentation."""
    schema = {"description": description(flag), **type_schema(flag.type)}
    if flag.exists_in(NEWEST) and not flag.is_alias_in(NEWEST) and not flag.host:
        schema["default"] = as_json(flag.type, flag.default_in(NEWEST))
    if flag.renamed or flag.status_in(NEWEST) in ("no-op", "deprecated"):
        schema["deprecated"] = True
    return schema


def description(flag: Flag) -> str:
    """Return all that the catalogue says of a flag, in one paragraph."""
    return " ".join(filter(None, (flag.summary, flag.details)))


@functools.singledispatch
def type_schema(type_: ValueType) -> Schema:
    """Return the schema of a type."""
    raise TypeError(type_)


@type_schema.register
def _(_: Bool) -> Schema:
    return {"type": "boolean"}


@type_schema.register
def _(type_: Int) -> Schema:
    bounds = {"minimum": type_.minimum, "maximum": type_.maximum}
    return {"type": "integer"} | {key: value for key, value in bounds.items() if value is not None}


@type_schema.register
def _(type_: Float) -> Schema:
    return {"type": "number"} | ({} if type_.minimum is None else {"minimum": type_.minimum})


@type_schema.register(Text)
@type_schema.register(Overrides)
def _(_: Text | Overrides) -> Schema:
    return {"type": "string"}


@type_schema.register
def _(_: Path) -> Schema:
    return {"type": "string", "minLength": 1}


@type_schema.register
def _(type_: Choice) -> Schema:
    return {"enum": list(type_.options)}


@type_schema.register
def _(_: Reference) -> Schema:
    return {"type": "string", "pattern": r"^[\w.]+:[\w.]+$"}


@type_schema.register
def _(type_: SetOf) -> Schema:
    return {"type": "array", "uniqueItems": True, "items": type_schema(type_.item)}


@type_schema.register
def _(type_: ListOf) -> Schema:
    return {"type": "array", "items": type_schema(type_.item)}


@type_schema.register
def _(_: Mapping) -> Schema:
    return {"type": "object"}


@type_schema.register
def _(type_: Optional) -> Schema:
    # TOML has no null; there the word "none" stands for it.
    return {"anyOf": [type_schema(type_.of), {"type": "null"}, {"const": "none"}]}


@type_schema.register
def _(type_: BoolOr) -> Schema:
    return {"anyOf": [{"type": "boolean"}, type_schema(type_.of)]}


@type_schema.register
def _(_: Opaque) -> Schema:
    return {}
