"""The command line: one module for each command. Results go to stdout, everything else to stderr.

A command is a function in the module of its name, and its docstring is its help; ``OPTIONS`` beside it
declares its parameters. All this stands on `argparse`, with which ``dump`` takes half as long as with a
framework that imports pydantic.

Exit codes: 0 fine, 1 the answer is no (findings, differences, failed checks), 2 wrong usage or bad input.
"""

import importlib
import os
import sys
from pathlib import Path

from dynconf.cli.output import complain
from dynconf.cli.parser import Command, overview
from dynconf.errors import DynconfError
from dynconf.spelling import nearest

COMMANDS = ("dump", "explain", "check", "diff", "env", "save", "schema", "verify", "backends", "compare")


def main() -> None:
    """Run the command line; bad input ends in a message, not in a traceback."""
    if sys.stdout is None:  # closed by the caller, who does not want the result
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  open until the process ends
    try:
        try:
            code = _run(sys.argv[1:])
        finally:
            sys.stdout.flush()  # writing what is left in the buffer may fail, too
    except DynconfError as error:
        for each in error.errors:
            complain("error", each)
        code = 2
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # Whoever read the output is gone; flushing the rest at exit would complain again.
        sys.stdout, code = None, 1
    except OSError as problem:
        complain("error", f"the result cannot be written: {problem.strerror or problem}")
        sys.stdout, code = None, 2
    except UnicodeEncodeError as problem:
        complain(
            "error", f"the result has characters that the output cannot hold: {problem}; set PYTHONUTF8=1"
        )
        code = 2
    sys.exit(code)


def _run(words: list[str]) -> int:
    name = words[0] if words else ""
    if name in COMMANDS:
        return _command(name).run(words[1:])
    if name in ("-h", "--help"):
        print(overview(map(_command, COMMANDS)))
        return 0
    if name:
        near = nearest(name, COMMANDS)
        hint = f": did you mean {near!r}?" if near else "; `dynconf --help` lists the commands"
        kind = "option" if name.startswith("-") else "command"
        complain("error", f"there is no {kind} {name!r}{hint}")
    else:
        print(overview(map(_command, COMMANDS)), file=sys.stderr)
    return 2


def _command(name: str) -> Command:
    module = importlib.import_module(f"{__name__}.{name}")
    return Command(name, getattr(module, name), module.OPTIONS)
