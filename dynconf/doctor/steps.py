"""A step of a check of the machine: it passes, is skipped for a reason, or is broken; each is a finding."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dynconf.checks.failure import full_traceback, useful_lines
from dynconf.checks.finding import Finding

Status = Literal["passed", "skipped", "failed"]


class Skipped(Exception):
    """The step does not apply here; the text says why."""


class Broken(Exception):
    """The step found something wrong.

    Attributes:
        advice: What to try.
        required: Whether ``torch.compile`` needs it for what was asked.
        lines: More of what was found.
    """

    def __init__(
        self, message: str, advice: str, *, required: bool = True, lines: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.advice = advice
        self.required = required
        self.lines = lines


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be checked.

    Attributes:
        code: What sort of step it is: the code of its finding.
        title: What it is called for people.
        run: Checks, and returns what was found; raises `Skipped` or `Broken`, or whatever torch raises.
        advice: What to try when it breaks, where `Broken` does not say.
        facts: More for the finding.
    """

    code: str
    title: str
    run: Callable[[], str]
    advice: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


def taken(step: Step) -> Finding:
    """Take the step, and return its finding.

    The finding's facts are ``title``, ``status`` (passed, skipped, failed), ``required``, ``seconds``,
    ``found`` (in words), and for a failure ``advice``, ``lines`` (the useful ones of the message) and
    ``traceback``. Only a failed step that is required is an error; all else is a note.
    """
    start = time.monotonic()
    status: Status = "passed"
    required, failure = True, {}
    try:
        found = step.run()
    except Skipped as reason:
        status, found, required = "skipped", str(reason), False
    except Broken as problem:
        status, found, required = "failed", str(problem), problem.required
        failure = {"advice": problem.advice, "lines": list(problem.lines), "traceback": _cause(problem)}
    except Exception as error:  # noqa: BLE001  whatever torch raises here is what this machine does
        lines = useful_lines(error)
        status, found = "failed", lines[0]
        failure = {"advice": step.advice, "lines": lines[1:], "traceback": full_traceback(error)}
    facts = {"title": step.title, "status": status, "required": required, "found": found, **step.facts}
    facts |= {"seconds": round(time.monotonic() - start, 3)} | failure
    level: Literal["error", "note"] = "error" if status == "failed" and required else "note"
    message = "\n".join([f"{step.title}: {found}", *failure.get("lines", ())])
    if failure.get("advice"):
        message += f"\nTry: {failure['advice']}"
    return Finding(step.code, level, message, facts=facts)


def _cause(problem: Broken) -> str:
    return full_traceback(problem.__cause__) if problem.__cause__ else ""
