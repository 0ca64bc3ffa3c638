"""Checking a state against the rules over several flags.

Deciding and reporting are separate. A patch, which is made often, decides on the live modules (in
`dynconf.live.validation`), where the origin of a value takes a search; hardly any rule is ever broken, and
only then are origins asked for.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from dynconf.catalogue.catalogue import ReleaseRule, Setting
from dynconf.catalogue.flags.types import Mismatch, short_repr
from dynconf.errors import ConflictError, ConflictWarning, UnknownFlagError
from dynconf.provenance import Origin


class Verdict(NamedTuple):
    """The broken rules of a state: those that refuse it, and those that warn."""

    errors: tuple[ConflictError, ...] = ()
    warnings: tuple[ConflictWarning, ...] = ()


def broken_rules(
    rules: Iterable[ReleaseRule], value_of: Callable[[Setting], Any]
) -> dict[ReleaseRule, list[Any]]:
    """Return those of the rules that a state breaks, with the values that break them.

    Args:
        rules: The rules.
        value_of: Returns a value of that state; raises `Mismatch` or `UnknownFlagError` if there is none that
            can be checked.
    """
    broken = {}
    for here in rules:
        with suppress(Mismatch, UnknownFlagError):
            found = [value_of(setting) for setting in here.settings]
            if here.rule.is_broken(*found):
                broken[here] = found
    return broken


def verdict_on(broken: Mapping[ReleaseRule, list[Any]], origin_of: Callable[[Setting], Origin]) -> Verdict:
    """Return the errors and warnings about broken rules, with the origin of each value."""
    errors: list[ConflictError] = []
    warnings: list[ConflictWarning] = []
    for here, values in broken.items():
        parts = [
            f"{setting.newest}={short_repr(value)} ({origin_of(setting)})"
            for setting, value in zip(here.settings, values, strict=True)
        ]
        message = f"{here.rule.code}: {' with '.join(parts)}: {here.rule.why}"
        if here.level == "error":
            errors.append(ConflictError(message))
        else:
            names = " ".join(setting.newest for setting in here.settings)
            warnings.append(ConflictWarning(message, topic=f"{here.rule.code} {names}"))
    return Verdict(tuple(errors), tuple(warnings))


def check_rules(
    settings: Iterable[Setting], value_of: Callable[[Setting], Any], origin_of: Callable[[Setting], Origin]
) -> Verdict:
    """Check the state that results when *settings* are set against the rules in which they take part."""
    rules = dict.fromkeys(rule for setting in settings for rule in setting.rules)
    broken = broken_rules(rules, value_of)
    return verdict_on(broken, origin_of) if broken else Verdict()
