"""`audit`: a log of the lines that change the configuration."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dynconf.flags.types import short_repr
from dynconf.live.watch import ConfigWrite, unwatch, watch
from dynconf.names import show_data

if TYPE_CHECKING:
    from typing_extensions import Self


class Audit:
    """A log of every change to torch's config modules; see `audit`.

    Attributes:
        writes: The changes so far, in order; each has ``flag``, ``before``, ``after``, ``how``, ``file``,
            ``line`` and ``thread``.
    """

    def __init__(self) -> None:
        self.writes: list[ConfigWrite] = []

    def __enter__(self) -> "Self":
        watch(self.writes.append)
        return self

    def __exit__(self, *_error: object) -> None:
        unwatch(self.writes.append)

    def __str__(self) -> str:
        """Return a line for each change."""
        return "\n".join("  ".join(row) for row in self.rows())

    def rows(self) -> Iterable[tuple[str, str, str, str]]:
        """Yield the flag of each change, its two values, the line that made it, and how."""
        for each in self.writes:
            yield each.flag, f"{short_repr(each.before)} -> {short_repr(each.after)}", _place(each), each.how

    def as_json(self) -> dict[str, Any]:
        """Return the changes as a JSON object."""
        writes = [each._asdict() for each in self.writes]
        for each in writes:
            each |= {side: show_data(each["flag"], each[side]) for side in ("before", "after")}
        return {"writes": writes}


def audit() -> Audit:
    """Return a context manager that logs every change to the configuration.

    It logs assignments, deletions, patches and ``load_config`` on torch's config modules, and dynconf's own
    installations, patches and resets, in every thread. While it is on, `origin` also names the line of a
    plain assignment. Not logged are the changes when a decorated coroutine or generator is suspended and
    resumed, nor, on torch 2.4 and 2.5, torch's own patches that were made before the audit.

    Example:
        >>> import dynconf, torch._dynamo.config
        >>> with dynconf.audit() as log:
        ...     torch._dynamo.config.recompile_limit = 64
        >>> log.writes[0].flag, log.writes[0].before, log.writes[0].after, log.writes[0].how
        ('recompile_limit', 8, 64, 'assignment')
        >>> dynconf.reset("recompile_limit")
    """
    return Audit()


def _place(write: ConfigWrite) -> str:
    """Return file and line, the file relative to the folder on ``sys.path`` that makes it shortest."""
    prefixes = (f"{folder.rstrip('/')}/" for folder in sys.path if folder)
    file = min((write.file.removeprefix(each) for each in prefixes), key=len, default=write.file)
    return f"{file}:{write.line}"
