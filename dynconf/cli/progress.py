"""The running step, and for how long it runs: a live line on a terminal, plain lines elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout

from dynconf.cli.output import complain, is_terminal
from dynconf.text import printable


@contextmanager
def progress(*, plain: bool = True) -> Iterator[Callable[[str], None]]:
    """Yield what shows the running step on stderr, by its title; an empty one ends the step.

    After an interruption, the finished steps are named. Text that is printed meanwhile goes to stderr, too,
    because only results go to stdout. Where stderr is no terminal, steps may be *plain* lines.
    """
    titles: list[str] = []  # of all steps, with an empty one where none runs

    def show(title: str) -> None:
        if plain and title:
            print(f"dynconf: {title} ...", file=sys.stderr, flush=True)

    def start(title: str) -> None:
        titles.append(printable(title))
        show(titles[-1])

    try:
        with ExitStack() as resources:
            resources.enter_context(redirect_stdout(sys.stderr))
            if is_terminal(sys.stderr):
                from rich.console import Console
                from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

                columns = (
                    SpinnerColumn(),
                    TextColumn("{task.description}", markup=False),
                    TimeElapsedColumn(),
                )
                # Results are printed above the live line, which goes away at the end.
                live = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
                task = resources.enter_context(live).add_task("", visible=False)

                def show(title: str) -> None:
                    live.reset(task, description=title, visible=bool(title))

            yield start
    except KeyboardInterrupt:
        place = f"in {titles.pop()}" if any(titles[-1:]) else "at the end"
        done = ", ".join(filter(None, titles))
        complain("note", f"interrupted {place}; {f'finished: {done}' if done else 'nothing was finished'}")
        raise
