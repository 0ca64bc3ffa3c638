"""Catalogues and their views: names across releases, what a release has, and why a name is refused."""

import pytest

from dynconf.catalogue import Setting, View, advice
from dynconf.errors import UnknownFlagError
from dynconf.flags.types import Mismatch
from dynconf.modules import MODULES, catalogue
from dynconf.origin import Origin
from dynconf.release import RELEASES, Release

DYNAMO = catalogue("dynamo")


def view(release: str = "2.13", module: str = "dynamo") -> View:
    """Return what a release has of a module."""
    return catalogue(module).at(Release.named(release))


@pytest.mark.parametrize("module", MODULES)
def test_every_name_of_a_setting_leads_to_its_newest(module: str) -> None:
    """The newest name is reached from each, and is its own newest name."""
    known = catalogue(module)
    for name in known.flags:
        newest = known.canonical(name)
        assert known.canonical(newest) == newest
        assert not known.flags[newest].renamed
        assert known.names_of(name) == known.names_of(newest)
        assert known.names_of(name)[0] == newest
        assert name in known.names_of(name)


@pytest.mark.parametrize("release", RELEASES)
def test_every_setting_of_a_release_has_one_name_there(release: str) -> None:
    """Two names of one setting in a release are a name and its aliases, never two settings."""
    for module in MODULES:
        at = view(release, module)
        assert {*at.settings} == {setting.key for setting in at.settings.values()}
        for setting in at.settings.values():
            assert at.setting(setting.name) is at.setting(setting.key) is setting
            assert setting.name not in at.aliases
        assert {*at.aliases, *(setting.name for setting in at.settings.values())} == set(at.names)


def test_a_renamed_flag_has_the_name_that_the_release_knows() -> None:
    """`recompile_limit` is `cache_size_limit` up to 2.6, and either name means it everywhere."""
    for release, name in (("2.6", "cache_size_limit"), ("2.7", "recompile_limit")):
        setting = view(release).setting("recompile_limit")
        assert setting is view(release).setting("cache_size_limit")
        assert (setting.name, setting.key) == (name, "recompile_limit")


def test_an_unknown_name_stays_as_it_is() -> None:
    """`canonical` invents nothing, and no release has it."""
    assert DYNAMO.canonical("no_such_flag") == "no_such_flag"
    assert DYNAMO.names_of("no_such_flag") == ("no_such_flag",)
    assert view().get("no_such_flag") is None


def test_the_view_of_a_release_is_computed_once() -> None:
    """Settings can be keys: the same release gives the same objects, however it was named."""
    assert view("2.13") is view("2.13.0")
    assert view("2.13").setting("verbose") is view("2.13.0").setting("verbose")
    assert view("2.12").setting("verbose") != view("2.13").setting("verbose")


def test_a_setting_has_the_facts_of_its_release() -> None:
    """Default, variables, status and what hashes ignore are those of the release."""
    early, late = view("2.6", "functorch"), view("2.7", "functorch")
    cache = "enable_autograd_cache"
    assert (early.setting(cache).default_value(), late.setting(cache).default_value()) == (False, True)
    rules = [[each.rule for each in at.setting(cache).variables] for at in (early, late)]
    assert rules == [["equals_one"], ["force"]]
    assert early.setting(cache).qualified == "functorch.enable_autograd_cache"
    setting, variable = late.variables["TORCHINDUCTOR_AUTOGRAD_CACHE"]
    assert setting is late.setting(cache)
    assert variable.rule == "force"


def test_uniform_variables_cover_old_names_and_leave_out_torchs_own_flags() -> None:
    """Every public setting has one under each name that it has had."""
    here = view("2.6").uniform_variables
    assert here["TORCHDYNAMO_RECOMPILE_LIMIT"] == (view("2.6").setting("recompile_limit"), "recompile_limit")
    assert here["TORCHDYNAMO_CACHE_SIZE_LIMIT"] == (
        view("2.6").setting("recompile_limit"),
        "cache_size_limit",
    )
    assert "TORCHDYNAMO__SAVE_CONFIG_IGNORE" not in here
    assert "TORCHFUNCTORCH_DONATED_BUFFER" in view(module="functorch").uniform_variables


def test_rules_apply_where_all_their_flags_exist() -> None:
    """A rule and the settings that it is about know each other."""
    rules = {here.rule.code: here for here in view("2.13").rules}
    first = rules["DC001"]
    assert [setting.name for setting in first.settings] == ["suppress_errors", "fail_on_recompile_limit_hit"]
    assert all(first in setting.rules for setting in first.settings)
    assert first.level == "error"
    assert next(here for here in view("2.6").rules if here.rule.code == "DC001").level == "warning"
    assert "DC104" not in {here.rule.code for here in view("2.9", "functorch").rules}


def test_a_no_op_flag_says_that_it_does_nothing() -> None:
    """With the name, the release and what to do; any other flag says nothing."""
    inert = view().setting("dynamic_shapes").inert
    assert inert.startswith("dynamic_shapes does nothing in torch 2.13.0; ")
    assert view().setting("verbose").inert == ""


def test_an_invalid_value_is_told_in_full() -> None:
    """Flag, value, where it came from, what was expected, and what is wrong with it."""
    setting: Setting = view(module="functorch").setting("activation_memory_budget_solver")
    with pytest.raises(Mismatch) as mismatch:
        setting.type.check("greedi")
    error = setting.invalid("greedi", mismatch.value, Origin("option", None, "greedi"))
    message = str(error)
    assert message.startswith("functorch.activation_memory_budget_solver: 'greedi' (from ")
    assert "expected one of 'dp', 'greedy'" in message
    assert message.endswith("; did you mean 'greedy'?")


@pytest.mark.parametrize(
    ("name", "release", "said"),
    [
        ("verify_corectness", "2.13", "no flag 'verify_corectness': did you mean 'verify_correctness'?"),
        ("VERBOSE", "2.13", "no flag 'VERBOSE': did you mean 'verbose'?"),
        ("zzzzzzzzzz", "2.13", "no flag 'zzzzzzzzzz'; `dynconf explain WORD` searches the flags"),
        ("enable_trace_load_build_class", "2.6", "not in torch 2.6.0 yet: it was added in torch 2.13"),
        (
            "skip_fsdp_hooks",
            "2.13",
            "no longer in torch 2.13.0: torch 2.12 was the last release to have it; ",
        ),
        (
            "allow_complex_guards_as_runtime_asserts",
            "2.13",
            "the last release to have it; use 'prefer_deferred_runtime_asserts_over_guards' instead",
        ),
        ("log_level", "2.13", "'log_level' is gone: torch 2.0 was the last release to have it; "),
        ("fake_tensor_propagation", "2.13", "'fake_tensor_propagation' is gone: removed before torch 2.0; "),
    ],
)
def test_a_refusal_says_which_case_it_is(name: str, release: str, said: str) -> None:
    """Never existed, not there yet, gone, and gone long ago are told apart, with what to use."""
    with pytest.raises(UnknownFlagError) as refused:
        view(release).setting(name)
    assert said in str(refused.value)
    assert view(release).why_unknown(name) == str(refused.value)


def test_a_flag_of_another_module_is_suggested_by_its_full_name() -> None:
    """Outside dynamo, messages speak of that module's flags."""
    message = view(module="functorch").why_unknown("donated_bufer")
    assert message == "there is no functorch flag 'donated_bufer': did you mean 'functorch.donated_buffer'?"


def test_suggestions_are_of_flags_that_users_may_set() -> None:
    """No internal name is ever suggested."""
    assert "_save_config" not in DYNAMO.suggestion("save_config_ignore")


@pytest.mark.parametrize(
    ("instead", "told"),
    [
        ("", "nothing replaces it"),
        ("recompile_limit", "use 'recompile_limit' instead"),
        ("delete it", "delete it"),
    ],
)
def test_advice_names_a_flag_or_is_a_clause(instead: str, told: str) -> None:
    """What a record says is made into what to do."""
    assert advice(instead) == told
