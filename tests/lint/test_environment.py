"""Tests of `dynconf.checks.environment`."""

import os
from pathlib import Path

import pytest

import dynconf
from dynconf.checks.environment import check_environment
from dynconf.checks.finding import Finding
from dynconf.live.binding import live


def findings(environ: dict[str, str], release: str = "2.13", config: str | None = None) -> dict[str, Finding]:
    """Return the findings by their codes."""
    return {each.code: each for each in check_environment(environ, torch=release, config=config).findings}


def test_nothing_set_is_fine() -> None:
    """An empty environment without files has no findings."""
    assert check_environment({}).findings == ()
    assert check_environment({}).ok


def test_errors_come_first() -> None:
    """Findings are sorted by level: what stops a program is read first."""
    environ = {
        "TORCHDYNAMO_RECOMPILE_LIMIT": "3",
        "TORCHDYNAMO_VERBOSE": "true",
        "TORCHDYNAMO_REPRO_LEVEL": "x",
    }
    report = check_environment(environ, torch="2.13")
    assert [each.level for each in report.findings] == ["error", "warning", "note"]
    assert not report.ok


def test_files_are_checked_too() -> None:
    """Unknown keys and wrong values of files are errors, no-op flags and missing ones warnings."""
    Path("dynconf.toml").write_text(
        'verbos = true\nrecompile_limit = -1\ndynamic_shapes = true\ndebug_backend_override = ""\n'
        'missing = "warn"\n'
    )
    found = findings({}, "2.9")
    assert found["unknown-flag"].flag == "verbos"
    assert "did you mean 'verbose'" in found["unknown-flag"].message
    assert found["invalid-value"].flag == "recompile_limit"
    assert found["no-op-flag"].flag == "dynamic_shapes"
    assert found["missing-flag"].flag == "debug_backend_override"
    assert [found[code].level for code in ("unknown-flag", "invalid-value")] == ["error", "error"]
    assert [found[code].level for code in ("no-op-flag", "missing-flag")] == ["warning", "warning"]


def test_a_file_that_cannot_be_read_is_an_error() -> None:
    """Data that is no file of settings, wherever it was named, is a finding and no exception."""
    Path("bad.toml").write_text("verbose =")
    assert "bad.toml" in findings({}, config="bad.toml")["bad-file"].message
    assert "absent.json" in findings({"DYNCONF_CONFIG": "absent.json"})["bad-file"].message
    assert findings({"DYNCONF_CONFIG": "{[}"})["bad-file"].level == "error"


def test_one_flag_under_two_names_is_a_conflict() -> None:
    """Two names of one flag with two values are told once, wherever they stand."""
    by_variables = {"TORCHDYNAMO_CACHE_SIZE_LIMIT": "3", "TORCHDYNAMO_RECOMPILE_LIMIT": "4"}
    assert findings(by_variables)["conflict"].level == "error"
    Path("my.toml").write_text("cache_size_limit = 3\nrecompile_limit = 4\n")
    assert findings({}, config="my.toml")["conflict"].flag == "recompile_limit"


def test_rules_over_several_flags_are_asked() -> None:
    """Values that torch refuses together are a conflict, though each of them is good."""
    Path("my.toml").write_text("fail_on_recompile_limit_hit = true\n")
    found = findings({"TORCHDYNAMO_SUPPRESS_ERRORS": "1"}, config="my.toml")
    assert found["conflict"].level == "error"
    assert "suppress_errors" in found["conflict"].message


def test_a_forced_variable_that_beats_a_file() -> None:
    """A value in a file that a forced variable beats is told of."""
    Path("my.toml").write_text("automatic_dynamic_local_pgo = true\n")
    found = findings({"TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO": "0"}, config="my.toml")
    assert found["no-effect"].flag == "automatic_dynamic_local_pgo"
    assert found["no-effect"].level == "warning"


def test_names_in_files_are_not_resolved() -> None:
    """A function of a module that is not imported is fine in a file; one that may never be named is not."""
    Path("my.toml").write_text('ignore_logging_functions = ["my_package:log"]\n')
    assert findings({}, config="my.toml") == {}
    Path("my.toml").write_text('ignore_logging_functions = ["os:system"]\n')
    assert "standard library" in findings({}, config="my.toml")["invalid-value"].message


def test_an_unknown_release_is_refused() -> None:
    """The catalogue answers only for the releases that it knows."""
    with pytest.raises(dynconf.InvalidValueError, match=r"1\.9"):
        check_environment({}, torch="1.9")


def test_a_running_program_is_told_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable set after torch was imported has no effect on it, and that is said with both values."""
    live()
    assert dynconf.check_environment().findings == ()
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    report = dynconf.check_environment()
    (finding,) = report.findings
    assert (finding.code, finding.flag, finding.raw) == ("changed-after-import", "verbose", "1")
    assert finding.facts == {"torch_reads": False}
    assert not report.ok
    with dynconf.install(verbose=True), dynconf.patch(verbose=True):
        assert [each.code for each in dynconf.check_environment().findings] == ["changed-after-import"]
    assert check_environment(dict(os.environ)).findings == ()


def test_a_variable_that_would_stop_the_next_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that torch could not read is told of twice: for the next import, and as changed."""
    live()
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "high")
    codes = [each.code for each in dynconf.check_environment().findings]
    assert codes == ["stops-import", "changed-after-import"]


def test_what_was_unset_after_the_import_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that torch read and that is gone by now is told of, though torch goes on with its value."""
    binding = live()
    slot = binding.slot("verbose")
    monkeypatch.setattr(
        "dynconf.checks.environment.imported_value",
        lambda _, asked: asked is slot or asked.flag.default_in(binding.minor),
    )
    (finding,) = [each for each in dynconf.check_environment().findings if each.flag == "verbose"]
    assert finding.raw is None
    assert "TORCHDYNAMO_VERBOSE is not set any more" in finding.message
