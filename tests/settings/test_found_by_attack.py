"""What an attack on the models found: data that is no mapping, forms of defaults, names of parameters."""

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated

import pytest
from pydantic import Field, ValidationError

from dynconf import CompileFlags, DynamoFlags, DynamoSettings, InductorFlags, InductorSettings


@pytest.mark.since("2.5")
def test_data_that_is_no_mapping_may_be_trusted():
    """As any data; other flags need no trust, and a model that is passed on has it."""
    row = SimpleNamespace(autoheuristic_log_path="/x", max_autotune=True)
    trusted = InductorFlags.model_validate(row, from_attributes=True, context={"trust": True})
    assert (trusted.autoheuristic_log_path, trusted.max_autotune) == ("/x", True)
    assert trusted.origins["max_autotune"].kind == "keyword"
    plain = InductorFlags.model_validate(SimpleNamespace(max_autotune="on"), from_attributes=True)
    assert plain.max_autotune is True
    assert [each.qualified for each in plain.as_state()] == ["inductor.max_autotune"]
    settings = InductorSettings.model_validate(row, from_attributes=True)  # trusts what it is given
    assert (settings.autoheuristic_log_path, settings.max_autotune) == ("/x", True)
    assert settings.origins["max_autotune"].line


def test_a_subclass_may_give_any_form_of_default():
    """Whichever form the default of the flag has: a value or a factory."""

    class Values(DynamoSettings):
        reorderable_logging_functions: set = set()  # noqa: RUF012  pydantic copies it
        recompile_limit: int = Field(default_factory=lambda: 3)
        debug_dir_root: Annotated[str, Field(default="a")]
        cprofile: Annotated[bool, Field(default_factory=lambda: True)]

    made = Values()
    assert made.reorderable_logging_functions == set()
    assert (made.recompile_limit, made.debug_dir_root, made.cprofile) == (3, "a", True)
    assert made.origins["debug_dir_root"].kind == "class"
    assert len(made.as_state()) == 4


def test_a_constraint_is_no_default():
    """A flag that is declared again without a default keeps that of torch, and is not set."""

    class Limited(DynamoFlags):
        recompile_limit: int = Field(le=100)

    assert Limited().recompile_limit == 8
    assert not Limited().as_state()
    with pytest.raises(ValidationError):
        Limited(recompile_limit=101)


@pytest.mark.parametrize("name", ["self", "data", "cls", "values", "_dynconf", "_validation", "_call"])
@pytest.mark.parametrize("value", [1, {"call": 3}])
def test_no_name_in_data_is_a_parameter(name, value):
    """An unknown name is an entry of the error, however methods call their parameters."""
    for model in (DynamoFlags, DynamoSettings):
        for refused in (lambda m=model: m.model_validate({name: value}), lambda m=model: m(**{name: value})):
            with pytest.raises(ValidationError) as error:
                refused()
            assert [each["loc"] for each in error.value.errors()] == [(name,)]


@pytest.mark.parametrize(("option", "text"), [("_torch", ""), ("_missing", ""), ("_missing", "bogus")])
def test_an_option_that_means_nothing_is_refused(option, text):
    """Whoever passes an empty one has made a mistake; the words that are right are told."""
    with pytest.raises(ValidationError, match=r"torch release|one of 'error', 'warn', 'skip'"):
        DynamoSettings(**{option: text})


def test_a_message_names_the_file_that_data_is_from():
    """For wrong values and for unknown names."""
    with pytest.raises(ValidationError) as refused:
        DynamoFlags.from_data({"recompile_limit": "many", "verbos": 1}, "conf/app.yaml")
    assert [each["msg"].endswith("(from conf/app.yaml)") for each in refused.value.errors()] == [True, True]
    with pytest.raises(ValidationError) as refused:
        DynamoFlags.model_validate({"recompile_limit": "many"})
    assert "(from" not in str(refused.value)


@pytest.mark.parametrize(
    ("model", "name"),
    [(InductorFlags.Triton, "cpp_wraper"), (InductorFlags, "verbos"), (InductorFlags.Cpp, "cudagraphs")],
)
def test_a_name_is_suggested_where_it_is_valid(model, name):
    """A group has no flags of other groups, and a module none of other modules."""
    with pytest.raises(ValidationError) as refused:
        model.model_validate({name: 1})
    [entry] = refused.value.errors()
    assert "did you mean" not in entry["msg"]


@pytest.mark.parametrize("model", [DynamoFlags, InductorFlags.Triton, CompileFlags])
def test_many_unknown_names_get_no_suggestions(model):
    """Searching for similar names takes time, and a request may have thousands; all are entries."""
    for count, message in ((10, "there is no"), (11, "Extra inputs are not permitted")):
        with pytest.raises(ValidationError) as refused:
            model.model_validate({f"recompile_limi{each}": 1 for each in range(count)})
        assert [message in each["msg"] for each in refused.value.errors()] == [True] * count
    assert "there is no" not in str(refused.value)


def test_a_name_in_a_group_costs_what_it_costs_outside():
    """Thousands of names in a request do not keep a server busy, wherever they are in it."""

    def seconds(data):
        start = time.process_time()
        with pytest.raises(ValidationError):
            InductorFlags.model_validate(data)
        return time.process_time() - start

    names = dict.fromkeys(map("k{}".format, range(60_000)), 1)
    assert seconds({"triton": names}) < 3 * seconds(names)


def test_an_entry_of_a_conflict_has_its_input():
    """The value that contradicts the one before."""
    with pytest.raises(ValidationError) as refused:
        DynamoFlags(recompile_limit=3, cache_size_limit=4)
    [entry] = refused.value.errors()
    assert (entry["type"], entry["loc"], entry["input"]) == ("flag_conflict", ("cache_size_limit",), 4)


@pytest.mark.since("2.7")
def test_no_data_is_a_value_that_torch_fills_in():
    """A flag without a written form accepts its empty default, and no other data."""
    name = "custom_ops_to_c_shims"
    assert InductorFlags.AotInductor.model_validate({name: {}}).as_state()
    with pytest.raises(ValidationError, match="has no written form"):
        InductorFlags.model_validate_json(json.dumps({"aot_inductor": {name: {"a": 1}}}))
    Path("dynconf.toml").write_text(f"[inductor.aot_inductor]\n{name} = {{a = 1}}\n")
    with pytest.raises(ValidationError, match="has no written form"):
        InductorSettings()
