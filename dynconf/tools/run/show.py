"""Showing the settings that a process ended up with, on stderr: ``dynconf run --show``.

A variable hands the request on to the processes that the program starts.
"""

import sys
from pathlib import Path
from typing import Literal, get_args

from dynconf.errors import EnvironmentWarning
from dynconf.live.after_import import after_import
from dynconf.provenance import Caller, launched_rank
from dynconf.tools.at_exit import at_exit, attempt, say

When = Literal["exit", "compile"]

SHOW_VARIABLE = "DYNCONF_SHOW"
"""The variable that hands it on: ``exit`` or ``compile``."""

_COMPILATION = "torch._dynamo.callback"
"""torch's module of functions that are called when a compilation starts; in all releases."""


def show_outcome(when: str, line: Caller) -> None:
    """Show the `outcome` of this process when *when*, the text of the variable, says so, if it does."""
    if not when:
        return
    if when not in get_args(When):
        expected = " or ".join(get_args(When))
        line.warn(EnvironmentWarning(f"{SHOW_VARIABLE}={when} shows nothing: expected {expected}"))
        return
    shown: list[str] = []

    def show(moment: str) -> None:
        if shown:
            return
        shown.append(moment)
        from dynconf.tools.report.outcome import outcome

        say(f"in force {moment}: {outcome()}")

    # A fork has the settings of its parent, and shows them if it compiles.
    at_exit("--show", lambda: show("at the end"))
    if when == "compile":
        # torch._dynamo.reset() forgets it again; the settings are then shown at the end.
        after_import(
            _COMPILATION,
            lambda: sys.modules[_COMPILATION].on_compile_start(
                lambda *_: attempt("--show", lambda: show("at the first compilation"))
            ),
        )


def write_report(file: str) -> None:
    """Write a report of this process when it ends, to a file of its own if a launcher gave it a rank."""

    def write() -> None:
        from dynconf.tools.report.outcome import outcome
        from dynconf.tools.report.report import report_of

        path = Path(file)
        if rank := launched_rank():
            path = path.with_stem(f"{path.stem}.{rank}")
        report_of(outcome()).save(path)

    at_exit("--report", write)
