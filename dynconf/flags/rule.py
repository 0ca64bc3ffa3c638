"""Rules over several flags of one module: values that torch rejects together, or that defeat each other."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from dynconf.flags.flag import ByRelease

Level = Literal["error", "warning"]


def together(*values: Any) -> bool:
    """Tell whether all flags of a rule are set: values that defeat each other."""
    return all(values)


def alone(value: Any, *needed: Any) -> bool:
    """Tell whether the first flag of a rule is set, and none that it needs."""
    return bool(value) and not any(needed)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """One rule.

    Only values that torch itself rejects or declares impossible are errors. Everything else is a warning,
    because programs that run today must keep running.

    Attributes:
        code: The name of the rule in messages.
        flags: The flags it is about, by their newest names.
        broken: Takes a value of each of these flags and tells whether they break the rule.
        when: The condition that breaks it, in a few words; for `together` and `alone` it need not be given.
        why: The consequence, and the way out.
        source: Where torch says so or does so.
        level: The consequence, by release if that changed.
        since: First release in which it applies; the release must also have all of its flags.
    """

    code: str
    flags: tuple[str, ...]
    broken: Callable[..., bool] = together
    when: str = ""
    why: str
    source: str
    level: Level | ByRelease[Level] = "warning"
    since: str = "2.4"

    def __post_init__(self) -> None:
        if not self.when:
            word = " without " if self.broken is alone else " with "
            object.__setattr__(self, "when", word.join(self.flags))
