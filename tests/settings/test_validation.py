"""Where pydantic validates, mistakes are pydantic's; where the class is called, they are dynconf's."""

import gc
import json
import warnings
from types import SimpleNamespace

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError, create_model, model_validator, validate_call
from pydantic_settings import BaseSettings

import dynconf
from dynconf import DynamoSettings
from dynconf.provenance import Origin


def called(model, data):
    """Pass data to a function that takes the model."""

    def take(given):
        pass

    take.__annotations__ = {"given": model}
    validate_call(take)(given=data)


PATHS = {
    "a nested field": (lambda model, data: create_model("Outer", given=(model, ...))(given=data), ("given",)),
    "model_validate": (lambda model, data: model.model_validate(data), ()),
    "model_validate_json": (lambda model, data: model.model_validate_json(json.dumps(data)), ()),
    "TypeAdapter": (lambda model, data: TypeAdapter(list[model]).validate_python([data]), (0,)),
    "validate_call": (called, ("given",)),
}
WRONG = {"recompile_limit": "many", "verbose": 3, "verbos": True}
GROUP = {"triton": {"cudagraphs": 3}}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("model", "data", "inner", "others"),
    [
        (DynamoSettings, WRONG, (), set()),
        (
            dynconf.CompileSettings,
            {"dynamo": WRONG, "inductor": GROUP},
            ("dynamo",),
            {("inductor", "triton", "cudagraphs")},
        ),
    ],
    ids=["one module", "all modules"],
)
def test_each_flag_has_an_entry(path, model, data, inner, others):
    """All mistakes together, with a location that ends in the flag."""
    validate, place = PATHS[path]
    with pytest.raises(ValidationError) as refused:
        validate(model, data)
    assert {each["loc"][: len(place)] for each in refused.value.errors()} == {place}
    errors = {each["loc"][len(place) :]: each for each in refused.value.errors()}
    assert set(errors) == {(*inner, name) for name in WRONG} | others
    assert errors[(*inner, "verbos")]["type"] == "extra_forbidden"
    assert errors[(*inner, "recompile_limit")]["input"] == "many"
    assert "did you mean 'verbose'" in str(refused.value)
    json.loads(refused.value.json())


def test_a_mistake_in_another_source_is_located_at_the_flag(monkeypatch):
    """The environment is read on these paths too."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "maybe")
    with pytest.raises(ValidationError, match="TORCHDYNAMO_VERBOSE=maybe") as refused:
        DynamoSettings.model_validate({})
    assert refused.value.errors()[0]["loc"] == ("verbose",)


@pytest.mark.since("2.7")  # DC001 is a warning before
def test_a_broken_rule_is_located_at_the_model():
    """It is about several flags."""
    data = {"suppress_errors": True, "fail_on_recompile_limit_hit": True}
    with pytest.raises(ValidationError) as refused:
        DynamoSettings.model_validate(data)
    assert [each["loc"] for each in refused.value.errors()] == [()]


def test_unions_fall_through():
    """What is not settings may be something else."""
    either = TypeAdapter(DynamoSettings | dict[str, int])
    assert either.validate_python({"workers": 3}) == {"workers": 3}
    assert either.validate_python({"verbose": True}) == DynamoSettings(verbose=True)
    assert TypeAdapter(DynamoSettings | int).validate_python(3) == 3


def test_a_subclass_may_have_an_init_of_its_own():
    """As any model; other settings may be made in it."""

    class Between(DynamoSettings):
        def __init__(self, **values):
            with pytest.raises(ValidationError):
                DynamoSettings(verbos=3)
            super().__init__(**values)

    with pytest.raises(ValidationError):
        TypeAdapter(Between).validate_python({"verbos": 3})


@pytest.mark.parametrize("base", [DynamoSettings, BaseSettings])
def test_an_init_may_call_that_of_pydantic_past_all_others(base):
    """No source is read then, neither for a call nor for data."""

    class Own(base):
        verbose: bool = False

        def __init__(self, **values):
            BaseModel.__init__(self, **values)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for made in (Own(verbose=True), Own.model_validate({"verbose": True})):
            assert made.model_dump(exclude_unset=True) == {"verbose": True}


def test_an_init_takes_data_by_its_own_parameters():
    """As that of any settings model: data has no further keyword for it, and keeps its origin."""

    class Own(DynamoSettings):
        def __init__(self, recompile_limit=3):
            super().__init__(recompile_limit=recompile_limit)

    assert Own().recompile_limit == 3
    made = Own.from_data({"recompile_limit": 4}, "app.yaml")
    assert (made.recompile_limit, made.origins["recompile_limit"]) == (4, Origin("file", file="app.yaml"))


def test_settings_that_a_validator_makes_are_validated_by_themselves():
    """Neither their mistakes nor their origins are those of the settings around them."""

    class Outer(DynamoSettings):
        @model_validator(mode="after")
        def other(self):
            if self.recompile_limit != 5 and not self.verbose:
                other = type(self)(recompile_limit=5)
                assert other.origins["recompile_limit"].kind == "keyword"
                with pytest.raises(ValidationError):
                    type(self).model_validate({"recompile_limit": "many"})
                self.verbose = True
            return self

    made = Outer.from_data({"recompile_limit": 4}, "app.yaml")
    assert (made.recompile_limit, made.verbose) == (4, True)
    assert made.origins["recompile_limit"] == Origin("file", file="app.yaml")


def test_a_schema_with_settings_inside_refers_to_them_once():
    """As one with ordinary models."""

    class Two(BaseModel):
        first: DynamoSettings
        second: DynamoSettings | None = None

    assert list(Two.model_json_schema()["$defs"]) == ["DynamoSettings"]


def test_errors_are_no_cycle():
    """They are freed without the collector."""
    error = dynconf.InvalidValueError("no")
    assert error.errors == (error,)
    assert error not in gc.get_referents(error.__dict__)


@pytest.mark.parametrize(
    ("release", "values"),
    [
        ("2.13", {"worker_start_method": None}),
        ("2.13", {"cpp": {"enable_floating_point_contract_flag": True}}),
        ("2.6", {"reorder_for_compute_comm_overlap_passes": ["sink_waits_iterative"]}),
        ("2.6", {"numerics": "strict_reduction"}),
    ],
)
def test_a_value_of_another_release_is_refused_with_all_other_mistakes(release, values):
    """Whatever its form, where it is given and where it is assigned, by pydantic as any wrong value."""
    with pytest.raises(ValidationError, match=r"Input should be ('|one of)") as refused:
        dynconf.inductor.Settings(_torch=release, max_autotune="x", **values)
    assert refused.value.error_count() == 2
    made = dynconf.inductor.Settings(_torch=release)
    [(name, value)] = values.items()
    with pytest.raises(ValidationError, match=r"Input should be ('|one of)"):
        setattr(made, name, value)


def test_attributes_of_an_object_have_the_names_of_fields():
    """And old ones; a variable is read from sources."""
    row = SimpleNamespace(cache_size_limit=9, TORCHDYNAMO_VERBOSE=True)
    made = DynamoSettings.model_validate(row, from_attributes=True)
    assert made.model_dump(exclude_unset=True) == {"recompile_limit": 9}
