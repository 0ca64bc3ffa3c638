"""The real program in a pseudo-terminal, read from the screen of a terminal emulator."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from dynconf.catalogue.names import module_views
from dynconf.release import Release

pytest.importorskip("pyte")

from terminal import Terminal, program, warm_program
from warm import Warm, cold

# Not `python -m`: where Ctrl-C comes while Python executes source text, that ends by the signal, even if the
# program has handled it.
DYNCONF = str(Path(sys.executable).with_name("dynconf"))
Screen = Callable[..., list[str]]
FLAGS = [setting.newest for setting in module_views(Release.named("2.13"))[0].settings.values()]
SETS = [
    "recompile_limit=64",
    "optimize_ddp=python_reducer_without_compiled_forward",
    "skip_no_tensor_aliasing_guards_on_parameters=false",
    "debug_dir_root=/a/rather/long/path/to/a/folder/in/which/torch/keeps/what/it/writes/for/debugging",
    "reorderable_logging_functions=builtins:print,logging:Logger.info",
]


@pytest.fixture
def terminal(warm: Warm) -> Iterator[Callable[..., Terminal]]:
    """Return what runs a dynconf command in a terminal of that width."""
    with ExitStack() as opened:
        yield lambda *words, **place: opened.enter_context(
            closing(Terminal(warm_program(warm, DYNCONF, *words), **place))
        )


@pytest.fixture
def screen(terminal: Callable[..., Terminal]) -> Screen:
    """Return what runs a dynconf command, and returns what its screen shows then."""

    def run(*words: str, **place: object) -> list[str]:
        opened = terminal(*words, **place)
        opened.finish()
        return opened.lines()

    return run


def options(*sets: str) -> list[str]:
    """Return --set for each."""
    return [word for each in sets for word in ("--set", each)]


@pytest.mark.parametrize("columns", [80, 200])
def test_names_are_whole_at_any_width(columns: int, screen: Screen) -> None:
    """Every flag begins a line of its own: a line that is too wide would go on in the next one."""
    lines = screen("dump", *FLAGS, "--torch", "2.13", *options(*SETS), columns=columns)
    lines = lines[next(at for at, line in enumerate(lines) if line.startswith("flag ")) :]
    starts = [line.split()[0] for line in lines if line and not line.startswith(" ")]
    assert starts == ["flag", *sorted(FLAGS), "!"]


def test_at_30_columns_nothing_is_lost(screen: Screen) -> None:
    """Long names are broken by the terminal alone, and other cells stand below."""
    lines = screen("dump", "--changed", "--torch", "2.13", *options(*SETS), columns=30)
    text = "".join("".join(lines).split())
    for each in SETS:
        assert each.partition("=")[0] in text
        assert f"option--set{each}" in text
    assert "inforceonlywithdynconf.install()ordynconfrun" in text


def test_at_80_columns_only_the_last_column_gives_way(screen: Screen) -> None:
    """Origins and marks go on behind or below; values that are too long end in an ellipsis."""
    lines = screen("dump", "--changed", "--torch", "2.13", *options(*SETS))
    text = " ".join(" ".join(lines).split())
    assert "debug_dir_root '/a/rather/long/pat… option" in text
    assert "optimize_ddp 'python_reducer_wit… option" in text
    assert "recompile_limit 64 option" in text
    assert text.count("! bare torch reads") == len(SETS)
    assert text.count("! in force only with dynconf.install() or dynconf run") == 1


def test_at_200_columns_a_row_is_a_line(screen: Screen) -> None:
    """Sets are sorted and name their objects."""
    lines = screen(
        "dump", "reorderable_logging_functions", "recompile_limit", "--torch", "2.13",
        *options("recompile_limit=64", "reorderable_logging_functions=logging:Logger.info,builtins:print"),
        columns=200,
    )  # fmt: skip
    assert lines[1].startswith("recompile_limit ")
    assert lines[1].endswith("! bare torch reads 8")
    assert "{builtins:print, logging:Logger.info}" in lines[2]
    assert lines[2].endswith("! bare torch reads set()")


def test_a_few_long_names_do_not_break_every_row(screen: Screen) -> None:
    """What belongs to a long name stands below it, in the same columns as for the others."""
    lines = screen("dump", *FLAGS, "--torch", "2.13")
    long = max(FLAGS, key=len)
    below = lines[lines.index(long) + 1]
    assert below.split()[-1] == "default"
    assert below.index("default") == lines[0].index("origin")
    assert sum("default" in line for line in lines) >= len(FLAGS) - 1


@pytest.mark.parametrize("columns", [50, 150])
def test_messages_fit_the_terminal_where_the_result_goes_to_a_file(columns: int, warm: Warm) -> None:
    """As in `dynconf dump --format json > state.json`: words stay whole, and further lines are indented."""
    words = [DYNCONF, "dump", "--torch", "2.13", "--set", f"recompile_limit={'x' * 20}"]
    with (
        Path("out").open("wb") as out,
        closing(
            Terminal(
                lambda side, environ: warm.start(
                    *words, files=[side, out.fileno(), side], environ=environ, terminal=True
                ),
                columns,
            )
        ) as opened,
    ):
        assert opened.finish() == 2
        lines = opened.lines()
    assert " ".join(" ".join(lines).split()).endswith("is not valid: expected a whole number, 0 or more")
    assert columns - 25 < max(map(len, lines))
    assert lines[0].startswith("dynconf: error:")
    assert len(lines) > 1
    assert all(line.startswith("  ") for line in lines[1:])


def test_differences_show_names_whole(screen: Screen) -> None:
    """Their columns too are those of the header, whatever the longest name."""
    lines = screen("diff", "--torch", "2.4", "--torch", "2.6")
    assert "…" not in "".join(lines)
    row = next(line for line in lines if line.startswith("skip_fsdp_hooks "))
    assert row.index("default-changed") == lines[0].index("change")
    assert row.split()[2:] == ["False", "True"]


def test_findings_keep_their_words_whole(screen: Screen) -> None:
    """Further lines are indented."""
    lines = screen("check", "--torch", "2.13", TORCHDYNAMO_RECOMPILE_LIMT="3", TORCHDYNAMO_VERBOSE="true")
    assert " ".join(" ".join(lines).split()).count("did you mean TORCHDYNAMO_RECOMPILE_LIMIT?") == 1
    findings, _, verdict = "\n".join(lines).partition("\n2 warnings ")
    assert all(line.startswith(("warning: ", "  ")) for line in findings.splitlines())
    assert " ".join(verdict.split()).endswith("`dynconf explain DC402` says more")


@pytest.mark.real_torch
def test_checks_keep_their_words_whole(screen: Screen) -> None:
    """What was found goes on in its own column."""
    lines = screen("verify", "--device", "cpu", "--backend", "eager")
    at = next(number for number, line in enumerate(lines) if line.startswith("config module"))
    assert lines[at + 1][:34].isspace()
    assert any("dynconf needs" in line for line in lines)


@pytest.mark.real_torch
def test_a_comparison_fits_on_the_screen(tmp_path: Path, screen: Screen) -> None:
    """A row is a line, in the columns of the header."""
    model = tmp_path / "model.py"
    model.write_text("import torch\ndef make():\n    return torch.nn.Linear(3, 2), (torch.randn(4, 3),)\n")
    lines = screen("compare", f"{model}:make", "--control", "eager", "--iterations", "1", "--all")
    # A torch that is built for CUDA complains first, where there is no Triton.
    header = next(number for number, line in enumerate(lines) if line.split()[-1:] == ["verdict"])
    assert {line.index("the same") for line in lines[header + 1 :]} == {lines[header].index("verdict")}


def test_color_is_for_what_matters(terminal: Callable[..., Terminal]) -> None:
    """What is set, its mark and its errors; nothing is colored that is as torch has it."""
    shown = terminal("dump", "--torch", "2.13", "verbose", "disable", "--set", "verbose=1", columns=200)
    shown.finish()
    assert shown.colors("True") == {"green"}
    assert shown.colors("! bare torch") == {"brown"}  # what the emulator calls yellow
    assert shown.colors("disable") == {"default"}
    refused = terminal("dump", "--set", "verbose=maybe", columns=200)
    assert refused.finish() == 2
    assert refused.colors("error:") == {"red"}


def test_a_terminal_without_colors_gets_none(terminal: Callable[..., Terminal]) -> None:
    """`test_output.py` has NO_COLOR."""
    shown = terminal("dump", "verbose", "--set", "verbose=1", TERM="dumb")
    shown.finish()
    assert b"\x1b[3" not in shown.raw
    assert "verbose" in shown.lines()[1]


def test_color_can_be_forced(warm: Warm) -> None:
    """FORCE_COLOR colors what goes into a pipe; without it nothing does."""
    words = [DYNCONF, "dump", "verbose", "--set", "verbose=1"]
    plain = warm.run(*words).stdout
    assert "verbose" in plain
    assert "\x1b" not in plain
    assert "\x1b[" in warm.run(*words, FORCE_COLOR="1", TERM="xterm-256color").stdout


def test_explain_is_laid_out(screen: Screen) -> None:
    """The value in force comes first; labels stand in a column of their own."""
    lines = screen("explain", "recompile_limit", TORCHDYNAMO_RECOMPILE_LIMIT="64")
    facts = lines[lines.index("") + 1 :]
    assert lines[0] == "recompile_limit = 64, from environment TORCHDYNAMO_RECOMPILE_LIMIT=64"
    labels = [line.split()[0] for line in facts if line[2:3].strip()]
    assert labels[:5] == ["module", "topic", "takes", "default", "exists"]


def test_searching_shows_names_whole(screen: Screen) -> None:
    """Summaries are wrapped behind them."""
    lines = screen("explain", "*recompile_limit")
    assert lines[0].split() == ["flag", "summary"]
    assert all(line.startswith(" ") or len(line.split()) > 1 for line in lines)


@pytest.mark.real_torch
def test_a_live_line_says_what_runs(terminal) -> None:
    """With the time, on a terminal; Ctrl-C ends it."""
    opened = terminal("verify", "--device", "cpu", "--backend", "inductor", columns=120)
    opened.wait_for("inductor on cpu")
    opened.wait_for("0:00:0")
    opened.process.send_signal(2)
    assert opened.finish() == 130
    assert "Traceback" not in "".join(opened.lines())


def test_how_many_files_have_been_checked_is_on_a_terminal_alone(terminal, tmp_path: Path) -> None:
    """In the live line, which goes away before the result."""
    for number in range(120):
        (tmp_path / f"{number}.py").write_text("import torch._dynamo\n")
    shown = terminal("check", ".")
    shown.finish()
    assert b"120 of 120 files" in shown.raw
    assert len(shown.lines()) == 1
    done = cold("-m", "dynconf", "check", ".")
    assert done.returncode == 0
    assert "files" not in done.stdout + done.stderr


SHELLS = {
    "bash": ["bash", "--noprofile", "--norc", "-i"],
    "zsh": ["zsh", "--no-rcs", "--no-globalrcs", "-i"],
}


@pytest.fixture
def dynconf(tmp_path: Path, warm_python: str) -> Path:
    """Return a folder with a program called dynconf."""
    path = tmp_path / "programs" / "dynconf"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nexec {warm_python} -m dynconf "$@"\n')
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("name", SHELLS)
def test_completion_works(name: str, dynconf: Path, tmp_path: Path) -> None:
    """Flags, values, files and commands are completed when TAB is pressed."""
    if shutil.which(name) is None:
        pytest.skip(f"needs {name}")
    (tmp_path / "model.py").touch()
    script = tmp_path / "script"
    shown = subprocess.run(
        [str(dynconf), "--show-completion", name], capture_output=True, text=True, check=True
    )
    script.write_text(shown.stdout)
    environ = {"PATH": f"{dynconf.parent}:/usr/bin:/bin", "PS1": "$ ", "HOME": str(tmp_path)}
    with closing(Terminal(program(*SHELLS[name]), 120, **environ)) as shell:
        shell.write(f"cd {tmp_path}; source {script}; echo rea''dy\n")
        shell.wait_for("ready")
        shell.write("dynconf expl\t")
        shell.wait_for("dynconf explain")
        shell.write("capture_scal\t")
        shell.wait_for("dynconf explain capture_scalar_outputs")
        shell.write("\x15dynconf dump --set repro_aft\t")
        shell.wait_for("--set repro_after=")
        shell.write("dyn\t")
        shell.wait_for("repro_after=dynamo")
        shell.write("\x15dynconf run mod\t")
        shell.wait_for("dynconf run model.py")
        shell.write("\x15dynconf --vers\t")
        shell.wait_for("dynconf --version")


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_completion_works_in_fish(dynconf: Path, tmp_path: Path) -> None:
    """It can be asked without a terminal."""
    (tmp_path / "model.py").touch()
    environ = {"PATH": f"{dynconf.parent}:/usr/bin:/bin", "HOME": str(tmp_path)}
    expected = {
        "dynconf expl": "explain",
        "dynconf explain capture_scal": "capture_scalar_outputs",
        "dynconf dump --set repro_aft": "repro_after=",
        "dynconf dump --set repro_after=dyn": "repro_after=dynamo",
        "dynconf run mod": "model.py",
        "dynconf --vers": "--version",
    }
    asked = "; ".join(f"complete -C '{line}'" for line in expected)
    script = f"dynconf --show-completion fish | source; {asked}"
    done = subprocess.run(["fish", "-c", script], capture_output=True, text=True, check=True, env=environ)
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == list(expected.values())


def test_json_is_the_same_on_a_terminal(screen: Screen) -> None:
    """Colors and layout are for text."""
    lines = screen("dump", "verbose", "--format", "json", "--torch", "2.13")
    assert json.loads("\n".join(lines))["flags"]["verbose"]["value"] is False
