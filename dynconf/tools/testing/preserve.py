"""`preserve`: undoing whatever some code changes in the configuration."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from dynconf.live.assignments import watch_assignments
from dynconf.live.decorate import wrapped
from dynconf.tools.baseline import Baseline, Undone

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Preserve:
    """A context manager and a decorator that undoes changes; made by `preserve`."""

    def __init__(self) -> None:
        self._entered: list[tuple[Baseline, list[Undone]]] = []

    def __enter__(self) -> list[Undone]:
        watch_assignments()  # so that the lines are known
        undone: list[Undone] = []
        self._entered.append((Baseline(), undone))
        return undone

    def __exit__(self, *_error: object) -> None:
        baseline, undone = self._entered.pop()
        for found in baseline.put_back():
            undone += found

    def __call__(self, function: Decorated) -> Decorated:
        """Decorate a function or a coroutine function.

        Raises:
            TypeError: It is something else; the body of a generator runs while others run.
        """
        if not callable(function) or isinstance(function, (type, staticmethod)):
            raise TypeError(
                f"dynconf.preserve cannot decorate {function!r}: expected a function or a coroutine function"
            )
        return cast("Decorated", wrapped(Preserve, function))


def preserve() -> Preserve:
    """Return a context manager and decorator that undoes whatever its body changes in torch's config modules.

    Assignments, patches and installations that were left in force or removed, deleted flags, and containers
    that were changed in place are restored, in the running thread or task and for the process. Flags are
    exactly as they were: one that was not set is not set again. Patches entered by other threads stay, even
    before torch 2.12, where they apply to the process. Environment variables are left alone, because torch
    reads them only while it is imported.

    Concurrent threads and tasks should each call `preserve`: the blocks of one result have to be left in the
    reverse order of entering. As a decorator it creates one for each call.

    ``with ... as`` gives a list that, once the block has ended, has an entry for each flag whose value had
    changed: ``flag``, ``before``, ``after``, and ``origin`` with the line that set it.

    Example:
        >>> import dynconf, torch._dynamo.config
        >>> with dynconf.preserve() as undone:
        ...     torch._dynamo.config.recompile_limit = 64
        >>> [(each.flag, each.before, each.after) for each in undone]
        [('recompile_limit', 8, 64)]
    """
    return Preserve()
