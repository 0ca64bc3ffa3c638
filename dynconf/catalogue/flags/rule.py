"""Rules over several flags: values that torch rejects in combination, or that defeat each other."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from dynconf.catalogue.flags.flag import ByRelease

Level = Literal["error", "warning", "note"]


def all_set(*values: Any) -> bool:
    """Tell whether all flags of a rule are set; for flags that defeat each other."""
    return all(values)


def set_alone(value: Any, *needed: Any) -> bool:
    """Tell whether the first flag of a rule is set, but none of the others, one of which it needs."""
    return bool(value) and not any(needed)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """One rule.

    Only combinations that torch itself rejects or declares impossible are errors. Everything else is a
    warning, because programs that run today must keep running; `dynconf check` has a note for those that may
    be meant.

    Attributes:
        code: The name of the rule in messages, such as ``DC101``.
        flags: The flags it is about, by their newest names.
        is_broken: Tells whether a value of each of these flags breaks the rule.
        when: The condition in a few words; `all_set` and `set_alone` have their own.
        why: The consequence, and the remedy.
        source: The place in torch's source that shows it.
        level: How serious it is, by release if that changed.
        since: First release in which it applies, if that has all of its flags.
        until: Last release in which it applies; empty while it does.
    """

    code: str
    flags: tuple[str, ...]
    is_broken: Callable[..., bool] = all_set
    when: str = ""
    why: str
    source: str
    level: Level | ByRelease[Level] = "warning"
    since: str = "2.4"
    until: str = ""

    def __post_init__(self) -> None:
        if not self.when:
            word = " without " if self.is_broken is set_alone else " with "
            object.__setattr__(self, "when", word.join(self.flags))
