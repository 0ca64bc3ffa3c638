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
    st.sampled_from(
        [
            "dump",
            "explain",
            "schema",
            "--format",
            "json",
            "toml",
            "--torch",
            "2.6",
            "--set",
            "--config",
            "--all",
            "-x",
            "--",
        ]
    ),
    st.sampled_from(
        [
            "verbose",
            "verbose=1",
            "verbose=x",
            "*limit*",
            "log_level",
            "[",
            "--missing",
            "skip",
            "/dev/null",
            ".",
        ]
    ),
    st.text(max_size=12),
)


def dynconf(*words: str, **options: object) -> "subprocess.CompletedProcess[bytes]":
    """Run the command line as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "dynconf", *words], capture_output=True, check=False, **options
    )


def test_without_a_command_there_is_help(run_cli):
    """On stderr, with exit code 2; each command is listed."""
    done = run_cli()
    assert (done.code, done.out) == (2, "")
    assert all(command in done.err for command in COMMANDS)


def test_help_fits_80_columns(run_cli, monkeypatch):
    """That of the program has one line for each command, with a whole sentence; the exit code is 0."""
    monkeypatch.setenv("COLUMNS", "80")
    done = run_cli("--help")
    assert (done.code, done.err) == (0, "")
    summaries = done.out.split("Commands:\n")[1].splitlines()
    assert [line.split()[0] for line in summaries] == list(COMMANDS)
    assert all(line.endswith((".", ")")) and not line.endswith("...") for line in summaries)
    for command in COMMANDS:
        help_of = run_cli(command, "--help")
        assert (help_of.code, help_of.err) == (0, "")
        assert help_of.out.startswith(f"Usage: dynconf {command} [OPTIONS]")
        assert max(map(len, (done.out + help_of.out).splitlines())) <= 80


def test_help_needs_neither_torch_nor_pydantic(warm):
    """Nor does any command that answers without torch."""
    program = """
import sys
from dynconf.cli import main
sys.argv = ["dynconf", *sys.argv[1:]]
try:
    main()
finally:
    print(sorted({"torch", "pydantic", "numpy", "rich", "argparse"} & sys.modules.keys()), file=sys.stderr)
"""
    for words in (["--help"], ["dump", "--all"], ["explain", "verbose"], ["check"], ["env"]):
        assert warm.run("-c", program, *words).stderr == "[]\n", words
    # The JSON Schema is derived by pydantic, from the schemas of the models.
    assert warm.run("-c", program, "schema").stderr == "['pydantic']\n"


def test_options_may_stand_between_arguments(run_cli):
    """Before, between and after them; a value may follow an equals sign."""
    done = run_cli("dump", "--all", "verbose", "--set=verbose=1", "repro_level")
    assert [line.split()[:2] for line in done.out.splitlines()[1:3]] == [
        ["repro_level", "2"],
        ["verbose", "True"],
    ]


def test_a_misspelt_command_gets_a_suggestion(run_cli):
    """On stderr, with exit code 2."""
    done = run_cli("dumb")
    assert (done.code, done.out) == (2, "")
    assert "Did you mean 'dump'?" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",),
        ("dump", "--no-such-option"),
        ("dump", "--format", "xml"),
        ("dump", "--set"),
        ("dump", "--missing", "ignore"),
        ("dump", "--config", "a.toml", "--config", "b.toml"),
        ("schema", "extra"),
    ],
)
def test_wrong_usage_is_2_and_goes_to_stderr(run_cli, words):
    """Nothing is printed on stdout."""
    done = run_cli(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err


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
    st.sampled_from(["text", "json", "toml", "env", "python"]),
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
    done = run_cli("dump", "--config", name)
    assert done.code == 2
    assert done.err == f"dynconf: error: {ascii(name)[1:-1]} cannot be read: No such file or directory\n"


def test_all_mistakes_are_reported_at_once(run_cli, monkeypatch):
    """Each with its source, the text and what was expected; nothing is printed on stdout."""
    Path("dynconf.toml").write_text("verbos = true\nrepro_level = 9\n")
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "high")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "many")
    done = run_cli("dump", "--set", "verbose=maybe", "--set", "nonsense")
    assert (done.code, done.out) == (2, "")
    lines = done.err.splitlines()
    assert len(lines) == 6
    assert all(line.startswith("dynconf: error: ") for line in lines)
    for part in (
        "dynconf.toml:1",
        "dynconf.toml:2",
        "TORCHDYNAMO_REPRO_LEVEL=high",
        "'many'",
        "--set verbose=maybe",
    ):
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


class Full(io.TextIOWrapper):
    """A disk without space."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")

    def write(self, _: str) -> int:
        raise OSError(28, os.strerror(28))


def test_a_result_that_cannot_be_written_is_an_error(monkeypatch, capsys):
    """A full disk is an error in one line."""
    monkeypatch.setattr(sys, "stdout", Full())
    monkeypatch.setattr(sys, "argv", ["dynconf", "dump", "verbose"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert (
        capsys.readouterr().err == "dynconf: error: the result cannot be written: No space left on device\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_message_of_the_whole_process():
    """The interpreter does not complain again while it shuts down."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dynconf", "dump"], stdout=full, stderr=subprocess.PIPE, check=False
        )
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


@pytest.mark.parametrize("form", ["text", "json", "toml"])
def test_an_output_of_few_characters_is_no_traceback(monkeypatch, capsys, form):
    """Text and JSON get escapes; what would come out wrong is refused."""
    monkeypatch.setenv("TORCHDYNAMO_PT2_COMPILE_ID_PREFIX", "é")
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", narrow)
    monkeypatch.setattr(sys, "argv", ["dynconf", "dump", "--changed", "--torch", "2.13", "--format", form])
    code = 0
    try:
        main()
    except SystemExit as stop:
        code = int(stop.code or 0)
    written = narrow.buffer.getvalue()  # type: ignore[attr-defined]
    if form == "toml":
        assert code == 2
        assert "characters that the output cannot show" in capsys.readouterr().err
    else:
        assert code == 0
        assert (b"\\u00e9" if form == "json" else b"\\xe9") in written


def test_a_closed_output_is_no_traceback(monkeypatch):
    """``dynconf dump >&-`` has nowhere to print to."""
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "argv", ["dynconf", "dump", "verbose"])
    with pytest.raises(SystemExit) as stop:
        main()
    sys.stdout.close()
    assert not stop.value.code


def test_a_working_directory_that_is_gone_is_a_warning(run_cli, tmp_path, monkeypatch):
    """There is nowhere to search for settings; the variables count all the same."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    done = run_cli("dump", "verbose")
    assert (done.code, "TORCHDYNAMO_VERBOSE=1" in done.out) == (0, True)
    assert "warning: the working directory is skipped: it no longer exists" in done.err


def test_the_module_is_the_command():
    """``python -m dynconf`` does the same as the console script."""
    done = dynconf("dump", "verbose")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].split() == [b"flag", b"value", b"origin"]


def test_only_a_missing_torch_is_reported_as_not_installed(monkeypatch, capsys):
    """A release may lack a part of torch that another one has: then torch is installed."""
    monkeypatch.setattr(sys, "argv", ["dynconf", "dump"])

    def fails(name):
        def run(_):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

        return run

    monkeypatch.setattr("dynconf.cli._run", fails("torch"))
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "needs torch, which is not installed" in capsys.readouterr().err
    monkeypatch.setattr("dynconf.cli._run", fails("torch._C._dynamo.eval_frame"))
    with pytest.raises(ModuleNotFoundError, match="eval_frame"):
        main()
