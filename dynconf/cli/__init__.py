"""The command line: one module for each command. Results go to stdout, everything else to stderr.

A command is a function in the module of its name. Its docstring is its help, its parameters are annotated
with the options that set them, and ``EXAMPLES`` shows its use. `argparse` parses them: with a framework that
imports pydantic, ``dump`` takes twice as long.

Exit codes: 0 fine, 1 the answer is no (findings, differences, failed checks), 2 wrong usage or bad input, or
no torch where it is needed; `run` ends as its program does.
"""

import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dynconf.cli.output import complain, complain_of
from dynconf.cli.parser import OPTIONS, Command, overview
from dynconf.errors import DynconfError
from dynconf.release import RELEASES, Release
from dynconf.spelling import nearest
from dynconf.version import __version__

if TYPE_CHECKING:
    from dynconf.run import Program

COMMANDS = (
    "run",
    "dump",
    "explain",
    "check",
    "init",
    "diff",
    "save",
    "env",
    "schema",
    "verify",
    "backends",
    "compare",
)


def main() -> None:
    """Run the command line; bad input ends in a message, not in a traceback."""
    if sys.stdout is None:  # closed by the caller, who does not want the result
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  open until the process ends
    done = _guarded(sys.argv[1:])
    if isinstance(done, int):
        sys.exit(done)
    done.run()  # outside all error handling, so that the program runs exactly as under Python itself


def _guarded(words: list[str]) -> "int | Program":
    """Run the command that *words* name, and return its exit code, or the program that is to be run now."""
    try:
        try:
            return _run(words)
        finally:
            sys.stdout.flush()  # writing what is left in the buffer may fail, too
    except DynconfError as error:
        complain_of(error.errors)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output is gone; flushing the rest at exit would complain again.
        sys.stdout = None
        return 141
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "torch":
            raise
        line = " ".join(["dynconf", *words])
        complain("error", f"{line} needs torch, which is not installed: pip install torch")
    except OSError as problem:
        complain("error", f"the result cannot be written: {problem.strerror or problem}")
        sys.stdout = None
    except UnicodeEncodeError as problem:
        complain(
            "error", f"the result has characters that the output cannot show: {problem}; set PYTHONUTF8=1"
        )
    return 2


def _run(words: list[str]) -> "int | Program":
    name = words[0] if words else ""
    if name == "help":
        words = [*words[1:2], "--help"]
        name = words[0]
    if name in COMMANDS:
        return command(name).run(words[1:])
    if name in ("-h", "--help"):
        print(overview(map(command, COMMANDS)))
        return 0
    if name in ("-V", "--version"):
        _print_version()
        return 0
    if name in ("--show-completion", "--install-completion", "--complete"):
        from dynconf.cli import completion

        return completion.run(name, words[1:], tuple(map(command, COMMANDS)))
    if name:
        near = nearest(name, (*COMMANDS, *OPTIONS) if name.startswith("-") else COMMANDS)
        hint = f": did you mean {near!r}?" if near else "; `dynconf --help` lists the commands"
        kind = "option" if name.startswith("-") else "command"
        complain("error", f"there is no {kind} {name!r}{hint}")
    else:
        print(overview(map(command, COMMANDS)), file=sys.stderr)
    return 2


def _print_version() -> None:
    at = Release.at_hand()
    torch = "not installed" if at.source == "newest" else at.version
    beyond = ", which is newer than the catalogue" if at.is_beyond_catalogue else ""
    print(f"dynconf {__version__}\ntorch {torch}{beyond}\nknows torch {RELEASES[0]} to {RELEASES[-1]}")


def command(name: str) -> Command:
    """Return the command of that name."""
    module = importlib.import_module(f"{__name__}.{name}")
    return Command(getattr(module, name), module.EXAMPLES)
