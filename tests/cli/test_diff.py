"""Tests of ``dynconf diff``."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import dynconf


@pytest.fixture
def files() -> None:
    """Write two files of settings."""
    Path("a.toml").write_text("recompile_limit = 64\nverbose = true\n")
    Path("b.json").write_text('{"dynconf": 1, "flags": {"verbose": {"value": true}}}')


@pytest.mark.usefixtures("files")
def test_two_files(run_cli) -> None:
    """The flags that differ are printed, and the exit code is 1."""
    done = run_cli("diff", "a.toml", "b.json")
    assert done.code == 1
    assert [line.split() for line in done.out.splitlines()] == [
        ["flag", "change", "before", "after"],
        [dynconf.diff("a.toml", "b.json")[0].flag, "changed", "64", "8"],
    ]


@pytest.mark.usefixtures("files")
def test_a_file_and_itself(run_cli) -> None:
    """If nothing differs nothing is printed, and the exit code is 0."""
    done = run_cli("diff", "a.toml", "a.toml")
    assert (done.code, done.out, done.err) == (0, "no differences\n", "")
    assert json.loads(run_cli("diff", "b.json", "b.json", "--format", "json").out) == {"changes": []}


@pytest.mark.usefixtures("files")
def test_a_file_and_the_live_module(run_cli) -> None:
    """With --live the file is compared with the config module as it is; others go by their full names."""
    with dynconf.patch(recompile_limit=64, verbose=True):
        assert run_cli("diff", "a.toml", "--live").code == 0
    Path("c.toml").write_text("[functorch]\ncse = false\n")
    for file, flag in (("b.json", "verbose"), ("c.toml", "functorch.cse")):
        done = run_cli("diff", file, "--live", "--format", "json")
        before, after = flag == "verbose", flag != "verbose"
        change = {"kind": "changed", "flag": flag, "before": before, "after": after}
        assert (done.code, json.loads(done.out)) == (1, {"changes": [change]})


@pytest.mark.usefixtures("files")
def test_a_file_and_the_settings_here(run_cli, monkeypatch) -> None:
    """Alone, a file is compared with what `dynconf run` would put in force here."""
    Path("dynconf.toml").write_text("verbose = true\n")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "64")
    assert run_cli("diff", "a.toml").out == "no differences\n"
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "65")
    done = run_cli("diff", "a.toml")
    assert (done.code, done.out.splitlines()[1].split()[-2:]) == (1, ["64", "65"])


def test_two_releases(run_cli) -> None:
    """Two --torch compare all modules by default; what depends on the machine is in words."""
    words = ("diff", "--torch", "2.6", "--torch", "2.13")
    done = run_cli(*words, "--format", "json")
    assert done.code == 1
    found = json.loads(done.out)["changes"]
    assert {each["kind"] for each in found} == {
        *("added", "removed", "renamed", "default-changed"),
        *("variable-added", "variable-removed", "variable-changed"),
    }
    names = {"before": "cache_size_limit", "after": "recompile_limit"}
    assert {"kind": "renamed", "flag": "recompile_limit", **names} in found
    assert {"inductor", "functorch", "fx"} <= {each["flag"].partition(".")[0] for each in found}
    assert {each["flag"]: each for each in found}["inductor.cutlass.cutlass_dir"]["after"].startswith("(")
    text = run_cli(*words).out
    assert "site-packages" not in text
    assert len(text.splitlines()) == len(found) + 1
    assert run_cli("diff", "--torch", "2.13", "--torch", "2.13").code == 0


def test_the_order_of_two_releases(run_cli) -> None:
    """Changed defaults come first, then names, then variables; --what lists one of them."""
    words = ("diff", "--torch", "2.8", "--torch", "2.13", "--format", "json")
    kinds = [each["kind"] for each in json.loads(run_cli(*words).out)["changes"]]
    order = ["default-changed", "renamed", "removed", "added"]
    order += ["variable-removed", "variable-added", "variable-changed"]
    assert list(dict.fromkeys(kinds)) == [each for each in order if each in kinds]
    defaults = json.loads(run_cli(*words, "--what", "defaults").out)["changes"]
    assert {each["kind"] for each in defaults} == {"default-changed"}
    assert len(defaults) == kinds.count("default-changed")
    (variable, *_) = json.loads(run_cli(*words, "--what", "variables").out)["changes"]
    assert variable["kind"].startswith("variable")
    assert run_cli("diff", "--torch", "2.8", "--what", "names").code == 2


def test_names_that_are_gone_and_variables_that_are_read_otherwise(run_cli) -> None:
    """Each removed flag has its replacement; a variable that is read by another rule has both rules."""
    words = ("diff", "--torch", "2.6", "--torch", "2.15")
    found = json.loads(run_cli(*words, "--format", "json").out)["changes"]
    gone = {each["flag"]: each["instead"] for each in found if each["kind"] == "removed"}
    assert gone["inductor.autoheuristic_use"] == "set inductor.autoheuristic_use.pad_mm"
    assert all(gone.values())
    assert "set inductor.autoheuristic_use.pad_mm" in run_cli(*words).out
    (disable,) = (each for each in found if each["kind"] == "variable-changed" and each["flag"] == "disable")
    assert disable["before"] == "TORCH_COMPILE_DISABLE: the text as it is"
    assert disable["after"] == "TORCH_COMPILE_DISABLE: exactly 1 is True, any other text is False"
    backwards = json.loads(run_cli(*words[:1], *words[3:], *words[1:3], "--format", "json").out)["changes"]
    assert not any("instead" in each for each in backwards if each["flag"] in gone)


@pytest.mark.usefixtures("files")
def test_the_release_for_two_files(run_cli) -> None:
    """One --torch reads both files for that release, and what it lacks is warned of or refused."""
    Path("new.toml").write_text('debug_backend_override = "0:eager"\n')
    done = run_cli("diff", "a.toml", "new.toml", "--torch", "2.6", "--format", "json")
    assert [each["flag"] for each in json.loads(done.out)["changes"]] == ["recompile_limit", "verbose"]
    assert "debug_backend_override" in done.err
    assert run_cli("diff", "a.toml", "new.toml", "--torch", "2.6", "--missing", "skip").err == ""
    assert run_cli("diff", "a.toml", "new.toml", "--torch", "2.6", "--missing", "error").code == 2


def test_a_file_of_another_torch(run_cli) -> None:
    """A note says that the defaults of the releases are not compared, and names the command that does it."""
    for torch_of_file in ("2.7.1", "2.8.0", "2.8; rm -rf ~", None):
        text = json.dumps({"dynconf": 1, "torch": torch_of_file, "flags": {}})
        Path(f"{torch_of_file}.json").write_text(text)
    done = run_cli("diff", "2.7.1.json", "2.8.0.json")
    assert (done.code, done.out) == (0, "no differences\n")
    assert "note: the first is from torch 2.7.1, the second from 2.8.0: " in done.err
    assert "`dynconf diff --torch 2.7.1 --torch 2.8.0 --what defaults`" in done.err
    for other in ("2.8.0.json", "None.json", "2.8.0.json"):
        assert run_cli("diff", "2.8.0.json", other).err == ""
    here = dynconf.snapshot().release
    other = "2.7.1.json" if here.minor != (2, 7) else "2.8.0.json"
    assert f"the second from {here.version}: " in run_cli("diff", other, "--live").err
    assert f"the second from {here.version}: " in run_cli("diff", other).err


def test_reports_of_other_environments(run_cli) -> None:
    """A note names the facts that both reports have and that differ."""
    dynconf.report().save("here.json")
    data = json.loads(Path("here.json").read_text())
    data["report"]["environment"] |= {"Triton version": "9.9", "Other": "1"}
    Path("there.json").write_text(json.dumps(data))
    for words in (("there.json", "here.json"), ("here.json", "there.json")):
        done = run_cli("diff", *words)
        assert (done.out, done.err.splitlines()[-1]) == (
            "no differences\n",
            "dynconf: note: the environments differ: Triton version",
        )


@pytest.mark.parametrize("name", ["report.md", "report.json"])
def test_reports_with_other_numerics(run_cli, name: str) -> None:
    """A precision is no flag, and makes two runs differ; so does it from the running process."""
    before = torch.get_float32_matmul_precision()
    try:
        for precision in ("medium", "highest"):
            torch.set_float32_matmul_precision(precision)
            dynconf.report().save(f"{precision}-{name}")
        files = f"medium-{name}", f"highest-{name}"
        words = ["float32_matmul_precision", "numerics-changed", "'medium'", "'highest'"]
        assert words in [line.split() for line in run_cli("diff", *files).out.splitlines()]
        assert run_cli("diff", *files).code == 1
        assert words in [line.split() for line in run_cli("diff", files[0], "--live").out.splitlines()]
        assert run_cli("diff", files[0], files[0]).out == "no differences\n"
    finally:
        torch.set_float32_matmul_precision(before)
    [found] = [each for each in dynconf.why_miss(*files) if each.name == "float32_matmul_precision"]
    assert str(found).startswith(
        "float32_matmul_precision: 'medium' -> 'highest': not a flag, but changes results"
    )
    if name == "report.json":
        assert "float32_matmul_precision: changed, 'medium' to 'highest'" in map(str, dynconf.diff(*files))


def test_a_report_without_numerics(run_cli) -> None:
    """Of a process that never loaded torch, it says so: equal flags alone are no reason for equal numbers."""
    dynconf.report().save("with.json")
    data = json.loads(Path("with.json").read_text())
    Path("without.json").write_text(json.dumps({**data, "report": {**data["report"], "numerics": {}}}))
    for words, which in (
        (("with.json", "without.json"), "second"),
        (("without.json", "with.json"), "first"),
        (("without.json", "--live"), "first"),
    ):
        assert f"note: the {which} has no numerics switches" in run_cli("diff", *words).err
    assert "numerics" not in run_cli("diff", "without.json", "without.json").err


def test_a_value_that_a_report_could_not_hold(run_cli) -> None:
    """It is a difference; every path that reads settings warns that it is not reproduced."""
    name, text = "inductor.post_grad_custom_pre_pass", "<function <lambda>>"
    for file, unwritten in (("report.json", {name: text}), ("other.json", {})):
        data = {"dynconf": 1, "torch": "2.13.0", "flags": {}, "report": {"unwritten": unwritten}}
        Path(file).write_text(json.dumps(data))
    told = f"{name} was set to {text} (from report.json:1), which a file cannot hold: it is not reproduced"
    done = run_cli("diff", "report.json", "other.json")
    row = [name, "changed", *repr(text).split(), "None"]
    assert (done.code, done.out.splitlines()[1].split()) == (1, row)
    assert told in done.err
    for words in (("dump", "--from"), ("dump", "--config"), ("check", "--config")):
        done = run_cli(*words, "report.json")
        # What is printed first has the place already.
        assert (
            told.replace(" (from report.json:1)", "") if words[0] == "check" else told
        ) in done.out + done.err
    run = [sys.executable, "-m", "dynconf", "run", "--config", "report.json", "-c", "pass"]
    assert told in subprocess.run(run, capture_output=True, text=True, check=True).stderr
