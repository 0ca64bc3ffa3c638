"""``dynconf run --show``: the settings that a program ended up with."""

import re
from pathlib import Path
from typing import Any

import pytest
from warm import Warm

PROGRAM = """
import sys
if "torch" in sys.argv:
    import torch._dynamo, torch._inductor.config
    import library
    if "compile" in sys.argv:
        import torch
        compiled = torch.compile(lambda x: x + 1, backend="eager")
        compiled(torch.ones(2))
        torch._dynamo.config.verbose = True
print("end of the program", file=sys.stderr)
"""

LIBRARY = """
import torch._inductor.config as config
config.compile_threads = 1
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Return a folder with a program, a library that overrules its settings file, and that file."""
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "library.py").write_text(LIBRARY)
    (tmp_path / "dynconf.toml").write_text("recompile_limit = 64\n[inductor]\ncompile_threads = 8\n")
    return tmp_path


def shown(warm: Warm, *words: str, **environ: Any) -> str:
    """Return what is printed on stderr, without warnings, and with placeholders for what always differs.

    Warnings are torch's own, too: of libraries that it does not find.
    """
    done = warm.run("-m", "dynconf", "run", *words, **environ)
    assert (done.returncode, done.stdout) == (0, "")
    text = re.sub(r".*: OverruledWarning: .*\n  .*\n|W\d{4} .*\n", "", done.stderr)
    return re.sub(r"pid \d+, torch [\w.+]+, fingerprint \w+", "FACTS", text)


TABLE = """\
flag                      value   origin
inductor.compile_threads  8 -> 1  dynconf.toml:3, overruled by library.py:3
recompile_limit           64      dynconf.toml:1
"""


@pytest.mark.usefixtures("program")
def test_at_the_end(warm: Warm):
    """After everything that the program prints: overruled settings first, each with its line."""
    found = shown(warm, "--show", "program.py", "torch")
    assert found == f"end of the program\ndynconf: in force at the end: FACTS:\n{TABLE}"


@pytest.mark.real_torch
@pytest.mark.usefixtures("program")
def test_at_the_first_compilation(warm: Warm):
    """Before anything is compiled; with the rank, where there is one."""
    found = shown(warm, "--show=compile", "program.py", "torch", "compile", RANK="2")
    table = f"dynconf: in force at the first compilation: rank 2, FACTS:\n{TABLE}"
    assert found == f"{table}end of the program\n"


@pytest.mark.usefixtures("program")
def test_a_program_that_never_imports_torch_waits(warm: Warm):
    """Its settings are not in force, and the table says for which module they wait."""
    found = shown(warm, "--show=compile", "program.py")
    assert "recompile_limit           64     dynconf.toml:1, once torch._dynamo.config is imported\n" in found


@pytest.mark.since("2.9")
def test_a_report_of_the_program_has_what_waits(warm: Warm):
    """That of `dynconf.report()`, as the file of --report: nobody has imported that module of torch's yet."""
    flag = "comms.runtime_estimations_use_nccl_lib_estimations"
    code = "import dynconf; print(*dynconf.report().as_json()['flags'])"
    done = warm.run("-m", "dynconf", "run", "--set", f"{flag}=true", "-c", code)
    assert (done.returncode, done.stdout) == (0, f"{flag}\n")


NESTED = "import subprocess, sys; subprocess.run([sys.executable, '-m', 'dynconf', 'run', '-c', '1'])"


def test_children_that_are_left_alone_show_nothing(warm: Warm):
    """Not even if they are under a `dynconf run` of their own."""
    assert shown(warm, "--show", "--no-children", "-c", NESTED).count("dynconf: in force at the end") == 1


@pytest.mark.usefixtures("program")
def test_the_processes_that_the_program_starts_show_theirs(warm: Warm):
    """A variable hands the request on."""
    assert shown(warm, "--show", "-c", NESTED).count("dynconf: in force at the end: FACTS:\n") == 2


def test_nothing_is_set(warm: Warm):
    """That is said, too."""
    assert shown(warm, "--show", "-c", "1") == "dynconf: in force at the end: FACTS: nothing is set\n"


def test_a_variable_with_another_word_is_a_warning(warm: Warm):
    """And the program runs."""
    assert "DYNCONF_SHOW=1 shows nothing: expected exit or compile" in shown(
        warm, "-c", "1", DYNCONF_SHOW="1"
    )
