"""JSON Schema: an editor's knowledge of ``dynconf.toml``, derived from the catalogue."""

import sys

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import JSON, values

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical
from dynconf.catalogue.value_types import Opaque, Reference, SetOf
from dynconf.model.schema import flag_schema, settings_schema, type_schema
from dynconf.model.settings import Settings
from dynconf.sources.files import parse, read_document
from dynconf.values import Mismatch, as_json, from_json
from dynconf.versions import asked

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TYPES = sorted({flag.type for flag in FLAGS.values() if flag.public}, key=repr)
EVERY = pytest.mark.parametrize("type_", [pytest.param(each, id=repr(each)) for each in TYPES])
SCHEMA = settings_schema()


def conforms(data: object, schema: dict[str, object]) -> bool:
    """Tell whether *data* is what the schema describes."""
    return bool(jsonschema.Draft202012Validator(schema).is_valid(data))


def test_the_schema_is_one():
    """It keeps to the JSON Schema standard itself."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_it_knows_every_public_flag_under_each_of_its_names():
    """And `missing`; nothing else may stand in a settings file."""
    public = {name for name in FLAGS if FLAGS[canonical(name)].public}
    assert set(SCHEMA["properties"]) == {*public, "missing"}
    assert SCHEMA["additionalProperties"] is False


@EVERY
@given(st.data())
def test_what_a_flag_takes_conforms(type_, data):
    """Every value, as files hold it."""
    value = data.draw(values(type_))
    assert conforms(as_json(type_, value), type_schema(type_))


@EVERY
@given(JSON)
def test_what_conforms_is_read(type_, data):
    """Where the schema says yes to data, so does the reading; rules for graphs it leaves to that."""
    whole = isinstance(data, float) and data.is_integer()  # to JSON Schema 1.0 is an integer
    if not conforms(data, type_schema(type_)) or data == "none" or whole:
        return
    try:
        from_json(type_, data)
    except Mismatch:
        assert "Overrides" in repr(type_)


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
    ],
)
def test_what_the_reading_refuses_the_schema_refuses(text):
    """An editor underlines what dynconf would complain of."""
    assert read_document(parse(text, "x", "toml"), asked("2.13.0")).errors
    assert not conforms(tomllib.loads(text), SCHEMA)


def test_a_good_file_conforms():
    """The word for None included."""
    text = """
        missing = "warn"
        verbose = true
        cache_size_limit = 64
        debug_dir_root = "none"
        optimize_ddp = "python_reducer"
        dynamo_profiler = "/tmp/profile"
        reorderable_logging_functions = ["builtins:print"]
        compiled_autograd_kwargs_override = {fullgraph = true}
        """
    assert not read_document(parse(text, "x", "toml"), asked("2.13.0")).errors
    assert conforms(tomllib.loads(text), SCHEMA)


@pytest.mark.parametrize("name", sorted(SCHEMA["properties"]))
def test_each_entry_is_documented_and_its_default_conforms(name):
    """The text for hovering is there; defaults that depend on the machine are left out."""
    entry = SCHEMA["properties"][name]
    assert entry["description"]
    if "default" in entry:
        assert conforms(entry["default"], entry)
        assert name == "missing" or not FLAGS[name].host


def test_old_and_useless_flags_are_marked():
    """Editors strike them through."""
    marked = {name for name, entry in SCHEMA["properties"].items() if entry.get("deprecated")}
    assert {"cache_size_limit", "dynamic_shapes", "report_guard_failures"} <= marked
    assert not {"recompile_limit", "verbose", "missing"} & marked


def test_the_model_says_the_same():
    """``DynamoSettings.model_json_schema()`` has the very entries of ``dynconf schema``."""
    model = Settings.model_json_schema()
    assert set(model["properties"]) == set(Settings.model_fields)
    for name, entry in model["properties"].items():
        said = {key: value for key, value in entry.items() if key != "title"}
        assert said == flag_schema(FLAGS[name]), name
    assert not model.get("required")
    assert model["additionalProperties"] is False


def test_no_type_is_left_without_a_schema():
    """Save for what has no written form; sets of objects are arrays of names."""
    for type_ in TYPES:
        assert type_schema(type_) or isinstance(type_, Opaque)
        if isinstance(type_, SetOf) and isinstance(type_.item, Reference):
            assert type_schema(type_)["items"]["pattern"]
