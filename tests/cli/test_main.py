"""The command line as a whole: exit codes, where output goes, and that no input ends in a traceback."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dynconf.catalogue.names import module_views
from dynconf.cli import COMMANDS, main
from dynconf.release import Release

VARIABLES = [name for view in module_views(Release.named("2.13")) for name in view.uniform_variables]
IN_ONE_TEST = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
WORDS = st.one_of(
    st.sampled_from(["dump", "explain", "init", "verbose", "verbose=1", "verbose=x", "*limit*", "log_level"]),
    st.sampled_from(["--format", "json", "toml", "--torch", "2.6", "--set", "--config", "--all", "-x", "--"]),
    st.sampled_from(["--missing", "skip", "/dev/null", ".", "[", "verbose=x"]),
    st.text(max_size=12),
)


def dynconf(*words: str, **options: object) -> "subprocess.CompletedProcess[bytes]":
    """Run the command line as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "dynconf", *words], capture_output=True, check=False, **options
    )


def test_without_a_command_there_is_help(run_cli):
    """On stderr, with exit code 2; each command is listed."""
    said = run_cli().refused()
    assert all(command in said for command in COMMANDS)


def test_help_fits_80_columns(run_cli, monkeypatch):
    """That of the program has one line for each command, in groups, with a whole sentence; exit code 0.

    That of a command has usage, options and examples.
    """
    monkeypatch.setenv("COLUMNS", "80")
    done = run_cli("--help")
    assert (done.code, done.err) == (0, "")
    assert "documentation" in done.out
    groups = done.out.split("Settings:\n")[1].split("\n\n  To compare ranks")[0]
    summaries = [line for line in groups.splitlines() if line.startswith("  ")]
    assert [line.split()[0] for line in summaries] == list(COMMANDS)
    assert all(line.endswith((".", ")")) and not line.endswith("...") for line in summaries)
    for command in COMMANDS:
        help_of = run_cli(command, "--help")
        assert (help_of.code, help_of.err) == (0, "")
        assert help_of.out.startswith(f"Usage: dynconf {command} [OPTIONS]")
        assert "\nExamples:\n" in help_of.out
        assert "  -h, --help " in help_of.out
        assert max(map(len, (done.out + help_of.out).splitlines())) <= 80


def test_light_commands_load_little(warm):
    """Help imports no command; what needs no torch loads neither it nor pydantic, nor rich for a pipe."""
    program = """
import sys
from dynconf.cli import main
sys.argv = ["dynconf", *sys.argv[1:]]
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""
    modules = {f"dynconf.cli.{name.replace('-', '_')}" for name in COMMANDS}
    heavy = {"torch", "pydantic", "numpy", "rich", "argparse", "dynconf.settings", "dynconf.tools.lint.files"}

    def loaded(*words):
        return {*warm.run("-c", program, *words).stderr.split()}

    assert "dynconf.cli.command" in loaded("--help")
    assert not loaded("--help") & (modules | heavy)
    for line in ("dump --help", "dump --all", "explain verbose", "check", "dump --format env"):
        assert not loaded(*line.split()) & heavy, line
    # The JSON Schema is derived by pydantic, from the schemas of the models.
    assert loaded("init", "--schema") & heavy == {"pydantic"}


@IN_ONE_TEST
@given(st.lists(WORDS, max_size=5))
def test_no_arguments_end_in_a_traceback(run_cli, words):
    """Whatever the words, the exit code is one of three."""
    if "--live" in words:
        return
    done = run_cli(*words)
    assert done.code in {0, 1, 2}
    assert "Traceback" not in done.err
    assert done.out or done.err or done.code == 0


@IN_ONE_TEST
@given(
    st.dictionaries(
        st.sampled_from([*VARIABLES, "DYNCONF_CONFIG"]),
        st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)))
        | st.sampled_from(["1", "[]", "{"]),
        max_size=3,
    ),
    st.sampled_from(["text", "json", "toml", "env", "fish", "python"]),
)
def test_no_environment_ends_in_a_traceback(run_cli, environ, form):
    """Either all is well, or every mistake has its own line on stderr, and no program is printed."""
    with pytest.MonkeyPatch.context() as patch:
        for name, raw in environ.items():
            patch.setenv(name, raw)
        done = run_cli("dump", "--format", form)
    assert done.code in {0, 2}
    if done.code == 2:
        assert done.out == "" or form in ("text", "json")
        assert all(line.startswith("dynconf: ") for line in done.err.splitlines())


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31mb", "a\x1eb"])
def test_a_message_is_one_line(run_cli, name):
    """Control characters in a file name do not reach the terminal."""
    said = run_cli("dump", "--config", name).refused()
    assert said == f"dynconf: error: {ascii(name)[1:-1]} cannot be read: No such file or directory\n"


def test_all_mistakes_are_reported_at_once(run_cli, monkeypatch):
    """Each with its source, the text and what was expected; nothing is printed on stdout."""
    Path("dynconf.toml").write_text("verbos = true\nrepro_level = 9\n")
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "high")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "many")
    done = run_cli("dump", "--set", "verbose=maybe", "--set", "nonsense")
    lines = done.err.splitlines()
    assert (done.code, done.out, len(lines)) == (2, "", 6)
    assert all(line.startswith("dynconf: error: ") for line in lines)
    for part in ("dynconf.toml:1", "dynconf.toml:2", "REPRO_LEVEL=high", "'many'", "--set verbose=maybe"):
        assert sum(part in line for line in lines) == 1


@pytest.mark.since("2.9")
def test_bytes_that_are_not_text_are_bad_input(tmp_path):
    """In a variable and as an argument."""
    environ = {**os.environb, b"TORCHDYNAMO_PT2_COMPILE_ID_PREFIX": b"\xff"}
    done = dynconf("dump", env=environ)
    assert done.returncode == 2
    assert done.stderr.startswith(b"dynconf: error: pt2_compile_id_prefix: '\\udcff'")
    assert done.stderr.count(b"\n") == 1
    done = dynconf("explain", b"\xff")  # type: ignore[arg-type]
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_message_of_the_whole_process():
    """The interpreter does not complain again while it shuts down."""
    words = [sys.executable, "-m", "dynconf", "dump"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"dynconf: error: the result cannot be written: No space left on device\n"


def test_a_reader_that_goes_away_is_not_an_error():
    """``dynconf dump | head -1`` says nothing on stderr."""
    with subprocess.Popen(
        [sys.executable, "-m", "dynconf", "dump", "--all", "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in {0, 141}


@pytest.fixture
def end_of(monkeypatch):
    """Return what runs the command line with another standard output, and returns its exit code."""

    def run(output, *words: str) -> int:
        monkeypatch.setattr(sys, "stdout", output)
        monkeypatch.setattr(sys, "argv", ["dynconf", *words])
        try:
            main()
        except SystemExit as stop:
            return int(stop.code or 0)
        return 0

    return run


@pytest.mark.parametrize("form", ["text", "json", "toml"])
def test_an_output_of_few_characters_is_no_traceback(monkeypatch, capsys, end_of, form):
    """Text and JSON get escapes; what would come out wrong is refused."""
    monkeypatch.setenv("TORCHDYNAMO_PT2_COMPILE_ID_PREFIX", "é")
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    code = end_of(narrow, "dump", "--changed", "--torch", "2.13", "--format", form)
    assert code == (2 if form == "toml" else 0)
    if form == "toml":
        assert "characters that the output cannot show" in capsys.readouterr().err
    else:
        assert (b"\\u00e9" if form == "json" else b"\\xe9") in narrow.buffer.getvalue()  # type: ignore[attr-defined]


def test_a_closed_output_is_no_traceback(end_of):
    """``dynconf dump >&-`` has nowhere to print to."""
    assert end_of(None, "dump", "verbose") == 0
    sys.stdout.close()


def test_a_missing_part_of_torch_is_no_missing_torch(monkeypatch):
    """A release may lack a part of torch that another one has: then torch is installed."""
    part = "torch._C._dynamo.eval_frame"

    def fails(_):
        raise ModuleNotFoundError(f"No module named {part!r}", name=part)

    monkeypatch.setattr(sys, "argv", ["dynconf", "dump"])
    monkeypatch.setattr("dynconf.cli._run", fails)
    with pytest.raises(ModuleNotFoundError, match="eval_frame"):
        main()
