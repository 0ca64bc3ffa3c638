"""Checking a state against the rules over several flags: the only place that decides about them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue import RuleHere, Setting
from dynconf.errors import ConflictError, ConflictWarning, UnknownFlagError
from dynconf.flags.types import Mismatch, shown
from dynconf.origin import Origin


@dataclass(frozen=True, slots=True)
class Verdict:
    """The broken rules of a state: those that refuse it, and those that warn."""

    errors: tuple[ConflictError, ...] = ()
    warnings: tuple[ConflictWarning, ...] = ()


SOUND = Verdict()
"""The verdict on a state that breaks no rule."""


def check_rules(
    settings: Iterable[Setting],
    value_of: Callable[[Setting], Any],
    origin_of: Callable[[Setting], Origin],
    is_relevant: Callable[[RuleHere], bool] | None = None,
) -> Verdict:
    """Check the state that results when *settings* are set.

    Values are asked for one by one, and origins only for messages: in a patch, which is made often, both are
    read from the live modules, and hardly any rule is ever broken.

    Args:
        settings: The settings that are being set; the rules in which they take part are checked.
        value_of: Returns the value that a setting will have; raises `Mismatch` or `UnknownFlagError` if it
            has none that can be checked.
        origin_of: Returns where that value comes from.
        is_relevant: Selects rules; all are checked without it.
    """
    errors: list[ConflictError] = []
    warnings: list[ConflictWarning] = []
    for here in dict.fromkeys([rule for setting in settings for rule in setting.rules]):
        if is_relevant is not None and not is_relevant(here):
            continue
        try:
            values = [value_of(setting) for setting in here.settings]
        except (Mismatch, UnknownFlagError):
            continue  # code assigned nonsense, or a torch newer than the catalogue lacks a flag
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
