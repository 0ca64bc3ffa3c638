"""Snapshots: what every flag of a release is when something is put over its defaults."""

import pytest

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import default_of
from dynconf.errors import InvalidValueError
from dynconf.provenance import DEFAULT, Origin
from dynconf.sources.layer import Layer
from dynconf.state.snapshot import Snapshot, effective, meant
from dynconf.values import same
from dynconf.versions import RELEASES, asked, minor

HERE = Origin("env", "X", "1")


@pytest.mark.parametrize("release", RELEASES)
def test_an_empty_layer_leaves_the_defaults(release):
    """Every name of the release is there, aliases with the value of what they stand for."""
    at = asked(release)
    snapshot = effective(at, Layer())
    assert list(snapshot.values) == sorted(name for name in FLAGS if FLAGS[name].exists_in(at.minor))
    assert snapshot.torch == release
    assert snapshot.minor == minor(release)
    for name, value in snapshot.values.items():
        flag = FLAGS[name]
        if flag.is_alias_in(at.minor):
            assert snapshot.origins[name] == Origin("alias", flag.renamed)
            assert same(value, snapshot.values[flag.renamed])
        else:
            assert snapshot.origins[name] == DEFAULT
            assert same(value, flag.default_in(at.minor))


@pytest.mark.parametrize(
    ("release", "names"),
    [("2.6", ["cache_size_limit"]), ("2.13.0", ["cache_size_limit", "recompile_limit"])],
)
def test_a_setting_stands_under_the_names_that_the_release_uses(release, names):
    """The layer knows the newest name only."""
    snapshot = effective(asked(release), Layer({"recompile_limit": 64}, {"recompile_limit": HERE}))
    assert {name: snapshot.values.get(name) for name in names} == dict.fromkeys(names, 64)
    holder = names[-1]
    assert snapshot.origins[holder] == HERE
    assert all(snapshot.origins[name].kind == "alias" for name in names if name != holder)
    assert ("recompile_limit" in snapshot.values) == ("recompile_limit" in names)


def test_the_default_of_an_old_name_is_that_of_the_newer_one():
    """In releases that forward it."""
    assert default_of("cache_size_limit", (2, 13)) == default_of("recompile_limit", (2, 13)) == 8
    assert default_of("cache_size_limit", (2, 4)) == 8
    assert default_of("inline_inbuilt_nn_modules", (2, 4)) is False
    assert default_of("inline_inbuilt_nn_modules", (2, 5)) is True


def test_a_snapshot_of_an_unknown_release_answers_by_its_nearest():
    """A torch newer than the catalogue has a snapshot too."""
    assert Snapshot("2.99.0", {}, {}).minor == minor(RELEASES[-1])
    with pytest.raises(InvalidValueError, match="is no torch release"):
        _ = Snapshot("newest", {}, {}).minor


def test_old_names_are_no_settings_of_their_own() -> None:
    """An alias has the value of the newer name, and counts as not set."""
    state = effective(asked("2.13"), Layer({"recompile_limit": 3}, {"recompile_limit": Origin("option")}))
    assert state.values["cache_size_limit"] == 3
    assert state.names_set() == ["recompile_limit"]


def test_text_in_place_of_a_bool_counts_by_its_truth() -> None:
    """Up to 2.7 torch leaves the text of TORCH_COMPILE_DISABLE as it is, and asks its truth."""
    assert meant("disable", "0") is True
    assert meant("disable", "") is False
    assert meant("debug_backend_override", "0") == "0"
