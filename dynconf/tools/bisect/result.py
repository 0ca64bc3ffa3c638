"""The result of a bisection."""

import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from dynconf.catalogue.names import newest_record
from dynconf.store.diff import Change
from dynconf.store.saving import saved_document, write_document
from dynconf.text import html_table
from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.space import Difference, Space
from dynconf.tools.bisect.trials import OutOfTrials, Trial, Trials


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

    def _repr_html_(self) -> str:
        return html_table(self.summary, self.rows(), headers=HEADERS)

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


_OWN = "unless the program sets one itself, which counts in every trial: leave that out of a copy"


def why_ends_are_equal(space: Space, trials: Trials, *, either_way: bool = False) -> str:
    """Run the good state and the bad one, and say why there is nothing to search; empty if there is.

    If they may be *either_way* round, bad means from then on: as in the bad state.
    """
    good, bad = (trials.trial(names).verdict for names in (frozenset[str](), space.names))
    match good, bad:
        case "good", "bad":
            return ""
        case "bad", "good" if either_way:
            trials.is_flipped = True
            return ""
        case "bad", "good":
            return "it fails in the good state and not in the bad one: exchange them"
        case "neither", _:
            return f"the good state cannot be judged: {trials.trial(frozenset()).note}"
        case _, "neither":
            return f"the bad state cannot be judged: {trials.trial(space.names).note}"
        case "bad", _:
            note = trials.trial(frozenset()).note
            why = f" ({note})" if note else ""
            return f"it fails in the good state, too{why}: no difference of the two is the reason, {_OWN}"
        case _:
            return f"it does not fail in the bad state either: no difference of the two matters, {_OWN}"


def narrowed(
    space: Space, trials: Trials, stop: tuple[type[BaseException], ...] = (OutOfTrials,)
) -> BisectResult:
    """Search a space whose ends differ; the exceptions in *stop* end the search early."""
    search = Search(space.weights, trials.judge)
    with suppress(*stop):
        search.run()
    flags = tuple(name for name in space.differences if name in search.failing)
    return BisectResult(flags, tuple(trials.history), search.is_minimal, space)


def is_cured(space: Space, trials: Trials, result: BisectResult) -> bool:
    """Tell whether the bad state is good with the good values of the flags that were found."""
    return trials.judge(space.names.difference(result.flags)) == "good"


def go_through(space: Space, trials: Trials, *, either_way: bool) -> None:
    """Ask for all trials of a search, for those who want to know which these are."""
    if not why_ends_are_equal(space, trials, either_way=either_way):
        result = narrowed(space, trials)
        if result.is_minimal:
            is_cured(space, trials, result)
