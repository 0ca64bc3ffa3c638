"""The running step, and for how long it runs: a live line on a terminal, plain lines elsewhere."""

import sys
from contextlib import ExitStack, redirect_stdout
from typing import TYPE_CHECKING

from dynconf.cli.output import complain, is_terminal
from dynconf.escaping import printable

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
        self._finished: list[str] = []
        self._running = ""
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
            done = f"finished: {', '.join(self._finished)}" if self._finished else "nothing was finished"
            place = f"in {self._running}" if self._running else "at the end"
            complain("note", f"interrupted {place}; {done}")

    def start(self, title: str) -> None:
        """Show that the step *title* is running, and that the one before has ended."""
        self.finish()
        self._running = printable(title)
        self._show(self._running)

    def finish(self) -> None:
        """End the running step, if there is one."""
        if self._running:
            self._finished.append(self._running)
            self._running = ""
            self._show("")

    def _print(self, title: str) -> None:
        if self._plain and title:
            print(f"dynconf: {title} ...", file=sys.stderr, flush=True)
