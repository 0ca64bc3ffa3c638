"""`audit`: a log of the lines that change the configuration.

`summary` groups and draws the changes for people, `file` writes and reads them as JSON lines.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from dynconf.text import html_table
from dynconf.tools.audit import overruled  # noqa: F401  it joins those that are told
from dynconf.tools.audit.file import AuditFile
from dynconf.tools.audit.summary import MOST_ENTRIES, Summary, is_torchs_own, record_of, svg
from dynconf.tools.audit.watch import begin, note_changes, unwatch, watch
from dynconf.tools.audit.writes import ConfigWrite, watchers

if TYPE_CHECKING:
    from typing_extensions import Self

_lock = threading.RLock()
if hasattr(os, "register_at_fork"):
    # Another thread may have held it: it is held while a file is written, for which a fork should not wait.
    os.register_at_fork(after_in_child=_lock._at_fork_reinit)  # type: ignore[attr-defined]


class Audit:
    """A log of every change to torch's config modules; see `audit`.

    Attributes:
        writes: The first 10,000 changes other than torch's own, in order; each has ``flag``, ``before``,
            ``after``, ``how``, ``origin``, its ``file`` and ``line``, ``by_torch``, ``thread`` and ``time``.
        summary: All changes, grouped by flag and line, and counted.
        file: The file that they are written to, if any.
    """

    def __init__(
        self,
        *,
        file: str | os.PathLike[str] | None = None,
        callback: Callable[[ConfigWrite], object] | None = None,
    ) -> None:
        self.writes: list[ConfigWrite] = []
        self.summary = Summary()
        self.file = None if file is None else AuditFile(file)
        self._callback = callback

    def __enter__(self) -> "Self":
        if not watchers:
            begin(self._note)
        watch(self._note)
        return self

    def __exit__(self, *_error: object) -> None:
        try:
            note_changes()
        finally:
            unwatch(self._note)
            if self.file:
                with _lock:  # another thread may write, and the program may open this descriptor next
                    self.file.close()

    def __str__(self) -> str:
        """Return a line for the changes of each flag by each line, and one for those of torch itself."""
        rows = ["  ".join(row) for row in self.rows()]
        return "\n".join([*rows, *self.summary.closing("rows(everything=True) lists them")])

    def _repr_html_(self) -> str:
        """Return a picture of the flags by time, and the table, for notebooks."""
        return svg(self.writes) + html_table(
            "audit", self.rows(), *self.summary.closing("rows(everything=True) lists them")
        )

    def rows(self, *, everything: bool = False) -> Iterable[tuple[str, ...]]:
        """Return a flag, its values with the number of changes, and the line and the way, in each row.

        Args:
            everything: Whether to list the changes that torch makes for itself, too.
        """
        return [each.row() for each in self.summary.shown(everything=everything)]

    def as_json(self) -> dict[str, Any]:
        """Return the changes as a JSON object: the first ones one by one, and all of them by lines."""
        return {"writes": list(map(record_of, self.writes)), **self.summary.as_json(everything=True)}

    def _note(self, write: ConfigWrite) -> None:
        try:
            record = record_of(write)
            with _lock:
                if self._note not in watchers:  # left meanwhile by another thread, which has closed the file
                    return
                self.summary.add(record)
                if not is_torchs_own(record) and len(self.writes) < MOST_ENTRIES:
                    self.writes.append(write)
                if self.file:
                    self.file.write(record)
            if self._callback and not is_torchs_own(record):
                self._callback(write)
        except Exception:  # the program must go on
            logging.getLogger("dynconf").exception("the audit of %s failed", write.flag)


def audit(
    *, file: str | os.PathLike[str] | None = None, callback: Callable[[ConfigWrite], object] | None = None
) -> Audit:
    """Return a context manager that logs every change to the configuration.

    It logs assignments, deletions, patches and ``load_config`` on torch's config modules, dynconf's own
    installations, patches and resets, and changes to torch's variables in ``os.environ``, in every thread. A
    dict, list or set whose contents have changed when torch next compiles, or at the end, is logged as ``in
    place``, without a line: the cache of compiled code may have missed the change. Changes that torch makes
    for its own use are only counted. While the audit is on, `origin` also names the line of a plain
    assignment. On torch 2.4 and 2.5, torch's own patches that were made before the audit are not logged.

    Args:
        file: A file, or a folder, for JSON lines, which are written as the changes happen. A folder whose
            name ends in a slash is created. Each process has its own file, with its rank and process id
            added to the name: ``audit.0.4711.jsonl``. ``dynconf report`` shows them.
        callback: Called with every change that is not torch's own, right after it, by the thread that made
            it. If it raises, the error is logged, and the program continues.

    Raises:
        StateFileError: The file cannot be created.

    Example:
        >>> import dynconf, torch._dynamo.config
        >>> with dynconf.audit() as log:
        ...     torch._dynamo.config.recompile_limit = 64
        >>> log.writes[0].flag, log.writes[0].before, log.writes[0].after, log.writes[0].how
        ('recompile_limit', 8, 64, 'assignment')
        >>> dynconf.reset("recompile_limit")
    """
    return Audit(file=file, callback=callback)
