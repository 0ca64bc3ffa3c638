"""Tests of ``dynconf check PATH``."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from warm import cold

import dynconf
from dynconf.tools.lint.program import write_fixes


@pytest.fixture(autouse=True)
def program(tmp_path: Path) -> Path:
    """Write a program with an old name and an unknown one into the working directory."""
    path = tmp_path / "train.py"
    path.write_text(
        "import torch\ntorch._dynamo.config.cache_size_limit = 64\ntorch._dynamo.config.verbos = True\n"
    )
    return path


def test_findings_have_place_code_and_reason(run_cli) -> None:
    """The last line counts them, and says how many can be fixed."""
    done = run_cli("check", ".", "-t", "2.13")
    assert done.code == 1
    assert done.out.splitlines() == [
        "train.py:2:22: warning: DC304 [*] cache_size_limit is an old name of recompile_limit",
        "train.py:3:22: error: DC301 there is no flag 'verbos': did you mean 'verbose'?",
        "1 error, 1 warning for torch 2.13.0 (1 fixable with --fix); `dynconf explain DC301` says more",
    ]


def test_several_releases_mean_all_of_them(run_cli) -> None:
    """The old name is right where one of the releases has no other."""
    done = run_cli("check", "-t", "2.6", "-t", "2.13", "train.py")
    assert done.out.splitlines()[1:] == ["1 error for torch 2.6.0, 2.13.0; `dynconf explain DC301` says more"]
    assert run_cli("check", ".", "-t", "1.0").code == 2


def test_selected_and_ignored_codes(run_cli) -> None:
    """By their first characters, those of rules over several flags too; with statistics, a line for each."""
    assert run_cli("check", ".", "-t", "2.13", "--select", "DC304").out.count("train.py") == 1
    for words in (("--ignore", "DC3"), ("--select", "DC005", "--select", "DC2")):
        done = run_cli("check", ".", "-t", "2.13", *words)
        assert (done.code, done.out) == (0, "nothing to report for torch 2.13.0\n")
    done = run_cli("check", ".", "-t", "2.13", "--statistics")
    assert [line.split()[:2] for line in done.out.splitlines()] == [["1", "DC304"], ["1", "DC301"]]


@pytest.mark.parametrize("code", ["dc3", "DC999", "misread"])
def test_a_code_that_does_not_exist_is_refused(run_cli, tmp_path: Path, code: str) -> None:
    """A program would pass for sound: it is refused, as an option and in the project's file."""
    assert f"no code begins with '{code}'" in run_cli("check", ".", "--select", code).refused()
    (tmp_path / "dynconf.toml").write_text(f"[check]\nselect = ['{code}']\n")
    assert run_cli("check", ".").code == 2


def test_fixes(run_cli, program: Path) -> None:
    """``--diff`` shows them, ``--fix`` writes them, and the rest is reported."""
    before = program.read_text()
    done = run_cli("check", ".", "-t", "2.13", "--diff")
    assert "+torch._dynamo.config.recompile_limit = 64" in done.out
    assert (done.code, program.read_text()) == (1, before)
    done = run_cli("check", ".", "-t", "2.13", "--fix")
    assert (done.code, done.err) == (1, "dynconf: note: 1 fixed\n")
    assert done.out.count("train.py") == 1
    assert program.read_text() == before.replace("cache_size_limit", "recompile_limit")
    assert run_cli("check", ".", "-t", "2.13", "--diff").out == ""


def test_formats_for_programs(run_cli) -> None:
    """JSON, commands for GitHub, and SARIF with the same places."""
    [old, unknown] = json.loads(run_cli("check", ".", "-t", "2.13", "--format", "json").out)["findings"]
    assert (old["code"], old["line"], old["column"], old["fix"]) == ("DC304", 2, 22, "recompile_limit")
    assert unknown["level"] == "error"
    done = run_cli("check", ".", "-t", "2.13", "--format", "github")
    assert done.out.startswith("::warning file=train.py,title=dynconf DC304,line=2,col=22::cache_size_limit")
    [run] = json.loads(run_cli("check", ".", "-t", "2.13", "--format", "sarif").out)["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["DC304", "DC301"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == ["DC304", "DC301"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "train.py"
    assert place["region"] == {"startLine": 2, "startColumn": 22}


@pytest.mark.parametrize("edited", ["edited = 1\n", None])
def test_an_edit_during_the_fixes_is_kept(
    run_cli, program: Path, monkeypatch: pytest.MonkeyPatch, edited: str | None
) -> None:
    """The file is left alone, or deleted, with a warning, which counts for the exit code."""
    program.write_text("import torch\nprint(torch._dynamo.config.cache_size_limit)\n")
    assert run_cli("check", ".", "-t", "2.13").code == 0

    def written(sources: Any, options: Any, **trust: Any) -> Any:
        program.unlink()
        if edited:
            program.write_text(edited)
        return write_fixes(sources, options, **trust)

    monkeypatch.setattr("dynconf.cli.check.write_fixes", written)
    done = run_cli("check", ".", "-t", "2.13", "--fix")
    assert (done.code, done.err) == (1, "dynconf: note: 0 fixed\n")
    assert (program.read_text() if program.exists() else None) == edited
    assert "train.py:1:1: warning: DC300 nothing is fixed: it has changed since it was checked" in done.out


@pytest.mark.parametrize("output_format", ["text", "json", "github", "sarif"])
def test_file_names_of_any_bytes(run_cli, program: Path, output_format: str) -> None:
    """Each format has a way to write them, SARIF with the bytes as they are in an URI."""
    os.rename(program, os.fsencode(program.parent) + b"/b\xff.py")
    done = run_cli("check", ".", "-t", "2.13", "--format", output_format)
    assert done.code == 1
    done.out.encode()
    assert ('"uri": "b%FF.py"' in done.out) is (output_format == "sarif")


def test_a_patch_cannot_control_a_terminal(run_cli, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of files are escaped; their text is for a program, unless people see it."""
    text = program.read_text().replace("\n", "  # \x1b[31m\u202e\tend\r\n")
    program.with_name("e\x1b[31m\n.py").write_text(text, newline="")
    program.unlink()
    patch = run_cli("check", ".", "-t", "2.13", "--diff").out
    head, _, body = patch.partition("@@")
    assert head == "--- e\\x1b[31m\\n.py\n+++ e\\x1b[31m\\n.py\n"
    assert "+torch._dynamo.config.recompile_limit = 64  # \x1b[31m\u202e\tend\r\n" in body
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    shown = run_cli("check", ".", "-t", "2.13", "--diff").out
    assert "+torch._dynamo.config.recompile_limit = 64  # \\x1b[31m\\u202e\tend" in shown
    assert all(each.isprintable() for each in shown.replace("\n", "").replace("\t", ""))


def test_many_files_are_shared_out_among_processes(tmp_path):
    """The findings and their order are those of one process; a file that cannot be read is one of them."""
    for number in range(300):
        content = (
            "import torch\ntorch._dynamo.config.verbos = 1\n" if number % 3 else "import torch._dynamo (\n"
        )
        Path(tmp_path, f"{number:03}.py").write_text(content)
    done = cold("-m", "dynconf", "check", str(tmp_path), "-t", "2.13", "--format", "json")
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout) == dynconf.lint(tmp_path, "2.13").as_json()


def test_settings_files_are_checked(run_cli, program: Path) -> None:
    """As where they are found: flags that do nothing, mistakes, and values that do more than compile."""
    program.unlink()
    Path("dynconf.toml").write_text("dynamic_shapes = true\nverbos = true\n[inductor]\ncpp.cxx = ['g++']\n")
    for words in (["dynconf.toml"], ["."]):
        lines = run_cli("check", "-t", "2.13", *words).out.splitlines()
        starts = [
            "1:1: warning: DC306 dynamic_shapes",
            "2:1: error: DC301 there is no flag 'verbos'",
            "4:1: warning: DC503 inductor.cpp.cxx",
        ]
        assert [line.startswith(f"dynconf.toml:{start}") for line, start in zip(lines, starts)] == [True] * 3
        assert lines[3].startswith("1 error, 2 warnings for torch 2.13.0; ")
    assert "1 error, 1 warning, 1 note" in run_cli("check", ".", "--trust", "-t", "2.13").out
    Path("dynconf.toml").rename("a.toml")
    done = run_cli("check", "a.toml", "-t", "2.13")
    assert "a.toml:1:1: warning: DC306" in done.out
    assert "a.toml:4:1: error: DC307 inductor.cpp.cxx: ['g++'] " in done.out  # a named file may be anybody's
    Path("state.json").write_text('{"dynconf": 1, "torch": "2.13.0", "flags": {"verbos": {"value": 1}}}')
    assert "state.json:1:1: error: DC301 there is no flag 'verbos'" in run_cli("check", "state.json").out
    Path("other.toml").write_text("verbose = true\ncolor = 1\n")
    assert run_cli("check", "other.toml").code == 0
    Path("pyproject.toml").write_text(
        "[tool.dynconf]\ndynamic_shapes = true  # dynconf: ignore\nverbos = 1\n"
    )
    done = run_cli("check", "pyproject.toml", "-t", "2.13")
    assert done.out.startswith("pyproject.toml:3:1: error: DC301 there is no flag 'verbos'")
    Path("pyproject.toml").write_text("[tool.other]\n")
    assert run_cli("check", "pyproject.toml", "-t", "2.13").code == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("settings.toml", "recompile_limi = 64\nverbos = true\n"),
        ("settings.json", '{"verbos": true, "recompile_limi": 64}'),
        ("settings.toml", "[inducto]\nmax_autotune = true\n"),
    ],
)
def test_a_settings_file_of_misspelt_flags_is_one(run_cli, program: Path, name: str, text: str) -> None:
    """Named or among others, with a suggestion for each; one that only has a word like a flag is not."""
    program.unlink()
    Path(name).write_text(text)
    Path("other.json").write_text('{"verbosity": 1, "disable": true, "port": 8000, "name": "x"}')
    for words in ([name], ["."]):
        done = run_cli("check", "-t", "2.13", *words)
        assert done.code == 1
        *found, _ = done.out.splitlines()
        assert len(found) == text.count("verbos") + 1
        assert all(": did you mean " in each and each.startswith(name) for each in found)


def test_what_ends_the_program_is_an_error(run_cli, program: Path) -> None:
    """Whatever finds it: torch raises a RuntimeError, an AssertionError, and dynconf refuses a value."""
    program.write_text(
        "import dynconf, torch\n"
        "torch.compile(f, mode='default', options={'max_autotune': True})\n"
        "torch._dynamo.config.patch(suppress_errors=True, fail_on_recompile_limit_hit=True)(f)\n"
        "dynconf.patch(recompile_limit='64')(f)\n"
        "torch._dynamo.config.optimize_ddp = 'ddp_optimiser'\n"
        "torch._dynamo.config.verbose = 2\n"
    )
    found = json.loads(run_cli("check", ".", "-t", "2.13", "-f", "json").out)["findings"]
    levels = {each["line"]: each["level"] for each in found}
    assert levels == {2: "error", 3: "error", 4: "error", 5: "error", 6: "warning"}


def test_an_upgrade(run_cli, program: Path) -> None:
    """What fails, then the defaults that touch what is used by name, then those of every compilation."""
    program.write_text("import torch\nf = torch.compile(g, mode='reduce-overhead')\n")
    Path("Dockerfile").write_text("ENV TORCHINDUCTOR_CUTLASS_PRESETS=1\n")
    done = run_cli("check", "--from", "2.8", "--torch", "2.15", ".", "-f", "json")
    found = json.loads(done.out)["findings"]
    assert [each["code"] for each in found[:2]] == ["DC404", "DC506"]
    assert (found[1]["flag"], found[1]["before"], found[1]["after"]) == (
        "inductor.triton.cudagraph_dynamic_shape_warn_limit", 50, 8
    )  # fmt: skip
    rest = {each["flag"]: each["level"] for each in found[2:]}
    assert rest["inductor.graph_partition"] == "note"
    assert "inductor.aot_inductor.package_cpp_only" not in rest  # nothing uses it
    program.write_text("import torch\ntorch._inductor.config.graph_partition = False\ntorch.compile(g)\n")
    done = run_cli("check", "--from", "2.8", "--torch", "2.15", "train.py", "-f", "json")
    assert "inductor.graph_partition" not in {each["flag"] for each in json.loads(done.out)["findings"]}


def test_an_upgrade_to_flags_of_each_thread(run_cli, program: Path) -> None:
    """One note, if the files use threads, set flags, and the releases are on both sides of torch 2.12."""
    setting = "import torch\ntorch._dynamo.config.recompile_limit = 84\ntorch._dynamo.config.verbose = True\n"
    for text, old, new, count in (
        (f"from threading import Thread\n{setting}", "2.11", "2.12", 1),
        (f"from threading import Thread\n{setting}", "2.12", "2.13", 0),
        ("import threading, torch\nprint(torch._dynamo.config.verbose)\n", "2.11", "2.12", 0),
        (setting, "2.11", "2.12", 0),
    ):
        program.write_text(text)
        done = run_cli("check", "--from", old, "--torch", new, ".", "-f", "json")
        found = [each for each in json.loads(done.out)["findings"] if each["code"] == "DC504"]
        lines = [(each["flag"], each["level"], each["line"]) for each in found]
        assert lines == [("recompile_limit", "note", 3)] * count


def test_an_upgrade_that_changes_nothing_for_what_is_used(run_cli, program: Path) -> None:
    """What the former release did not read, or has in other words, has no changed default."""
    program.write_text("import torch\ntorch.compile(f, options={'wrap_inductor_compiled_regions': True})\n")
    done = run_cli("check", "--from", "2.6", "--torch", "2.14", ".", "-f", "json")
    found = {each["flag"]: each["level"] for each in json.loads(done.out)["findings"]}
    assert found.keys().isdisjoint(
        {"inductor.worker_start_method", "inductor.cpp.enable_floating_point_contract_flag"}
    )
    assert {*found.values()} == {"note"}
    program.write_text("import torch\nprint(torch._inductor.config.loop_ordering_after_fusion)\n")
    done = run_cli("check", "--from", "2.6", "--torch", "2.14", ".", "-f", "json")
    found = {each["flag"]: each["level"] for each in json.loads(done.out)["findings"]}
    assert [flag for flag in found if found[flag] == "warning"] == ["inductor.loop_ordering_after_fusion"]


def test_what_an_upgrade_does_not_change_comes_last(run_cli, program: Path) -> None:
    """What the former release has as well says so."""
    program.write_text("import torch._dynamo.config as c\nc.dynamic_shapes = True\nc.verbos = 1\n")
    # For another reason than before, in the last.
    Path("Dockerfile").write_text(
        "ENV TORCHINDUCTOR_CUTLASS_PRESETS=1\nENV TORCHDYNAMO_INLINE_INBUILT_NN_MODULES=1\n"
    )
    done = run_cli("check", "--from", "2.8", "--torch", "2.15", ".", "-f", "json")
    old = " (not new: also in torch 2.8.0)"
    found = [(each["code"], each["message"].endswith(old)) for each in json.loads(done.out)["findings"]]
    assert found == [("DC404", False), ("DC404", False), ("DC301", True), ("DC306", True)]


def test_fix_writes_new_names_into_settings(run_cli, program: Path) -> None:
    """Where the table stays the same; nothing else is touched."""
    program.unlink()
    text = "# cache_size_limit\ncache_size_limit = 8  # of 4\n[inductor]\nallow_stack_allocation = true\n"
    settings = Path("dynconf.toml")
    settings.write_text(text)
    assert "1 fixed" in run_cli("check", "--fix", "-t", "2.13", ".").err
    assert settings.read_text() == text.replace("\ncache_size", "\nrecompile")


def test_an_upgrade_of_settings_alone(run_cli, program: Path) -> None:
    """Without paths, environment and settings are what is used."""
    program.unlink()
    done = run_cli("check", "--from", "2.8", "--torch", "2.15")
    assert "DC506" not in done.out
    assert done.err == (
        "dynconf: note: this checks environment and settings; to check code, name a PATH, such as .\n"
    )
    Path("dynconf.toml").write_text("[inductor]\ntriton.cudagraphs = true\n")
    out = run_cli("check", "--from", "2.8", "--torch", "2.15").out
    assert out.startswith(
        "note: DC506 inductor.triton.cudagraph_dynamic_shape_warn_limit: the default was 50"
    )
    assert out.count("DC506") == 2  # and in the last line


def test_an_upgrade_says_the_same_of_a_file_that_it_fixes(run_cli, program: Path) -> None:
    """What changes for it by other defaults is read from the file as it is then."""
    program.unlink()
    Path("dynconf.toml").write_text("cache_size_limit = 32\n[inductor]\ntriton.cudagraphs = true\n")
    fixed, again = (run_cli("check", "--from", "2.8", "-t", "2.15", ".", *fix) for fix in (["--fix"], []))
    assert "DC506 inductor.triton.cudagraph_dynamic_shape_warn_limit" in fixed.out
    assert fixed.out == again.out


def test_a_report_is_a_file_of_settings(run_cli) -> None:
    """Its JSON is judged as that in a file of its own, on the lines of the page; other JSON is not."""
    name = "inductor.post_grad_custom_pre_pass"
    data = {"dynconf": 1, "flags": {"verbose": {"value": 3}}, "report": {"unwritten": {name: "<lambda>"}}}
    text = json.dumps(data, indent=2)
    Path("report.md").write_text(f"### Environment\n\n```json\n{text}\n```\n")
    lines = [
        number for number, line in enumerate(text.splitlines(), 4) if '"verbose"' in line or name in line
    ]
    found = json.loads(run_cli("check", "--format", "json", "report.md").out)["findings"]
    assert [(each["flag"], each["line"]) for each in found] == [("verbose", lines[0]), (name, lines[1])]
    assert {each["code"] for each in found} == {"DC307"}
    Path("report.md").write_text(f"```json\n{text.replace('report', 'rest')}\n```\n")
    assert "nothing to report" in run_cli("check", "report.md").out
