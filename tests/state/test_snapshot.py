"""Tests of `dynconf.state.snapshot`."""

from dynconf.provenance import Origin
from dynconf.sources.layer import Layer
from dynconf.state.snapshot import default_of, effective, meant
from dynconf.versions import asked


def test_effective_has_every_flag_of_the_release() -> None:
    """A layer over the defaults gives each flag of the release a value and an origin."""
    state = effective(asked("2.6"), Layer({"recompile_limit": 3}, {"recompile_limit": Origin("option")}))
    assert state.values["cache_size_limit"] == 3
    assert "recompile_limit" not in state.values
    assert state.names_set() == ["cache_size_limit"]
    assert state.origins["verbose"].kind == "default"


def test_old_names_are_no_settings_of_their_own() -> None:
    """An alias has the value of the newer name, and counts as not set."""
    state = effective(asked("2.13"), Layer({"recompile_limit": 3}, {"recompile_limit": Origin("option")}))
    assert state.values["cache_size_limit"] == 3
    assert state.names_set() == ["recompile_limit"]


def test_the_default_of_an_old_name() -> None:
    """An old name has the default of the newer one."""
    assert default_of("cache_size_limit", (2, 13)) == default_of("recompile_limit", (2, 13)) == 8


def test_text_in_place_of_a_bool_counts_by_its_truth() -> None:
    """Up to 2.7 torch leaves the text of TORCH_COMPILE_DISABLE as it is, and asks its truth."""
    assert meant("disable", "0") is True
    assert meant("disable", "") is False
    assert meant("debug_backend_override", "0") == "0"
