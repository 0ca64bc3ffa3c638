"""Copies and settings made without validation."""

import functools

import pytest
from pydantic import ValidationError
from pydantic_settings import SettingsConfigDict

import dynconf
from dynconf import DynamoFlags, DynamoSettings, InductorFlags
from dynconf.provenance import DEFAULT, Origin


def test_a_copy_is_made_as_of_any_model(here):
    """An update is not validated; its origin is the calling line, and the original stays as it is."""
    settings = DynamoSettings(verbose=True)
    copied = settings.model_copy(update={"recompile_limit": 9})
    assert copied.recompile_limit == 9
    assert copied.origins["recompile_limit"] == Origin("keyword", file=__file__, line=here() - 2)
    assert copied.origins["verbose"] == settings.origins["verbose"]
    assert settings.origins["recompile_limit"] == DEFAULT
    wrong = settings.model_copy(update={"recompile_limit": -1})
    with pytest.raises(dynconf.InvalidValueError):
        wrong.install()


USES = DynamoFlags.patch, DynamoFlags.install, functools.partial(dynconf.save, "state.json")


@pytest.mark.parametrize("use", USES)
def test_what_was_not_validated_is_refused_when_it_is_used(use):
    """A text is no bool, not even one that says true or false, where torch would count it as True."""
    with pytest.raises(dynconf.InvalidValueError, match="expected True or False"):
        use(DynamoFlags().model_copy(update={"verbose": "0"}))


def test_settings_can_be_constructed_without_validation():
    """No source is read; mappings stay what they are, as with any model, and are in the state."""
    settings = DynamoSettings.model_construct(verbose=True)
    assert settings.origins["verbose"] == Origin("keyword")
    assert settings.origins["disable"] == DEFAULT
    assert settings.model_fields_set == {"verbose"}
    with settings.patch():
        assert dynconf.snapshot()["verbose"] is True
    made = InductorFlags.model_construct(triton={"cudagraphs": True})
    assert [each.qualified for each in made.as_state()] == ["inductor.triton.cudagraphs"]


@pytest.mark.since("2.7")  # DC001 is a warning before
def test_an_assignment_to_what_was_not_validated_is_judged(here):
    """As one to any settings; it has its line."""
    settings = DynamoSettings.model_construct(suppress_errors=True)
    settings.verbose = True
    assert settings.origins["verbose"] == Origin("keyword", file=__file__, line=here() - 1)
    with pytest.raises(ValidationError, match="suppress_errors"):
        settings.fail_on_recompile_limit_hit = True


def test_data_has_an_origin(here):
    """`from_data` is a validation: a list for a set, a name for an object, all mistakes together."""
    data = {"recompile_limit": 5, "reorderable_logging_functions": ["builtins:print"]}
    settings = DynamoSettings.from_data(data)
    assert settings.reorderable_logging_functions == {print}
    assert settings.origins["recompile_limit"] == Origin("keyword", file=__file__, line=here() - 2)
    named = DynamoSettings.from_data(data, origin="conf/dynamo.yaml")
    assert named.origins["recompile_limit"] == Origin("file", file="conf/dynamo.yaml")
    with pytest.raises(ValidationError) as refused:
        DynamoSettings.from_data({"recompile_limit": "many", "verbos": True})
    assert refused.value.error_count() == 2


def test_settings_are_equal_if_what_they_hold_is():
    """Further values count, and what is merely remembered does not, as with an ordinary model."""

    class App(DynamoSettings):
        model_config = SettingsConfigDict(extra="allow")

        @functools.cached_property
        def twice(self) -> int:
            return self.recompile_limit * 2

    used = App(name="a")
    assert used.twice == 16
    assert used == App(name="a")
    assert used != App(name="b")
    assert used != App(name="a", verbose=True)
