"""``dynconf run``."""

import atexit
import json
import os
import sys
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

from dynconf.catalogue import Setting
from dynconf.cli.options import Sources, release
from dynconf.cli.output import Styled, complain, complain_of, print_table
from dynconf.cli.parser import PROGRAM, option
from dynconf.errors import DynconfError, InvalidValueError
from dynconf.modules import home
from dynconf.origin import caller
from dynconf.release import Release
from dynconf.run import Program, environment_of, install_on_import
from dynconf.sources.gather import check_conflicts
from dynconf.state import State
from dynconf.writing import STDOUT, write

EXAMPLES = (
    "dynconf run train.py --epochs 3",
    "dynconf run --set recompile_limit=64 -m package.train",
    "dynconf run --audit -- train.py",
    "torchrun --nproc-per-node 2 -m dynconf run train.py",
)


def run(
    *,
    sources: Sources,
    audit: Annotated[
        bool, option("--audit", "When the program ends, list on stderr who changed which flag.")
    ],
    audit_file: Annotated[Path | None, option("--audit-file FILE", "Write that list to a file, as JSON.")],
    program: Annotated[
        list[str], option(PROGRAM, "The program and its arguments, as you would give them to python.")
    ],
) -> Program:
    """Run a program with the settings in force.

    Reads files, environment and --set, and ends before the program starts if anything there is wrong. Then
    runs the program in this process as `python SCRIPT` would, with the settings installed for all of it.
    Processes that it starts find the settings in DYNCONF_CONFIG, if they use dynconf too.
    """
    at = release(None)
    wanted = Program.named(program)
    reading = check_conflicts(sources.read(at))
    state = reading.checked()
    complain("warning", *reading.warnings)
    if audit_file and str(audit_file) != STDOUT:
        if not os.access(audit_file.parent, os.W_OK):
            raise InvalidValueError(
                f"--audit-file {audit_file}: there is no folder {audit_file.parent} that you may write to"
            )
        audit_file = audit_file.absolute()  # the program may change the folder
    _hand_on(state, at)
    waiting = install_on_import(state, caller(), _refused)
    _at_the_end(partial(_tell_what_waits, waiting))
    if audit or audit_file:
        _audit(audit_file, table=audit)
    return wanted


def _refused(error: DynconfError) -> NoReturn:
    complain_of(error.errors)
    raise SystemExit(2)


def _hand_on(state: State, at: Release) -> None:
    environ, lost = environment_of(state.bare_values(), at, os.environ)
    for setting in lost:
        complain("warning", f"{setting.qualified} is not handed on to processes that the program starts")
    for name in os.environ.keys() - environ.keys():
        del os.environ[name]
    os.environ.update(environ)


def _at_the_end(action: Callable[[], object]) -> None:
    """Have something done when this process, not one forked from it, ends."""
    process = os.getpid()
    atexit.register(lambda: action() if os.getpid() == process else None)


def _tell_what_waits(waiting: Mapping[Setting, Collection[str]]) -> None:
    for setting, modules in waiting.items():
        if modules and home(setting.module) not in modules:
            never = ", ".join(sorted(modules))
            complain("warning", f"{setting.qualified} had no effect: the program never imported {never}")


def _audit(file: Path | None, *, table: bool) -> None:
    """Note every change from now on, and report them at the end."""
    from dynconf.audit import Audit

    log = Audit()
    log.__enter__()

    def report() -> None:
        log.__exit__()
        if table and sys.stderr:
            rows = [
                (Styled(flag, "bold"), change, f"{place} ({how})") for flag, change, place, how in log.rows()
            ]
            if rows:
                print_table(("flag", "change", "by"), rows, stream=sys.stderr)
            else:
                complain("note", "nothing changed the configuration")
        if file:
            try:
                write(file, json.dumps(log.as_json(), indent=2) + "\n")
            except DynconfError as error:
                complain("error", error)

    _at_the_end(report)
