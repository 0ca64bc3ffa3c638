"""Data from others: what a request body may set, and what its sender learns."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError, model_validator

import dynconf
from dynconf import CompileFlags, CompileSettings, DynamoFlags, DynamoSettings, InductorFlags
from dynconf.catalogue.names import setting
from dynconf.release import Release

PROGRAM = {"cpp": {"cxx": "g++"}}


class Request(BaseModel):
    """What a server takes."""

    compile: InductorFlags = InductorFlags()


class ReadsText(InductorFlags):
    """Takes JSON in a text, as a column of a database has it."""

    @model_validator(mode="before")
    @classmethod
    def read(cls, value: Any) -> Any:
        """Read it."""
        return json.loads(value) if isinstance(value, str) else value


class Row(BaseModel):
    """A model of a server."""

    compile: ReadsText


def attributes(data: Any) -> Any:
    """Return an object with these values as attributes."""
    return SimpleNamespace(**data)


PATHS = {
    "model_validate": InductorFlags.model_validate,
    "model_validate_json": lambda data: InductorFlags.model_validate_json(json.dumps(data)),
    "model_validate_strings": InductorFlags.model_validate_strings,
    "TypeAdapter": TypeAdapter(InductorFlags).validate_python,
    "from_data": InductorFlags.from_data,
    "a nested model": lambda data: Request(compile=data),
    "a nested model of JSON": lambda data: Request.model_validate_json(json.dumps({"compile": data})),
    "a group": lambda data: InductorFlags.Cpp.model_validate(data["cpp"]),
    "all modules": lambda data: CompileFlags.model_validate({"inductor": data}),
    "a group in an object": lambda data: InductorFlags.model_validate(
        attributes({"cpp": attributes(data["cpp"])}), from_attributes=True
    ),
    "an object for a group": lambda data: InductorFlags.model_validate(
        {"cpp": attributes(data["cpp"])}, from_attributes=True
    ),
    "an object for a module": lambda data: CompileFlags.model_validate(
        {"inductor": attributes(data)}, from_attributes=True
    ),
    "a text": lambda data: ReadsText.model_validate(json.dumps(data)),
    "a text in a model": lambda data: Row.model_validate({"compile": json.dumps(data)}),
}


@pytest.mark.parametrize("path", PATHS)
def test_data_names_no_program(path):
    """The entry says why, and what to do if the data is trusted."""
    with pytest.raises(
        ValidationError,
        match=r"inductor\.cpp\.cxx: 'g\+\+' is refused in data from others: it would make torch run a",
    ) as refused:
        PATHS[path](PROGRAM)
    [entry] = refused.value.errors()
    assert (entry["loc"][-1], entry["input"], entry["type"]) == ("cxx", "g++", "untrusted")


HARMFUL = {
    "automatic_dynamic_remote_pgo": (True, "contact a host"),
    "inductor.global_cache_dir": ("/evil/x", "read a path"),
    "inductor.assert_indirect_indexing": (False, "switch off a safety check"),
    "inductor.compile_threads": (100_000, "take time or memory without bound"),
}
"""A value of each type; ``catalogue/modules/test_risks.py`` has all that were once accepted from anybody."""


def as_data(name: str, value: object) -> dict[str, Any]:
    """Return the flag as the data of `CompileFlags`."""
    found = setting(name, Release.named("2.13"))
    return {found.module: {found.name: value}}


@pytest.mark.since("2.7")
@pytest.mark.filterwarnings("ignore:nothing in torch")
@pytest.mark.parametrize("name", HARMFUL)
def test_data_sets_no_harmful_value_of_any_type(name):
    """A caller who trusts the data says so, and a call in code is trusted."""
    value, harm = HARMFUL[name]
    data = as_data(name, value)
    for validate, given in (
        (CompileFlags.model_validate, data),
        (CompileFlags.model_validate_json, json.dumps(data)),
    ):
        with pytest.raises(ValidationError, match=f"it would make torch {harm}") as refused:
            validate(given)
        [entry] = refused.value.errors()
        assert (entry["type"], entry["input"]) == ("untrusted", value)
        assert "context={'trust': True}" in entry["msg"]
    CompileFlags.model_validate(data, context={"trust": True})
    CompileFlags(**data)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("inductor.fx_graph_remote_cache", "yes"),
        ("inductor.fx_graph_remote_cache", 1),
        ("inductor.assert_indirect_indexing", "off"),
        ("inductor.compile_threads", "100000"),
        ("inductor.compile_threads", 100000.0),
    ],
)
def test_another_spelling_is_the_same_value(name, value):
    """The value that the flag would get is judged, not its text."""
    with pytest.raises(ValidationError, match="would make torch"):
        CompileFlags.model_validate(as_data(name, value))


def test_a_call_in_code_is_trusted():
    """So are an assignment, an instance that is passed on, and data whose reader says so."""
    assert InductorFlags(**PROGRAM).cpp.cxx == ("g++",)
    assert Request(compile=InductorFlags(**PROGRAM)).compile.cpp.cxx == ("g++",)
    passed = ReadsText.model_validate(InductorFlags(**PROGRAM), from_attributes=True)
    assert passed.cpp.cxx == ("g++",)
    flags = InductorFlags()
    flags.cpp.cxx = "clang++"
    flags.cpp = {"cxx": "g++"}
    assert flags.cpp.cxx == ("g++",)
    trusted = {"trust": True}
    assert InductorFlags.model_validate(PROGRAM, context=trusted).cpp.cxx == ("g++",)
    assert CompileFlags.model_validate({"inductor": PROGRAM}, context=trusted).inductor.cpp.cxx == ("g++",)
    for other in ({"trust": 1}, {"trust": "yes"}, {}, {"trust": False}):
        with pytest.raises(ValidationError):
            InductorFlags.model_validate(PROGRAM, context=other)


def test_a_subclass_with_an_init_of_its_own_trusts_no_data():
    """Although pydantic calls it for data."""

    class Ours(InductorFlags):
        def __init__(self, **values):
            super().__init__(**values)

    assert Ours(**PROGRAM).cpp.cxx == ("g++",)
    with pytest.raises(ValidationError, match="refused"):
        Ours.model_validate(PROGRAM)


def test_a_value_beside_a_mistaken_group_is_not_trusted():
    """A group that ignores what it does not know may be given something that is no mapping of names."""

    class Cpp(InductorFlags.Cpp, extra="ignore"):
        pass

    class Ours(InductorFlags):
        cpp: Cpp

    for group in ({1: 2}, {}, {"unknown": 1}):
        with pytest.raises(ValidationError, match="refused"):
            Ours.model_validate({"cpp": group, "cpp.cxx": "g++"})


def test_objects_in_data_are_not_looked_up():
    """A lookup may import what a module loads lazily."""
    with pytest.raises(ValidationError, match="refused"):
        DynamoFlags.model_validate({"reorderable_logging_functions": ["no_such_module:attribute"]})
    harmless = DynamoFlags.model_validate({"reorderable_logging_functions": ["logging:info"]})
    assert [each.__name__ for each in harmless.reorderable_logging_functions] == ["info"]


def test_values_that_reach_nothing_are_accepted():
    """Numbers, words that the flag lists, defaults."""
    flags = InductorFlags.model_validate({"max_autotune": "yes", "triton": {"cudagraphs": 1}})
    assert (flags.max_autotune, flags.triton.cudagraphs) == (True, True)
    assert InductorFlags.model_validate(InductorFlags().model_dump()) == InductorFlags()


def test_the_docstring_says_what_needs_no_trust():
    """That is debugging output to the folder where torch always writes it, not one that data names."""
    assert "``inductor.trace.enabled``, needs no trust" in InductorFlags.__doc__
    assert InductorFlags.model_validate({"trace": {"enabled": True}}).trace.enabled
    with pytest.raises(ValidationError, match="write a path"):
        InductorFlags.model_validate({"trace": {"enabled": True, "debug_dir": "elsewhere"}})


@pytest.mark.parametrize("option", ["_config", "_env_file", "_torch", "_missing", "_secrets_dir", "_dynconf"])
def test_names_in_data_are_never_options(option):
    """Data cannot name a file that is read besides, in any place."""
    Path("other.toml").write_text("verbose = true\n")

    class Body(BaseModel):
        compile: CompileSettings
        dynamo: DynamoSettings

    given = {option: "other.toml"}
    for validate in (
        DynamoSettings.model_validate,
        DynamoSettings.from_data,
        CompileSettings.model_validate,
        lambda data: CompileSettings.model_validate({"dynamo": data}),
        lambda data: Body.model_validate_json(json.dumps({"compile": data, "dynamo": data})),
        DynamoFlags.model_validate,
    ):
        with pytest.raises(ValidationError) as refused:
            validate(given)
        for entry in refused.value.errors():
            assert (entry["type"], entry["loc"][-1]) == ("extra_forbidden", option)


def test_names_in_data_are_refused_in_their_order():
    """As in an ordinary model, whatever the hashes of the names."""
    names = [f"_{letter}" for letter in "zyxwvutsrq"]
    for model in (DynamoSettings, DynamoFlags):
        with pytest.raises(ValidationError) as refused:
            model.model_validate(dict.fromkeys(names))
        assert [each["loc"] for each in refused.value.errors()] == [(name,) for name in names]


@pytest.mark.since("2.7")  # DC001 is a warning before
def test_an_error_tells_the_sender_nothing_of_the_server(monkeypatch):
    """No path, no variable, no private attribute; the context is plain text."""
    fastapi = pytest.importorskip("fastapi")
    client = pytest.importorskip("fastapi.testclient")
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "secret")
    app = fastapi.FastAPI()

    class Body(BaseModel):
        dynamo: DynamoFlags

    @app.post("/")
    def take(body: Body):
        return body.dynamo.model_dump(exclude_unset=True)

    send = client.TestClient(app).post
    assert send("/", json={"dynamo": {"recompile_limit": "9"}}).json() == {"recompile_limit": 9}
    wrong = {"suppress_errors": True, "fail_on_recompile_limit_hit": True}
    for data in ({"recompile_limit": "x"}, {"verbos": 1}, {"_dynconf_provenance": 1}, wrong):
        answer = send("/", json={"dynamo": data})
        assert answer.status_code == 422
        assert str(Path(__file__).parent) not in answer.text
        assert "secret" not in answer.text
        for entry in answer.json()["detail"]:
            assert entry["loc"][:2] == ["body", "dynamo"]
            assert entry["input"] in ("x", 1, wrong)


def test_a_partial_request_sets_what_it_says(monkeypatch):
    """And nothing that the environment or a file says."""
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "64")
    Path("dynconf.toml").write_text("disable = true\n")
    with DynamoFlags(verbose=True).patch() as patch:
        assert patch.changes == {"verbose": True}
    assert dynconf.snapshot()["recompile_limit"] != 0
    assert DynamoFlags.model_validate_json('{"verbose": true}').model_fields_set == {"verbose"}


def test_defaults_of_a_class_need_no_trust():
    """The server's code gives them, in whichever form; the same flag in data needs it still."""

    class Cpp(InductorFlags.Cpp):
        cxx: Any = ("clang++",)

    class Made(InductorFlags.Cpp):
        cxx: Any = Field(default_factory=lambda: ("clang++",))

    for group in (Cpp, Made):
        assert group.model_validate({"threads": 2}).cxx == ("clang++",)
        with pytest.raises(ValidationError, match="refused in data from others"):
            group.model_validate({"cxx": ["g++"]})
