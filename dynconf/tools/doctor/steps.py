"""The steps of checking a machine: each passes, fails or is skipped, and becomes a finding."""

import itertools
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dynconf.text import html_table
from dynconf.tools.show.finding import Finding, Level, Report

_TORCH_ADVICE = (
    *("Set TORCHDYNAMO_VERBOSE", "You can suppress this exception", "For even more developer"),
    *("Hint: ", "from user code:"),
)
"""How the general part of torch's errors begins, behind the reason; the checks have advice of their own."""


class Skipped(Exception):
    """The step does not apply to this machine; the message says why."""


class Failed(Exception):
    """The step found something wrong; the message may have details below its first line."""

    def __init__(self, message: str, advice: str, *, required: bool = True) -> None:
        super().__init__(message)
        self.advice = advice
        self.required = required


@dataclass(frozen=True, slots=True)
class StepReport(Report):
    """A report whose findings are those of `Steps`."""

    @property
    def summary(self) -> str:
        """One line for people: whether the required steps passed, and which were skipped."""
        failed = [each.facts["title"] for each in self.findings if each.level == "error"]
        skipped = [each.facts["title"] for each in self.findings if each.facts["status"] == "skipped"]
        verdict = f"Failed: {', '.join(failed)}" if failed else "All required checks passed"
        return f"{verdict}; skipped: {', '.join(skipped)}." if skipped else f"{verdict}."

    def _repr_html_(self) -> str:
        rows = []
        for facts in (each.facts for each in self.findings):
            title, status, found = (facts[name] for name in ("title", "status", "found"))
            rows.append((title, status, found, f"{facts['seconds']:.1f} s", facts.get("advice", "")))
        return html_table(self.summary, rows, headers=("step", "status", "found", "took", "advice"))


class Steps:
    """Runs the steps of a check, one after the other, and keeps their findings: see `verify`."""

    def __init__(
        self,
        started: Callable[[str], object] | None = None,
        finished: Callable[[Finding], object] | None = None,
    ) -> None:
        self._started = started or (lambda _title: None)
        self._finished = finished or (lambda _finding: None)
        self._findings: list[Finding] = []

    def report(self) -> StepReport:
        """Return the findings so far."""
        return StepReport(tuple(self._findings))

    def run(self, code: str, title: str, step: Callable[[], str], advice: str = "", **facts: Any) -> None:
        """Run one step, which returns the good result in words, or raises `Skipped` or `Failed`.

        *advice* is the remedy for other exceptions, which torch raises. The facts of the finding are
        ``title``, ``status`` (passed, skipped or failed), ``required``, ``found`` (in words), those given
        here, ``seconds``, and after a failure ``advice``, ``lines`` (details of the message) and
        ``traceback``. A failed step that is required is an error, everything else a note.
        """
        self._started(title)
        start = time.monotonic()
        status, required = "passed", True
        failure: dict[str, Any] = {}
        try:
            found = step()
        except Skipped as reason:
            status, required, found = "skipped", False, str(reason)
        except Failed as problem:
            status, required, (found, *lines) = "failed", problem.required, str(problem).splitlines()
            # A failure that the step itself found needs no traceback: only its cause, if torch raised one.
            failure = {"advice": problem.advice, "lines": lines, "traceback": _traceback(problem.__cause__)}
        except Exception as error:
            status, (found, *lines) = "failed", key_lines(error)
            failure = {"advice": advice, "lines": lines, "traceback": _traceback(error)}
        facts = {"title": title, "status": status, "required": required, "found": found, **facts}
        facts |= {"seconds": round(time.monotonic() - start, 3), **failure}
        message = "\n".join([f"{title}: {found}", *failure.get("lines", ())])
        if failure.get("advice"):
            message += f"\nTry: {failure['advice']}"
        level: Level = "error" if status == "failed" and required else "note"
        self._findings.append(Finding(code, level, message, facts=facts))
        self._finished(self._findings[-1])


def _traceback(error: BaseException | None) -> str:
    return "".join(traceback.format_exception(error)) if error else ""


def key_lines(error: BaseException, limit: int = 6) -> list[str]:
    """Return the most telling lines of the message of *error*, at most *limit*; the first names its class."""
    # Dynamo wraps the exception of a backend in its own, whose message is mostly about the wrapping.
    cause = getattr(error, "inner_exception", None) or error
    lines = itertools.takewhile(
        lambda line: not line.lstrip().startswith(_TORCH_ADVICE), str(cause).splitlines()
    )
    kept = [line.rstrip() for line in lines if line.strip()]
    if len(kept) > limit:
        # The first line names the failed step, the last ones the reason: compilers complain at the end.
        kept = [kept[0], "...", *kept[2 - limit :]]
    name = type(cause).__name__
    return [f"{name}: {kept[0]}", *kept[1:]] if kept else [name]


def in_one_line(error: BaseException) -> str:
    """Return the key lines of *error* as one line."""
    return " ".join(line.strip() for line in key_lines(error, 3))
