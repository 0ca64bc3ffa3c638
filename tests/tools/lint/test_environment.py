"""Tests of `dynconf.tools.lint.environment`."""

import os
import re
from pathlib import Path

import pytest

import dynconf
from dynconf.catalogue.flags.types import is_same_value
from dynconf.live.binding import bind
from dynconf.release import Release
from dynconf.tools.lint.codes import CODES
from dynconf.tools.lint.environment import check_environment
from dynconf.tools.show.finding import Finding


def findings(environ: dict[str, str], release: str = "2.13", config: str | None = None) -> dict[str, Finding]:
    """Return the findings by their codes."""
    return {each.code: each for each in check_environment(environ, torch=release, config=config).findings}


def test_every_code_is_explained() -> None:
    """Those in the sources have a title and a text, for `dynconf explain` and the pages of the site."""
    room = Path(dynconf.__file__).parent / "tools"
    sources = {*room.rglob("*.py")} - {room / "lint" / "codes.py"}
    texts = {code for each in sources for code in re.findall(r'"(DC[3-9]\d\d)"', each.read_text())}
    assert texts == {*CODES}
    assert all(each.title and each.text for each in CODES.values())


def test_errors_come_first() -> None:
    """Findings are sorted by level, so that the errors are read first."""
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
    assert found["DC301"].flag == "verbos"
    assert "did you mean 'verbose'" in found["DC301"].message
    assert found["DC307"].flag == "recompile_limit"
    assert found["DC306"].flag == "dynamic_shapes"
    assert found["DC303"].flag == "debug_backend_override"
    assert [found[code].level for code in ("DC301", "DC307")] == ["error", "error"]
    assert [found[code].level for code in ("DC306", "DC303")] == ["warning", "warning"]


def test_a_file_that_cannot_be_read_is_an_error() -> None:
    """Data that is not a settings file, wherever it was named, is a finding and not an exception."""
    Path("bad.toml").write_text("verbose =")
    assert "bad.toml" in findings({}, config="bad.toml")["DC300"].message
    assert "absent.json" in findings({"DYNCONF_CONFIG": "absent.json"})["DC300"].message
    assert findings({"DYNCONF_CONFIG": "{[}"})["DC300"].level == "error"


def test_one_flag_under_two_names_is_a_conflict() -> None:
    """Two names of one flag with different values are one finding, wherever they are set."""
    by_variables = {"TORCHDYNAMO_CACHE_SIZE_LIMIT": "3", "TORCHDYNAMO_RECOMPILE_LIMIT": "4"}
    assert findings(by_variables)["DC505"].level == "error"
    Path("my.toml").write_text("cache_size_limit = 3\nrecompile_limit = 4\n")
    assert findings({}, config="my.toml")["DC505"].flag == "recompile_limit"


def test_rules_over_several_flags_are_checked() -> None:
    """Values that torch rejects together are errors of the rule, even if each of them is valid."""
    Path("my.toml").write_text("fail_on_recompile_limit_hit = true\n")
    found = findings({"TORCHDYNAMO_SUPPRESS_ERRORS": "1"}, config="my.toml")
    assert found["DC001"].level == "error"
    assert "suppress_errors" in found["DC001"].message


def test_a_forced_variable_that_beats_a_file() -> None:
    """A value in a file that has no effect because of a forced variable is a warning."""
    Path("my.toml").write_text("automatic_dynamic_local_pgo = true\n")
    found = findings({"TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO": "0"}, config="my.toml")
    assert found["DC501"].flag == "automatic_dynamic_local_pgo"
    assert found["DC501"].level == "warning"


def test_names_in_files_are_not_resolved() -> None:
    """A file may name a function of a module that is not imported, but not one of the standard library."""
    Path("my.toml").write_text('ignore_logging_functions = ["my_package:log"]\n')
    found = check_environment({}, torch="2.13", config="my.toml", trust=True).findings
    assert [each.code for each in found] == ["DC503"]
    Path("my.toml").write_text('ignore_logging_functions = ["os:system"]\n')
    assert "standard library" in findings({}, config="my.toml")["DC307"].message


def test_a_table_holds_flags_of_its_module_alone() -> None:
    """A key that begins with another module is unknown there, even if that module has such a flag."""
    Path("my.toml").write_text('[inductor]\n"functorch.donated_buffer" = true\n')
    (finding,) = check_environment({}, torch="2.13", config="my.toml").findings
    assert (finding.code, finding.level, finding.line) == ("DC301", "error", 2)
    assert "write donated_buffer in [functorch]" in finding.message
    Path("my.toml").write_text('[inductor]\n"functorch.x" = true\n')
    (finding,) = check_environment({}, torch="2.13", config="my.toml").findings
    assert "there is no inductor flag 'functorch.x'" in finding.message
    assert "device" not in finding.message


def test_findings_give_the_newest_name_on_every_release() -> None:
    """Whatever name the file, the variable or the release has for the flag."""
    Path("my.toml").write_text('cache_size_limit = "x"\n')
    environ = {"TORCHDYNAMO_ACCUMULATED_CACHE_SIZE_LIMIT": "3"}
    found = findings(environ, "2.4", config="my.toml")
    assert found["DC307"].flag == "recompile_limit"
    assert found["DC407"].flag == "accumulated_recompile_limit"


def test_old_names_in_a_file_are_noted() -> None:
    """As in a program; not where the release has no other name, and whatever table the flag is in."""
    Path("dynconf.toml").write_text(
        "cache_size_limit = 32\n[dynamo]\nverbose = true\n[inductor]\ntriton.cudagraphs = true\n"
    )
    (found,) = check_environment({}, torch="2.13").findings
    assert (found.code, found.level, found.line, found.flag) == ("DC304", "note", 1, "recompile_limit")
    assert check_environment({}, torch="2.6").findings == ()


def test_variables_that_changed_in_a_running_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable set after torch was imported has no effect, and the finding has both values."""
    bind()
    assert dynconf.check_environment().findings == ()
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    report = dynconf.check_environment()
    (finding,) = report.findings
    assert (finding.code, finding.flag, finding.raw) == ("DC405", "verbose", "1")
    assert finding.facts == {"torch_reads": False}
    assert not report.ok
    with dynconf.install(verbose=True), dynconf.patch(verbose=True):
        assert [each.code for each in dynconf.check_environment().findings] == ["DC405"]
    assert check_environment(dict(os.environ)).findings == ()


def test_a_variable_that_would_stop_the_next_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that torch could not read gives two findings: for the next import, and as changed."""
    bind()
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "high")
    codes = [each.code for each in dynconf.check_environment().findings]
    assert codes == ["DC403", "DC405"]


@pytest.mark.catalogued
def test_a_variable_that_was_unset_after_the_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that torch read and that is no longer set is a warning, because torch keeps its value.

    In a torch that is newer than the catalogue the default may be that value.
    """
    slot = bind().slot("verbose")
    monkeypatch.setattr(
        "dynconf.live.torch.slot.Slot.value_at_import",
        lambda asked: asked is slot or asked.setting.default_value(),
    )
    (finding,) = [each for each in dynconf.check_environment().findings if each.flag == "verbose"]
    assert finding.raw is None
    assert "TORCHDYNAMO_VERBOSE is no longer set" in finding.message
    monkeypatch.setattr(Release, "is_beyond_catalogue", True)
    assert [each for each in dynconf.check_environment().findings if each.flag == "verbose"] == []


def test_every_module_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of files, variables and changed variables of other config modules are treated alike."""
    Path("dynconf.toml").write_text("donated_buffer = true\n[functorch]\ndonated_bufer = true\n")
    errors = [each for each in check_environment({}, torch="2.13").findings if each.level == "error"]
    assert len(errors) == 2
    assert "donated_buffer is a functorch flag" in errors[0].message
    assert "did you mean donated_buffer in [functorch]?" in errors[1].message
    Path("dynconf.toml").unlink()
    found = findings({"TORCHFUNCTORCH_DONATED_BUFFER": "perhaps"})
    assert found["DC403"].flag == "functorch.donated_buffer"
    slot = next(each for each in bind("functorch").flags() if each.setting.variables)
    variable = slot.setting.variables[0]
    text = next(
        text
        for text in ("0", "1", "x")
        if not is_same_value(variable.torch_value(text, slot.setting.default_value()), slot.read())
    )
    monkeypatch.setenv(variable.name, text)
    assert [each.flag for each in dynconf.check_environment().findings if each.code == "DC405"] == [
        slot.setting.newest
    ]
