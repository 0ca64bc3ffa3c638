"""Tests of `dynconf.checks.variables`."""

from typing import Any

import pytest
from conftest import fresh_config

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import settings_of
from dynconf.catalogue.record import Flag, Variable
from dynconf.checks.finding import Finding
from dynconf.checks.variables import flag_findings, text_for
from dynconf.sources.env import TorchReading, plain_value, torch_disagrees
from dynconf.state.store import shown_as_json
from dynconf.values import same
from dynconf.versions import asked, at_hand

TEXTS = ("0", "1", "true", "false", "2", "abc", "")


def _own() -> list[tuple[Flag, Variable]]:
    """Return the variables that the torch at hand reads, which under --torch-release is that release."""
    release = at_hand().minor
    return [(flag, variable) for flag in settings_of(release) for variable in flag.variables_in(release)]


def _real(flag: Flag, variable: Variable, raw: str) -> Any:
    """Return what the real config module makes of the variable, or the error that its import ends in."""
    try:
        with fresh_config({variable.name: raw}) as module:
            return getattr(module, flag.name)
    except ValueError as error:
        return error


@pytest.mark.parametrize("raw", TEXTS)
def test_what_check_says_torch_reads_is_what_the_real_module_reads(raw: str) -> None:
    """For each variable of the release, the value or error that is told, or else agreement, is torch's."""
    at = at_hand()
    assert len(_own()) > 15
    for flag, variable in _own():
        real = _real(flag, variable, raw)
        found = [each for each in flag_findings({variable.name: raw}, at) if each.variable == variable.name]
        told = [each.facts for each in found if {"torch_reads", "torch_error"} & each.facts.keys()]
        for facts in told:
            if isinstance(real, ValueError):
                assert facts["torch_error"] == f"ValueError: {real}", variable
            else:
                assert same(facts["torch_reads"], shown_as_json(flag.name, real)), variable
        if not any(each.code in ("misread", "stops-import", "invalid-value") for each in found):
            meant = plain_value(flag, variable.rule, raw) if raw else flag.default_in(at.minor)
            assert not torch_disagrees(flag, TorchReading(real), meant), variable


def findings(environ: dict[str, str], release: str = "2.13") -> dict[str, Finding]:
    """Return the findings by their codes."""
    return {finding.code: finding for finding in flag_findings(environ, asked(release))}


@pytest.mark.parametrize(
    ("name", "raw", "torch_reads", "meant", "advice"),
    [
        ("TORCHDYNAMO_SUPPRESS_ERRORS", "0", True, False, "unset the variable"),
        ("TORCHDYNAMO_VERBOSE", "true", False, True, "write '1'"),
        ("TORCH_COMPILE_DISABLE", "true", False, True, "write '1'"),
        ("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_SHAPES", "true", False, True, "unset the variable"),
        ("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_SHAPES", "", False, True, "unset the variable"),
        ("TORCH_COMPILE_CPROFILE", "0", "0", False, "unset the variable"),
        ("TORCH_COMPILE_DYNAMO_PROFILER", "0", "0", False, "unset the variable"),
        ("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "false", "false", False, "write '0'"),
    ],
)
def test_a_value_that_torch_reads_differently(
    name: str, raw: str, torch_reads: object, meant: object, advice: str
) -> None:
    """The finding tells what torch reads, what was meant, and what to write."""
    finding = findings({name: raw})["misread"]
    assert finding.level == "warning"
    assert (finding.variable, finding.raw) == (name, raw)
    assert finding.facts == {"torch_reads": torch_reads, "dynconf_reads": meant}
    assert f"{meant}" in finding.message
    assert advice in finding.message


def test_a_value_that_stops_the_import() -> None:
    """What makes torch's import fail is an error that quotes it, whether dynconf could read it or not."""
    finding = findings({"TORCHDYNAMO_REPRO_LEVEL": "high"})["stops-import"]
    assert finding.level == "error"
    assert "invalid literal for int()" in finding.facts["torch_error"]
    assert findings({"TORCHDYNAMO_REPRO_LEVEL": ""})["stops-import"].facts["dynconf_reads"] == 2


def test_a_value_that_dynconf_refuses() -> None:
    """Text that means nothing is an error, with what torch makes of it and what was expected."""
    finding = findings({"TORCHDYNAMO_VERBOSE": "loud"})["invalid-value"]
    assert finding.level == "error"
    assert finding.facts == {"torch_reads": False}
    assert "expected True or False" in finding.message
    other = findings({"TORCHDYNAMO_OPTIMIZE_DDP": "ddp_optimiser"})["invalid-value"]
    assert "did you mean 'ddp_optimizer'" in other.message
    assert other.facts == {"torch_reads": True}


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("TORCHDYNAMO_VERBOSE", "1"),
        ("TORCHDYNAMO_VERBOSE", "0"),
        ("TORCHDYNAMO_VERBOSE", ""),
        ("TORCHDYNAMO_REPRO_AFTER", "dynamo"),
        ("TORCH_COMPILE_DEBUG_DIR", "/scratch"),
        ("TORCHDYNAMO_RECOMPILE_LIMIT", ""),
        ("PATH", "/bin"),
    ],
)
def test_what_means_what_it_says_raises_nothing(name: str, raw: str) -> None:
    """A variable that torch and dynconf read alike is no finding."""
    assert findings({name: raw}) == {}


def test_a_variable_of_another_release() -> None:
    """A variable that the release reads no longer, or not yet, is a warning that says since when."""
    gone = findings({"TORCHDYNAMO_CPP_GUARD_MANAGER": "1"})["no-longer-read"]
    assert gone.level == "warning"
    assert "torch 2.5 was the last" in gone.message
    assert "TORCHDYNAMO_ENABLE_CPP_GUARD_MANAGER" in gone.message
    early = findings({"TORCH_COMPILE_OVERRIDE_BACKENDS": "0:eager"}, "2.6")["not-read-yet"]
    assert "came with torch 2.11" in early.message
    assert "no such flag" in early.message
    both = findings({"TORCHDYNAMO_INLINE_INBUILT_NN_MODULES": "1"}, "2.9")
    assert set(both) == {"no-longer-read"}
    assert "programs that install dynconf" in both["no-longer-read"].message


def test_a_uniform_variable_is_a_note() -> None:
    """What only dynconf reads counts only where it is installed; bare torch keeps its own value."""
    finding = findings({"TORCHDYNAMO_RECOMPILE_LIMIT": "3"})["uniform-variable"]
    assert finding.level == "note"
    assert finding.facts == {"torch_reads": 8, "dynconf_reads": 3}
    assert findings({"TORCHDYNAMO_CACHE_SIZE_LIMIT": "3"})["uniform-variable"].flag == "recompile_limit"
    missing = findings({"TORCHDYNAMO_DEBUG_BACKEND_OVERRIDE": "0:eager"}, "2.6")["missing-flag"]
    assert missing.level == "warning"


def test_a_uniform_variable_beside_torchs_own() -> None:
    """The one that torch reads wins, so that the uniform one has no effect."""
    found = findings({"TORCHDYNAMO_DISABLE": "1", "TORCH_COMPILE_CPROFILE": "1", "TORCHDYNAMO_CPROFILE": "0"})
    assert found["shadowed-variable"].variable == "TORCHDYNAMO_CPROFILE"
    assert "TORCH_COMPILE_CPROFILE='1'" in found["shadowed-variable"].message


def test_a_forced_variable_is_a_note() -> None:
    """A variable above all assignments is told of, from the release on in which torch puts it there."""
    name = "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO"
    assert findings({name: "0"})["forced-flag"].level == "note"
    assert findings({name: "1"}, "2.6") == {}


def test_the_two_switches() -> None:
    """TORCHDYNAMO_DISABLE is another switch than the flag disable; torch takes 1 alone."""
    found = findings({"TORCHDYNAMO_DISABLE": "1", "TORCH_COMPILE_DISABLE": "1"})
    assert set(found) == {"two-switches"}
    assert found["two-switches"].level == "note"
    assert "both switches are set" in found["two-switches"].message
    assert findings({"TORCHDYNAMO_DISABLE": "true"})["misread"].facts["torch_reads"] is False
    assert findings({"TORCHDYNAMO_DISABLE": "so"})["invalid-value"].level == "error"
    assert findings({"TORCHDYNAMO_DISABLE": " "}) == {}


def test_a_no_op_flag() -> None:
    """A variable that sets a flag which does nothing any more is a warning."""
    assert findings({"TORCHDYNAMO_DYNAMIC_SHAPES": "1"})["no-op-flag"].level == "warning"


def test_the_text_for_a_value() -> None:
    """The text that makes torch and dynconf read a value, where there is one."""
    verbose, errors = FLAGS["verbose"], FLAGS["suppress_errors"]
    assert text_for(verbose, "equals_one", False, True) == "1"
    assert text_for(errors, "truthy", False, False) is None
    assert text_for(FLAGS["repro_level"], "integer", 2, 4) == "4"
    assert text_for(FLAGS["ignore_logging_functions"], "text", set(), set()) is None
