"""The sources, as users of pydantic-settings customise them."""

import os
import warnings
from pathlib import Path

import pydantic
import pydantic_settings
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_settings import PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource
from strategies import values

import dynconf
from dynconf import DynamoSettings, EnvironmentSource, FileSource, InductorSettings
from dynconf.catalogue import Setting
from dynconf.errors import DynconfError
from dynconf.flags.types import Mismatch, Opaque, same
from dynconf.modules import catalogue
from dynconf.origin import Origin
from dynconf.release import Release

SETTINGS = {
    module: [
        setting
        for setting in catalogue(module).at(Release.at_hand()).settings.values()
        if setting.public and not setting.inert and not isinstance(setting.type, Opaque)
    ]
    for module in ("dynamo", "inductor")
}


def same_sources(model):
    """Return a model with the same sources in the same order, but read by pydantic-settings."""

    class Same(model):
        @classmethod
        def settings_customise_sources(
            cls, settings_cls, init_settings, env_settings, dotenv_settings, file_secret_settings
        ):
            return init_settings, env_settings, FileSource(settings_cls)

    return Same


Same = same_sources(DynamoSettings)
MODELS = {
    "dynamo": (DynamoSettings, Same),
    "inductor": (InductorSettings, same_sources(InductorSettings)),
}


def outcome(model, keywords):
    """Return everything that can be told of a construction."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            settings = model(**keywords)
        except DynconfError as error:
            return type(error), [str(each) for each in error.errors]
    notes = [(each.category, str(each.message), each.filename) for each in said]
    return vars(settings), settings.model_fields_set, dict(settings.origins), notes


@pytest.mark.parametrize("module", MODELS)
@given(st.data())
def test_both_ways_to_read_the_sources_agree(module, data):
    """The plain class reads them itself, others by pydantic: values, origins, errors, warnings."""
    with pytest.MonkeyPatch.context() as patch:
        keywords: dict[str, object] = {}
        lines = [] if module == "dynamo" else [f"[{module}]\n"]
        for setting in data.draw(st.lists(st.sampled_from(SETTINGS[module]), max_size=5, unique=True)):
            place = data.draw(st.sampled_from(["call", "environment", "file", "all"]))
            value = data.draw(values(setting.type))
            if place in ("call", "all"):
                keywords[setting.key] = data.draw(st.sampled_from([value, "nonsense"]))
            if place in ("environment", "all"):
                text = data.draw(st.sampled_from([text_of(setting, value), "maybe", ""]))
                patch.setenv(setting.flag.uniform_variable, text)
            if place in ("file", "all") and isinstance(value, (bool, int)):
                lines.append(f"{setting.key} = {str(value).lower()}\n")
        Path("dynconf.toml").write_text("".join(lines))
        plain, same = MODELS[module]
        assert outcome(plain, keywords) == outcome(same, keywords)


def text_of(setting: Setting, value: object) -> str:
    """Return a text for the variable, right or not."""
    try:
        return setting.type.to_text(value)
    except Mismatch:
        return "maybe"


def test_sources_are_reordered(monkeypatch):
    """Here the environment beats the call, as with an ordinary model; what is left out is not read."""

    class EnvironmentFirst(DynamoSettings):
        @classmethod
        def settings_customise_sources(
            cls, settings_cls, init_settings, env_settings, dotenv_settings, file_secret_settings
        ):
            return env_settings, init_settings

    Path("dynconf.toml").write_text("verify_correctness = true\n")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "3")
    settings = EnvironmentFirst(recompile_limit=9, disable=True)
    assert settings.recompile_limit == 3
    assert settings.origins["recompile_limit"] == Origin("env", "TORCHDYNAMO_RECOMPILE_LIMIT", "3")
    assert settings.origins["disable"].kind == "keyword"
    assert settings.verify_correctness is False


def test_sources_are_added():
    """A file of pydantic-settings, and a source of one's own; a value's origin is its source."""

    class Mine(PydanticBaseSettingsSource):
        def get_field_value(self, field, field_name):
            return None, field_name, False

        def __call__(self):
            return {"disable": "yes", "recompile_limit": 12}

    class More(DynamoSettings):
        model_config = SettingsConfigDict(toml_file="more.toml")

        @classmethod
        def settings_customise_sources(cls, settings_cls, init_settings, **_):
            mine = Mine(settings_cls)
            toml = TomlConfigSettingsSource(settings_cls)
            assert isinstance(toml, TomlConfigSettingsSource)
            return init_settings, toml, mine, FileSource(settings_cls)

    Path("more.toml").write_text("recompile_limit = 11\n")
    Path("dynconf.toml").write_text("verbose = true\n")
    settings = More(verify_correctness=True)
    assert (settings.recompile_limit, settings.disable, settings.verbose) == (11, True, True)
    assert settings.origins["recompile_limit"] == Origin("source", "TomlConfigSettingsSource")
    assert settings.origins["disable"] == Origin("source", "Mine")
    assert settings.origins["verbose"].line == 1
    assert settings.origins["verify_correctness"].kind == "keyword"


def test_mistakes_in_any_source_are_dynconfs_and_told_together(monkeypatch):
    """The class is called directly."""
    Path("dynconf.toml").write_text("repro_level = 9\n")
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "maybe")
    with pytest.raises(dynconf.DynconfError) as refused:
        Same(recompile_limit="many", verbos=True)
    assert len(refused.value.errors) == 4


def test_a_source_works_on_its_own(monkeypatch):
    """And a file can be named in the class."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "on")
    Path("mine.toml").write_text("recompile_limit = 5\n")
    assert EnvironmentSource(DynamoSettings)() == {"verbose": True}
    assert FileSource(DynamoSettings, "mine.toml")() == {"recompile_limit": 5}


def test_a_source_may_filter_another(monkeypatch):
    """What it leaves out is not set; the rest keeps its origin."""

    class WithoutVerbose(PydanticBaseSettingsSource):
        def get_field_value(self, field, field_name):
            return None, field_name, False

        def __call__(self):
            found = EnvironmentSource(self.settings_cls)()
            found.pop("verbose", None)
            return found

    class Filtered(DynamoSettings):
        @classmethod
        def settings_customise_sources(cls, settings_cls, init_settings, **_):
            return init_settings, WithoutVerbose(settings_cls)

    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "4")
    settings = Filtered()
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
    with pytest.raises(dynconf.InvalidValueError, match="--recompile_limit many"):
        DynamoSettings(_cli_parse_args=["--recompile_limit", "many"])


def test_cli_app_runs_a_model():
    """As pydantic-settings documents it."""
    if not hasattr(pydantic_settings, "CliApp"):
        pytest.skip("this pydantic-settings has no CliApp")
    settings = pydantic_settings.CliApp.run(DynamoSettings, cli_args=["--recompile_limit", "64"])
    assert settings.recompile_limit == 64
    assert settings.origins["recompile_limit"].kind == "option"


@pytest.mark.parametrize("option", ["env_prefix", "env_nested_delimiter", "case_sensitive"])
def test_what_would_be_ignored_is_refused(option):
    """In a call and in a class: flags have variables of their own."""
    value = True if option == "case_sensitive" else "X_"
    with pytest.raises(TypeError, match=f"_{option} has no effect on flags"):
        DynamoSettings(**{f"_{option}": value})
    with pytest.raises(TypeError, match=f"{option} has no effect on flags"):
        type("Own", (DynamoSettings,), {"model_config": {option: value}, "__module__": __name__})


def test_a_bogus_missing_is_refused():
    """With the words that are right."""
    with pytest.raises(dynconf.InvalidValueError, match="one of 'error', 'warn', 'skip'"):
        DynamoSettings(_missing="bogus")


def test_what_torch_forces_beats_every_order(monkeypatch):
    """Whatever the sources."""
    monkeypatch.setenv("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "0")
    with pytest.warns(dynconf.ForcedFlagWarning):
        settings = Same(automatic_dynamic_local_pgo=True, _torch="2.13")
    assert settings.automatic_dynamic_local_pgo is False
    assert same(os.environ["TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO"], "0")


def test_keywords_of_a_cli_app_count():
    """As with an ordinary model: the command line beats them, they beat the defaults."""
    if not hasattr(pydantic_settings, "CliApp"):
        pytest.skip("this pydantic-settings has no CliApp")
    arguments = ["--recompile_limit", "5"]
    for model in (
        DynamoSettings,
        type("Own", (DynamoSettings,), {"__annotations__": {"lr": float}, "lr": 0.1}),
    ):
        made = pydantic_settings.CliApp.run(model, cli_args=arguments, verbose=True, recompile_limit=6)
        assert (made.recompile_limit, made.verbose) == (5, True)
        assert made.origins["verbose"].kind == "keyword"
    with pytest.raises(dynconf.UnknownFlagError, match="did you mean 'verbose'"):
        pydantic_settings.CliApp.run(DynamoSettings, cli_args=[], verbos=True)
    whole = pydantic_settings.CliApp.run(
        dynconf.CompileSettings, cli_args=["--inductor.max_autotune", "1"], dynamo={"verbose": True}
    )
    assert whole.dynamo.verbose is True
    assert whole.inductor.max_autotune is True


def test_an_option_is_the_origin_of_a_field_that_is_no_flag():
    """Whatever its field is called on the command line."""

    class Own(DynamoSettings):
        lr: float = 0.1

    made = Own(_cli_parse_args=["--lr", "3"])
    assert made.origins["lr"] == Origin("option", "--lr", "3")


def test_a_default_of_a_partial_update_gives_what_it_sets(monkeypatch):
    """`nested_model_default_partial_update` updates the default, and does not make all flags set."""
    if "nested_model_default_partial_update" not in pydantic_settings.BaseSettings.model_config:
        pytest.skip("this pydantic-settings has no such option")

    class App(pydantic_settings.BaseSettings):
        model_config = SettingsConfigDict(
            env_prefix="APP_", env_nested_delimiter="__", nested_model_default_partial_update=True
        )
        dynamo: DynamoSettings = DynamoSettings(verbose=True)
        inductor: InductorSettings = InductorSettings(triton={"cudagraphs": True})

    monkeypatch.setenv("APP_DYNAMO__RECOMPILE_LIMIT", "64")
    monkeypatch.setenv("APP_INDUCTOR__MAX_AUTOTUNE", "1")
    app = App()
    assert app.dynamo.flags_set().keys() == {"recompile_limit", "verbose"}
    assert app.inductor.flags_set().keys() == {"max_autotune", "triton.cudagraphs"}


def test_a_field_that_goes_by_another_name_has_an_origin():
    """The name by which it is given is not that of the field."""

    class Own(DynamoSettings):
        lr: float = pydantic.Field(0.1, validation_alias=pydantic.AliasChoices("rate", "LEARNING_RATE"))

    class Whole(dynconf.CompileSettings):
        lr: float = pydantic.Field(0.1, alias="rate")

    assert Own(rate=3).origins["lr"].kind == "keyword"
    assert Whole(rate=3).origins["lr"].kind == "keyword"
    assert Own(_cli_parse_args=["--rate", "3"]).origins["lr"] == Origin("option", "--rate", "3")
