"""Tests of `dynconf.tools.lint.variables`."""

import pytest
from readings import real_readings

from dynconf.catalogue._generated.index import VARIABLES
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.flags.variable import IMPORT_ERRORS
from dynconf.catalogue.names import module_views
from dynconf.release import RELEASES, Release
from dynconf.sources.environment import plain_value
from dynconf.tools.lint.variables import flag_findings
from dynconf.tools.show.bare_torch import TorchReading, torch_disagrees
from dynconf.tools.show.finding import Finding

TEXTS = ("0", "1", "true", "false", "2", "abc", "")


@pytest.mark.parametrize("raw", TEXTS)
def test_check_reports_the_value_that_the_real_module_reads(raw: str) -> None:
    """For each variable of the release, the value or the error in the finding is that of the real module."""
    release, seen = Release.at_hand(), 0
    for view in module_views(release):
        for environ, setting, real in real_readings(view, raw):
            variable = next(each for each in setting.variables if each.name in environ)
            if not setting.public and any(each.public for each, _ in view.followers[variable.name]):
                continue  # it is not reported
            found = [
                each
                for each in flag_findings({variable.name: raw}, release)
                if (each.variable, each.flag) == (variable.name, setting.newest)
            ]
            seen += 1
            for facts in (each.facts for each in found if {"torch_reads", "torch_error"} & each.facts.keys()):
                if isinstance(real, IMPORT_ERRORS):
                    assert facts["torch_error"] == f"{type(real).__name__}: {real}", variable
                else:
                    assert is_same_value(facts["torch_reads"], setting.type.show_data(real)), variable
            if not any(each.code in ("DC402", "DC403", "DC403") for each in found):
                meaning = plain_value(setting, raw, variable.rule) if raw else setting.default_value()
                assert not torch_disagrees(setting, TorchReading(real), meaning), variable
    assert seen > 15


def findings(environ: dict[str, str], release: str = "2.13") -> dict[str, Finding]:
    """Return the findings by their codes."""
    return {finding.code: finding for finding in flag_findings(environ, Release.named(release))}


@pytest.mark.parametrize(
    ("name", "raw", "torch_reads", "meaning", "advice"),
    [
        ("TORCHDYNAMO_SUPPRESS_ERRORS", "0", True, False, "unset the variable"),
        ("TORCHDYNAMO_VERBOSE", "true", False, True, "write '1'"),
        ("TORCH_COMPILE_DISABLE", "true", False, True, "write '1'"),
        ("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_SHAPES", "true", False, True, "unset the variable"),
        ("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_SHAPES", "", False, True, "unset the variable"),
        ("TORCHINDUCTOR_LAYOUT_OPTIMIZATION", "true", False, True, "write '1'"),  # ROCm has another default
        ("TORCH_COMPILE_CPROFILE", "0", "0", False, "unset the variable"),
        ("TORCH_COMPILE_DYNAMO_PROFILER", "0", "0", False, "unset the variable"),
        ("TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "false", "false", False, "write '0'"),
    ],
)
def test_a_value_that_torch_reads_differently(
    name: str, raw: str, torch_reads: object, meaning: object, advice: str
) -> None:
    """The finding has torch's value, the intended one, and the text to write."""
    finding = findings({name: raw})["DC402"]
    assert finding.level == "warning"
    assert (finding.variable, finding.raw) == (name, raw)
    assert finding.facts == {"torch_reads": torch_reads, "dynconf_reads": meaning}
    assert f"{meaning}" in finding.message
    assert advice in finding.message


def test_a_value_that_stops_the_import() -> None:
    """Text that makes the import of torch fail is an error that quotes it, even if dynconf could read it."""
    finding = findings({"TORCHDYNAMO_REPRO_LEVEL": "high"})["DC403"]
    assert finding.level == "error"
    assert "invalid literal for int()" in finding.facts["torch_error"]
    assert findings({"TORCHDYNAMO_REPRO_LEVEL": ""})["DC403"].facts["dynconf_reads"] == 2


def test_a_value_that_dynconf_refuses() -> None:
    """Text that means nothing is an error, with torch's value and the expected words."""
    finding = findings({"TORCHDYNAMO_VERBOSE": "loud"})["DC403"]
    assert finding.level == "error"
    assert finding.facts == {"torch_reads": False}
    assert "expected True or False" in finding.message
    other = findings({"TORCHDYNAMO_OPTIMIZE_DDP": "ddp_optimiser"})["DC403"]
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
def test_text_that_means_the_same_to_both_is_not_reported(name: str, raw: str) -> None:
    """A variable that torch and dynconf read alike gives no finding."""
    assert findings({name: raw}) == {}


def test_a_variable_of_another_release() -> None:
    """A variable that the release no longer reads, or does not read yet, is a warning with the release."""
    idle = findings({"TORCHDYNAMO_CPP_GUARD_MANAGER": "1"})["DC404"]
    assert idle.message.endswith("guards are always checked in C++")
    gone = findings({"ENABLE_AOT_AUTOGRAD_CACHE": "1"}, "2.6")["DC404"]
    assert gone.level == "warning"
    assert "torch 2.5 was the last" in gone.message
    assert "it reads TORCHINDUCTOR_AUTOGRAD_CACHE" in gone.message
    early = findings({"TORCH_COMPILE_OVERRIDE_BACKENDS": "0:eager"}, "2.6")["DC404"]
    assert "came with torch 2.11" in early.message
    assert "no such flag" in early.message
    both = findings({"TORCHDYNAMO_INLINE_INBUILT_NN_MODULES": "1"}, "2.9")
    assert set(both) == {"DC404"}
    assert "programs that install dynconf" in both["DC404"].message


def test_a_uniform_variable_is_a_note() -> None:
    """A variable that only dynconf reads counts where it is installed; bare torch keeps its own value."""
    finding = findings({"TORCHDYNAMO_RECOMPILE_LIMIT": "3"})["DC407"]
    assert finding.level == "note"
    assert finding.facts == {"torch_reads": 8, "dynconf_reads": 3}
    assert findings({"TORCHDYNAMO_CACHE_SIZE_LIMIT": "3"})["DC407"].flag == "recompile_limit"
    missing = findings({"TORCHDYNAMO_DEBUG_BACKEND_OVERRIDE": "0:eager"}, "2.6")["DC404"]
    assert missing.level == "warning"


def test_a_uniform_variable_beside_torchs_own() -> None:
    """The one that torch reads wins, so the uniform one has no effect."""
    found = findings({"TORCHDYNAMO_DISABLE": "1", "TORCH_COMPILE_CPROFILE": "1", "TORCHDYNAMO_CPROFILE": "0"})
    assert found["DC408"].variable == "TORCHDYNAMO_CPROFILE"
    assert "TORCH_COMPILE_CPROFILE='1'" in found["DC408"].message


def test_a_forced_variable_is_a_note() -> None:
    """A variable that beats all assignments is mentioned, from the release on in which it does."""
    name = "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO"
    assert findings({name: "0"})["DC410"].level == "note"
    assert findings({name: "1"}, "2.6") == {}


def test_the_two_switches() -> None:
    """TORCHDYNAMO_DISABLE is not the flag disable; to torch only 1 means True there."""
    found = findings({"TORCHDYNAMO_DISABLE": "1", "TORCH_COMPILE_DISABLE": "1"})
    assert set(found) == {"DC411"}
    assert found["DC411"].level == "note"
    assert "both switches are set" in found["DC411"].message
    assert findings({"TORCHDYNAMO_DISABLE": "true"})["DC402"].facts["torch_reads"] is False
    assert findings({"TORCHDYNAMO_DISABLE": "so"})["DC403"].level == "error"
    assert findings({"TORCHDYNAMO_DISABLE": " "}) == {}


def test_a_no_op_flag() -> None:
    """A variable of a flag that does nothing any more is a warning, unless it sets one that counts, too."""
    assert findings({"TORCHDYNAMO_DYNAMIC_SHAPES": "1"})["DC306"].level == "warning"
    assert "DC306" in findings({"TORCHINDUCTOR_CUDA_CUTLASS_ENABLED_OPS": "mm"})
    assert findings({"TORCHINDUCTOR_CUTLASS_ENABLED_OPS": "mm"}) == {}


def test_a_variable_of_several_flags() -> None:
    """There is a finding for each flag that it sets."""
    found = flag_findings({"TORCH_COMPILE_DEBUG": "abc"}, Release.named("2.13"))
    assert len({each.flag for each in found}) > 1


@pytest.mark.parametrize("release", RELEASES)
def test_every_variable_of_any_release_is_reported_in_each(release: str) -> None:
    """One that this release does not read is not read yet, no longer, or neither before nor after."""
    environ = dict.fromkeys(frozenset().union(*VARIABLES.values()), "1")
    found = list(flag_findings(environ, Release.named(release)))
    assert {each.code for each in found} >= {"DC402", "DC408"}
    assert {each.variable for each in found} <= set(environ)


def test_a_variable_that_one_release_does_not_read() -> None:
    """Torch 2.5 and 2.7 start workers as it says, and torch 2.6 knows only one way."""
    found = findings({"TORCHINDUCTOR_WORKER_START": "fork"}, "2.6")["DC404"]
    assert "torch 2.6.0 does not read it; torch 2.7 does again" in found.message


def test_internal_flags_that_follow_a_public_one_are_left_out() -> None:
    """One variable sets both, and the advice is on the flag that a program may set."""
    found = list(flag_findings({"PYTORCH_SINK_WAITS_LIMIT": "abc"}, Release.named("2.13")))
    assert [each.flag for each in found] == ["comms.sink_waits_iterative_debug_limit_to_sink"]


@pytest.mark.parametrize("release", ["2.4", "2.6", "2.13"])
def test_text_that_says_more_than_a_truth_value_is_noted(release: str) -> None:
    """Somebody who means a level by 2 gets a pattern; the words for True and False need no note."""
    found = findings({"TORCHINDUCTOR_PROFILE": "2"}, release)["DC409"]
    assert (found.level, found.flag) == ("note", "inductor.profile_bandwidth")
    assert "'2' itself is the value of another flag" in found.message
    assert "DC409" not in findings({"TORCHINDUCTOR_PROFILE": "1"}, release)
