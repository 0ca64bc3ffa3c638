"""What the user of a plain model would notice: each stands for its kind, and most beside that model."""

import functools
import gc
import inspect
import os
import threading
import weakref
from pathlib import Path
from typing import Any, Generic, TypeVar

import pydantic
import pytest
from live_state import bound_in_place_of_dynamo, config, executed
from plain_models import CALL, plain_model, reading, source_of
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    RootModel,
    SecretStr,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    CliApp,
    CliSettingsSource,
    DotEnvSettingsSource,
    EnvSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from dynconf import (
    CompileFlags,
    CompileSettings,
    DynamoFlags,
    DynamoSettings,
    InductorFlags,
    InductorSettings,
)
from dynconf.errors import UncataloguedFlagWarning
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.settings import CommsFlags, DotenvSource

SHORT = "short!"
T = TypeVar("T")


class Database(BaseModel):
    """A model of a program."""

    password: SecretStr = SecretStr("x" * 20)
    port: int = 1


class Guarded(DynamoSettings):
    """Settings with secrets."""

    model_config = SettingsConfigDict(hide_input_in_errors=True)
    token: SecretStr = Field(SecretStr("x" * 20), min_length=20)
    db: Database = Database()


def test_a_secret_of_a_command_line_is_in_no_origin_and_no_message():
    """An origin names the option, and the value only of a flag."""
    with pytest.raises(ValidationError) as refused:
        Guarded(_cli_parse_args=["--token", SHORT])
    assert SHORT not in str(refused.value)
    made = Guarded(_cli_parse_args=["--token", SHORT * 9, "--db.password", SHORT, "--recompile_limit", "9"])
    assert made.origins["token"] == Origin("option", "--token")
    assert made.origins["db"] == Origin("option", "--db")
    assert made.origins["recompile_limit"] == Origin("option", "--recompile_limit", "9")


@pytest.mark.parametrize(
    ("given", "file"),
    [
        ({"recompile_limit": SHORT}, ""),
        ({"recompile_limit": 3, "cache_size_limit": 123456}, ""),
        ({"_cli_parse_args": ["--recompile_limit", SHORT]}, ""),
        ({"_env_file": ".env"}, ""),
        ({}, f"recompile_limit = '{SHORT}'"),
    ],
)
def test_messages_of_dynconf_hide_values_where_the_class_asks_for_it(given, file):
    """From a keyword, an option, a .env file and a settings file; the flag is named."""
    Path("dynconf.toml").write_text(file)
    Path(".env").write_text(f"TORCHDYNAMO_RECOMPILE_LIMIT={SHORT}")
    with pytest.raises(ValidationError, match="recompile_limit") as refused:
        Guarded(**given)
    for hidden in (SHORT, "123456", "=None"):
        assert hidden not in str(refused.value)


def test_an_env_file_is_opened_once():
    """A named pipe can be read once; its text has the own fields and the flags."""
    if "env_file_depth" not in BaseSettings.model_config:
        pytest.skip("this pydantic-settings reads no pipe")

    class Own(DynamoSettings):
        own: int = 0

    os.mkfifo("pipe")

    def write():
        with open("pipe", "w") as pipe:
            pipe.write("OWN=3\nTORCHDYNAMO_RECOMPILE_LIMIT=16\n")

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    made = Own(_env_file="pipe")
    assert (made.own, made.recompile_limit) == (3, 16)


@pytest.mark.parametrize("case_sensitive", [False, True])
def test_an_env_file_is_read_by_the_source_that_is_given(case_sensitive):
    """As one that decrypts it, with all of its own options."""

    class Decrypts(DotEnvSettingsSource):
        def _read_env_file(self, file_path):
            text = file_path.read_text()[::-1]
            pairs = dict(line.split("=") for line in text.splitlines())
            return pairs if self.case_sensitive else {name.lower(): each for name, each in pairs.items()}

    class Own(reading(DynamoSettings, [CALL, lambda cls: DotenvSource(cls, Decrypts(cls))])):
        model_config = SettingsConfigDict(env_file="secret", case_sensitive=case_sensitive)
        own: int = 0

    Path("secret").write_text("own=3\nTORCHDYNAMO_RECOMPILE_LIMIT=16"[::-1])
    made = Own()
    assert (made.own, made.recompile_limit) == (3, 16)
    assert made.origins["recompile_limit"] == Origin("env", "TORCHDYNAMO_RECOMPILE_LIMIT", "16", "secret")


def test_the_word_for_none_is_that_of_the_configuration(monkeypatch):
    """In the environment and in files, as for a plain model."""
    monkeypatch.setenv("TORCHDYNAMO_DEBUG_DIR_ROOT", "null")
    assert DynamoSettings(_env_parse_none_str="null", debug_dir_root="x").debug_dir_root == "x"
    assert DynamoSettings(_env_parse_none_str="null").debug_dir_root is None
    monkeypatch.delenv("TORCHDYNAMO_DEBUG_DIR_ROOT")
    Path(".env").write_text("TORCHDYNAMO_DEBUG_DIR_ROOT=null\n")
    assert DynamoSettings(_env_parse_none_str="null", _env_file=".env").debug_dir_root is None


def changing(**values: Any):
    """A subclass whose validator changes everything within reach, and then refuses."""

    class Inner(BaseModel):
        names: list[str] = ["a"]

    class Changes(InductorFlags):
        own: dict[str, list[int]] = {"a": [1]}  # noqa: RUF012  pydantic copies it
        inner: Inner = Inner()

        @model_validator(mode="after")
        def change(self):
            if self.max_autotune:
                self.triton.cudagraphs = True
                self.own["a"].append(2)
                self.own["b"] = []
                self.inner.names.append("b")
                self.__dict__["inner"] = Inner(names=[])
                self.aot_inductor.metadata["x"] = "y"
                raise ValueError("no")
            return self

    return Changes(**values)


def test_a_refused_assignment_changes_nothing():
    """Groups, own lists and own models included; the lists stay the same objects."""
    made = changing(cpp={"threads": 3})
    before, own, state = made.model_dump(), made.own, made.as_state()
    with pytest.raises(ValidationError):
        made.max_autotune = True
    assert made.model_dump() == before
    assert made.own is own
    assert made.own["a"] == [1]
    assert dict(made.as_state()) == dict(state)
    assert made.model_fields_set == {"cpp"}
    assert made.triton.model_fields_set == set()


@pytest.mark.parametrize("settings", [DynamoSettings, BaseSettings])
def test_an_own_alias_is_read_by_its_name(settings, monkeypatch):
    """With ``populate_by_name``, which the models have, and from each source."""

    class Own(settings):
        model_config = SettingsConfigDict(populate_by_name=True)
        own: int = Field(0, alias="OWN_ALIAS")

    class Generated(settings):
        model_config = SettingsConfigDict(populate_by_name=True, alias_generator=lambda name: f"{name}_x")
        own: int = 0

    assert Own(own=3).own == Own(OWN_ALIAS=3).own == 3
    for model, names in ((Own, ("OWN", "OWN_ALIAS")), (Generated, ("OWN", "OWN_X"))):
        for name in names:
            with monkeypatch.context() as patched:
                patched.setenv(name, "5")
                assert model().own == 5
            Path(".env").write_text(f"{name}=5\n")
            assert model(_env_file=".env").own == 5


@pytest.mark.parametrize("base", [DynamoFlags, plain_model(DynamoFlags)])
def test_no_field_is_said_to_be_unknown(base):
    """One of two names of a field is an extra value, as in a plain model, and no more is said."""

    class Own(base):
        own: int = Field(0, alias="OWN_ALIAS")

    for given in ({"own": 3, "OWN_ALIAS": 4}, {"OWN_ALIAS": 4, "own": 3}):
        with pytest.raises(ValidationError) as refused:
            Own(**given)
        found = [(each["loc"], each["msg"]) for each in refused.value.errors()]
        assert found == [(("own",), "Extra inputs are not permitted")]


PATH = AliasPath("MY_LIMIT", 0)
BEFORE_PATH = AliasChoices("MY_LIMIT", AliasPath("LIMITS", 0))


@pytest.mark.parametrize("alias", ["MY_LIMIT", AliasChoices("OTHER", "MY_LIMIT"), PATH, BEFORE_PATH])
def test_the_validation_alias_of_a_redeclared_flag_is_a_variable(alias, monkeypatch):
    """In the environment, in a .env file, as an option, and for subclasses; so are the flag's own names."""
    text = "[{}]" if alias is PATH else "{}"

    class Own(DynamoSettings):
        recompile_limit: int = Field(8, validation_alias=alias)

    class Sub(Own):
        verbose: bool = True

    names = [
        model.model_fields["recompile_limit"].validation_alias.choices for model in (DynamoSettings, Own)
    ]
    assert names[1][-len(names[0]) :] == names[0]
    Path(".env").write_text(f"MY_LIMIT={text.format(6)}\n")
    for model in (Own, Sub):
        assert model(_env_file=".env").recompile_limit == 6
        with monkeypatch.context() as patched:
            patched.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "4")
            assert model().recompile_limit == 4
            patched.setenv("MY_LIMIT", text.format(5))
            patched.setenv("LIMITS", "[1]")
            made = model()
        origin = Origin("source", "EnvironmentSource") if alias is PATH else Origin("env", "MY_LIMIT", "5")
        assert (made.recompile_limit, made.origins["recompile_limit"]) == (5, origin)
        given = model(MY_LIMIT=[7] if alias is PATH else 7)
        assert (given.recompile_limit, given.origins["recompile_limit"].kind) == (7, "keyword")
        name = alias.choices[0] if isinstance(alias, AliasChoices) else "MY_LIMIT"
        assert model(_cli_parse_args=[f"--{name}", text.format(3)]).recompile_limit == 3
        assert model().recompile_limit == 8


class Holder(BaseModel):
    """A model of a program with a default object."""

    compile: CompileFlags = CompileFlags(inductor={"cpp": {"cxx": "g++"}})


class Partial(BaseSettings):
    """Default objects in each place."""

    model_config = SettingsConfigDict(nested_model_default_partial_update=True)
    compile: CompileFlags = CompileFlags(inductor={"cpp": {"cxx": "g++"}})
    plain: CompileFlags = CompileFlags()
    pinned: CompileFlags = CompileFlags(dynamo={"verbose": False})
    holder: Holder = Holder()
    field: CompileFlags = Field(CompileFlags(functorch={"cse": False}))


@functools.cache
def options():
    """Return its options, of which there are thousands, made once."""
    return CliSettingsSource(Partial)


@pytest.mark.parametrize(
    ("given", "option", "others"),
    [
        ({}, "compile", {"inductor.cpp.cxx"}),
        ({}, "plain", set()),
        ({}, "pinned", {"verbose"}),
        ({}, "holder.compile", {"inductor.cpp.cxx"}),
        ({}, "field", {"functorch.cse"}),
        ({"plain": CompileFlags(dynamo={"verbose": True})}, "plain", {"verbose"}),
    ],
)
def test_an_option_of_a_partial_update_sets_one_flag(given, option, others):
    """What the default object has and does not set is not set; what it sets keeps its origin."""
    if option == "pinned" and pydantic.VERSION.startswith("2.7."):
        pytest.skip(
            "this pydantic does not name the field, and other defaults of the class do not set the flag"
        )
    read = Partial(**given, _cli_settings_source=options()(args=[f"--{option}.dynamo.recompile_limit", "99"]))
    made = functools.reduce(getattr, option.split("."), read)
    assert {each.newest for each in made.as_state()} == {"recompile_limit", *others}
    assert made.model_fields_set == {"dynamo", *(each.partition(".")[0] for each in others - {"verbose"})}
    if "inductor.cpp.cxx" in others:
        assert made.inductor.cpp.cxx == ("g++",)
        assert made.origins["inductor.cpp.cxx"].kind == "keyword"


def test_what_is_given_is_set_unless_it_is_a_dump():
    """All flags of a small model, or of a group, may be given with the values that they have."""

    class Needs(CommsFlags):
        own: int

    class App(BaseModel):
        comms: CommsFlags
        inductor: InductorFlags
        needs: Needs | None = None

    flags = dict(reversed(CommsFlags().model_dump().items()))
    group = InductorFlags().eager_numerics.model_dump()
    made = App(comms=flags, inductor={"eager_numerics": group})
    assert made.comms.model_fields_set == flags.keys()
    assert made.inductor.eager_numerics.model_fields_set == group.keys()
    dump = CommsFlags().model_dump()
    made = App(comms=dump, inductor={}, needs={**dump, "own": 1})
    assert made.comms.model_fields_set == set()
    assert made.needs.model_fields_set == {"own"}


def test_a_variable_of_a_partial_update_sets_one_flag(monkeypatch):
    """For settings, too, and for a default that a class gives."""

    class Ours(DynamoSettings):
        verbose: bool = True
        own: int = 3

    class App(BaseSettings):
        model_config = SettingsConfigDict(nested_model_default_partial_update=True, env_nested_delimiter="__")
        dynamo: DynamoSettings = DynamoSettings()
        ours: Ours = Ours(own=4)

    monkeypatch.setenv("DYNAMO__RECOMPILE_LIMIT", "9")
    monkeypatch.setenv("OURS__RECOMPILE_LIMIT", "9")
    made = App()
    assert {each.newest for each in made.dynamo.as_state()} == {"recompile_limit"}
    assert {each.newest for each in made.ours.as_state()} == {"recompile_limit", "verbose"}
    assert made.ours.own == 4


def own_models(base):
    """The model, and subclasses with a field of their own and validators that see no data."""

    class Own(base):
        own: int = 0

    class Validated(Own):
        @field_validator("own", "verbose")
        @classmethod
        def look(cls, value):
            return value

        @model_validator(mode="after")
        def whole(self):
            return self

    return base, Own, Validated


@pytest.mark.parametrize("model", [DynamoFlags, DynamoSettings])
def test_a_smart_union_chooses_as_for_a_plain_model(model):
    """The first of those that take the data equally well, in either order."""

    class Other(BaseModel):
        own: int = 0
        more: int = 0

    def is_other(each, given):
        unions = TypeAdapter(Other | each), TypeAdapter(each | Other)
        return [type(union.validate_python(given)) is Other for union in unions]

    several = {"recompile_limit": "3"}, {"own": 1, "more": 2}, {"own": 1, "verbose": 1}
    for ours, plain in zip(own_models(model), own_models(plain_model(model)), strict=True):
        for given in ({}, {"own": 1}, {"own": "1"}, *several):
            assert is_other(ours, given) == is_other(plain, given), (ours, given)


@pytest.mark.parametrize("base", [DynamoFlags, DynamoSettings, BaseSettings])
def test_data_makes_a_model_once(base):
    """Whatever a program does while it is made is done once."""
    calls = []

    class Own(base):
        own: int = 0

        def __init__(self, **given):
            calls.append(given)
            super().__init__(**given)

        def model_post_init(self, context):
            calls.append(self.own)

    TypeAdapter(list[Own]).validate_python([{"own": 1}, {}])
    assert [each for each in calls if not isinstance(each, dict)] == [1, 0]
    assert [each for each in calls if isinstance(each, dict)] in ([{"own": 1}, {}], [])


@pytest.mark.parametrize(
    "base", [DynamoFlags, DynamoSettings, plain_model(DynamoFlags), plain_model(DynamoSettings)]
)
def test_an_alias_is_no_attribute(base):
    """Neither one of a program's own nor a variable of a flag, whether extra values are allowed or not."""

    class Own(base):
        own: int = Field(0, alias="own_alias")

    class Open(Own, extra="allow"):
        pass

    class Sub(Own):
        own_alias: str = "a"

    assert Sub().own_alias == "a"
    for name in ("own_alias", "TORCHDYNAMO_RECOMPILE_LIMIT"):
        made, opened = Own(), Open()
        with pytest.raises(AttributeError):
            getattr(made, name)
        with pytest.raises(ValidationError) as refused:
            setattr(made, name, 3)
        assert [(each["loc"], each["type"]) for each in refused.value.errors()] == [
            ((name,), "no_such_attribute")
        ]
        setattr(opened, name, 3)
        assert opened.model_extra == {name: 3}
        assert (opened.own, opened.recompile_limit) == (0, 8)


@pytest.mark.parametrize("base", [InductorFlags, plain_model(InductorFlags)])
def test_without_validation_what_is_assigned_is_there_as_it_is(base):
    """For a group, too."""

    class Free(base):
        model_config = ConfigDict(validate_assignment=False)

    made, group = Free(), {"cudagraphs": 1}
    made.triton, made.max_autotune = group, "x"
    assert made.triton is group
    assert (made.max_autotune, made.model_fields_set) == ("x", {"triton", "max_autotune"})


@pytest.mark.parametrize("settings", [DynamoSettings, BaseSettings])
def test_an_alias_may_begin_with_an_underscore(settings, monkeypatch):
    """In a call, in data and in the environment."""

    class Own(settings):
        own: int = Field(0, alias="_own")

    monkeypatch.setenv("_OWN", "2")
    assert [Own().own, Own(_own=3).own, Own.model_validate({"_own": 4}).own] == [2, 3, 4]


def test_classes_of_users_are_freed():
    """Whatever has been asked of them."""

    def made():
        class Own(DynamoFlags):
            verbose: bool = True

        assert Own(cache_size_limit=3).origins["verbose"].kind == "class"
        return weakref.ref(Own)

    kept = [made() for _ in range(3)]
    gc.collect()
    assert [each() for each in kept] == [None, None, None]


def test_a_source_may_make_the_same_settings():
    """Neither values nor mistakes of those are the outer call's."""

    class Nested(DynamoSettings):
        @classmethod
        def settings_customise_sources(cls, settings_cls, init_settings, **rest):
            def source():
                if init_settings.init_kwargs == {"recompile_limit": 3}:
                    for make in (lambda data: cls(**data), cls.model_validate):
                        assert make({"verbose": True}).recompile_limit == 8
                        with pytest.raises(ValidationError):
                            make({"verbose": True, "recompile_limit": "x"})
                return {}

            return (
                init_settings,
                source,
                *super().settings_customise_sources(settings_cls, init_settings, **rest)[1:],
            )

    made = Nested(recompile_limit=3)
    assert made.recompile_limit == 3
    assert made.verbose is False
    assert made.origins["recompile_limit"].kind == "keyword"


@pytest.mark.parametrize("text", ["none", "7", "maybe"])
@pytest.mark.parametrize("name", ["FX_GRAPH_CACHE", "MAX_AUTOTUNE"])
def test_a_bad_text_is_refused_in_a_variable_that_torch_forces_as_in_any(name, text, monkeypatch):
    """Not ignored in silence."""
    monkeypatch.setenv(f"TORCHINDUCTOR_{name}", text)
    for model in (InductorSettings, CompileSettings):
        with pytest.raises(ValidationError, match=f"TORCHINDUCTOR_{name}={text}"):
            model()


UNTRUSTED = {"inductor": {"cpp": {"cxx": ["/tmp/x"]}}, "dynamo": {"recompile_limit": "x"}}  # noqa: S108


def test_a_flag_that_needs_trust_is_refused_with_all_other_mistakes():
    """In groups, in modules, and in a model around them."""

    class Request(BaseModel):
        compile: CompileFlags
        number: int

    def entries(validate, data):
        with pytest.raises(ValidationError) as refused:
            validate(data)
        return {(each["loc"], each["type"]) for each in refused.value.errors()}

    both = {
        (("inductor", "cpp", "cxx"), "untrusted"),
        (("dynamo", "recompile_limit"), "int_parsing"),
    }
    assert entries(CompileFlags.model_validate, UNTRUSTED) == both
    found = entries(Request.model_validate, {"compile": UNTRUSTED, "number": "x"})
    assert found == {(("compile", *loc), kind) for loc, kind in both} | {(("number",), "int_parsing")}


def test_a_validator_that_renames_data_does_not_make_it_trusted():
    """It is the same data, wherever the validator puts it."""

    class Renames(InductorFlags):
        @model_validator(mode="before")
        @classmethod
        def rename(cls, data):
            return {"cpp": {"cxx": data["compiler"]}} if "compiler" in data else data

    with pytest.raises(ValidationError, match="refused in data from others"):
        Renames.model_validate({"compiler": "/tmp/x"})  # noqa: S108


def toml(settings_cls):
    """A TOML file."""
    Path("own.toml").write_text("recompile_limit = 99\n")
    return TomlConfigSettingsSource(settings_cls, "own.toml")


@pytest.mark.parametrize(
    ("source", "origin"),
    [
        (EnvSettingsSource, Origin("source", "EnvSettingsSource")),
        (toml, Origin("source", "TomlConfigSettingsSource")),
        (source_of(lambda _: {"recompile_limit": 99}), Origin("source", "Mine")),
        (
            lambda cls: CliSettingsSource(cls, cli_parse_args=["--recompile_limit", "99"]),
            Origin("option", "--recompile_limit", "99"),
        ),
    ],
)
def test_origins_are_right_without_any_source_of_dynconf(source, origin, monkeypatch):
    """A value that beats the keyword has its own origin, and one that does not has the keyword's."""
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "99")
    made = reading(DynamoSettings, [source, CALL])(recompile_limit=3, verbose=True)
    assert made.recompile_limit == 99
    assert made.origins["recompile_limit"] == origin
    assert made.origins["verbose"].kind == "keyword"


LISTS = [['["a"]'], ['["a"]', "b"], ['["a"]', '["b"]'], ["a", "b"], ["a,b"], ['["a","b"]', "c,d"], ["[]"]]
DICTS = [
    ["k=v"],
    ['{"a":1}', '{"b":2}'],
    ["a=1", "b=2"],
    ['{"a":1}', "b=2"],
    ["k=1,j=2"],
    ['{"a":{"x":[1]}}'],
]


class PlainOptions(BaseSettings):
    """The fields as anybody would write them."""

    names: set[str] = set()
    options: dict[str, Any] = {}


@pytest.mark.filterwarnings("ignore::dynconf.errors.InertFlagWarning")
@pytest.mark.parametrize("texts", [*LISTS, *DICTS], ids=str)
def test_options_of_containers_are_those_of_a_plain_model(texts):
    """However often the option is repeated, in JSON, in words or as pairs."""
    model, flag, plain = (
        (DynamoSettings, "allowed_functions_module_string_ignorelist", "names")
        if texts in LISTS
        else (InductorSettings, "post_grad_fusion_options", "options")
    )
    made = model(_cli_parse_args=[f"--{flag}={text}" for text in texts])
    expected = PlainOptions(_cli_parse_args=[f"--{plain}={text}" for text in texts])
    assert getattr(made, flag) == getattr(expected, plain)


def test_what_a_command_line_is_written_as_is_read_back():
    """With each style of dicts, one of which writes all values in them as text."""
    serialize = getattr(CliApp, "serialize", None)
    if serialize is None or "dict_style" not in inspect.signature(serialize).parameters:
        pytest.skip("this pydantic-settings does not write dicts in styles")
    made = InductorFlags(post_grad_fusion_options={"a": "1", "b": "x"}, max_autotune=True)
    for style in ("json", "env"):
        read = CliApp.run(InductorFlags, cli_args=serialize(made, dict_style=style))
        assert read.post_grad_fusion_options == made.post_grad_fusion_options


def test_the_schema_has_the_defaults_of_containers():
    """As data, as that of a plain model has them."""
    schema = InductorFlags.model_json_schema()
    assert schema["properties"]["post_grad_fusion_options"]["default"] == {}
    assert schema["properties"]["fx_passes_numeric_check"]["default"]["precision"] == 1e-4
    assert DynamoFlags.model_json_schema()["properties"]["traceable_tensor_subclasses"]["default"] == []


@pytest.mark.parametrize("base", [DynamoFlags, plain_model(DynamoFlags)])
def test_an_alias_generator_gives_flags_no_further_names(base):
    """Their aliases are explicit, and win, as in a plain model."""

    class Generated(base):
        model_config = ConfigDict(alias_generator=lambda name: f"{name}_x")
        own: int = 0

    assert Generated.model_validate({"own_x": 3, "verbose": True}).own == 3
    with pytest.raises(ValidationError):
        Generated.model_validate({"verbose_x": True})


def test_a_model_around_hides_the_values_in_messages():
    """It is the one that is validated, and its configuration counts."""

    class App(BaseModel):
        model_config = ConfigDict(hide_input_in_errors=True)
        compile: InductorFlags

    for data in ({"cpp": {"cxx": SHORT}}, {"max_autotune": 1, "inductor.max_autotune": 0}):
        with pytest.raises(ValidationError) as refused:
            App(compile=data)
        assert SHORT not in str(refused.value)
        assert "the value" in str(refused.value)


def test_a_model_that_is_validated_anew_stays_trusted():
    """As the configuration may ask for every instance that is passed on."""

    class Inductor(InductorFlags, revalidate_instances="always"):
        pass

    class Whole(CompileFlags):
        inductor: Inductor

    made = Whole.model_validate({"inductor": Inductor(cpp={"cxx": "g++"})})
    assert made.inductor.cpp.cxx == ("g++",)
    assert made.origins["inductor.cpp.cxx"].kind == "keyword"


@pytest.mark.parametrize("settings", [DynamoSettings, BaseSettings])
def test_required_and_extra_fields_are_read_as_in_a_plain_model(settings, monkeypatch):
    """Nested in settings of a program, from data, and from names of a .env file that no field has."""

    class Inner(settings):
        own: str

    class Open(settings, extra="allow"):
        own: str = "a"

    class App(BaseSettings):
        model_config = SettingsConfigDict(env_nested_delimiter="__")
        inner: Inner

    monkeypatch.setenv("INNER__OWN", "b")
    assert App().inner.own == "b"
    assert Inner.model_validate({"own": "c"}).own == "c"
    Path(".env").write_text("OWN=d\nOTHER=e\nTORCHDYNAMO_VERBOSE=1\n")
    made = Open(_env_file=".env")
    assert (made.own, made.other) == ("d", "e")
    with pytest.raises(ValidationError) as refused:
        App(inner={"own": 3})
    assert refused.value.errors()[0]["msg"] == "Input should be a valid string"


def test_a_class_gets_from_its_base_the_sources_that_the_base_returns():
    """And no other one, so that it can name each of them."""

    class Base(DynamoSettings):
        @classmethod
        def settings_customise_sources(cls, settings_cls, init_settings, env_settings, **_):
            return env_settings, init_settings

    class Sub(Base):
        @classmethod
        def settings_customise_sources(cls, settings_cls, **given):
            env, init = super().settings_customise_sources(settings_cls, **given)
            return init, env

    assert Base(recompile_limit=3).origins["recompile_limit"].kind == "keyword"
    assert Sub(recompile_limit=3).origins["recompile_limit"].kind == "keyword"


def test_a_flag_of_a_newer_torch_is_set_by_its_name_where_extra_values_are_allowed(monkeypatch, tmp_path):
    """Its live default is the type; other extra values are the program's."""
    source = Path(config().__file__).read_text(encoding="utf-8")
    module = executed(source.replace("\nverbose", "\nflag_of_tomorrow = 7\nverbose", 1), tmp_path)
    bound_in_place_of_dynamo(monkeypatch, module)
    monkeypatch.setattr(Release, "at_hand", lambda: Release("2.99.0", "loaded"))

    class Open(DynamoSettings, extra="allow"):
        pass

    made = Open(flag_of_tomorrow=8, other="x", verbose=True)
    assert {each.newest: value for each, (value, _) in made.as_state().items()} == {
        "flag_of_tomorrow": 8,
        "verbose": True,
    }
    with pytest.warns(UncataloguedFlagWarning), made.patch():
        assert module.flag_of_tomorrow == 8
    with made.install():
        assert module.flag_of_tomorrow == 8
    with pytest.raises(ValidationError, match="flag_of_tomorrow: 'x'"):
        Open(flag_of_tomorrow="x")
    with pytest.raises(ValidationError, match="flag_of_tomorrow"):
        DynamoSettings(flag_of_tomorrow=8)


@pytest.mark.parametrize("base", [DynamoSettings, plain_model(DynamoSettings)])
def test_a_subclass_may_have_private_names_of_any_kind(base):
    """Nothing of dynconf is behind a name that a program would choose for a method or a private attribute."""

    class Own(base):
        own: int = 0
        _home: str = PrivateAttr("x")
        _flags: list[int] = PrivateAttr(default_factory=list)

        @model_validator(mode="after")
        def _validate(self):
            if self.own == 3:
                raise ValueError("no")
            return self

        def _run(self):
            self._flags.append(self.recompile_limit)
            return self._home, self._flags

    made = Own(recompile_limit=4)
    made._home = "y"
    assert made._run() == ("y", [4])
    with pytest.raises(ValidationError, match="no"):
        made.own = 3
    assert Own.model_validate({"own": 1}).own == 1


def test_the_models_have_no_private_names_but_these():
    """Those of Jupyter and of one private attribute; all others are free for subclasses."""
    names = {*dir(DynamoSettings), *DynamoSettings.__private_attributes__} - {*dir(BaseSettings)}
    private = {each for each in names if each.startswith("_") and not each.startswith("__")}
    assert private == {"_repr_html_", "_dynconf_provenance"}


@pytest.mark.parametrize("filtering", [None, "match_prefix", "only_existing", "all"])
@pytest.mark.parametrize("prefix", ["", "APP_"])
def test_an_env_file_is_filtered_as_the_configuration_says(filtering, prefix):
    """Further names in it are refused only where a class asks for it: a file may be for many programs."""
    if "dotenv_filtering" not in SettingsConfigDict.__annotations__:
        pytest.skip("this pydantic-settings has no such option")
    Path(".env").write_text("OWN=3\nAPP_OWN=4\nAPP_X=5\nTORCHDYNAMO_RECOMPILE_LIMIT=6\n")
    found = []
    for settings in (DynamoSettings, BaseSettings):

        class Own(settings):
            model_config = SettingsConfigDict(
                env_file=".env", env_prefix=prefix, dotenv_filtering=filtering, extra="forbid"
            )
            own: int = 0

        try:
            found.append({Own().own})
        except ValidationError as error:
            found.append({each["loc"] for each in error.errors()} - {("torchdynamo_recompile_limit",)})
    assert found[0] == (found[1] if filtering else {4 if prefix else 3})


@pytest.mark.parametrize("base", [DynamoFlags, DynamoSettings, plain_model(DynamoFlags)])
def test_a_model_may_be_generic_or_an_argument(base):
    """A generic subclass, and the argument of a generic model or of a root model."""

    class Own(base, Generic[T]):
        own: T

    class Box(BaseModel, Generic[T]):
        item: T

    made = Own[int](own="3", verbose=True)
    assert (made.own, made.verbose, made.model_fields_set) == (3, True, {"own", "verbose"})
    assert Box[base](item={"verbose": "on"}).item.verbose is True
    assert RootModel[base]({"verbose": "on"}).root.verbose is True
