"""The command line: one module for each command. Results go to stdout, everything else to stderr.

Exit codes: 0 fine, 1 the answer is no (findings, differences, failed checks), 2 wrong usage or bad input.
"""

import os
import sys
from pathlib import Path

import typer

from dynconf.cli import backends, check, compare, diff, dump, env, explain, save, schema, verify
from dynconf.cli.output import complain
from dynconf.errors import DynconfError

app = typer.Typer(
    name="dynconf",
    help="Typed, validated, explainable configuration for torch.compile.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("dump")(dump.dump)
app.command("explain")(explain.explain)
app.command("check")(check.check)
app.command("diff")(diff.diff)
app.command("env")(env.env)
app.command("save")(save.save)
app.command("schema")(schema.schema)
app.command("verify")(verify.verify)
app.command("backends")(backends.backends)
app.command("compare")(compare.compare)


def main() -> None:
    """Run the command line; a mistake in the input is told without a traceback."""
    if sys.stdout is None:  # closed by the caller, who wants no result
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # what is still in the buffer may not be writable either
    except DynconfError as error:
        for each in error.errors:
            complain("error", str(each))
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output is gone; what is left to flush would complain again at exit.
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
