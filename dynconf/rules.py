"""Judging a state by the rules over several flags."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue import Setting
from dynconf.errors import ConflictError, ConflictWarning, UnknownFlagError
from dynconf.flags.types import Mismatch, shown
from dynconf.origin import Origin


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of a state: what is refused, and what to warn of."""

    errors: tuple[ConflictError, ...] = ()
    warnings: tuple[ConflictWarning, ...] = ()


SOUND = Verdict()
"""The verdict on a state that breaks no rule."""


def check_rules(
    settings: Iterable[Setting],
    value_of: Callable[[Setting], Any],
    origin_of: Callable[[Setting], Origin],
) -> Verdict:
    """Judge the state that results when *settings* are set.

    Args:
        settings: What is being set; the rules in which they take part are checked.
        value_of: Returns the value that a setting will have; raises `Mismatch` or `UnknownFlagError` if it
            has none that can be judged.
        origin_of: Returns where that value comes from.
    """
    errors: list[ConflictError] = []
    warnings: list[ConflictWarning] = []
    for here in dict.fromkeys(rule for setting in settings for rule in setting.rules):
        try:
            values = [value_of(setting) for setting in here.settings]
        except (Mismatch, UnknownFlagError):
            continue
        if not here.rule.broken(*values):
            continue
        parts = [
            f"{setting.qualified}={shown(value)} ({origin_of(setting)})"
            for setting, value in zip(here.settings, values, strict=True)
        ]
        message = f"{here.rule.code}: {' with '.join(parts)}: {here.rule.why}"
        if here.level == "error":
            errors.append(ConflictError(message))
        else:
            names = " ".join(setting.qualified for setting in here.settings)
            warnings.append(ConflictWarning(message, topic=f"{here.rule.code} {names}"))
    return Verdict(tuple(errors), tuple(warnings)) if errors or warnings else SOUND
