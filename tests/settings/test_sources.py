"""The sources, as users of pydantic-settings customise them."""

import os
from pathlib import Path

import pydantic
import pydantic_settings
import pytest
from plain_models import CALL, reading, source_of
from pydantic import ValidationError
from pydantic_settings import SettingsConfigDict, TomlConfigSettingsSource

import dynconf
from dynconf import DynamoSettings
from dynconf.catalogue.flags.types import is_same_value
from dynconf.errors import EnvironmentWarning, ForcedFlagWarning
from dynconf.provenance import Origin
from dynconf.settings import EnvironmentSource, FileSource
from dynconf.state import SettingValue


def toml(settings_cls):
    """A source of pydantic-settings."""
    return TomlConfigSettingsSource(settings_cls, "more.toml")


Same = type("Same", (DynamoSettings,), {"rate": 0.1, "__annotations__": {"rate": float}})


def test_sources_are_reordered(monkeypatch):
    """Here the environment beats the call, as with an ordinary model; one that is left out is not read."""
    Path("dynconf.toml").write_text("verify_correctness = true\n")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "3")
    settings = reading(DynamoSettings, [EnvironmentSource, CALL])(recompile_limit=9, disable=True)
    assert settings.recompile_limit == 3
    assert settings.origins["recompile_limit"] == Origin("env", "TORCHDYNAMO_RECOMPILE_LIMIT", "3")
    assert settings.origins["disable"].kind == "keyword"
    assert settings.verify_correctness is False


def test_sources_are_added():
    """A file of pydantic-settings, and a source of one's own; a value's origin is its source."""
    mine = source_of(lambda _: {"disable": "yes", "recompile_limit": 12})
    Path("more.toml").write_text("recompile_limit = 11\n")
    Path("dynconf.toml").write_text("verbose = true\n")
    settings = reading(DynamoSettings, [CALL, toml, mine, FileSource])(verify_correctness=True)
    assert (settings.recompile_limit, settings.disable, settings.verbose) == (11, True, True)
    assert settings.origins["recompile_limit"] == Origin("source", "TomlConfigSettingsSource")
    assert settings.origins["disable"] == Origin("source", "Mine")
    assert settings.origins["verbose"].line == 1
    assert settings.origins["verify_correctness"].kind == "keyword"


def test_mistakes_in_all_sources_are_reported_together(monkeypatch):
    """With those in fields that are not flags."""
    Path("dynconf.toml").write_text("repro_level = 9\n")
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "maybe")
    with pytest.raises(ValidationError) as refused:
        Same(recompile_limit="many", verbos=True, rate="x")
    assert {each["loc"][0] for each in refused.value.errors()} == {
        "recompile_limit",
        "verbose",
        "verbos",
        "repro_level",
        "rate",
    }


def test_a_source_works_on_its_own(monkeypatch):
    """And a file can be named in the class; its mistakes are raised."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "on")
    Path("mine.toml").write_text("recompile_limit = 5\n")
    found = EnvironmentSource(DynamoSettings)()
    assert found == {"verbose": SettingValue("on", Origin("env", "TORCHDYNAMO_VERBOSE", "on"))}
    assert FileSource(DynamoSettings, "mine.toml")()["recompile_limit"].value == 5
    Path("mine.toml").write_text("verbos = true\nrepro_level = 9\n")
    with pytest.raises(dynconf.DynconfError, match=r"(?s)verbos.*repro_level"):
        FileSource(DynamoSettings, "mine.toml")()


def test_a_source_may_filter_another(monkeypatch):
    """What it leaves out is not set; the rest keeps its origin."""

    def without_verbose(settings_cls):
        return {name: each for name, each in EnvironmentSource(settings_cls)().items() if name != "verbose"}

    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "4")
    settings = reading(DynamoSettings, [CALL, source_of(without_verbose)])()
    assert settings.model_fields_set == {"recompile_limit"}
    assert settings.origins["recompile_limit"].name == "TORCHDYNAMO_RECOMPILE_LIMIT"


def test_env_files_are_read(ordinary, monkeypatch):
    """By option and by ``model_config``, below the environment, by dynconf's reading."""
    Path(".env").write_text("TORCHDYNAMO_RECOMPILE_LIMIT=77\nTORCH_COMPILE_DISABLE=yes\nSOMETHING_ELSE=1\n")
    settings = DynamoSettings(_env_file=".env")
    assert (settings.recompile_limit, settings.disable) == (77, True)
    assert settings.origins["disable"] == Origin("env", "TORCH_COMPILE_DISABLE", "yes", ".env")

    class Configured(DynamoSettings):
        model_config = SettingsConfigDict(env_file=".env")

    assert Configured().recompile_limit == 77
    Path("one.env").write_text("TORCHDYNAMO_RECOMPILE_LIMIT=77\n")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "3")
    assert Configured().recompile_limit == ordinary(_env_file="one.env").recompile_limit == 3


def test_torch_forces_nothing_in_an_env_file():
    """It reads no such file, so that a variable which it ranks above all assignments ranks as any there."""
    Path(".env").write_text("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO=off\n")
    settings = DynamoSettings(_env_file=".env", _torch="2.13")
    assert settings.automatic_dynamic_local_pgo is False
    assert settings.origins["automatic_dynamic_local_pgo"] == Origin(
        "env", "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "off", ".env"
    )
    given = DynamoSettings(_env_file=".env", _torch="2.13", automatic_dynamic_local_pgo=True)
    assert given.automatic_dynamic_local_pgo is True


@pytest.mark.parametrize("text", ["0", "off"])
def test_a_forced_variable_that_says_what_a_file_says_takes_nothing_away(text, monkeypatch):
    """Shells and containers read the same file, so that there is nothing to warn of."""
    Path(".env").write_text(f"TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO={text}\n")
    monkeypatch.setenv("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "0")
    settings = DynamoSettings(_env_file=".env", _torch="2.13")
    assert settings.origins["automatic_dynamic_local_pgo"].kind == "forced"


def test_secrets_are_read():
    """A file for each variable."""
    Path("secrets").mkdir()
    Path("secrets/torchdynamo_verbose").write_text("on")
    settings = DynamoSettings(_secrets_dir="secrets")
    assert settings.verbose is True
    assert settings.origins["verbose"] == Origin("source", "SecretsSettingsSource")


def test_the_command_line_is_read():
    """It beats everything; the option is the origin."""
    settings = DynamoSettings(
        recompile_limit=3, _cli_parse_args=["--recompile_limit", "64", "--verbose", "yes"]
    )
    assert (settings.recompile_limit, settings.verbose) == (64, True)
    assert settings.origins["recompile_limit"] == Origin("option", "--recompile_limit", "64")
    with pytest.raises(ValidationError, match="option --recompile_limit=many"):
        DynamoSettings(_cli_parse_args=["--recompile_limit", "many"])


def test_cli_app_runs_a_class_that_nobody_has_called():
    """It asks for the sources before it makes the model."""
    if not hasattr(pydantic_settings.BaseSettings, "_settings_init_sources"):
        pytest.skip("CliApp of this pydantic-settings makes the model first")

    class Only(DynamoSettings):
        @classmethod
        def settings_customise_sources(cls, settings_cls, **_):
            return (pydantic_settings.CliSettingsSource(settings_cls),)

    settings = pydantic_settings.CliApp.run(Only, cli_args=["--recompile_limit", "64"])
    assert settings.recompile_limit == 64
    assert settings.origins["recompile_limit"] == Origin("option", "--recompile_limit", "64")


def test_what_torch_forces_beats_every_order(monkeypatch):
    """Whatever the sources."""
    monkeypatch.setenv("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "0")
    with pytest.warns(ForcedFlagWarning):
        settings = Same(automatic_dynamic_local_pgo=True, _torch="2.13")
    assert settings.automatic_dynamic_local_pgo is False
    assert is_same_value(os.environ["TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO"], "0")


def test_keywords_of_a_cli_app_count():
    """As with an ordinary model: the command line beats them, they beat the defaults."""
    arguments = ["--recompile_limit", "5"]
    for model in (
        DynamoSettings,
        type("Own", (DynamoSettings,), {"__annotations__": {"lr": float}, "lr": 0.1}),
    ):
        made = pydantic_settings.CliApp.run(model, cli_args=arguments, verbose=True, recompile_limit=6)
        assert (made.recompile_limit, made.verbose) == (5, True)
        assert {made.origins[each].kind for each in ("verbose", "recompile_limit")} == {"keyword", "option"}
    with pytest.raises(ValidationError, match="did you mean 'verbose'"):
        pydantic_settings.CliApp.run(DynamoSettings, cli_args=[], verbos=True)
    whole = pydantic_settings.CliApp.run(
        dynconf.CompileSettings, cli_args=["--inductor.max_autotune", "1"], dynamo={"verbose": True}
    )
    assert whole.dynamo.verbose is True
    assert whole.inductor.max_autotune is True


def test_defaults_of_a_framework_survive_partial_data(monkeypatch):
    """With its class as the annotation; an instance is replaced by data, as in any model."""

    class Ours(DynamoSettings):
        verbose: bool = True

    class App(pydantic_settings.BaseSettings):
        model_config = SettingsConfigDict(env_prefix="APP_", env_nested_delimiter="__")
        ours: Ours = pydantic.Field(default_factory=Ours)
        dynamo: DynamoSettings = Ours()

    monkeypatch.setenv("APP_OURS__RECOMPILE_LIMIT", "64")
    assert {each.key for each in App().ours.as_state()} == {"recompile_limit", "verbose"}
    assert {each.key for each in App().dynamo.as_state()} == {"verbose"}
    monkeypatch.setenv("APP_DYNAMO__RECOMPILE_LIMIT", "64")
    assert {each.key for each in App().dynamo.as_state()} == {"recompile_limit"}


def test_a_field_that_goes_by_another_name_has_an_origin():
    """The name by which it is given is not that of the field."""

    class Own(DynamoSettings):
        lr: float = pydantic.Field(0.1, validation_alias=pydantic.AliasChoices("rate", "LEARNING_RATE"))

    class Whole(dynconf.CompileSettings):
        lr: float = pydantic.Field(0.1, alias="rate")

    assert Own(rate=3).origins["lr"].kind == "keyword"
    assert Whole(rate=3).origins["lr"].kind == "keyword"
    assert Own(_cli_parse_args=["--rate", "3"]).origins["lr"] == Origin("option", "--rate")


def test_each_of_several_files_is_heard():
    """A mistake in one does not hide those in another, nor a warning."""
    Path("high.toml").write_text("repro_level = 9\n")
    Path("low.toml").write_text("verbos = true\n")
    files = lambda cls: FileSource(cls, "high.toml"), lambda cls: FileSource(cls, "low.toml")
    two = reading(DynamoSettings, [*files, CALL])
    with pytest.raises(ValidationError) as refused:
        two()
    assert {each["loc"] for each in refused.value.errors()} == {("repro_level",), ("verbos",)}
    for name in ("high", "low"):
        Path(f"{name}.toml").write_text("automatic_dynamic_local_pgo = true\n")
    with pytest.warns(EnvironmentWarning) as warned:
        two(_torch="2.4", _missing="warn")
    texts = " ".join(str(each.message) for each in warned)
    assert all(f"{name}.toml:1" in texts for name in ("high", "low"))


def test_a_source_above_the_call_reads_for_its_options(monkeypatch):
    """The release, the file that is named, and how to treat flags that the release lacks."""
    Path("mine.toml").write_text("recompile_limit = 5\nautomatic_dynamic_local_pgo = true\n")
    above = reading(DynamoSettings, [FileSource, EnvironmentSource, CALL])
    made = above(_config="mine.toml", _torch="2.4", _missing="skip", verbose=True)
    assert (made.recompile_limit, made.verbose) == (5, True)
    assert made.origins["verbose"].kind == "keyword"
    monkeypatch.setenv("TORCHDYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "1")
    Path("mine.toml").unlink()
    with pytest.warns(EnvironmentWarning):
        assert not above(_torch="2.4").model_fields_set


def test_a_source_that_another_reads_belongs_to_the_call():
    """Its file is that of the call, its mistakes are entries of the error; other settings have their own."""

    def wrapped(settings_cls):
        assert DynamoSettings(_config="other.toml").recompile_limit == 7
        return dict(FileSource(settings_cls)())

    alone = reading(DynamoSettings, [source_of(wrapped), CALL])
    Path("other.toml").write_text("recompile_limit = 7\n")
    Path("mine.toml").write_text("recompile_limit = 5\n")
    assert alone(_config="mine.toml").recompile_limit == 5
    Path("more.toml").write_text("verbose = true\n")
    several = [EnvironmentSource, toml, source_of(wrapped), CALL]
    made = reading(DynamoSettings, several)(_config="mine.toml")
    assert made.recompile_limit == 5
    assert made.origins["verbose"] == Origin("source", "TomlConfigSettingsSource")
    Path("mine.toml").write_text("recompile_limt = 5\n")
    with pytest.raises(ValidationError, match="recompile_limt"):
        alone(_config="mine.toml")


def test_the_origin_of_a_value_is_its_source_whichever_is_first():
    """Also if no source of dynconf knows of one above it."""
    Path("more.toml").write_text("recompile_limit = 11\n")
    for sources in ((EnvironmentSource, toml), (toml, EnvironmentSource)):
        for place in range(3):
            made = reading(DynamoSettings, [*sources[:place], CALL, *sources[place:]])(verbose=True)
            assert made.origins["recompile_limit"] == Origin("source", "TomlConfigSettingsSource")
            assert made.origins["verbose"].kind == "keyword"


def test_keywords_may_be_dumped_on_their_way():
    """As with ``nested_model_default_partial_update``."""

    class Partial(DynamoSettings):
        model_config = SettingsConfigDict(nested_model_default_partial_update=True)

    Path("dynconf.toml").write_text("recompile_limit = 128\n")
    made = Partial(verbose=True, recompile_limit=dynconf.at_least(64), _torch="2.13")
    assert (made.verbose, made.recompile_limit) == (True, 128)
    assert made.origins["verbose"].kind == "keyword"
