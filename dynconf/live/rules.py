"""The rules over several flags, on the live state."""

import sys
from collections.abc import Mapping
from typing import Any

from dynconf.ddp import FLAG as OPTIMIZE_DDP
from dynconf.errors import UnknownFlagError, combined, warn_once
from dynconf.live.binding import Binding
from dynconf.live.ddp import warn_of_other_modes
from dynconf.live.origin import origin_of
from dynconf.live.slots import Slot
from dynconf.provenance import Origin
from dynconf.rules import Rule, judged
from dynconf.values import Mismatch


def obey(
    binding: Binding, chosen: Mapping[Slot, Any], origins: Mapping[str, Origin] | None, stacklevel: int
) -> None:
    """Judge the state that results where *chosen* is put over what is live; warn of what is only doubtful.

    Args:
        binding: The live module.
        chosen: What is being set; valid values.
        origins: Where these values come from, by the newest names of the flags; None for the caller's line.
        stacklevel: As for `warnings.warn`, counted from here.

    Raises:
        ConflictError: torch refuses the state, or calls it impossible.
    """
    if [rule for slot in chosen for rule in slot.rules if _is_broken(binding, rule, chosen)]:
        _complain(binding, chosen, origins, stacklevel + 1)
    for slot, value in chosen.items():
        if slot.flag is OPTIMIZE_DDP:
            warn_of_other_modes(binding, slot, value, stacklevel + 1)


def _is_broken(binding: Binding, rule: Rule, chosen: Mapping[Slot, Any]) -> bool:
    """Tell whether the rule has anything to say; nearly always it has not, and patches are made often."""
    try:
        values = []
        for flag in rule.flags:
            slot = binding.slots.get(flag) or binding.slot(flag)
            values.append(chosen[slot] if slot in chosen else slot.check(binding.read(slot)))
        return rule.broken(*values)
    except (Mismatch, UnknownFlagError):  # a torch newer than the catalogue may have dropped one of them
        return False


def _complain(
    binding: Binding, chosen: Mapping[Slot, Any], origins: Mapping[str, Origin] | None, stacklevel: int
) -> None:
    """Raise or warn of what the rules say, with the value and the origin of each flag."""

    def value_of(flag: str) -> Any:
        try:
            slot = binding.slot(flag)
        except UnknownFlagError as error:
            raise Mismatch from error
        return chosen[slot] if slot in chosen else slot.check(binding.read(slot))

    def origin_for(flag: str) -> Origin:
        slot = binding.slot(flag)
        if slot not in chosen:
            return origin_of(binding, slot)
        if origins is None:
            return Origin("patch", file=caller.f_code.co_filename, line=caller.f_lineno)
        return origins[flag]

    caller = sys._getframe(stacklevel - 1)  # noqa: SLF001  the line that is also warned of
    verdict = judged([rule for slot in chosen for rule in slot.rules], binding.minor, value_of, origin_for)
    if verdict.errors:
        raise combined(verdict.errors)
    for warning in verdict.warnings:
        warn_once(warning, stacklevel)
