"""JSON Schema: an editor's knowledge of ``dynconf.toml``, derived from the catalogue."""

import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st
from pages import blocks
from states import AT
from strategies import FEW, JSON, values

from dynconf.catalogue.flags.types import Mismatch, Opaque, SetOf
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.errors import StateFileError
from dynconf.settings import DynamoSettings, FunctorchSettings
from dynconf.sources.files import parse, read_document
from dynconf.sources.reading import Reading
from dynconf.tools.lint.program import project_options
from dynconf.tools.show.schema import flag_schema, json_schema, settings_schema

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[3]

TYPES = sorted(
    {flag.type for module in MODULES for flag in catalogue(module).flags.values() if flag.public}, key=repr
)
SCHEMA = settings_schema()
SCHEMAS = {type_: json_schema(type_) for type_ in TYPES}


def read_toml(text: str) -> Reading:
    """Read a file in the hands of the user."""
    return read_document(replace(parse(text, "dynconf.toml", "toml"), trusted=True), AT)


def conforms(data: object, schema: dict[str, object]) -> bool:
    """Tell whether *data* conforms to the schema."""
    return bool(jsonschema.Draft202012Validator(schema).is_valid(data))


def test_the_schema_is_one():
    """It keeps to the JSON Schema standard itself."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_it_knows_every_public_flag_under_each_of_its_names():
    """A settings file may also have `missing`, `hold`, `lint` and a table for each module, and no more."""
    assert set(SCHEMA["properties"]) == {*public_names("dynamo"), "missing", "hold", "check", *MODULES}
    assert SCHEMA["additionalProperties"] is False
    for module in MODULES:
        table = SCHEMA["properties"][module]
        assert set(table["properties"]) == public_names(module) | groups(module)
        assert table["additionalProperties"] is False


def documented_settings():
    """Yield every file of settings that the documentation shows."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for number, block in enumerate(blocks(page.read_text(encoding="utf-8"), "toml"), 1):
            data = tomllib.loads(block)
            data = data["tool"]["dynconf"] if "tool" in data else data
            yield pytest.param(data, id=f"{page.relative_to(ROOT)}, {number}")


@pytest.mark.parametrize("data", [*documented_settings()])
def test_every_documented_file_conforms(data):
    """Those in tables of a pyproject.toml, too, and the options of `dynconf check`."""
    jsonschema.Draft202012Validator(SCHEMA).validate(data)


@pytest.mark.parametrize(
    ("table", "is_valid"),
    [
        ({"torch": "2.6"}, True),
        ({"torch": ["2.6"], "per-file-ignores": {"tests/*": ["DC3"]}}, True),
        ({"select": "DC3"}, False),
        ({"exclude": [1]}, False),
        ({"per-file-ignores": ["DC3"]}, False),
        ({"per_file_ignores": {}}, False),
        (3, False),
    ],
)
def test_options_of_lint_conform_exactly_if_it_takes_them(table, is_valid):
    """All of its options are in the schema, and no others."""
    assert conforms({"check": table}, SCHEMA) is is_valid
    Path("dynconf.toml").write_text(tomli_w.dumps({"check": table}))
    with nullcontext() if is_valid else pytest.raises(StateFileError):
        project_options()


def test_the_schema_has_every_option_of_check():
    """Those that the error of an unknown one lists."""
    Path("dynconf.toml").write_text("[check]\nbogus = 1\n")
    names = ", ".join(sorted(SCHEMA["properties"]["check"]["properties"]))
    with pytest.raises(StateFileError, match=f"'bogus' is not an option: expected {names}$"):
        project_options()


def groups(module: str) -> set[str]:
    """Return the groups that have public flags."""
    return {name.partition(".")[0] for name in public_names(module) if "." in name}


def public_names(module: str) -> set[str]:
    """Return the names of the public flags of a module, old names included."""
    known = catalogue(module)
    return {name for name in known.flags if known.flags[known.canonical(name)].public}


@pytest.mark.parametrize("type_", [pytest.param(each, id=repr(each)) for each in TYPES])
@given(st.data())
@FEW
def test_what_a_flag_takes_conforms(type_, data):
    """Every value, as files contain it."""
    value = data.draw(values(type_))
    assert conforms(type_.to_data(value), SCHEMAS[type_])


def is_whole(data: object) -> bool:
    """Tell whether there is a number such as 1.0 in it, which is an integer to JSON Schema alone."""
    items = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return (isinstance(data, float) and data.is_integer()) or any(map(is_whole, items))


@settings(max_examples=200)
@given(JSON)
def test_what_conforms_is_read(data):
    """Data that the schema of a type accepts can be read; only rules for graphs are left to reading."""
    if data == "none" or is_whole(data):
        return
    for type_, schema in SCHEMAS.items():
        if conforms(data, schema):
            try:
                type_.from_data(data)
            except Mismatch:
                assert "GraphRules" in repr(type_)


@pytest.mark.parametrize(
    "text",
    [
        "verbos = true",
        "verbose = 1",
        "repro_level = 5",
        "recompile_limit = -1",
        "recompile_limit = 1.5",
        "repro_tolerance = -1.0",
        "optimize_ddp = 'ddp_optimiser'",
        "debug_dir_root = ''",
        "missing = 'ignore'",
        "reorderable_logging_functions = ['print']",
        "[tool]",
        "functorch = 1",
        "[functorch]\nverbose = true",
        "[functorch]\ndonated_buffer = 1",
        "[inductor.triton]\ncudagraph = true",
        "[inductor]\ntriton.cudagraphs = 1",
        "[triton]\ncudagraphs = true",
    ],
)
def test_what_the_reading_refuses_the_schema_refuses(text):
    """An editor underlines data that dynconf would refuse."""
    assert read_toml(text).errors
    assert not conforms(tomllib.loads(text), SCHEMA)


GOOD = """
missing = "warn"
verbose = true
cache_size_limit = 64
debug_dir_root = "none"
optimize_ddp = "python_reducer"
dynamo_profiler = "/tmp/profile"
reorderable_logging_functions = ["builtins:print"]
compiled_autograd_kwargs_override = {fullgraph = true}
[functorch]
donated_buffer = false
"""


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "[inductor]\ntriton.cudagraphs = true",
        "[inductor.triton]\ncudagraphs = true",
        '[inductor]\n"triton.cudagraphs" = true',
    ],
)
def test_a_good_file_conforms(text):
    """The word for None included, and each way in which TOML has a flag in a group."""
    read = read_toml(text).checked()
    assert text is GOOD or [each.qualified for each in read] == ["inductor.triton.cudagraphs"]
    assert conforms(tomllib.loads(text), SCHEMA)


def test_each_entry_is_documented_and_its_default_conforms():
    """There is a text for hovering; defaults that depend on the machine are left out."""
    tables = {"dynamo": SCHEMA["properties"], "functorch": SCHEMA["properties"]["functorch"]["properties"]}
    for module, entries in tables.items():
        for name, entry in entries.items():
            assert entry["description"], name
            if "default" in entry:
                assert conforms(entry["default"], entry), name
                assert name == "missing" or not catalogue(module).flags[name].machine_dependent, name


def test_old_and_useless_flags_are_marked():
    """Editors strike them through."""
    marked = {name for name, entry in SCHEMA["properties"].items() if entry.get("deprecated")}
    assert {"cache_size_limit", "dynamic_shapes", "report_guard_failures"} <= marked
    assert not {"recompile_limit", "verbose", "missing"} & marked


def test_the_model_says_the_same():
    """``DynamoSettings.model_json_schema()`` describes flags as ``dynconf init --schema`` does."""
    for made, module in ((DynamoSettings, "dynamo"), (FunctorchSettings, "functorch")):
        model = made.model_json_schema()
        for name in set(model["properties"]) & set(made.model_fields):
            entry, file_entry = model["properties"][name], flag_schema(catalogue(module).flags[name])
            assert entry["description"] == file_entry["description"]
            assert entry.get("type") == file_entry.get("type")
        assert not model.get("required")
        assert model["additionalProperties"] is False


def test_no_type_is_left_without_a_schema():
    """Types without a written form are the exception; sets of objects are arrays of names."""
    for type_ in TYPES:
        assert SCHEMAS[type_] or isinstance(type_, Opaque)
        if isinstance(type_, SetOf) and type_.names_objects:
            assert SCHEMAS[type_]["items"]["pattern"]
