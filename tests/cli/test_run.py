"""Tests of ``dynconf run``: a program runs as Python itself would run it, with the settings in force."""

import ast
import gc
import json
import os
import signal
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from spelling import spelled, without_source
from warm import Warm, cold, end

from dynconf.release import Release

ENTRIES = (["-m", "dynconf", "run"], ["-m", "dynconf", "run", "--set", "recompile_limit=9", "--"])

SCRIPT = """
import atexit, sys
print(sys.argv, sys.path[0], __name__, __file__, __package__, __spec__, type(__loader__).__name__)
print(sorted(globals()), sys.modules["__main__"].__dict__ is globals())
import beside
atexit.register(print, "the end", flush=True)

class Own:
    pass

def fail():
    raise ValueError("inner")

mode = sys.argv[1] if sys.argv[1:] else ""
if mode == "raise":
    try:
        fail()
    except ValueError as error:
        raise RuntimeError("outer") from error
elif mode == "exit":
    sys.exit(3)
elif mode == "message":
    sys.exit("said on the way out")
elif mode == "interrupt":
    raise KeyboardInterrupt
elif mode == "kill":
    import os, signal
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGTERM)
elif mode == "hook":
    import traceback
    sys.excepthook = lambda kind, error, trace: print("hook", kind.__name__, len(traceback.extract_tb(trace)))
    1 / 0
elif mode == "thread":
    import threading, time
    threading.Thread(target=lambda: (time.sleep(0.2), print("from the thread"))).start()
elif mode == "pickle":
    import pickle
    print(type(pickle.loads(pickle.dumps(Own()))) is Own)
"""

PROGRAMS = [
    ["script.py"],
    ["script.py", "--set", "a=b", "-m", "--", "-h"],
    *(["script.py", mode] for mode in ("raise", "exit", "message", "interrupt", "kill")),
    *(["script.py", mode] for mode in ("hook", "thread", "pickle")),
    ["./script.py"],
    ["below/link.py"],
    ["broken.py"],
    ["script.pyc"],
    ["folder", "x"],
    ["archive.zip", "x"],
    ["-m", "package", "x"],
    ["-m", "package.module", "fail"],
    ["-mpackage", "x"],
    ["-m", "no_such_module"],
    ["-c", "import sys; print(sys.argv, repr(sys.path[0]), __name__, sorted(globals()))", "a", "-b"],
    ["-c", "1 / 0"],
    ["-c", "not python"],
]


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return a folder with programs of every kind."""
    import py_compile

    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "beside.py").write_text("")
    (tmp_path / "broken.py").write_text("x = = 1\n")
    py_compile.compile(str(tmp_path / "script.py"), cfile=str(tmp_path / "script.pyc"))
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "link.py").symlink_to("../script.py")
    main = "import sys; print(sys.argv, sys.path[0], __name__, __package__, __file__, __spec__.name)\n"
    for folder in ("folder", "package"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__main__.py").write_text(main)
    (tmp_path / "package" / "module.py").write_text("import sys\nif 'fail' in sys.argv: 1 / 0\n")
    with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
        archive.writestr("__main__.py", main)
    return tmp_path


@pytest.mark.parametrize("words", PROGRAMS, ids=" ".join)
def test_a_program_runs_as_python_would_run_it(programs: Path, warm: Warm, words: list[str]) -> None:
    """The same output, complaints, exit code and signal, however it is named; dynconf leaves no trace."""
    code, out, complaint = end(*words)
    if words[0] == "-c":
        complaint = without_source(complaint)
    for entry in ENTRIES:
        done = warm.run(*entry, *words)
        assert (done.returncode, done.stdout, done.stderr) == (code, out, complaint)


OPTIONS = ([], ["-P"], ["-I"], ["PYTHONSAFEPATH=1"])  # -I is -E, -P and -s


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "".join(options) or "nothing")
@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python has no safe path before 3.11")
def test_what_python_searches_is_searched(programs: Path, options: list[str]) -> None:
    """Whatever keeps Python from the working directory: it runs the same program, never one of PYTHONPATH."""
    show = "import sys; print(sys.argv, sys.path, __name__, __package__, sys.flags.safe_path)\n"
    trap = "print('another program', __file__)\n"
    for folder, text in (("folder", show), ("package", show), ("trap", trap), ("trap/package", trap)):
        (programs / folder).mkdir(exist_ok=True)
        (programs / folder / "__main__.py").write_text(text)
    (programs / "script.py").write_text(show)
    with zipfile.ZipFile(programs / "archive.zip", "w") as archive:
        archive.writestr("__main__.py", show)
    words = [each for each in options if each.startswith("-")]
    variables = dict(each.split("=") for each in options if not each.startswith("-"))

    def ran(*program: str) -> tuple[int, str, str]:
        return end(*words, *program, **variables, PYTHONPATH=str(programs / "trap"))

    kinds = [["folder"], ["./folder"], [str(programs / "folder") + "/"], ["archive.zip"], ["script.py"]]
    kinds += [["-m", "package"], ["-m", "json.tool", "--help"], ["-c", show]]
    with ThreadPoolExecutor(4) as pool:
        expected = list(pool.map(lambda kind: ran(*kind, "x"), kinds))
        found = list(pool.map(lambda kind: ran("-m", "dynconf", "run", *kind, "x"), kinds))
    assert found == expected
    assert [code for code, _, _ in found[:5]] == [0] * 5


IN_NO_FOLDER = """
import os, subprocess, sys
os.mkdir("gone")
os.chdir("gone")
os.rmdir(os.getcwd())
for words in sys.argv[1:]:
    done = subprocess.run([sys.executable, *words.split("|")], capture_output=True, text=True)
    print((done.returncode, done.stdout, done.stderr))
"""


def test_programs_run_where_the_working_directory_has_been_removed(programs: Path) -> None:
    """As Python runs them, with the settings that are named; that no file is searched for is a warning."""
    show = "import sys; print(sys.argv, sys.path, __name__)"
    (programs / "script.py").write_text(show)
    (programs / "folder" / "__main__.py").write_text(show)
    kinds = [
        f"-c|{show}",
        str(programs / "script.py"),
        str(programs / "folder"),
        "../script.py",
        "-m|platform",
    ]
    runs = [f"-m|dynconf|run|{kind}" for kind in kinds]
    bare = cold("-c", IN_NO_FOLDER, *kinds).stdout.splitlines()
    assert cold("-c", IN_NO_FOLDER, *runs, DYNCONF_CONFIG="{}").stdout.splitlines() == bare
    for found, expected in zip(cold("-c", IN_NO_FOLDER, *runs).stdout.splitlines(), bare, strict=True):
        code, output, complaints = ast.literal_eval(found)
        assert (code, output) == ast.literal_eval(expected)[:2]
        assert "the working directory is skipped: it no longer exists" in complaints


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_program_may_come_through_a_pipe(tmp_path: Path) -> None:
    """As from a shell that puts `<(command)` in place of a file; it is read once."""
    os.mkfifo(tmp_path / "pipe")
    words = [sys.executable, "-m", "dynconf", "run", "pipe"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        (tmp_path / "pipe").write_text("print('came through')\n")
        assert process.communicate(timeout=60)[0] == "came through\n"


def test_a_bad_setting_ends_it_before_the_program_starts(tmp_path: Path, warm: Warm) -> None:
    """With exit code 2 and the reason; the same for a name to hold, and a program that is not there."""
    (tmp_path / "program.py").write_text("print('started')\n")
    (tmp_path / "dynconf.toml").write_text("verbos = true\n")
    done = warm.run("-m", "dynconf", "run", "program.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'verbose'" in done.stderr
    (tmp_path / "dynconf.toml").unlink()
    done = warm.run("-m", "dynconf", "run", "--hold", "inductor.compile_thread=8", "program.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'inductor.compile_threads'" in done.stderr
    done = warm.run("-m", "dynconf", "run", "no_such.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no_such.py cannot be run" in done.stderr


def test_it_says_that_there_are_findings(monkeypatch: pytest.MonkeyPatch, warm: Warm) -> None:
    """In one line: the one that there is, misspelt variables included, or their number; nothing with -q."""
    words = ("-m", "dynconf", "run", "-c", "print(1)")
    assert warm.run(*words).stderr == ""
    monkeypatch.setenv("TORCHDYNAMO_VERBOS", "1")
    said = warm.run(*words).stderr
    assert said.startswith("dynconf: warning: DC401 TORCHDYNAMO_VERBOS")
    assert said.endswith("; -q silences this\n")
    monkeypatch.setenv("TORCHDYNAMO_SUPPRESS_ERRORS", "0")
    assert "warning: 2 findings about variables" in warm.run(*words).stderr
    assert warm.run(*words[:3], "-q", *words[3:]).stderr == ""


def test_a_variable_that_beats_a_named_file_is_noted(
    monkeypatch: pytest.MonkeyPatch, warm: Warm, tmp_path: Path
) -> None:
    """Whoever runs a colleague's report gets another value; -q silences it."""
    (tmp_path / "a.toml").write_text("recompile_limit = 32\nverbose = true\n")
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "64")
    words = ("-m", "dynconf", "run", "--config", "a.toml", "-c", "print(1)")
    by = "environment TORCHDYNAMO_RECOMPILE_LIMIT=64"
    assert f"note: recompile_limit is 64 by {by}, not 32 as in a.toml\n" in warm.run(*words).stderr
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    monkeypatch.setenv("TORCHINDUCTOR_MAX_AUTOTUNE", "1")
    said = warm.run(*words).stderr
    assert (
        "note: inductor.max_autotune is True by environment TORCHINDUCTOR_MAX_AUTOTUNE=1, and not in a.toml"
        in said
    )
    assert "verbose is" not in said  # as in the file
    assert warm.run(*words[:3], "-q", *words[3:]).stderr == ""


def test_settings_that_do_not_count_are_noted(warm: Warm, tmp_path: Path) -> None:
    """A file beside a program that starts elsewhere, and an option behind it; -q silences both."""
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "train.py").write_text("pass\n")
    (tmp_path / "team" / "dynconf.toml").write_text("recompile_limit = 32\n")
    words = ("-m", "dynconf", "run", "team/train.py", "--set", "recompile_limit=64")
    said = warm.run(*words).stderr
    assert "team/dynconf.toml is skipped: it is beside the program, and the search begins in the" in said
    assert "note: --set recompile_limit=64 is an option of the program" in said
    assert warm.run(*words[:3], "-q", *words[3:]).stderr == ""
    (tmp_path / "dynconf.toml").write_text("recompile_limit = 32\n")
    assert warm.run(*words[:4]).stderr == ""


PRINT = spelled("""
import sys
assert "dynconf.live.install" not in sys.modules
import torch
print("torch._dynamo.config" in sys.modules and "dynconf.live.install" in sys.modules)
import torch._dynamo.config, torch._functorch.config
print(torch._dynamo.config.recompile_limit, torch._dynamo.config.verbose)
print(torch._functorch.config.cse)
import threading
thread = threading.Thread(target=lambda: print(torch._dynamo.config.recompile_limit))
thread.start()
thread.join()
import dynconf
print([str(dynconf.origin(flag)) for flag in ("recompile_limit", "verbose")])
""")


@pytest.mark.real_torch
def test_settings_are_in_force_without_a_line_in_the_program(tmp_path: Path, warm: Warm) -> None:
    """From options, files and variables, in every thread; dynconf imports nothing of torch."""
    (tmp_path / "program.py").write_text(PRINT)
    (tmp_path / "other.toml").write_text("verbose = true\n[functorch]\ncse = false\n")
    done = warm.run(
        "-m", "dynconf", "run", "--set", "recompile_limit=64", "--config", "other.toml", "program.py"
    )
    assert done.stdout.splitlines() == [
        "False",
        "64 True",
        "False",
        "64",
        "['option --set recompile_limit=64', 'other.toml:1 (verbose)']",
    ], done.stderr


def test_files_of_other_releases_and_of_others(tmp_path: Path, warm: Warm) -> None:
    """As for the other commands: what torch lacks is skipped on request, what runs programs needs trust."""
    new = Release.at_hand().minor > (2, 8)
    absent = "allow_complex_guards_as_runtime_asserts = true" if new else "pt2_compile_id_prefix = 'a'"
    (tmp_path / "old.toml").write_text(f"{absent}\n")
    words = ["-m", "dynconf", "run", "--config", "old.toml"]
    assert warm.run(*words, "-c", "pass").returncode == 2
    done = warm.run(*words, "--missing", "skip", "-c", "print('ran')")
    assert (done.returncode, done.stdout, done.stderr) == (0, "ran\n", "")
    state = {"dynconf": 1, "torch": "2.13.0", "flags": {"debug_dir_root": {"value": "/a/file"}}}
    (tmp_path / "state.json").write_text(json.dumps(state))
    words = ["-m", "dynconf", "run", "--config", "state.json"]
    assert warm.run(*words, "-c", "pass").returncode == 2
    assert warm.run(*words, "--trust", "-c", "pass").returncode == 0


@pytest.mark.real_torch
def test_an_audit_names_who_changed_what(tmp_path: Path, warm: Warm) -> None:
    """As a table on stderr after the program, and as JSON lines; an exception changes nothing about it."""
    (tmp_path / "library.py").write_text(
        spelled("import torch._dynamo.config as c\nc.recompile_limit = 64\n")
    )
    (tmp_path / "program.py").write_text("import library\nprint('done')\n1 / 0\n")
    done = warm.run("-m", "dynconf", "run", "--audit", "--audit-file", "audit.json", "program.py", RANK="3")
    assert (done.returncode, done.stdout) == (1, "done\n")
    assert done.stderr.count("ZeroDivisionError") == 1
    row = done.stderr.splitlines()[-1].split()
    assert row == ["recompile_limit", "8", "->", "64", "library.py:2", "(assignment)"]
    (file,) = tmp_path.glob("audit.3.*.json")
    write = json.loads(file.read_text())
    assert (write["flag"], write["before"], write["after"], write["line"]) == ("recompile_limit", 8, 64, 2)
    assert write["file"] == str(tmp_path / "library.py")
    done = warm.run("-m", "dynconf", "run", "--audit", "-c", "pass", TORCHINDUCTOR_MAX_AUTOTUNE="0")
    assert done.stderr == (
        "dynconf: note: nothing changed the configuration in this process; --audit-file also logs the"
        " processes that it starts\n"
    )


@pytest.mark.real_torch
def test_an_audit_tells_changes_by_settings_by_the_program_and_by_torch(warm: Warm) -> None:
    """Settings have their own origin; those of torch are counted in one line, or listed with --all."""
    program = "import torch; torch.compile(lambda x: x + 1, backend='eager')(torch.ones(1))\n"
    program += spelled("torch._dynamo.config.recompile_limit = 64")
    words = ["-m", "dynconf", "run", "--audit", "-s", "recompile_limit=3", "-c", program]
    own = warm.run(*words).stderr
    rows = [line.split() for line in own.splitlines()]
    assert [row[1:] for row in rows if row[0] == "recompile_limit"] == [
        ["8", "->", "3", "option", "--set", "recompile_limit=3", "(dynconf.install)"],
        ["3", "->", "64", "<string>:2", "(assignment)"],
    ]
    everything = warm.run(*words[:4], "--all", *words[4:]).stderr
    assert "changes by torch itself: " in own
    assert "changes by torch itself: " not in everything
    assert len(everything.splitlines()) > 3


NAMES = spelled("""
import torch._dynamo.config as c
print(len(c.reorderable_logging_functions), c.recompile_limit)
import library
print([each.__name__ for each in c.reorderable_logging_functions])
""")


@pytest.mark.real_torch
def test_a_flag_that_names_a_function_waits_for_its_module(tmp_path: Path, warm: Warm) -> None:
    """Nothing is imported for it, and the flags beside it wait for nothing."""
    (tmp_path / "library.py").write_text("import torch._dynamo.config\ndef log(): pass\n")
    (tmp_path / "program.py").write_text(NAMES)
    words = ["-m", "dynconf", "run", "-s", "recompile_limit=64"]
    words += ["-s", "reorderable_logging_functions=library:log"]
    done = warm.run(*words, "program.py")
    assert (done.returncode, done.stdout) == (0, "0 64\n['log']\n"), done.stderr
    done = warm.run(*words, "-c", "import library, torch;" + NAMES)
    assert done.stdout == "1 64\n['log']\n", done.stderr


@pytest.mark.real_torch
def test_a_name_of_nothing_ends_the_program_when_that_is_clear(tmp_path: Path, warm: Warm) -> None:
    """In one line; a module that is never imported is named at the end."""
    (tmp_path / "library.py").write_text("")
    words = ["-m", "dynconf", "run", "-s"]
    (tmp_path / "program.py").write_text(NAMES)
    done = warm.run(*words, "reorderable_logging_functions=library:log", "program.py")
    assert (done.returncode, done.stdout) == (2, "0 8\n")
    assert len(done.stderr.splitlines()) == 1
    assert "library:log does not exist" in done.stderr
    (tmp_path / "silent.py").write_text("import sys\nsys.stderr = open('/dev/null')\n" + NAMES)
    done = warm.run(*words, "reorderable_logging_functions=library:log", "silent.py")
    assert (done.returncode, done.stdout) == (2, "0 8\n")
    done = warm.run(*words, "reorderable_logging_functions=nowhere:log", "program.py")
    assert done.returncode == 0
    assert done.stderr == (
        "dynconf: warning: reorderable_logging_functions had no effect: the program never imported nowhere\n"
    )
    done = warm.run(*words, "reorderable_logging_functions=nowhere:log", "-c", "pass")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("option", ["--audit-file", "--report"])
def test_a_file_that_could_not_be_written_is_refused_before_the_program_starts(
    tmp_path: Path, warm: Warm, option: str
) -> None:
    """What takes hours should not find out at the end."""
    for file in ("no/such/folder/of.json", str(tmp_path / "program.py" / "of.json")):
        done = warm.run("-m", "dynconf", "run", option, file, "-c", "print('started')")
        assert (done.returncode, done.stdout) == (2, "")
        assert "cannot be created there" in done.stderr


def test_where_warnings_are_errors_the_program_runs() -> None:
    """A wrong variable is a warning of dynconf, not the end of the program."""
    words = ["-W", "error", "-m", "dynconf", "run", "-c", "print('done')"]
    done = cold(*words, DYNCONF_SHOW="never", DYNCONF_LOG="much")
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    assert [text[:22] for text in done.stderr.splitlines()] == ["dynconf: warning: DYNC"] * 2


@pytest.mark.parametrize("option", ["--audit", "--show"])
def test_ctrl_c_ends_a_program_by_the_signal_after_its_report(option: str) -> None:
    """The report imports modules, which makes CPython forget the interruption."""
    done = cold("-m", "dynconf", "run", option, "-c", "raise KeyboardInterrupt")
    assert done.returncode == -signal.SIGINT
    assert "dynconf: " in done.stderr


def test_ctrl_c_reaches_the_program(tmp_path: Path) -> None:
    """And ends it as it would end it under Python: by the signal."""
    program = "import time; print('ready', flush=True); time.sleep(60)"
    with subprocess.Popen(
        [sys.executable, "-m", "dynconf", "run", "-c", program],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert err.endswith("KeyboardInterrupt\n")
    assert "dynconf" not in err


def test_garbage_is_collected_as_under_python(run_cli, warm: Warm) -> None:
    """In the program, and in a process in which no program was started; only dynconf itself goes without."""
    program = "import gc; print(gc.isenabled(), gc.get_threshold())"
    assert warm.run("-m", "dynconf", "run", "-c", program).stdout == warm.run("-c", program).stdout
    threshold = gc.get_threshold()
    assert run_cli("run", "no_such_script.py").code == 2
    assert gc.get_threshold() == threshold


def test_the_collector_does_not_go_through_what_is_of_dynconf() -> None:
    """It would in each round, and `import torch` would take a twentieth longer."""
    program = (
        "import gc, sys\nprint(any(each is vars(sys.modules['dynconf.cli']) for each in gc.get_objects()))"
    )
    assert cold("-c", f"import dynconf.cli\n{program}").stdout == "True\n"
    assert cold("-m", "dynconf", "run", "-c", program).stdout == "False\n"
