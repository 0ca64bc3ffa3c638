"""The models beside plain ones with the same fields: no difference that their page does not name."""

# ruff: noqa: B023  functions are called in the round of the loop that makes them

import copy
import itertools
import json
import pickle
from importlib.metadata import version
from typing import Annotated

import pytest
from plain_models import CALL, plain_model, reading, source_of
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WrapValidator,
    field_validator,
    model_validator,
)
from pydantic_settings import CliApp, DotEnvSettingsSource, EnvSettingsSource, SecretsSettingsSource

import dynconf
from dynconf import DynamoFlags, DynamoSettings, InductorFlags
from dynconf.settings import DotenvSource, EnvironmentSource

PlainFlags = plain_model(DynamoFlags)
PlainSettings = plain_model(DynamoSettings)


def outcome(make):
    """Return the values and the fields set of a model, or the entries of an error."""
    try:
        made = make()
    except ValidationError as error:
        return sorted((each["loc"], each["type"]) for each in error.errors())
    return made.model_dump(), made.model_fields_set


def dotenv(settings_cls):
    """A .env file."""
    return DotEnvSettingsSource(settings_cls, ".env")


def secrets(settings_cls):
    """A folder of secrets."""
    return SecretsSettingsSource(settings_cls, "secrets")


MINE = source_of(lambda _: {"recompile_limit": 5, "verbose": "off", "disable": True})
OURS = [CALL, EnvironmentSource, lambda cls: DotenvSource(cls, dotenv(cls)), secrets, MINE]
PLAIN = [CALL, EnvSettingsSource, dotenv, secrets, MINE]


def test_sources_in_any_order_rank_as_in_a_plain_model(monkeypatch, tmp_path):
    """Values, what is set, and mistakes, where any three are in any order, and each one at any place."""
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "torchdynamo_recompile_limit").write_text("4")
    (tmp_path / "secrets" / "torchdynamo_suppress_errors").write_text("y")
    (tmp_path / ".env").write_text("TORCHDYNAMO_RECOMPILE_LIMIT=3\nTORCHDYNAMO_VERBOSE=on\n")
    monkeypatch.setenv("TORCHDYNAMO_DISABLE", "f")
    given = {"recompile_limit": 1, "verify_correctness": "t"}
    our_order, plain_order = [], []
    ours, plain = reading(DynamoSettings, our_order), reading(PlainSettings, plain_order)
    for pairs in [*itertools.permutations(zip(OURS, PLAIN, strict=True))][::5]:
        our_order[:], plain_order[:] = zip(*pairs, strict=True)
        is_second = our_order.index(CALL) < our_order.index(EnvironmentSource)
        monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "2" if is_second else "many")
        assert outcome(lambda: ours(**given)) == outcome(lambda: plain(**given)), our_order


CONFIGS = {
    "frozen": {"frozen": True},
    "strict": {"strict": True},
    "extra allow": {"extra": "allow"},
    "extra ignore": {"extra": "ignore"},
    "no validation of assignments": {"validate_assignment": False},
    "revalidate": {"revalidate_instances": "always"},
    "title": {"title": "Other"},
    "alias generator": {"alias_generator": str.upper},
    "from attributes": {"from_attributes": True},
    "no input in errors": {"hide_input_in_errors": True},
    "str strip": {"str_strip_whitespace": True},
    "validate default": {"validate_default": True},
    "loc by alias": {"loc_by_alias": False},
    "attribute docstrings": {"use_attribute_docstrings": True},
    "by alias only": {"populate_by_name": False},
    "enum values": {"use_enum_values": True},
    "ser json": {"ser_json_inf_nan": "constants"},
    "arbitrary types": {"arbitrary_types_allowed": True},
}
DATA = [
    {},
    {"recompile_limit": 9},
    {"recompile_limit": "9", "verbose": " yes "},
    {"recompile_limit": 9.0, "rate": "2", "name": " a "},
    {"verbos": True},
    {"rate": "x", "verbose": "maybe"},
    {"cache_size_limit": 3},
    {"reorderable_logging_functions": ["builtins:print"]},
    3,
    {1: 2},
]


def with_own(model, config):
    """Return a subclass with further fields and an option."""
    kinds = {"rate": float, "name": str, "where": tuple[int, ...]}
    content = {"rate": 0.5, "name": "n", "where": (), "model_config": ConfigDict(**config)}
    return type("Own", (model,), {"__annotations__": kinds, "__module__": __name__, **content})


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("settings", [False, True], ids=["flags", "settings"])
def test_options_of_a_configuration_do_what_they_do_in_a_plain_model(config, settings):
    """On each path: a call, data, JSON, a nested model, assignments, the schema."""
    ours = with_own(DynamoSettings if settings else DynamoFlags, CONFIGS[config])
    plain = with_own(PlainSettings if settings else PlainFlags, CONFIGS[config])
    trusted = {"trust": True}
    for data in DATA:
        if settings and data == {1: 2}:  # of which pydantic-settings makes a TypeError
            continue
        if isinstance(data, dict) and 1 not in data:
            assert outcome(lambda: ours(**data)) == outcome(lambda: plain(**data)), data
        assert outcome(lambda: ours.model_validate(data, context=trusted)) == outcome(
            lambda: plain.model_validate(data)
        ), data
        text = json.dumps(data)
        if (config, data) == ("from attributes", 3):  # the code of the error differs
            continue
        if config != "strict" or settings:  # see docs/reference/settings-models.md
            assert outcome(lambda: ours.model_validate_json(text, context=trusted)) == outcome(
                lambda: plain.model_validate_json(text)
            ), data
    for name, value in {"recompile_limit": "7", "rate": 3, "verbose": "maybe", "verbos": 1}.items():
        found = []
        for model in (ours, plain):
            made = model()
            try:
                setattr(made, name, value)
            except ValueError:
                found.append((made.model_dump(warnings=False), made.model_fields_set, True))
            else:
                found.append((made.model_dump(warnings=False), made.model_fields_set, None))
        assert found[0] == found[1], name


def seen_by(base, seen):
    """Return a subclass whose validators of every mode note the input."""

    class Seen(base):
        recompile_limit: Annotated[
            int,
            Field(le=1000),
            BeforeValidator(lambda value: seen.append(("annotated before", value)) or value),
            AfterValidator(lambda value: seen.append(("annotated after", value)) or value),
        ] = 16
        rate: float = 0.1

        @field_validator("recompile_limit", "verbose", "rate", mode="before")
        @classmethod
        def before(cls, value):
            seen.append(("before", value))
            return {"lots": 200}.get(value, value)

        @field_validator("recompile_limit", "rate", mode="after")
        @classmethod
        def after(cls, value):
            seen.append(("after", value))
            return value

        @field_validator("recompile_limit", mode="wrap")
        @classmethod
        def wrap(cls, value, handler):
            seen.append(("wrap", value))
            return handler(value)

        @field_validator("suppress_errors", mode="plain")
        @classmethod
        def plain(cls, value):
            seen.append(("plain", value))
            return bool(value)

        @model_validator(mode="before")
        @classmethod
        def model_before(cls, data):
            seen.append(("model before", dict(data) if isinstance(data, dict) else type(data).__mro__[1]))
            return data

        @model_validator(mode="wrap")
        @classmethod
        def model_wrap(cls, data, handler):
            seen.append(("model wrap", dict(data) if isinstance(data, dict) else "a model"))
            return handler(data)

        @model_validator(mode="after")
        def model_after(self):
            seen.append(("model after", self.recompile_limit))
            return self

    return Seen


@pytest.mark.filterwarnings("ignore::dynconf.errors.ConflictWarning")
@pytest.mark.parametrize("limit", [5, "6", "lots", "many", 5000, -1])
@pytest.mark.parametrize("source", ["call", "environment", "assignment"])
def test_validators_see_what_they_see_in_a_plain_model(limit, source, monkeypatch):
    """Of each mode, at construction and at assignment alike."""
    found = []
    if source == "environment":
        monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", str(limit))
    for base in (DynamoSettings, PlainSettings):
        seen = []
        model = seen_by(base, seen)
        if base is PlainSettings:
            # A plain model knows nothing of a flag that is declared again.
            model.model_fields["recompile_limit"].validation_alias = DynamoSettings.model_fields[
                "recompile_limit"
            ].validation_alias
            model.model_rebuild(force=True)
        if source == "assignment":
            made = model()
            seen.clear()
            result = outcome(lambda: setattr(made, "recompile_limit", limit) or made)
        else:
            given = {"verbose": True, "suppress_errors": 1, "rate": 3}
            result = outcome(
                lambda: model(**given, **({"recompile_limit": limit} if source == "call" else {}))
            )
        seen = [each for each in seen if each[0] != "model before" or source != "assignment"]
        found.append((result, seen))
    if limit == -1:  # the flag itself refuses what the plain annotation takes
        assert isinstance(found[0][0], list)
        return
    assert found[0] == found[1]


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "model_copy": lambda made: made.model_copy(),
    "deep model_copy": lambda made: made.model_copy(deep=True),
    "update": lambda made: made.model_copy(update={"verbose": False, "recompile_limit": "unchecked"}),
    "construct": lambda made: type(made).model_construct(**made.model_dump(exclude_unset=True)),
    "validated": lambda made: type(made).model_validate(made),
}
DUMPS = [
    {},
    {"exclude_unset": True},
    {"exclude_defaults": True},
    {"exclude": {"verbose"}},
    {"include": {"verbose", "recompile_limit"}},
    {"by_alias": True},
    {"exclude_none": True},
]


@pytest.mark.parametrize("how", COPIES)
def test_copies_are_those_of_a_plain_model(how):
    """Values, what is set, what is shared."""
    groups = {"triton": {"cudagraphs": True}}
    cases = [
        (DynamoFlags, {"verbose": True, "reorderable_logging_functions": {print}}),
        (InductorFlags, groups if how != "construct" else {}),  # which makes no models
    ]
    for ours, given in cases:
        found = []
        for model in (ours, plain_model(ours)):
            made = model(**given)
            copied = COPIES[how](made)
            shared = [getattr(copied, name) is getattr(made, name) for name in given]
            found.append((copied.model_dump(warnings=False), copied.model_fields_set, shared, copied == made))
        assert found[0] == found[1]


@pytest.mark.parametrize("options", DUMPS)
def test_dumps_are_those_of_a_plain_model(options):
    """As Python values and as JSON."""
    for ours, plain in ((DynamoFlags, PlainFlags), (InductorFlags, plain_model(InductorFlags))):
        given = {"verbose": True} if ours is DynamoFlags else {"triton": {"cudagraphs": True}}
        assert ours(**given).model_dump(**options) == plain(**given).model_dump(**options)
        assert ours(**given).model_dump_json(**options) == plain(**given).model_dump_json(**options)


def test_a_pickled_model_is_the_same():
    """With what was set, and where it is from."""
    for model in (DynamoFlags, DynamoSettings, InductorFlags, dynconf.CompileFlags, dynconf.CompileSettings):
        made = model()
        assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301  made in this line


def test_equality_hashing_and_iteration_are_those_of_a_plain_model():
    """Where a value is from does not count."""
    for model in (DynamoFlags, PlainFlags):
        assert model(verbose=True) == model(verbose=True) != model(verbose=False)
        assert dict(model(verbose=True)) == model(verbose=True).model_dump()
        with pytest.raises(TypeError):
            hash(model())


SCHEMA_MODES = ["validation", "serialization"]


@pytest.mark.parametrize("mode", SCHEMA_MODES)
def test_the_schema_is_that_of_a_plain_model(mode):
    """But for descriptions, which the plain model does not have."""

    def bare(schema):
        if isinstance(schema, dict):
            return {
                # The default of a set is in no order.
                key: sorted(value) if key == "default" and "uniqueItems" in schema else bare(value)
                for key, value in schema.items()
                if key not in ("description", "title", "deprecated") or isinstance(value, dict)
            }
        return [bare(each) for each in schema] if isinstance(schema, list) else schema

    ours, plain = (bare(model.model_json_schema(mode=mode)) for model in (DynamoFlags, PlainFlags))
    assert ours == plain


@pytest.mark.parametrize("model", [DynamoSettings, InductorFlags, dynconf.CompileFlags])
def test_a_command_line_takes_what_it_writes(model):
    """`CliApp.serialize` and back; values that only torch fills in have a form while they are empty."""
    if tuple(map(int, version("pydantic-settings").split(".")[:2])) < (2, 16):
        pytest.skip("CliApp.serialize of this pydantic-settings does not write sets, or there is none")
    made = model(**{"recompile_limit": 64, "verbose": True} if model is DynamoSettings else {})
    assert CliApp.run(model, cli_args=CliApp.serialize(made)) == made


class Body(BaseModel):
    """For the example of a nested model."""

    flags: DynamoFlags = Field(default_factory=DynamoFlags)


def test_a_nested_model_is_validated_as_a_plain_one():
    """And takes instances of a subclass."""

    class Sub(DynamoFlags):
        pass

    assert Body(flags={"verbose": "yes"}).flags.verbose is True
    made = Sub(verbose=True)
    assert Body(flags=made).flags is made


def test_wrapped_annotations_apply_to_values_of_the_flag():
    """`WrapValidator` and the like, in an annotation that is declared again."""

    class App(DynamoFlags):
        verbose: Annotated[bool, WrapValidator(lambda value, handler: not handler(value))] = True

    assert App(verbose="yes").verbose is False


def test_the_context_of_validators_is_that_of_a_plain_model():
    """None in a call, and the caller's where data is validated."""
    found = []
    for base in (DynamoFlags, DynamoSettings, PlainFlags):
        seen = []

        class App(base):
            @field_validator("verbose")
            @classmethod
            def look(cls, value, info):
                seen.append(info.context)
                return value

        App(verbose=True)
        if base is not DynamoSettings:  # pydantic-settings passes none on
            App.model_validate({"verbose": True}, context={"mine": 1})
            found.append(seen)
        assert seen[0] is None
    assert found[0] == found[1] == [None, {"mine": 1}]
