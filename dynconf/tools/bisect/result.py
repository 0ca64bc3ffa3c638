"""The result of a bisection."""

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from dynconf.catalogue.names import newest_record
from dynconf.store.diff import Change
from dynconf.store.saving import saved_document, write_document
from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.space import Difference, Space
from dynconf.tools.bisect.trials import Trial


@dataclass(frozen=True, slots=True)
class BisectResult:
    """The smallest set of flags found whose values in the bad state make it fail.

    Attributes:
        flags: Their newest names, those that are most likely to matter first.
        history: All trials, in their order.
        is_minimal: Whether leaving out any one of them makes the failure vanish, or gives a state that cannot
            be judged. If not, the search was ended early: the culprits are among them.
    """

    flags: tuple[str, ...]
    history: tuple[Trial, ...]
    is_minimal: bool
    _space: Space = field(repr=False)

    @classmethod
    def of(cls, space: Space, trials: Iterable[Trial], search: Search) -> "BisectResult":
        """Return the result of a search, as far as it has come with these trials."""
        flags = tuple(name for name in space.differences if name in search.failing)
        return cls(flags, tuple(trials), search.is_minimal, space)

    @property
    def trials(self) -> int:
        """How many states were tried, the two ends included."""
        return len(self.history)

    @property
    def differences(self) -> list[Difference]:
        """The differences in these flags."""
        return [self._space.differences[name] for name in self.flags]

    @property
    def changes(self) -> list[Change]:
        """The same, from the good value to the bad one, as `dynconf.diff` has them."""
        return [each.change for each in self.differences]

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Return flag, good value, bad value, effect, and release since which it is so, for each flag."""
        return [
            (
                each.name,
                each.setting.text(each.good.value),
                each.setting.text(each.bad.value),
                newest_record(each.name).summary if each.setting.is_catalogued else "",
                each.since,
            )
            for each in self.differences
        ]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file that reproduces the failure: the good state, but for these flags.

        Raises:
            StateFileError: The file cannot be written.
        """
        write_document(path, saved_document(self._space.state(self.flags), ()))

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "flags": [each.as_json() for each in self.changes],
            "minimal": self.is_minimal,
            "trials": self.trials,
            "history": [asdict(trial) for trial in self.history],
        }

    @property
    def summary(self) -> str:
        """The result in one line."""
        count, of = len(self.flags), len(self._space.differences)
        least = "" if self.is_minimal else "at most "
        differences = "differences" if of > 1 else "difference"
        trials = "trials" if self.trials > 1 else "trial"
        verb = "decide" if count > 1 else "decides"
        return f"{least}{count} of {of} {differences} {verb} it, after {self.trials} {trials}"


HEADERS = ("flag", "good", "bad", "effect", "since")
