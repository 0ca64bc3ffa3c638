"""Whether a command failed: by its exit code, by a number that it printed, by the time that it took."""

import math
import operator
import re
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from dynconf.errors import InvalidValueError
from dynconf.tools.bisect.trials import Run, Verdict

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}

_NUMBER = (
    r"[-+]?(?:(?:(?:\d{1,3}(?:[,_]\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?"
    # A word that begins with these is another one, unless it ends with a unit: f"{step_time}ms".
    r"|(?:nan|inf(?:inity)?)(?=(?:[mnu\u00b5\u03bc]?s|x)?(?![^\W_])))"
)
"""A number as Python prints it, with commas or underscores between groups of three digits, too."""

_AT_NUMBER = re.compile(_NUMBER, re.IGNORECASE)

_CONTINUES = re.compile(
    r"(?:[^\W\d_]*[-+:]?|[.,_'\u2019/*^\xa0\u2009\u202f])\d|e[-+]?(?![^\W\d_])|x[0-9a-f]", re.IGNORECASE
)
"""A text that makes the number before it a part of something else, such as a date, ``1/2`` or ``5m30s``."""

_CONDITION = re.compile(rf"\s*([\w./ -]*?)\s*([<>]=?|[=!]=)\s*({_NUMBER})\s*", re.IGNORECASE)

_MOST_SHOWN = 40
"""Characters of a text that is no number in a message."""

_SKIP = 125
"""The exit code by which a command says that it cannot be judged, as for ``git bisect run``."""

_BY_SIGNAL = frozenset(128 + number for number in signal.valid_signals())
"""The codes with which a shell ends whose command was ended by a signal."""

Hang = Literal["fail", "pass", "skip"]
"""The meaning of a command that does not end in time."""

_MEANING: dict[Hang, Verdict] = {"fail": "bad", "pass": "good", "skip": "neither"}


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of a number that a command prints, such as ``step_time > 0.9``."""

    name: str
    symbol: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Return the condition in a text; raise `InvalidValueError` if it is none."""
        match = _CONDITION.fullmatch(text)
        bound = float(match[3].replace(",", "")) if match and match[1] else math.nan
        if match is None or math.isnan(bound):
            raise InvalidValueError(f"--fail-if {text!r}: expected NAME > NUMBER, such as 'step_time > 0.9'")
        return cls(match[1], match[2], bound)

    def number_in(self, output: str) -> float | str | None:
        """Return the last number that *output* gives for the name, as ``name=1``, ``name: 1`` or in JSON.

        If it is only the beginning of a text that is no number, that text is returned.
        """
        before = rf"(?<![\w./-]){re.escape(self.name)}[\"']?\s*[=:]\s*[\"']?(?=[-+]?(?:\.?\d|nan|inf))"
        at = max((match.end() for match in re.finditer(before, output, re.IGNORECASE)), default=None)
        if at is None:
            return None
        number = _AT_NUMBER.match(output, at)
        if number is None or _CONTINUES.match(output, number.end()):
            return re.split(r"[ \t\r\n]", output[at : at + _MOST_SHOWN])[0].rstrip("\"'}]),")
        return float(number[0].replace(",", ""))


@dataclass(frozen=True, slots=True)
class Failure:
    """The definition of a failure."""

    on: str = "nonzero"  # the exit codes: nonzero, zero, signal or a number; empty if they do not matter
    condition: Condition | None = None  # on a number that counts as well
    hang: Hang = "fail"

    def __post_init__(self) -> None:
        if self.on not in ("", "nonzero", "zero", "signal", *map(str, range(1, 256))):
            raise InvalidValueError(
                f"--fail-on {self.on!r}: expected nonzero, zero, signal, or an exit code from 1 to 255"
            )

    def judge(self, code: int | None, output: str) -> Run:
        """Judge a command that ended with a code, negative for a signal, or None if it did not in time."""
        if code is None:
            return Run(_MEANING[self.hang], note="it did not end in time")
        ended = f"it was ended by signal {-code}" if code < 0 else f"exit code {code}"
        if code == _SKIP and self.on != str(_SKIP):
            return Run("neither", note=ended)
        verdict = self._verdict_on(code)
        if verdict != "good" or self.condition is None:
            return Run(verdict, note="" if verdict == "good" else ended)
        condition, number = self.condition, self.condition.number_in(output)
        if number is None:
            return Run("neither", note=f"it printed no {condition.name}=NUMBER")
        if isinstance(number, str):
            return Run("neither", note=f"it printed {condition.name}={number}, which is not one plain number")
        # What is not a number, such as a loss, is a failure.
        is_bad = math.isnan(number) or _OPERATORS[condition.symbol](number, condition.bound)
        return Run("bad" if is_bad else "good", number)

    def _verdict_on(self, code: int) -> Verdict:
        if self.on in ("zero", "nonzero"):
            return "bad" if (code == 0) == (self.on == "zero") else "good"
        is_bad = code < 0 or code in _BY_SIGNAL if self.on == "signal" else str(code) == self.on
        return "bad" if is_bad else "neither" if code else "good"
