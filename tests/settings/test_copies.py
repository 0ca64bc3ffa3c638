"""Copies and settings made without validation."""

import functools

import pytest
from pydantic_settings import SettingsConfigDict

import dynconf
from dynconf import DynamoSettings
from dynconf.origin import DEFAULT, Origin


def test_a_copy_with_changes_is_checked(here):
    """Names, values and rules; the origin is the calling line, and the original stays as it is."""
    settings = DynamoSettings(verbose=True)
    copied = settings.model_copy(update={"cache_size_limit": 9})
    assert copied.recompile_limit == 9
    assert copied.origins["recompile_limit"] == Origin("keyword", file=__file__, line=here() - 2)
    assert copied.origins["verbose"] == settings.origins["verbose"]
    assert settings.origins["recompile_limit"] == DEFAULT
    with pytest.raises(dynconf.UnknownFlagError, match="did you mean 'verbose'"):
        settings.model_copy(update={"verbos": True})
    with pytest.raises(dynconf.InvalidValueError):
        settings.model_copy(update={"recompile_limit": -1})
    with pytest.raises(dynconf.ConflictError):
        settings.model_copy(update={"suppress_errors": True, "fail_on_recompile_limit_hit": True})


def test_a_deep_copy_shares_nothing():
    """Sets are copied with it."""
    settings = DynamoSettings(reorderable_logging_functions={print})
    settings.model_copy(deep=True).reorderable_logging_functions.clear()
    assert settings.reorderable_logging_functions == {print}


def test_what_is_constructed_without_validation_says_where(here):
    """No other source is read."""
    settings = DynamoSettings.model_construct(verbose=True)
    assert settings.origins["verbose"] == Origin("keyword", file=__file__, line=here() - 1)
    assert settings.origins["disable"] == DEFAULT
    assert settings.model_fields_set == {"verbose"}
    with settings.patch():
        assert dynconf.snapshot()["verbose"] is True


def test_data_is_read_by_dynconfs_rules(here):
    """A list for a set, a name for an object; all mistakes together, as dynconf's."""
    data = {"recompile_limit": 5, "reorderable_logging_functions": ["builtins:print"]}
    settings = DynamoSettings.from_data(data)
    assert settings.reorderable_logging_functions == {print}
    assert settings.origins["recompile_limit"] == Origin("keyword", file=__file__, line=here() - 2)
    named = DynamoSettings.from_data(data, origin="conf/dynamo.yaml")
    assert named.origins["recompile_limit"] == Origin("file", file="conf/dynamo.yaml")
    with pytest.raises(dynconf.DynconfError) as refused:
        DynamoSettings.from_data({"recompile_limit": "5", "verbos": True})
    assert len(refused.value.errors) == 2


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
