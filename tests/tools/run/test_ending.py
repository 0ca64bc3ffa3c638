"""Errors that end a program under `dynconf run`: Python reports them as if it ran the program itself."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from warm import Warm, end

import dynconf
from dynconf.release import Release
from dynconf.sources.gather import gather
from dynconf.tools.run.children import environment_to_follow

HOOKS = {
    "a thread that still runs": """
        import sys, threading, time
        threading.excepthook = lambda args: sys.excepthook(args.exc_type, args.exc_value, args.exc_traceback)
        def work():
            time.sleep(0.5)
            raise ValueError("the thread's own error")
        threading.Thread(target=work).start()
        raise RuntimeError("main")
    """,
    "a hook that prints the last error": """
        import sys, traceback
        sys.excepthook = lambda *_: traceback.print_last()
        1 / 0
    """,
    "the last error at the exit": """
        import atexit, sys, traceback
        atexit.register(lambda: print(sys.excepthook is sys.__excepthook__, sys.last_value.__traceback__ is
            sys.last_traceback, sys.last_traceback.tb_frame.f_code.co_name))
        atexit.register(traceback.print_last)
        raise RuntimeError("main")
    """,
    "a hook that fails while it handles an error": """
        import sys
        def hook(*_):
            try:
                [][0]
            except IndexError as error:
                raise KeyError("hook") from error
        sys.excepthook = hook
        1 / 0
    """,
    "a hook that exits": "import sys; sys.excepthook = lambda *_: sys.exit(5); 1 / 0",
    "a hook that replaces itself": """
        import atexit, sys
        def hook(*_):
            sys.excepthook = print
        sys.excepthook = hook
        atexit.register(lambda: print(sys.excepthook is print))
        1 / 0
    """,
    "an interruption": """
        import atexit
        atexit.register(print, "the end")
        raise KeyboardInterrupt
    """,
    "a group of errors": """
        def fail():
            raise ValueError("inner")
        errors = []
        for _ in range(2):
            try:
                fail()
            except ValueError as error:
                errors.append(error)
        try:
            raise ExceptionGroup("outer", errors)
        except NameError:  # Python 3.10
            raise errors[0] from errors[1]
    """,
    "an error that is its own context": """
        error = ValueError("first")
        error.__cause__ = KeyError("second")
        error.__cause__.__context__ = error
        raise error
    """,
}


@pytest.mark.parametrize("name", HOOKS)
def test_python_reports_the_error(name: str, tmp_path: Path) -> None:
    """In the same order, by the program's own hook; what is left for others has no frame of dynconf."""
    (tmp_path / "program.py").write_text(textwrap.dedent(HOOKS[name]))
    expected = end("program.py")
    assert end("-m", "dynconf", "run", "program.py") == expected
    assert expected[0] != 0


@pytest.mark.parametrize("options", [[], ["--show"]], ids=["", "--show"])
def test_code_that_cannot_be_compiled_fails_as_always(options: list[str], tmp_path: Path) -> None:
    """Also where dynconf is a script, as pip installs it: CPython uses its namespace after an error."""
    script = tmp_path / "dynconf.sh"
    script.write_text("from torch_dynconf import main\nmain()\n")
    code, _, complaint = end(str(script), "run", *options, "-c", "x = = 1", PYTHONMALLOC="debug")
    assert (code, "SyntaxError" in complaint) == (1, True), complaint


IMPORTS = {
    "import": "import torch",
    "the cause": """
        try:
            import torch
        except OSError as error:
            raise RuntimeError("no torch") from error
    """,
    "a thread": "import threading\ndef work(): import torch\nthreading.Thread(target=work).start()",
    "logging": """
        import logging
        try:
            import torch
        except OSError:
            logging.exception("no torch")
    """,
    "import_module": "import importlib\nimportlib.import_module('torch')",
    "a finder": """
        import sys
        class Finder:
            def find_spec(self, name, path=None, target=None):
                1 / 0
        sys.meta_path.append(Finder())
        sys.path[:] = []
        import torch
    """,
    "a warning": "import sys\nsys.modules['fail'] = None\nimport torch",
}

TORCH = """
import sys, warnings
warnings.warn("an old torch", stacklevel=2)
if "fail" not in sys.modules:
    raise OSError("libcudart.so.12: cannot open shared object file")
"""


@pytest.mark.parametrize("name", IMPORTS)
def test_a_torch_that_cannot_be_imported_fails_as_always(name: str, tmp_path: Path) -> None:
    """Wherever the traceback is shown, in children too; a warning points to the line that imports torch."""
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text(TORCH)
    (tmp_path / "torch" / "version.py").write_text("__version__ = '2.13.0'\n")
    (tmp_path / "program.py").write_text(textwrap.dedent(IMPORTS[name]))
    expected = end("program.py")
    assert end("-m", "dynconf", "run", "program.py") == expected
    assert ("UserWarning" in expected[2]) == (name != "a finder")
    if name not in ("import_module", "a finder"):
        state = gather(Release.at_hand(), environ={"TORCHDYNAMO_RECOMPILE_LIMIT": "64"}).state
        follower, _ = environment_to_follow(state, os.environ)
        assert end("program.py", **follower) == expected


@pytest.mark.real_torch
@pytest.mark.parametrize("options", [[], ["--audit"]], ids=["", "--audit"])
def test_a_wrong_assignment_fails_as_always(options: list[str], tmp_path: Path, warm: Warm) -> None:
    """Although dynconf is between the program and torch, which refuses it; also as the cause of another."""
    program = """
        import torch._dynamo.config as c
        try:
            c.no_such_flag = 3
        except AttributeError as error:
            raise RuntimeError("no such flag") from error
    """
    (tmp_path / "program.py").write_text(textwrap.dedent(program))
    done = warm.run("-m", "dynconf", "run", *options, "program.py")
    package, errors = str(Path(dynconf.__file__).parent), done.stderr
    assert (done.returncode, "no_such_flag" in errors, package in errors) == (1, True, False), errors


CONSOLE = """
import code, dynconf.tools.at_exit, sys
dynconf.tools.at_exit.at_exit("it", lambda: exec("1"))
code.InteractiveConsole().push("raise KeyboardInterrupt")
print(sys.last_type.__name__)
"""


def test_an_interruption_that_a_console_handles_does_not_end_the_process(tmp_path: Path) -> None:
    """Although it is the last error; one that nothing handles does, whatever is executed at the exit."""
    (tmp_path / "program.py").write_text(CONSOLE)
    for words in (["program.py"], ["-m", "dynconf", "run", "program.py"]):
        code, output, _ = end(*words)
        assert (code, output) == (0, "KeyboardInterrupt\n"), words
    (tmp_path / "program.py").write_text(CONSOLE + "raise KeyboardInterrupt\n")
    code, _, _ = end("-m", "dynconf", "run", "--show", "program.py")
    assert code == -signal.SIGINT


def test_a_session_goes_on_after_an_interruption() -> None:
    """It ends with 0 where an action of dynconf waits for its end."""
    session = "import dynconf.tools.at_exit as a; a.at_exit('it', lambda: None)\nraise KeyboardInterrupt\n2\n"
    line = [sys.executable, "-i"]
    done = subprocess.run(line, input=session, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "2\n")
