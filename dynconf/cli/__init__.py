"""The command line: one module for each command. Results go to stdout, everything else to stderr.

A command is a function with `click` decorators in the module of its name; its docstring is its help, below
the line that `command.py` has, so that the help of the program imports no command. It returns its exit code:
0 (or None) fine, 1 the answer is no (findings, differences, failed checks), 2 wrong usage or bad input, or no
torch where it is needed. `run` returns the program, and ends as that does.
"""

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dynconf.cli import completion
from dynconf.cli.command import SUMMARIES, CommandGroup
from dynconf.cli.output import complain, complain_of
from dynconf.errors import DynconfError
from dynconf.release import RELEASES, Release
from dynconf.version import __version__

if TYPE_CHECKING:
    from dynconf.tools.run.program import Program

COMMANDS = tuple(SUMMARIES)
OLD_NAMES = {
    "audit": "report FILE",
    "backends": "verify --list, or verify --try",
    "compare --bisect": "bisect ... -- dynconf compare",
    "env": "dump --format env",
    "lint": "check PATH",
    "save": "dump -o FILE",
    "schema": "init --schema",
}


def main() -> None:
    """Run the command line; bad input ends in a message, not in a traceback."""
    if sys.stdout is None:  # closed by the caller, who does not want the result
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  open until the process ends
    threshold = gc.get_threshold()
    gc.set_threshold(100_000)  # hardly anything is garbage, and torch's collections would come sooner
    try:
        result = _run_reporting_errors(sys.argv[1:])
    finally:
        gc.set_threshold(*threshold)
        gc.freeze()  # spares the collections of the program, and the one at exit: a tenth of a command
    if isinstance(result, int):
        sys.exit(result)
    result.run()  # outside all error handling, so that the program runs exactly as under Python itself


def _run_reporting_errors(words: list[str]) -> "int | Program":
    """Run the command that *words* name, and return its exit code, or the program that is to be run now."""
    try:
        try:
            return _run(words)
        finally:
            sys.stdout.flush()  # writing the rest of the buffer may fail, too
    except click.UsageError as error:
        message = error.format_message()
        if error.ctx and "?" not in message:  # unless it suggests something
            message = f"{message.rstrip('.')}; try '{error.ctx.command_path} --help'"
        complain("error", message)
    except DynconfError as error:
        complain_of(error.errors)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output is gone; flushing the rest at exit would complain again.
        sys.stdout = None
        return 141
    except ModuleNotFoundError as missing:
        if missing.name != "torch":  # a part of torch may be missing where torch is installed
            raise
        line = " ".join(["dynconf", *words])
        complain("error", f"{line} needs torch, which is not installed: pip install torch")
    except OSError as problem:
        name = "the result" if problem.filename is None else problem.filename
        complain("error", f"{name} cannot be written: {problem.strerror or problem}")
        sys.stdout = None
    except UnicodeEncodeError as problem:
        complain(
            "error", f"the result has characters that the output cannot show: {problem}; set PYTHONUTF8=1"
        )
    return 2


def _run(words: list[str]) -> "int | Program":
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if instruction := os.environ.get(completion.VARIABLE):
        return completion.answer(group, instruction)
        # Not `group.main()`, which has its own exit codes and messages for Ctrl-C and for a closed pipe.
    try:
        with group.make_context("dynconf", words) as context:
            return group.invoke(context) or 0
    except click.exceptions.Exit as stop:
        return stop.exit_code


@click.group(
    cls=CommandGroup,
    old_names=OLD_NAMES,
    invoke_without_command=True,
    epilog="To compare ranks, use dynconf.distributed.check_consistency(); to find tests that leave flags"
    " changed, pytest --dynconf-leaks=error. The documentation is in docs/ of the project's repository, where"
    " `make docs` builds the site.",
)
@click.option("-V", "--version", is_flag=True, help="Show the versions of dynconf and torch.")
@click.option(
    "--show-completion",
    type=click.Choice(("bash", "zsh", "fish")),
    help="Print the completion script: source it when your shell starts.",
)
@click.pass_context
def group(context: click.Context, *, version: bool, show_completion: str | None) -> None:
    """Typed, validated, explainable configuration for torch.compile."""
    if version:
        at = Release.at_hand()
        torch = "not installed" if at.source == "newest" else at.version
        beyond = ", which is newer than the catalogue" if at.is_beyond_catalogue else ""
        print(f"dynconf {__version__}\ntorch {torch}{beyond}\nknows torch {RELEASES[0]} to {RELEASES[-1]}")
    elif show_completion is not None:
        print(completion.script_of(show_completion), end="")
    elif context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)
    else:
        return  # click goes on with the command
    context.exit()
