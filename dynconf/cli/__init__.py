"""The command line: one module for each command. Results go to stdout, everything else to stderr.

Exit codes: 0 fine, 1 the answer is no (findings, differences, failed checks), 2 wrong usage or bad input.
"""

import importlib
import os
import sys
from pathlib import Path

import typer

from dynconf.cli.output import complain
from dynconf.errors import DynconfError

COMMANDS = ("dump", "explain", "check", "diff", "env", "save", "schema", "verify", "backends", "compare")
"""Each is a function in the module of the same name."""


def main() -> None:
    """Run the command line; bad input ends in a message, not in a traceback."""
    if sys.stdout is None:  # closed by the caller, who does not want the result
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  open until the process ends
    try:
        try:
            _app(sys.argv[1:])()
        finally:
            sys.stdout.flush()  # writing what is left in the buffer may fail, too
    except DynconfError as error:
        for each in error.errors:
            complain("error", str(each))
        sys.exit(2)
    except BrokenPipeError:
        # Whoever read the output is gone; flushing the rest at exit would complain again.
        sys.stdout = None
        sys.exit(1)
    except OSError as problem:
        complain("error", f"the result cannot be written: {problem.strerror or problem}")
        sys.stdout = None
        sys.exit(2)
    except UnicodeEncodeError as problem:
        complain(
            "error", f"the result has characters that the output cannot hold: {problem}; set PYTHONUTF8=1"
        )
        sys.exit(2)


def _app(words: list[str]) -> typer.Typer:
    """Return the program with the command that *words* begin with, or with all of them.

    Importing one command instead of ten saves a quarter of the time that `dynconf dump` takes.
    """
    app = typer.Typer(
        name="dynconf",
        help="Typed, validated, explainable configuration for torch.compile.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_program)
    for name in set(words[:1]) & set(COMMANDS) or COMMANDS:
        app.command(name)(getattr(importlib.import_module(f"dynconf.cli.{name}"), name))
    return app


def _program() -> None:
    """Stand for the program itself, so that a single command still goes by its name."""
