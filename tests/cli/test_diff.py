"""Tests of ``dynconf diff``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dynconf

Cli = Callable[..., Any]


@pytest.fixture
def files() -> None:
    """Write two files of settings."""
    Path("a.toml").write_text("recompile_limit = 64\nverbose = true\n")
    Path("b.json").write_text('{"dynconf": 1, "flags": {"verbose": {"value": true}}}')


@pytest.mark.usefixtures("files")
def test_two_files(run_cli: Cli) -> None:
    """The flags that differ are printed, and the exit code is 1."""
    done = run_cli("diff", "a.toml", "b.json")
    assert done.code == 1
    assert [line.split() for line in done.out.splitlines()] == [
        ["flag", "change", "before", "after"],
        [dynconf.diff("a.toml", "b.json")[0].flag, "changed", "64", "8"],
    ]


@pytest.mark.usefixtures("files")
def test_a_file_and_itself(run_cli: Cli) -> None:
    """If nothing differs nothing is printed, and the exit code is 0."""
    done = run_cli("diff", "a.toml", "a.toml")
    assert (done.code, done.out, done.err) == (0, "no differences\n", "")
    assert json.loads(run_cli("diff", "b.json", "b.json", "--format", "json").out) == {"changes": []}


@pytest.mark.usefixtures("files")
def test_a_file_and_the_live_module(run_cli: Cli) -> None:
    """With --live the file is compared with the config module as it is."""
    with dynconf.patch(recompile_limit=64, verbose=True):
        assert run_cli("diff", "a.toml", "--live").code == 0
    done = run_cli("diff", "b.json", "--live", "--format", "json")
    assert done.code == 1
    assert json.loads(done.out) == {
        "changes": [{"kind": "changed", "flag": "verbose", "before": True, "after": False}]
    }


def test_two_releases(run_cli: Cli) -> None:
    """Two --torch compare what is there by default: added, removed, renamed, default changed."""
    done = run_cli("diff", "--torch", "2.6", "--torch", "2.13", "--format", "json")
    assert done.code == 1
    found = json.loads(done.out)["changes"]
    assert {each["kind"] for each in found} == {
        *("added", "removed", "renamed", "default-changed"),
        *("variable-added", "variable-removed", "variable-changed"),
    }
    assert {
        "kind": "renamed",
        "flag": "recompile_limit",
        "before": "cache_size_limit",
        "after": "recompile_limit",
    } in found
    text = run_cli("diff", "--torch", "2.6", "--torch", "2.13").out
    assert len(text.splitlines()) == len(found) + 1
    assert run_cli("diff", "--torch", "2.13", "--torch", "2.13").code == 0


def test_the_order_of_two_releases(run_cli: Cli) -> None:
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


def test_names_that_are_gone_and_variables_that_are_read_otherwise(run_cli: Cli) -> None:
    """Each removed flag has its replacement; a variable that is read by another rule has both rules."""
    words = ("diff", "--torch", "2.6", "--torch", "2.15")
    found = json.loads(run_cli(*words, "--format", "json").out)["changes"]
    gone = {each["flag"]: each["instead"] for each in found if each["kind"] == "removed"}
    assert gone["inductor.autoheuristic_use"] == "set autoheuristic_use.pad_mm"
    assert all(gone.values())
    assert "set autoheuristic_use.pad_mm" in run_cli(*words).out
    (disable,) = (each for each in found if each["kind"] == "variable-changed" and each["flag"] == "disable")
    assert disable["before"] == "TORCH_COMPILE_DISABLE: the text as it is"
    assert disable["after"] == "TORCH_COMPILE_DISABLE: exactly 1 is True, any other text is False"
    backwards = json.loads(run_cli(*words[:1], *words[3:], *words[1:3], "--format", "json").out)["changes"]
    assert not any("instead" in each for each in backwards if each["flag"] in gone)


def test_a_default_that_depends_on_the_machine_is_in_words(run_cli: Cli) -> None:
    """Between releases: a path of this machine says nothing about them."""
    words = ("diff", "--torch", "2.6", "--torch", "2.13")
    found = {each["flag"]: each for each in json.loads(run_cli(*words, "--format", "json").out)["changes"]}
    assert found["inductor.cutlass.cutlass_dir"]["after"].startswith("(")
    assert "site-packages" not in run_cli(*words).out


def test_other_modules(run_cli: Cli) -> None:
    """A flag of another module that differs is listed by its full name."""
    Path("a.toml").write_text("[functorch]\ncse = false\n")
    Path("b.toml").write_text("")
    done = run_cli("diff", "a.toml", "b.toml", "--format", "json")
    assert json.loads(done.out)["changes"] == [
        {"kind": "changed", "flag": "functorch.cse", "before": False, "after": True}
    ]


@pytest.mark.usefixtures("files")
def test_the_release_for_two_files(run_cli: Cli) -> None:
    """One --torch reads both files for that release, and what it lacks is warned of or refused."""
    Path("new.toml").write_text('debug_backend_override = "0:eager"\n')
    done = run_cli("diff", "a.toml", "new.toml", "--torch", "2.6", "--format", "json")
    assert [each["flag"] for each in json.loads(done.out)["changes"]] == ["recompile_limit", "verbose"]
    assert "debug_backend_override" in done.err
    assert run_cli("diff", "a.toml", "new.toml", "--torch", "2.6", "--missing", "skip").err == ""
    assert run_cli("diff", "a.toml", "new.toml", "--torch", "2.6", "--missing", "error").code == 2


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a.toml"],
        ["a.toml", "b.json", "--live"],
        ["--torch", "2.6"],
        ["a.toml", "--torch", "2.6", "--torch", "2.7"],
        ["a.toml", "b.json", "a.toml"],
        ["a.toml", "--live", "--torch", "2.6"],
    ],
)
def test_wrong_usage(run_cli: Cli, arguments: list[str]) -> None:
    """Unless there are two states, the message says what the command compares."""
    done = run_cli("diff", *arguments)
    assert (done.code, done.out) == (2, "")
    assert "compares two files" in done.err


@pytest.mark.parametrize(
    "content",
    [
        b"\x80\x02cos\nsystem\nq\x00.",
        b"[" * 100_000,
        b'{"dynconf": 2, "flags": {}}',
        b'{"dynconf": 1, "flags": {"traceable_tensor_subclasses": {"value": ["os:system"]}}}',
        b'{"dynconf": 1, "flags": {"recompile_limit": {"value": -1}}}',
    ],
)
def test_hostile_files_exit_with_2(run_cli: Cli, content: bytes) -> None:
    """A bad file is named on stderr, without a traceback."""
    Path("hostile.json").write_bytes(content)
    done = run_cli("diff", "hostile.json", "hostile.json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("dynconf: error: ")
    assert "hostile.json" in done.err


def test_two_releases_are_compared_in_all_modules(run_cli: Cli) -> None:
    """Those beside Dynamo's too, under their full names."""
    found = json.loads(run_cli("diff", "--torch", "2.6", "--torch", "2.13", "-f", "json").out)["changes"]
    assert {"inductor", "functorch", "fx"} <= {each["flag"].partition(".")[0] for each in found}
