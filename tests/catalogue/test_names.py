"""Names across releases: renames, spelling, and why a name is refused."""

import pytest

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import (
    canonical,
    latest,
    names_of,
    nearest,
    require,
    settings_of,
    spelled,
    suggestion,
    why_unknown,
)
from dynconf.errors import UnknownFlagError
from dynconf.versions import NEWEST, RELEASES, minor

MINORS = [minor(release) for release in RELEASES]


@pytest.mark.parametrize("name", FLAGS)
def test_every_name_of_a_setting_leads_to_one_record(name):
    """The newest name is reached from each, and is its own newest name."""
    newest = canonical(name)
    assert canonical(newest) == newest
    assert not FLAGS[newest].renamed
    assert names_of(name) == names_of(newest)
    assert names_of(name)[0] == newest
    assert name in names_of(name)


@pytest.mark.parametrize("release", MINORS, ids=RELEASES)
def test_each_setting_of_a_release_has_one_spelling(release):
    """Two names of one setting in a release are a name and its aliases, never two settings."""
    settings = settings_of(release)
    assert len({canonical(flag.name) for flag in settings}) == len(settings)
    for flag in settings:
        assert spelled(flag.name, release) == flag.name
        assert require(flag.name, release, "x") is flag


def test_a_renamed_flag_is_found_under_the_name_that_the_release_knows():
    """`recompile_limit` is `cache_size_limit` up to 2.6, under either name."""
    for name in ("recompile_limit", "cache_size_limit"):
        assert spelled(name, (2, 6)) == "cache_size_limit"
        assert spelled(name, (2, 7)) == "recompile_limit"
        assert latest(name).name == "recompile_limit"


def test_a_name_that_nobody_knows_stays_as_it_is():
    """`canonical` invents nothing, and no release spells it."""
    assert canonical("no_such_flag") == "no_such_flag"
    assert spelled("no_such_flag", NEWEST) is None


@pytest.mark.parametrize(
    ("name", "release", "said"),
    [
        (
            "verify_corectness",
            (2, 13),
            "there is no flag 'verify_corectness': did you mean 'verify_correctness'?",
        ),
        ("VERBOSE", (2, 13), "there is no flag 'VERBOSE': did you mean 'verbose'?"),
        ("zzzzzzzzzz", (2, 13), "there is no flag 'zzzzzzzzzz'; `dynconf explain WORD` searches the flags"),
        (
            "enable_trace_load_build_class",
            (2, 6),
            "'enable_trace_load_build_class' is not in torch 2.6 yet: it came with torch 2.13",
        ),
        (
            "allow_complex_guards_as_runtime_asserts",
            (2, 13),
            "'allow_complex_guards_as_runtime_asserts' is not in torch 2.13 any more: torch 2.8 was the last",
        ),
        (
            "skip_fsdp_hooks",
            (2, 13),
            "'skip_fsdp_hooks' is not in torch 2.13 any more: torch 2.12 was the last to have it; nothing",
        ),
    ],
)
def test_a_refusal_says_which_case_it_is(name, release, said):
    """Never existed, not yet and gone are told apart, with what to use."""
    version = ".".join(map(str, release))
    with pytest.raises(UnknownFlagError) as refused:
        require(name, release, version)
    message = str(refused.value)
    assert message.startswith(said)
    assert why_unknown(name, release, version) == message


@pytest.mark.parametrize("name", ["log_level", "output_code", "fake_tensor_propagation"])
def test_a_flag_from_before_the_catalogue_gets_its_advice(name):
    """The tombstone speaks, with the last release where that is known."""
    message = why_unknown(name, (2, 13), "2.13.0")
    assert message.startswith(f"{name!r} is gone: ")
    assert "torch 2.0" in message


def test_a_flag_that_is_gone_names_its_replacement():
    """By name where that is a flag."""
    message = why_unknown("allow_complex_guards_as_runtime_asserts", (2, 13), "2.13.0")
    assert message.endswith("; use 'prefer_deferred_runtime_asserts_over_guards' instead")


def test_suggestions_are_of_flags_that_users_may_set():
    """No internal name is ever suggested."""
    assert "_save_config" not in suggestion("save_config_ignore")


def test_nearest_takes_only_what_is_close():
    """A word that is like none of the others has no nearest one."""
    assert nearest("recompile_limt", ("recompile_limit", "verbose")) == "recompile_limit"
    assert nearest("qqqq", ("recompile_limit", "verbose")) is None
