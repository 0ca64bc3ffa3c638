"""JSON Schema, with which an editor completes and checks ``dynconf.toml``."""

import contextlib
from typing import Any

from dynconf.catalogue.flags.flag import BARE_MODULE, Flag
from dynconf.catalogue.flags.types import Mismatch, ValueType
from dynconf.catalogue.modules import MODULES, catalogue, module_path
from dynconf.release import NEWEST, RELEASES

Schema = dict[str, Any]


def settings_schema() -> Schema:
    """Return the schema of a settings file.

    It has ``missing``, ``hold``, every public flag of dynamo under each of its names, a table of flags for
    each module, dynamo included, and the table of `dynconf check`.
    """
    missing = {
        "description": "What to do about flags that the torch at hand does not have.",
        "enum": ["error", "warn", "skip"],
        "default": "error",
    }
    hold = _texts("Flags to hold: whatever the program and its libraries set, they keep their values.")
    flags = {module: _flag_schemas(module) for module in MODULES}
    tables = {module: _table(f"Settings for {module_path(module)}.", flags[module]) for module in MODULES}
    description = f"Settings for torch.compile, torch {RELEASES[0]} to {RELEASES[-1]}."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dynconf.toml",
        **_table(
            description,
            {"missing": missing, "hold": hold, "check": _check_schema(), **flags[BARE_MODULE], **tables},
        ),
    }


def _check_schema() -> Schema:
    """Return the schema of the options of a project for `dynconf check`, which are no settings."""
    torch = _texts("The releases of torch that the program must run on.")
    per_file = "Codes to leave out in the files that match a pattern."
    return _table(
        "Options of dynconf check.",
        {
            "torch": {**torch, "type": ["array", "string"]},
            "select": _texts("Report only codes that begin with one of these."),
            "ignore": _texts("Leave out codes that begin with one of these."),
            "exclude": _texts("Patterns of files to leave out."),
            "per-file-ignores": {
                "description": per_file,
                "type": "object",
                "additionalProperties": _texts(per_file),
            },
        },
    )


def _texts(description: str) -> Schema:
    return {"description": description, "type": "array", "items": {"type": "string"}}


def _flag_schemas(module: str) -> Schema:
    known = catalogue(module)
    public = (name for name in known.flags if known.flags[known.canonical(name)].public)
    flat = {name: flag_schema(known.flags[name]) for name in sorted(public)}
    groups: dict[str, Schema] = {}
    for name, schema in flat.items():
        group, dot, member = name.partition(".")
        if dot:
            groups.setdefault(group, {})[member] = schema
    tables = {name: _table(f"Settings for {known.module}.{name}.", flags) for name, flags in groups.items()}
    # A few names are those of a flag and, in other releases, of a group.
    both = {name: {"anyOf": [flat[name], tables[name]]} for name in tables if name in flat}
    return flat | tables | both


def _table(description: str, properties: Schema) -> Schema:
    return {
        "description": description,
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }


def json_schema(kind: ValueType) -> Schema:
    """Return the schema of a value of that type in JSON."""
    from pydantic.json_schema import GenerateJsonSchema

    return GenerateJsonSchema().generate(kind.core_schema())


def flag_schema(flag: Flag) -> Schema:
    """Return the schema of one flag's value as TOML files contain it, with its documentation."""
    values = json_schema(flag.type)
    if flag.type.takes_none:  # TOML has no null; there the word stands for it
        values = {"anyOf": [*values.get("anyOf", [values]), {"const": "none"}]}
    schema = {"description": flag.description or "Not yet described.", **values}
    if flag.exists_in(NEWEST) and not flag.is_alias_in(NEWEST) and not flag.machine_dependent:
        with contextlib.suppress(Mismatch):  # an object that no file can hold
            schema["default"] = flag.type.to_data(flag.default_in(NEWEST))
    if flag.renamed_to or flag.status_in(NEWEST) in ("no-op", "unread", "deprecated"):
        schema["deprecated"] = True
    return schema
