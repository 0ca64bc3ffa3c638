"""Subclasses: a framework's defaults, and a program's own fields."""

import warnings
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field, PrivateAttr, ValidationError, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

import dynconf
from dynconf import CompileSettings, DynamoFlags, DynamoSettings, InductorFlags, InductorSettings
from dynconf.errors import EnvironmentWarning
from dynconf.provenance import DEFAULT, Origin


class Ours(DynamoSettings):
    """What a framework ships."""

    recompile_limit: int = 32
    reorderable_logging_functions: set = Field(default_factory=lambda: {print})


def test_a_default_is_a_layer_below_files(monkeypatch):
    """Files beat it, the environment beats those, the call everything."""
    assert Ours().recompile_limit == 32
    Path("dynconf.toml").write_text("recompile_limit = 33\n")
    assert Ours().recompile_limit == 33
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "34")
    assert Ours().recompile_limit == 34
    assert Ours(recompile_limit=35).recompile_limit == 35


def test_a_default_is_installed_and_names_its_class():
    """With the line that defines the class; it does not count as set, as in any model."""
    settings = Ours()
    origin = settings.origins["recompile_limit"]
    assert (origin.kind, origin.name, origin.file) == ("class", "Ours", __file__)
    assert str(origin).startswith(f"default of Ours at {__file__}:")
    assert settings.model_fields_set == set()
    with settings.install():
        assert dynconf.snapshot()["recompile_limit"] == 32
        assert dynconf.origin("recompile_limit") == origin
    with settings.patch():
        assert dynconf.snapshot()["recompile_limit"] == 32
    assert DynamoSettings().origins["recompile_limit"] == DEFAULT


def test_a_default_keeps_what_the_catalogue_says():
    """Variables, description, old names and the reading of values."""
    field = Ours.model_fields["recompile_limit"]
    assert field.description == DynamoSettings.model_fields["recompile_limit"].description
    assert Ours(cache_size_limit=3).recompile_limit == 3
    assert Ours.model_json_schema()["properties"]["recompile_limit"]["default"] == 32
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        Ours(recompile_limit=-1)


def test_defaults_of_several_classes_add_up():
    """The closest class counts."""

    class Theirs(Ours):
        verbose: bool = True

    class Last(Theirs):
        recompile_limit: int = 48

    settings = Last()
    assert (settings.recompile_limit, settings.verbose) == (48, True)
    assert settings.origins["verbose"].name.endswith("Theirs")
    assert settings.reorderable_logging_functions == {print}
    assert settings.reorderable_logging_functions is not Last().reorderable_logging_functions


def test_a_wrong_default_is_refused():
    """When it is used, as that of any settings model."""
    kinds = {"__annotations__": {"recompile_limit": int}, "recompile_limit": -1}
    with pytest.raises(ValidationError, match="recompile_limit"):
        type("Wrong", (DynamoSettings,), kinds)()
    with pytest.raises(TypeError, match="cache_size_limit is an old name of recompile_limit"):
        type("Old", (DynamoSettings,), {"__annotations__": {"cache_size_limit": int}, "cache_size_limit": 1})


def test_a_limit_is_raised_and_never_lowered(monkeypatch):
    """`at_least` gives way to whatever is higher: another source, or the value in force."""

    class Needs(DynamoSettings):
        recompile_limit: int = dynconf.at_least(64)

    assert Needs().recompile_limit == 64
    Path("dynconf.toml").write_text("recompile_limit = 128\n")
    assert Needs().recompile_limit == 128
    for name in ("recompile_limit", "cache_size_limit"):
        limit = DynamoSettings(**{name: dynconf.at_least(64)})
        assert (limit.recompile_limit, limit.origins["recompile_limit"].kind) == (128, "file")
        limit = DynamoSettings(**{name: dynconf.at_least(256)})
        assert (limit.recompile_limit, limit.origins["recompile_limit"].kind) == (256, "keyword")
    Path("dynconf.toml").unlink()
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "100")
    whole = CompileSettings(dynamo={"recompile_limit": dynconf.at_least(64)})
    assert (whole.dynamo.recompile_limit, whole.dynamo.origins["recompile_limit"].kind) == (100, "env")
    assert dynconf.DynamoFlags(recompile_limit=dynconf.at_least(64)).recompile_limit == 64
    monkeypatch.delenv("TORCHDYNAMO_RECOMPILE_LIMIT")
    with dynconf.install(recompile_limit=256), Needs().install():
        assert dynconf.snapshot()["recompile_limit"] == 256
    with Needs().install(), dynconf.patch(recompile_limit=dynconf.at_least(16)):
        assert dynconf.snapshot()["recompile_limit"] == 64
    later = dynconf.patch(recompile_limit=dynconf.at_least(16))
    with dynconf.patch(recompile_limit=17), later:
        assert dynconf.snapshot()["recompile_limit"] == 17
    assert DynamoSettings(recompile_limit=dynconf.at_least(64)).model_dump_json(exclude_unset=True) == (
        '{"recompile_limit":64}'
    )
    for wrong in (True, 1.5, "64"):
        with pytest.raises(dynconf.InvalidValueError):
            dynconf.at_least(wrong)
    with pytest.raises(dynconf.InvalidValueError):
        dynconf.patch(verbose=dynconf.at_least(1))


class App(DynamoSettings):
    """A program with fields of its own."""

    model_config = SettingsConfigDict(env_prefix="APP_")
    rate: float = 0.1
    name: str = Field("run", validation_alias="RUN_NAME")
    _seen: list = PrivateAttr(default_factory=list)

    @field_validator("rate")
    @classmethod
    def positive(cls, value):
        if value <= 0:
            raise ValueError("it must be positive")
        return value

    def model_post_init(self, context):
        self._seen.append(self.origins["verbose"].kind)


def test_fields_of_its_own_stay_pydantics(monkeypatch):
    """Variables, prefix, aliases, validators, private attributes; flags keep theirs."""
    monkeypatch.setenv("APP_RATE", "0.5")
    monkeypatch.setenv("RUN_NAME", "seven")
    monkeypatch.setenv("APP_VERBOSE", "1")
    monkeypatch.setenv("APP_NAME", "eight")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "9")
    app = App(verify_correctness=True)
    assert (app.rate, app.name, app.recompile_limit, app.verbose) == (0.5, "seven", 9, False)
    assert app.model_fields_set == {"rate", "name", "recompile_limit", "verify_correctness"}
    assert app._seen == ["default"]
    with pytest.raises(ValidationError, match="it must be positive"):
        App(rate=-1)
    with pytest.raises(ValidationError):
        App(verbos=True)


def test_fields_of_its_own_are_not_installed(here):
    """They are assigned as in any model."""
    app = App(rate=3, verbose=True)
    app.rate = 4
    assert app.origins["rate"] == Origin("keyword", file=__file__, line=here() - 1)
    with app.install() as installation:
        assert installation.changes == {"verbose": True}
    with pytest.raises(ValidationError):
        app.rate = -1


def test_a_default_that_the_release_lacks_is_skipped_with_a_warning():
    """A framework ships one class for many releases; ``_missing`` says otherwise."""

    class New(DynamoSettings):
        generate_pycode: bool = True

    with pytest.warns(EnvironmentWarning, match="skipped"):
        assert New(_torch="2.6").origins["recompile_limit"] == DEFAULT
    New(_torch="2.6", _missing="skip")
    with pytest.raises(ValidationError, match="generate_pycode"):
        New(_torch="2.6", _missing="error")
    made = New(_torch="2.6", _missing="skip")
    with pytest.raises(ValidationError, match="generate_pycode"):  # of the whole that it is passed to, too
        CompileSettings(dynamo=made, _torch="2.6", _missing="error")
    assert New(_torch="2.13").origins["generate_pycode"] == Origin(
        "class",
        New.__qualname__,
        file=__file__,
        line=New(_torch="2.13").origins["generate_pycode"].line,
    )


def test_the_schema_of_a_flag_has_what_the_subclass_says_of_it():
    """Its words and its constraints, as with an ordinary model."""

    class App(DynamoSettings):
        recompile_limit: int = Field(
            32, le=100, title="Limit", description="Ours.", examples=[64], deprecated="gone"
        )

    field = App.model_json_schema()["properties"]["recompile_limit"]
    assert field == {
        "type": "integer",
        "minimum": 0,
        "maximum": 100,
        "default": 32,
        "title": "Limit",
        "description": "Ours.",
        "examples": [64],
        "deprecated": True,
    }


def test_a_subclass_may_narrow_a_flag():
    """By its annotation: what that does not accept is refused, from every source; the schema says so."""

    class App(DynamoSettings):
        recompile_limit: Literal[8, 16] = 16

    assert App().recompile_limit == 16
    assert App(recompile_limit=8).recompile_limit == 8
    with pytest.raises(ValidationError, match="8 or 16"):
        App(recompile_limit=64)
    app = App()
    with pytest.raises(ValidationError, match="8 or 16"):
        app.recompile_limit = 64
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "64")
        with pytest.raises(ValidationError, match="8 or 16"):
            App()
    assert App.model_json_schema()["properties"]["recompile_limit"]["enum"] == [8, 16]


def test_what_a_subclass_says_of_a_field_holds():
    """It may be frozen, left out of what is dumped, or dumped by another name."""

    class App(DynamoSettings):
        recompile_limit: int = Field(32, frozen=True)
        verbose: bool = Field(True, exclude=True)
        disable: bool = Field(False, serialization_alias="off")

    app = App(recompile_limit=3, verbose=False, disable=True)
    with pytest.raises(ValidationError, match="frozen"):
        app.recompile_limit = 4
    assert app.recompile_limit == 3
    assert app.model_dump(exclude_unset=True, by_alias=True) == {"recompile_limit": 3, "off": True}


def test_what_a_validator_sets_is_set():
    """It has an origin, and is saved and put in force like everything else."""

    class App(DynamoSettings):
        @model_validator(mode="before")
        @classmethod
        def _filled(cls, data):
            return {"recompile_limit": 99, **data}

    app = App()
    assert app.origins["recompile_limit"] == Origin("source", f"a validator of {App.__qualname__}")
    assert [each.key for each in app.as_state()] == ["recompile_limit"]
    assert App(recompile_limit=3).origins["recompile_limit"].kind == "keyword"


def test_a_validator_may_assign():
    """The other values keep their origins, and the whole is for the release of the call."""

    class App(DynamoSettings):
        @model_validator(mode="after")
        def _filled(self):
            if not self.verbose:
                self.verbose = True
            return self

    Path("dynconf.toml").write_text("recompile_limit = 9\n")
    for app in (App(_torch="2.4"), App(_torch="2.4", verbose=False)):
        assert app.origins["recompile_limit"].kind == "file"
        assert app.origins["verbose"] == Origin("source", f"a validator of {App.__qualname__}")
        assert app.as_state().release.minor == (2, 4)
        assert {each.key for each in app.as_state()} == {"recompile_limit", "verbose"}


def test_origins_are_known_to_validators(here):
    """And to `model_post_init`, in a group, too."""
    seen = []

    class Triton(InductorSettings.Triton):
        def model_post_init(self, context):
            seen.append(self.origins["cudagraphs"])

    class App(InductorSettings):
        triton: Triton

        @model_validator(mode="after")
        def look(self):
            seen.append(self.origins["triton.cudagraphs"])
            return self

    App(triton={"cudagraphs": True})
    assert seen == [Origin("keyword", file=__file__, line=here() - 1)] * 2


@pytest.mark.parametrize("base", [DynamoFlags, DynamoSettings])
def test_an_instance_that_a_validator_puts_in_place_of_another_is_lost_as_in_a_plain_model(base):
    """A call of the class ignores it, with pydantic's warning, where its release has one."""

    def replaced(base):
        class Replaced(base):
            verbose: bool = False

            @model_validator(mode="after")
            def replace(self):
                return self.model_copy(update={"verbose": True})

        return Replaced

    told = []
    for model in (replaced(base), replaced(BaseModel)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert model(verbose=False).verbose is False
        told.append(["other than `self`" in str(each.message) for each in caught])
    assert told[0] == told[1]


def test_other_settings_as_a_field_are_an_ordinary_nested_model(monkeypatch):
    """They read their own sources; the flags of several modules as one are in `CompileSettings`."""

    class App(DynamoSettings):
        other: InductorSettings = Field(default_factory=InductorSettings)

    monkeypatch.setenv("TORCHINDUCTOR_MAX_AUTOTUNE", "1")
    app = App(other={"triton": {"cudagraphs": True}})
    assert (app.other.max_autotune, app.other.triton.cudagraphs) == (True, True)
    assert list(app.as_state()) == []
    assert App().other.max_autotune is True


def test_a_group_may_have_a_field_of_its_own():
    """Which is not installed, like one of the settings."""

    class Triton(InductorSettings.Triton):
        mine: int = 3

    class App(InductorSettings):
        triton: Triton

    app = App(triton={"mine": 4, "cudagraphs": True})
    assert (app.triton.mine, app.triton.cudagraphs) == (4, True)
    assert [each.qualified for each in app.as_state()] == ["inductor.triton.cudagraphs"]


def test_models_of_several_modules_are_no_bases_of_one():
    """One of them would be lost."""
    with pytest.raises(TypeError, match="use CompileSettings"):
        type("Both", (DynamoSettings, InductorSettings), {})


def test_a_field_of_a_generic_type_has_no_flags_in_it():
    """In Python 3.10, ``dict[str, int]`` counts as a type, but is no class that could be a model."""
    for annotation in (dict[str, int], list[str], set[int]):
        assert not InductorFlags.__dynconf__.is_inner("cpp", annotation)


def test_a_flag_that_goes_by_an_alias_has_its_name_too(monkeypatch):
    """By which sources give its value, whatever the configuration says."""

    class App(DynamoSettings):
        model_config = SettingsConfigDict(populate_by_name=False)
        recompile_limit: int = Field(8, validation_alias="limit")
        rate: float = Field(0.1, alias="r")

    assert (App(limit=3).recompile_limit, App(cache_size_limit=4).recompile_limit, App(r=2).rate) == (3, 4, 2)
    with pytest.raises(ValidationError, match="rate"):  # a field of its own has no other name
        App(rate=2)
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "5")
    assert App().recompile_limit == 5
    assert App(recompile_limit=6).recompile_limit == 6


def test_validators_see_flags_by_the_names_of_fields():
    """Whichever names the input has for them; the error has those of the input."""
    seen = []

    class App(InductorFlags):
        @model_validator(mode="before")
        @classmethod
        def look(cls, data):
            seen.append(dict(data))
            return data

    App.model_validate({"triton.cudagraphs": True, "inductor.max_autotune": True})
    assert seen == [{"triton": {"cudagraphs": True}, "max_autotune": True}]
    with pytest.raises(ValidationError) as refused:
        App.model_validate({"triton.cudagraphs": "x"})
    assert [each["loc"] for each in refused.value.errors()] == [("triton.cudagraphs",)]
