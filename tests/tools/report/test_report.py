"""Tests of the report for an issue."""

import getpass
import json
import os
import tempfile
import warnings
from pathlib import Path

import pytest
import torch
from live_state import LIMIT

import dynconf
from dynconf.catalogue.names import find
from dynconf.errors import EnvironmentWarning
from dynconf.live.assignments import watch_assignments
from dynconf.release import Release
from dynconf.store.snapshot import Snapshot
from dynconf.tools.pasted.pasted import read_side

OF_2_6 = Path(__file__).parents[2] / "data" / "report-2.6.md"
"""Written by `dynconf run --report` under torch 2.6.0, of a program that assigns flags by old names."""

FLAGS_OF_2_6 = {
    "accumulated_recompile_limit": 512,
    "recompile_limit": 64,
    "fail_on_recompile_limit_hit": True,
    "verbose": True,
    "functorch.donated_buffer": False,
    "functorch.custom_op_default_layout_constraint": "flexible_layout",
    "inductor.epilogue_fusion": False,
    "inductor.max_autotune": True,
    "inductor.benchmark_template_fusion": False,
    "inductor.triton.unique_kernel_names": True,
}


def read(path: str | Path) -> Snapshot:
    """Return the flags that a report sets, as ``dynconf diff`` reads it."""
    return Snapshot(read_side(path, Release.at_hand(), warnings.warn))


@pytest.mark.parametrize("name", ["report.md", "report.json", "report.txt"])
def test_a_report_is_a_file_of_settings(name: str) -> None:
    """Whoever gets a report can load it, in every form."""
    with dynconf.patch(recompile_limit=64, inductor={"max_autotune": True}):
        dynconf.report().save(name)
    assert dict(read(name)) == {"recompile_limit": 64, "inductor.max_autotune": True}


@pytest.mark.filterwarnings("ignore::dynconf.errors.EnvironmentWarning")
def test_a_report_of_another_release_is_put_in_force() -> None:
    """By the newest names of its flags: exactly those that the running torch has, under whichever names."""
    state, at_hand = read_side(OF_2_6, Release.named("2.15"), warnings.warn), Release.at_hand()
    assert {each.newest: value for each, (value, _) in state.items()} == FLAGS_OF_2_6
    known = {name: value for name, value in FLAGS_OF_2_6.items() if find(name, at_hand)}
    before, report = dynconf.snapshot(), read(OF_2_6)
    origin = report.origins["recompile_limit"]
    assert (Path(origin.file or "").name, origin.line) == ("report-2.6.md", 69)
    with report.patch():
        assert dict(dynconf.snapshot(pins=True).only_set()) == known
        assert getattr(torch._dynamo.config, LIMIT) == 64
        assert torch._inductor.config.epilogue_fusion is False
    assert dynconf.snapshot() == before


def test_origins_and_losers() -> None:
    """It says where values come from, and what lost against them."""
    line = test_origins_and_losers.__code__.co_firstlineno + 3
    with dynconf.install(recompile_limit=7), dynconf.patch(recompile_limit=64):
        found = dynconf.report().as_json()
    flag = found["flags"]["recompile_limit"]
    assert (flag["value"], flag["origin"]["kind"], flag["origin"]["line"]) == (64, "patch", line)
    assert [each["value"] for each in found["report"]["overruled"]["recompile_limit"]] == ["7"]


@pytest.mark.since("2.6")  # before, an override that equals the default looks like none
def test_pins() -> None:
    """What the program assigned is in it even if it equals the default; what torch's patch left is not."""
    watch_assignments()
    config = torch._dynamo.config
    with config.patch(verbose=True):
        pass
    setattr(config, LIMIT, 8)
    assert dynconf.report().as_json()["flags"].keys() == {"recompile_limit"}


def test_nothing_is_said_of_what_torch_does_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of the folders of its cache, which it puts into the environment, nor of a known shape."""
    cache = f"{tempfile.gettempdir()}{os.sep}torchinductor_{getpass.getuser()}"
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", cache)
    monkeypatch.setenv("TRITON_CACHE_DIR", f"{cache}/triton/0")
    found = dynconf.report(full=True)
    assert not found.variables
    assert "Config modules are" not in found.environment
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", f"{cache}/mine")
    assert dynconf.report().variables["TORCHINDUCTOR_CACHE_DIR"] == f"{cache}/mine"


def test_numerics() -> None:
    """The switches that are no flags are read, and not changed."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    try:
        assert dynconf.report().numerics["float32_matmul_precision"] == "high"
        assert torch.get_float32_matmul_precision() == "high"
    finally:
        torch.set_float32_matmul_precision(before)


def test_only_variables_of_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other variable is in it, whatever its name begins with."""
    monkeypatch.setenv("TORCH_API_TOKEN", "hunter2")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
    monkeypatch.setenv("TRITON_INTERPRET", "0")
    found = dynconf.report()
    assert found.variables["TRITON_INTERPRET"] == "0"
    assert "hunter2" not in str(found)


@pytest.mark.parametrize("full", [False, True])
def test_a_password_in_a_url_is_left_out(monkeypatch: pytest.MonkeyPatch, full: bool) -> None:  # noqa: FBT001
    """The variable of the remote cache may have one, and reports are published."""
    monkeypatch.setenv("TORCHINDUCTOR_REDIS_URL", "redis://ann:hunt@er2@cache.example:6379/0?x=a@b")
    found = dynconf.report(full=full)
    text = "redis://***@cache.example:6379/0?x=a@b"
    assert variable("TORCHINDUCTOR_REDIS_URL", full=full) == text
    assert "er2" not in str(found) + found._repr_html_()


def variable(name: str, *, full: bool = False) -> str:
    """Return a variable as the report shows it."""
    text: str = dynconf.report(full=full).as_json()["report"]["variables"][name]
    return text


def test_folders_are_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the user only, and not names that begin as they do; a home that is a link has two names."""
    home, here = f"{os.sep}home{os.sep}ann", str(Path.cwd())
    monkeypatch.setenv("HOME", home)
    monkeypatch.setenv("TRITON_CACHE_DIR", f"{home}/a:{home}a/b:{here}/c")
    assert variable("TRITON_CACHE_DIR") == f"~/a:{home}a/b:./c"
    assert f"{home}/a" in variable("TRITON_CACHE_DIR", full=True)
    disk, link = Path("disk", "ann").absolute(), Path("home").absolute()
    disk.mkdir(parents=True)
    link.symlink_to(disk)
    monkeypatch.setenv("HOME", str(link))
    monkeypatch.setenv("TRITON_CACHE_DIR", f"{link}/a:{disk}/b")
    monkeypatch.chdir("/")
    assert variable("TRITON_CACHE_DIR") == "~/a:~/b"


def test_a_value_that_no_file_holds() -> None:
    """It is shown; whoever loads the rest is told that it is missing, and so is whoever compares."""
    name = "inductor.post_grad_custom_pre_pass"
    for file, values in (("report.json", {name: lambda graph: graph}), ("other.json", {})):
        with dynconf.patch({"recompile_limit": 64, **values}):
            found = dynconf.report()
        found.save(file)
        assert (f"| fingerprint | none: {name}" in str(found).replace("\\", "")) is bool(values)
    told = rf"{name} was set to <function .*<lambda>> \(from report\.json:\d+\), which a file cannot hold"
    with pytest.warns(EnvironmentWarning, match=told):
        assert dict(dynconf.load("report.json", trust=True)) == {"recompile_limit": 64}
    with pytest.warns(EnvironmentWarning, match=told):
        [row] = dynconf.diff("other.json", "report.json")
    assert (row.flag, row.kind, row.before) == (name, "changed", None)
    with pytest.warns(EnvironmentWarning, match=told):
        assert [each.name for each in dynconf.why_miss("report.json", "other.json")] == [name]
    with pytest.warns(EnvironmentWarning, match=told):
        assert dynconf.diff("report.json", "report.json") == []


def test_markdown_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """No value ends a cell, or a table."""
    monkeypatch.setenv("TRITON_CACHE_DIR", "a|b\n<script>`")
    row = next(line for line in str(dynconf.report()).splitlines() if "CACHE\\_DIR | a" in line)
    assert row == r"| TRITON\_CACHE\_DIR | a\|b\\n&lt;script>\` |"


def test_no_form_acts_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control characters and direction marks are escaped; a name that is not UTF-8 is, too."""
    monkeypatch.setenv("TRITON_CACHE_DIR", "/a\u202e\x9b2J/\udce9")
    found = dynconf.report()
    assert all(line.isprintable() for line in str(found).split("\n"))
    assert found._repr_html_().isprintable()
    found.save("report.md")
    state = Path("report.md").read_text().partition("```json\n")[2].partition("```")[0]
    assert json.loads(state)["report"]["variables"]["TRITON_CACHE_DIR"] == "/a\u202e\x9b2J/\udce9"


def test_a_notebook_shows_tables() -> None:
    """One for each part."""
    assert dynconf.report()._repr_html_().count("<table>") == 5


def test_a_variable_that_was_set_too_late_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in the list, and does nothing; one that torch has read counts."""
    monkeypatch.setenv("TORCH_COMPILE_DISABLE", "1")
    monkeypatch.setenv("TRITON_CACHE_DIR", "/x")
    found = dynconf.report()
    assert found.as_json()["report"]["late"] == ["TORCH_COMPILE_DISABLE"]
    rows = [line for line in str(found).splitlines() if line.startswith(("| TORCH\\_COMPILE", "| TRITON"))]
    assert [row.split("|")[2].strip() for row in rows] == [
        "1 (no effect: it was set after torch had read it)",
        "/x",
    ]
