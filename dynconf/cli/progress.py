"""The running step, and for how long it runs: a live line on a terminal, plain lines elsewhere."""

import sys
from contextlib import ExitStack, redirect_stdout
from typing import TYPE_CHECKING

from dynconf.cli.output import complain, is_terminal
from dynconf.text import printable

if TYPE_CHECKING:
    from typing_extensions import Self


class Progress:
    """Shows the running step on stderr; after an interruption, the finished ones.

    Text that is printed meanwhile goes to stderr, too, because only results go to stdout.

    Args:
        plain: Whether to print a line for each step where stderr is not a terminal.
    """

    def __init__(self, *, plain: bool = True) -> None:
        self._plain = plain
        self._titles: list[str] = []  # of all steps so far
        self._is_running = False
        self._resources = ExitStack()
        self._show = self._print

    def __enter__(self) -> "Self":
        self._resources.enter_context(redirect_stdout(sys.stderr))
        if is_terminal(sys.stderr):
            from rich.console import Console
            from rich.progress import Progress as Live
            from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
            # Results are printed above the live line, which goes away at the end.
            live = Live(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
            task = self._resources.enter_context(live).add_task("", visible=False)
            self._show = lambda title: live.reset(task, description=title, visible=bool(title))
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        self._resources.close()
        if kind is KeyboardInterrupt:
            place = f"in {self._titles.pop()}" if self._is_running else "at the end"
            done = f"finished: {', '.join(self._titles)}" if self._titles else "nothing was finished"
            complain("note", f"interrupted {place}; {done}")

    def start(self, title: str) -> None:
        """Show that the step *title* is running, and that the one before has ended."""
        self._titles.append(printable(title))
        self._is_running = True
        self._show(self._titles[-1])

    def finish(self) -> None:
        """End the running step, if there is one."""
        self._is_running = False
        self._show("")

    def _print(self, title: str) -> None:
        if self._plain and title:
            print(f"dynconf: {title} ...", file=sys.stderr, flush=True)
