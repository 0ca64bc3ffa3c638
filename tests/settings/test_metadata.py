"""What generators of documentation, schemas and command lines find in the models."""

import inspect
import typing
import warnings

import jsonschema
import pytest
from pydantic import ValidationError
from rich.pretty import pretty_repr

import dynconf
from dynconf import DynamoSettings
from dynconf.catalogue.modules import catalogue
from dynconf.release import Release

FIELDS = DynamoSettings.model_fields
SCHEMA = DynamoSettings.model_json_schema()


def test_a_field_carries_its_name_its_variables_and_its_old_names():
    """As `AliasChoices`, where generators such as settings-doc look; the name is first."""
    assert FIELDS["recompile_limit"].validation_alias.choices == [
        "recompile_limit",
        "TORCHDYNAMO_RECOMPILE_LIMIT",
        "TORCHDYNAMO_CACHE_SIZE_LIMIT",
        "cache_size_limit",
    ]
    assert "TORCH_COMPILE_DISABLE" in FIELDS["disable"].validation_alias.choices
    for name, field in FIELDS.items():
        assert field.validation_alias.choices[0] == name


def test_deprecated_fields_say_so_and_reading_them_is_silent():
    """A default that is read is no use of the flag; setting it warns."""
    assert SCHEMA["properties"]["dynamic_shapes"]["deprecated"] is True
    assert "deprecated" not in SCHEMA["properties"]["verbose"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _ = DynamoSettings().dynamic_shapes


def test_the_schema_has_the_flags_and_the_defaults_of_the_release():
    """Those that the release lacks are marked: they are accepted with their defaults."""
    here = catalogue("dynamo").at(Release.at_hand())
    public = {name for name, setting in here.settings.items() if setting.public}
    assert set(SCHEMA["properties"]) == {*FIELDS} > public
    assert all(SCHEMA["properties"][name]["deprecated"] for name in {*FIELDS} - public)
    assert SCHEMA["properties"]["recompile_limit"]["default"] == 8
    assert SCHEMA["properties"]["recompile_limit"]["minimum"] == 0
    assert SCHEMA["additionalProperties"] is False
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"recompile_limit": 9},
        {"recompile_limit": -1},
        {"recompile_limit": "many"},
        {"verbos": True},
        {"debug_dir_root": None},
        {"optimize_ddp": "ddp_optimizer"},
        {"optimize_ddp": "python_reduser"},
        {"reorderable_logging_functions": ["builtins:print"]},
    ],
)
def test_the_schema_allows_exactly_what_the_model_accepts(data):
    """For JSON data of the types that the schema names; a model converts others, as any does."""
    try:
        DynamoSettings.model_validate(data)
        accepted = True
    except ValidationError:
        accepted = False
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(data) is accepted


def test_the_signature_names_the_fields():
    """As of an ordinary model: by name, with annotation, not by alias."""
    parameters = inspect.signature(DynamoSettings).parameters
    assert typing.get_args(parameters["recompile_limit"].annotation)[0] is int
    assert {*FIELDS} <= {*parameters}
    assert dynconf.DynamoSettings.__doc__.startswith("Settings of ``torch._dynamo.config``")


def test_the_signature_of_a_model_is_short_enough_to_read():
    """`help` begins with it: of a flag, it shows the annotation, the name and the default."""
    shown = str(inspect.signature(dynconf.DynamoFlags).parameters["recompile_limit"])
    assert shown.startswith("recompile_limit: typing.Annotated[int, FlagField(recompile_limit), ")
    assert len(shown) < 150


def test_pretty_printers_show_what_is_set():
    """They ask a model for its arguments; hundreds of defaults would hide the few that count."""
    settings = dynconf.CompileSettings(dynamo={"verbose": True}, inductor={"triton": {"cudagraphs": True}})
    assert pretty_repr(settings, max_width=120) == (
        "CompileSettings(dynamo=DynamoSettings(verbose=True),"
        " inductor=InductorSettings(triton=Triton(cudagraphs=True)))"
    )
    assert pretty_repr(DynamoSettings()) == "DynamoSettings()"
