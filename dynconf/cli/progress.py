"""The running step, and for how long it runs: a live line on a terminal, plain lines elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

from dynconf.cli.output import is_terminal
from dynconf.text import printable

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def progress(*, plain: bool = True) -> Iterator[Callable[..., None]]:
    """Yield what shows the running step on stderr, by its title; an empty one ends it, `same` renames it.

    Text that is printed meanwhile goes to stderr, too, because only results go to stdout. Where stderr is no
    terminal, steps may be *plain* lines.
    """
    live: Any = None

    def show(title: str, *, same: bool = False) -> None:
        nonlocal live
        if live is None and is_terminal(sys.stderr):
            live = resources.enter_context(_live())  # only now: no process that is forked should copy it
        title = printable(title)
        if live is not None:
            (live.update if same else live.reset)(live.task_ids[0], description=title, visible=bool(title))
        elif plain and title and not same:
            print(f"dynconf: {title} ...", file=sys.stderr, flush=True)

    with ExitStack() as resources:
        resources.enter_context(redirect_stdout(sys.stderr))
        yield show


def _live() -> "Progress":
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    # Results are printed above the live line, which goes away at the end.
    live = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
    live.add_task("", visible=False)
    return live
