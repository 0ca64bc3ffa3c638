"""dynconf's settings as a field of a program's own, next to an ordinary model there."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

import dynconf
from dynconf import DynamoSettings
from dynconf.provenance import Origin


class App(BaseSettings):
    """A program."""

    model_config = SettingsConfigDict(env_prefix="APP_", env_nested_delimiter="__")
    dynamo: DynamoSettings = DynamoSettings()
    rate: float = 0.1


def test_nested_variables_are_read(monkeypatch):
    """The origin is the program's model."""
    monkeypatch.setenv("APP_DYNAMO__RECOMPILE_LIMIT", "64")
    monkeypatch.setenv("APP_RATE", "0.5")
    app = App()
    assert (app.dynamo.recompile_limit, app.rate) == (64, 0.5)
    assert app.dynamo.origins["recompile_limit"] == Origin("source", "App")


def test_a_json_variable_is_read(monkeypatch):
    """With a list for a set and a name for an object."""
    text = json.dumps({"recompile_limit": 64, "reorderable_logging_functions": ["builtins:print"]})
    monkeypatch.setenv("APP_DYNAMO", text)
    app = App()
    assert app.dynamo.reorderable_logging_functions == {print}
    assert app.dynamo.origins["recompile_limit"] == Origin("source", "App")


@pytest.mark.parametrize("given", [{"recompile_limit": 64}, {"cache_size_limit": 64}])
def test_a_dict_is_taken(given):
    """The origin is the program's model, and a model of dynconf's keeps its own."""
    app = App(dynamo=given)
    assert app.dynamo.recompile_limit == 64
    assert app.dynamo.origins["recompile_limit"] == Origin("source", "App")
    made = DynamoSettings(verbose=True)
    assert App(dynamo=made).dynamo is made


def test_the_program_beats_dynconfs_own_sources(monkeypatch):
    """Which are still read for the flags of which the program says nothing."""
    Path("dynconf.toml").write_text("verify_correctness = true\nrecompile_limit = 2\n")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "3")
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    monkeypatch.setenv("APP_DYNAMO__RECOMPILE_LIMIT", "64")
    dynamo = App().dynamo
    assert (dynamo.recompile_limit, dynamo.verbose, dynamo.verify_correctness) == (64, True, True)


def test_mistakes_are_pydantics_with_their_path(monkeypatch, ordinary):
    """The location is that of an ordinary nested model."""

    class Inner(BaseModel):
        dynamo: DynamoSettings = DynamoSettings()
        plain: ordinary = ordinary()

    class Deep(BaseSettings):
        model_config = SettingsConfigDict(env_nested_delimiter="__")
        inner: Inner = Inner()

    monkeypatch.setenv("INNER__DYNAMO__RECOMPILE_LIMIT", "many")
    monkeypatch.setenv("INNER__PLAIN__RECOMPILE_LIMIT", "lots")
    with pytest.raises(ValidationError) as refused:
        Deep()
    found, plain = refused.value.errors()
    assert found["loc"] == ("inner", "dynamo", "recompile_limit")
    assert plain["loc"] == ("inner", "plain", "recompile_limit")
    assert (found["input"], found["type"]) == ("many", plain["type"])


def test_data_for_settings_has_the_line_of_the_call(here):
    """It is the operator's; data for `*Flags` may be from others, who must not learn that line."""
    line = Origin("keyword", file=__file__, line=here() + 1)
    assert DynamoSettings.model_validate({"verbose": True}).origins["verbose"] == line
    data = dynconf.DynamoFlags.model_validate({"verbose": True})
    assert data.origins["verbose"] == Origin("keyword")
    assert App.model_validate({"dynamo": {"verbose": True}}).dynamo.origins["verbose"] == Origin(
        "source", "App"
    )


def test_a_dict_that_is_assigned_replaces_a_module(monkeypatch):
    """Without the values that sources have for it."""
    settings = dynconf.CompileSettings()
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    settings.dynamo = {"recompile_limit": 9}
    assert settings.dynamo.model_dump(exclude_unset=True) == {"recompile_limit": 9}
