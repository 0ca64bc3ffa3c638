"""Checking changes before anything is changed: names, values, and rules on the resulting live state."""

from collections.abc import Callable, Mapping
from typing import Any

from dynconf.catalogue.catalogue import ReleaseRule, Setting
from dynconf.catalogue.ddp import FLAG as OPTIMIZE_DDP
from dynconf.catalogue.flags.types import AtLeast, Mismatch, is_same_value, short_repr
from dynconf.catalogue.modules import MODULES
from dynconf.catalogue.names import is_known
from dynconf.errors import ConflictError, DynconfError, ForcedFlagWarning, UnknownFlagError, combined
from dynconf.live.binding import Binding, bind
from dynconf.live.ddp_modules import warn_of_other_modes
from dynconf.live.origin import origin_of
from dynconf.live.torch.slot import CHECK_RULES, COPY, OTHER_MODULE, WARN, Slot
from dynconf.provenance import Caller, Origin
from dynconf.state import SettingValue, State, as_mapping, flags_within, not_a_mapping


def collect_values(
    binding: Binding,
    changes: Mapping[str, Any],
    values: dict[Slot, Any],
    errors: list[DynconfError],
    absent: list[DynconfError],
) -> int:
    """Add the values in *changes*, as torch stores them, to *values*, and the mistakes to *errors*.

    Those of flags that the release lacks, and others have, go to *absent*, which may be the same list.

    Bare names are those of *binding*. A mapping under the name of another module, or of a group such as
    ``triton``, holds its flags. So do settings or a snapshot under the name of a module.

    Returns:
        The extra steps that setting these values takes: see `Slot.extra_steps`.
    """
    extra_steps = 0
    known = binding.slots
    for name, given in changes.items():
        slot = known.get(name)
        try:
            if slot is None:
                is_group = binding.view.is_group(name)
                inner = (
                    flags_within(name, given) if name in MODULES else as_mapping(given) if is_group else None
                )
                if (inner is not None or name in MODULES) and name not in binding.storage.records:
                    if inner is None:
                        errors.append(not_a_mapping(name, given))
                    elif is_group:
                        members = {f"{name}.{member}": value for member, value in inner.items()}
                        extra_steps |= collect_values(binding, members, values, errors, absent)
                    else:
                        extra_steps |= OTHER_MODULE | collect_values(
                            bind(name), inner, values, errors, absent
                        )
                    continue
                slot = binding.slot(name)
                extra_steps |= OTHER_MODULE * (slot.storage is not binding.storage)
            check = slot.check
            value = check(given)
        except UnknownFlagError as error:
            (absent if is_known(name, binding.catalogue.name) else errors).append(error)
            continue
        except Mismatch as problem:
            errors.append(binding.slot(name).setting.invalid(given, problem))
            continue
        first = values.setdefault(slot, value)
        if first is not value and not is_same_value(first, value):
            errors.append(
                ConflictError(
                    f"{slot.setting.newest} is given twice, under two names:"
                    f" {short_repr(first)} and {short_repr(value)}",
                    flag=slot.setting.newest,
                )
            )
        extra_steps |= slot.extra_steps | COPY if type(value) is AtLeast else slot.extra_steps
    return extra_steps


def slots_of(state: State) -> dict[Slot, SettingValue]:
    """Return the entries of a state, whose values were checked when they entered it, by their slots."""
    found: dict[Slot, SettingValue] = {}
    errors: list[DynconfError] = []
    for setting, each in state.items():
        try:
            found[bind(setting.module).slot(setting.name)] = each
        except UnknownFlagError as error:
            errors.append(error)
    if errors:
        raise combined(errors)
    return found


def broken_in_force(
    values: Mapping[Slot, Any], *, is_checked: bool = False
) -> tuple[Mapping[ReleaseRule, list[Any]], Mapping[Slot, Any]]:
    """Return the rules that are broken if *values* are set in the live state, with the values that do it.

    If *is_checked*, they have been checked with the release's defaults, and only rules about flags with other
    values in force remain.

    Returns:
        Besides, the other flags that the rules are about, with what decides each: see `Slot.deciding`.
    """
    # Most of the time that a patch with a rule takes to build is spent here, so it is one plain loop. A rule
    # of two of the flags is judged twice, because finding that out takes longer.
    broken: dict[ReleaseRule, list[Any]] = {}
    others: dict[Slot, Any] = {}
    for slot in values:
        if not slot.extra_steps & CHECK_RULES:
            continue
        for here, slots in slot.rules:
            if is_checked and all(
                each in values or is_same_value(each.read(), each.setting.default_value()) for each in slots
            ):
                continue
            found = []
            try:
                for each in slots:
                    found.append(values[each] if each in values else each.judged(others))  # noqa: PERF401
            except (Mismatch, UnknownFlagError):
                continue  # code assigned an invalid value, or a torch newer than the catalogue lacks a flag
            if here.rule.is_broken(*found):
                broken[here] = found
    return broken, others


def report_broken(
    broken: Mapping[ReleaseRule, list[Any]],
    values: Mapping[Slot, Any],
    caller: Caller,
    origin_to_be: Callable[[Slot], Origin],
) -> None:
    """Raise ConflictError for broken rules, or warn of them; the values' origins are by *origin_to_be*."""
    origins = {slot.setting: origin_to_be(slot) for slot in values}

    def its_origin(setting: Setting) -> Origin:
        return origins.get(setting) or origin_of(bind(setting.module).slot(setting.name))

    problems = [rule.problem(found, its_origin) for rule, found in broken.items()]
    if errors := [each for each in problems if isinstance(each, ConflictError)]:
        raise combined(errors)
    for each in problems:
        if not isinstance(each, ConflictError):
            caller.warn(each)


def warn_of_no_effect(values: Mapping[Slot, Any], caller: Caller, *, is_checked: bool = False) -> None:
    """Warn of values that may not take effect, or only in part.

    If *is_checked*, flags that do nothing have been reported already.
    """
    for slot, value in values.items():
        if not slot.extra_steps & WARN:
            continue
        if slot.warning is not None and not is_checked:
            kind, message = slot.warning
            caller.warn(kind(message, flag=slot.setting.newest))
        winner, origin = slot.overruled_by(values) if slot.can_be_overruled else (value, None)
        if origin is not None and not is_same_value(winner, value):
            caller.warn(no_effect(slot, value, winner, origin))
        if slot.setting.newest == OPTIMIZE_DDP:
            warn_of_other_modes(slot, value, caller)


def no_effect(slot: Slot, value: object, winner: object, origin: Origin) -> ForcedFlagWarning:
    """Return the warning that a value has no effect, because of *winner*, which came from *origin*."""
    name = slot.setting.newest
    if slot.held is not None and slot.held.origin is origin:
        why = f"it is held at {short_repr(winner)} ({origin})"
    else:
        by = {"forced": f"the variable {origin.name}", "implication": f"the flag {origin.name}"}
        why = f"{by.get(origin.kind, 'the environment')} forces {short_repr(winner)}"
    return ForcedFlagWarning(
        f"{name}: {short_repr(value)} has no effect: {why}",
        flag=name,
        topic=f"{name} has no effect: {origin}",
    )
