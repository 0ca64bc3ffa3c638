"""The steps of checking a machine: each passes, fails or is skipped, and becomes a finding."""

import itertools
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dynconf.finding import Finding, Report

_TORCH_ADVICE = ("Set TORCHDYNAMO_VERBOSE", "You can suppress this exception", "For even more developer")
"""How torch's general advice begins, which it appends to most errors; the checks have advice of their own."""


class Skipped(Exception):
    """The step does not apply to this machine; the message says why."""


class Failed(Exception):
    """The step found something wrong; the message may have details below its first line."""

    def __init__(self, message: str, advice: str, *, required: bool = True) -> None:
        super().__init__(message)
        self.advice = advice
        self.required = required


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to check.

    Attributes:
        code: The code of its finding.
        title: Its name for people.
        run: Returns the good result in words, or raises `Skipped`, `Failed`, or whatever torch raises.
        advice: A remedy for an exception that torch raises; `Failed` has its own.
        facts: Further facts of the finding.
    """

    code: str
    title: str
    run: Callable[[], str]
    advice: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepReport(Report):
    """A report whose findings are those of `run_step`."""

    @property
    def summary(self) -> str:
        """One line for people: whether the required steps passed, and which were skipped."""
        failed = [each.facts["title"] for each in self.findings if each.level == "error"]
        skipped = [each.facts["title"] for each in self.findings if each.facts["status"] == "skipped"]
        verdict = f"Failed: {', '.join(failed)}" if failed else "All required checks passed"
        return f"{verdict}; skipped: {', '.join(skipped)}." if skipped else f"{verdict}."


def run_steps(
    steps: Iterable[Step],
    started: Callable[[str], object] | None = None,
    finished: Callable[[Finding], object] | None = None,
) -> Iterator[Finding]:
    """Run the steps one after the other and yield their findings; see `dynconf.doctor.verify.verify`."""
    for step in steps:
        if started is not None:
            started(step.title)
        finding = run_step(step)
        if finished is not None:
            finished(finding)
        yield finding


def run_step(step: Step) -> Finding:
    """Run one step and return its finding.

    The facts of the finding are ``title``, ``status`` (passed, skipped or failed), ``required``, ``found``
    (in words), the step's own, ``seconds``, and after a failure ``advice``, ``lines`` (details of the
    message) and ``traceback``. A failed step that is required is an error, everything else a note.
    """
    start = time.monotonic()
    status, required = "passed", True
    failure: dict[str, Any] = {}
    try:
        found = step.run()
    except Skipped as reason:
        status, required, found = "skipped", False, str(reason)
    except Exception as error:
        # A failure that the step itself found needs no traceback: only its cause, if torch raised one.
        known = error if isinstance(error, Failed) else None
        raised = error.__cause__ if known else error
        status, required = "failed", known.required if known else True
        found, *lines = str(known).splitlines() if known else key_lines(error)
        trace = "".join(traceback.format_exception(raised)) if raised else ""
        failure = {"advice": (known or step).advice, "lines": lines, "traceback": trace}
    facts = {"title": step.title, "status": status, "required": required, "found": found, **step.facts}
    facts |= {"seconds": round(time.monotonic() - start, 3), **failure}
    message = "\n".join([f"{step.title}: {found}", *failure.get("lines", ())])
    if failure.get("advice"):
        message += f"\nTry: {failure['advice']}"
    return Finding(step.code, "error" if status == "failed" and required else "note", message, facts=facts)


def key_lines(error: BaseException, limit: int = 6) -> list[str]:
    """Return the most telling lines of the message of *error*, at most *limit*; the first names its class."""
    # Dynamo wraps the exception of a backend in its own, whose message is mostly about the wrapping.
    cause = getattr(error, "inner_exception", None) or error
    lines = itertools.takewhile(lambda line: not line.startswith(_TORCH_ADVICE), str(cause).splitlines())
    kept = [line.rstrip() for line in lines if line.strip()]
    if len(kept) > limit:
        # The first line names the failed step, the last ones the reason: compilers complain at the end.
        kept = [kept[0], "...", *kept[2 - limit :]]
    name = type(cause).__name__
    return [f"{name}: {kept[0]}", *kept[1:]] if kept else [name]


def in_one_line(error: BaseException) -> str:
    """Return the key lines of *error* as one line."""
    return " ".join(line.strip() for line in key_lines(error, 3))
