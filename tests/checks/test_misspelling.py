"""Tests of `dynconf.checks.misspelling`."""

import pytest

from dynconf.checks.misspelling import misspelling_findings
from dynconf.checks.variables import own_variables, uniform_variables
from dynconf.versions import RELEASES, AtHand, asked


@pytest.mark.parametrize(
    ("name", "intended"),
    [
        ("TORCHDYNAMO_SUPRESS_ERRORS", "TORCHDYNAMO_SUPPRESS_ERRORS"),
        ("TORCHDYNAMO_RECOMPILE_LIMITS", "TORCHDYNAMO_RECOMPILE_LIMIT"),
        ("TORCH_COMPILE_DISABEL", "TORCH_COMPILE_DISABLE"),
        ("TORCH_COMPILE_JOBID", "TORCH_COMPILE_JOB_ID"),
        ("TORCH_DYNAMO_VERBOSE", "TORCHDYNAMO_VERBOSE"),
        ("TORCH_COMPILE_VERBOSE", "TORCHDYNAMO_VERBOSE"),
        ("TORCHDYNAMO_REPLAY_RECORDS", "TORCH_COMPILE_REPLAY_RECORD"),
        ("TORCH_DYNAMO_RECOMPILE_LIMIT", "TORCHDYNAMO_RECOMPILE_LIMIT"),
        ("TORCHINDUCTOR_SUPPRESS_ERRORS", "TORCHDYNAMO_SUPPRESS_ERRORS"),
        ("DYNAMO_VERBOSE", "TORCHDYNAMO_VERBOSE"),
        ("torchdynamo_verbose", "TORCHDYNAMO_VERBOSE"),
        ("TORCHDYANMO_VERBOSE", "TORCHDYNAMO_VERBOSE"),
        ("DYNCONF_CONFG", "DYNCONF_CONFIG"),
    ],
)
def test_a_misspelt_variable(name: str, intended: str) -> None:
    """A name that is nearly one of ours, or one with another prefix, is a warning that says which."""
    (finding,) = misspelling_findings({name: "1"}, asked("2.13"))
    assert (finding.code, finding.level, finding.variable) == ("misspelt-variable", "warning", name)
    assert f"did you mean {intended}?" in finding.message


@pytest.mark.parametrize(
    "name",
    [
        "TORCHDYNAMO_EXTENDED_DEBUG_CPP",
        "TORCHDYNAMO_EXTENDED_DEBUG_CREATE_SYMBOL",
        "TORCH_COMPILE_DEBUG",
        "TORCH_COMPILE_JOB_ID",
        "TORCH_LOGS",
        "TORCHINDUCTOR_MAX_AUTOTUNE",
        "TORCH_HOME",
        "DYNCONF_CONFIG",
        "PYTHONPATH",
        "HOME",
        "DYNAMODB_TABLE",
    ],
)
def test_other_peoples_variables_raise_nothing(name: str) -> None:
    """Variables of torch's other parts, and of other programs, are left alone."""
    assert list(misspelling_findings({name: "1"}, asked("2.13"))) == []


@pytest.mark.parametrize("release", RELEASES)
def test_no_variable_of_ours_is_misspelt(release: str) -> None:
    """No variable of a flag, in any release, is taken for another."""
    names = dict.fromkeys([*own_variables(), *uniform_variables()], "1")
    assert list(misspelling_findings(names, asked(release))) == []


def test_a_variable_that_nobody_knows() -> None:
    """Under our prefixes an unknown name is a warning; of a removed or internal flag there is more to say."""
    environ = {"TORCHDYNAMO_QQXXZZ": "1", "TORCHDYNAMO_LOG_LEVEL": "10", "TORCHDYNAMO_BASE_DIR": "/"}
    internal, removed, unknown = misspelling_findings(environ, asked("2.13"))
    assert {each.code for each in (internal, removed, unknown)} == {"unknown-variable"}
    assert "torch's own" in internal.message
    assert "TORCH_LOGS" in removed.message
    assert unknown.level == "warning"


def test_on_a_torch_newer_than_the_catalogue_it_may_be_new() -> None:
    """What is unknown there may be new, so it is a note."""
    (finding,) = misspelling_findings({"TORCHDYNAMO_QQXXZZ": "1"}, AtHand("2.99.0", "installed"))
    assert finding.level == "note"


def test_a_foreign_variable_of_another_release_is_a_note() -> None:
    """A variable that other releases read for another part of torch is told of, and is no problem."""
    (finding,) = misspelling_findings({"TORCHDYNAMO_PRINT_GUARDS": "1"}, asked("2.13"))
    assert (finding.code, finding.level) == ("foreign-variable", "note")
    assert list(misspelling_findings({"TORCHDYNAMO_PRINT_GUARDS": "1"}, asked("2.4"))) == []
