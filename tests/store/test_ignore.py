"""The sets of flags that a saved state leaves out."""

from pathlib import Path

import pytest

import dynconf
from dynconf.catalogue.names import split
from dynconf.store.ignore import DEBUG, DEFAULT, HOST, INTERNAL, NOTHING, TESTING, TORCH, ignored
from dynconf.tools.ranks.comparison import comparable_values


def test_torchs_own_set_is_the_live_modules() -> None:
    """The catalogue and the live module agree on the flags that torch leaves out."""
    from torch._dynamo import config

    assert config._save_config_ignore == {name for name in TORCH if split(name)[0] == "dynamo"}


@pytest.mark.parametrize("chosen", [HOST, DEBUG, TESTING, INTERNAL])
def test_each_set_names_flags(chosen: frozenset[str]) -> None:
    """Every set has members, and all of them are flags."""
    assert chosen
    assert all(name in dynconf.FLAGS for name in chosen)


def test_the_default_leaves_out_what_means_nothing_elsewhere() -> None:
    """The default set is torch's own with paths, testing and internal flags; debugging is kept."""
    assert {"repro_level", "debug_dir_root", "debug_force_nested_calls", "base_dir"} <= DEFAULT
    assert "verbose" in DEBUG
    assert "verbose" not in DEFAULT


def test_sets_are_combined_with_operators() -> None:
    """They are frozensets, of which users make others; a flag is ignored under any of its names."""
    assert dynconf.ignore.DEFAULT is DEFAULT
    left = ignored(DEFAULT) - {"repro_level"} | {"verbose"}
    assert ignored(DEFAULT - {"repro_level"} | {"verbose"}) == left
    assert ignored(NOTHING) == frozenset()
    names = {"cache_size_limit", "functorch.donated_buffer"}
    assert ignored(names) == {"recompile_limit", "functorch.donated_buffer"}


def test_a_misspelt_name_is_refused() -> None:
    """A name that no release knows would leave nothing out, so it is an error with a suggestion."""
    with pytest.raises(dynconf.UnknownFlagError, match="did you mean 'verbose'"):
        ignored({"verbos"})
    with pytest.raises(dynconf.UnknownFlagError, match=r"did you mean 'functorch\.donated_buffer'"):
        ignored({"functorch.donated_bufer"})


def test_the_module_of_the_sets_is_no_set() -> None:
    """Whoever passes it means one of its sets, so the error names one; so it is for `save` and ranks."""
    expected = r"^ignore: <module .* is not a set such as dynconf\.ignore\.HOST$"
    with pytest.raises(dynconf.InvalidValueError, match=expected):
        dynconf.save("state.json", ignore=dynconf.ignore)  # type: ignore[arg-type]
    with pytest.raises(dynconf.InvalidValueError, match=expected):
        comparable_values(None, dynconf.ignore)  # type: ignore[arg-type]
    assert not Path("state.json").exists()
