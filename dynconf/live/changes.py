"""What may be set: names are resolved, values checked, and rules judged on the resulting live state."""

from collections.abc import Mapping
from typing import Any

from dynconf.catalogue import Setting
from dynconf.ddp import FLAG as OPTIMIZE_DDP
from dynconf.errors import ConflictError, DynconfError, ForcedFlagWarning, UnknownFlagError, combined
from dynconf.flags.types import AtLeast, Mismatch, same, shown
from dynconf.live.binding import Binding, bind
from dynconf.live.ddp_modules import warn_of_other_modes
from dynconf.live.origin import origin_of
from dynconf.live.slot import COPIES, NOTICES, OTHER_MODULE, RULES, Slot
from dynconf.modules import MODULES
from dynconf.origin import Caller, Origin
from dynconf.rules import check_rules
from dynconf.sources.calls import not_a_mapping


def collect(
    binding: Binding, changes: Mapping[str, Any], chosen: dict[Slot, Any], errors: list[DynconfError]
) -> int:
    """Add the values in *changes*, as torch stores them, to *chosen*, and the mistakes to *errors*.

    Bare names are those of *binding*. A mapping under the name of another module, or of a group such as
    ``triton``, holds its flags. So do settings or a snapshot under the name of a module.

    Returns:
        What else setting these values needs: see `Slot.needs`.
    """
    needs = 0
    known = binding.slots
    for name, given in changes.items():
        slot = known.get(name)
        try:
            if slot is None:
                is_group = binding.view.is_group(name)
                inner = contents(name, given) if name in MODULES else as_mapping(given) if is_group else None
                if (inner is not None or name in MODULES) and name not in binding.inside.entries:
                    if inner is None:
                        errors.append(not_a_mapping(name, given))
                    elif is_group:
                        members = {f"{name}.{member}": value for member, value in inner.items()}
                        needs |= collect(binding, members, chosen, errors)
                    else:
                        needs |= OTHER_MODULE | collect(bind(name), inner, chosen, errors)
                    continue
                slot = binding.slot(name)
                needs |= OTHER_MODULE * (slot.binding is not binding)
            value = slot.check(given)
        except UnknownFlagError as error:
            errors.append(error)
            continue
        except Mismatch as problem:
            errors.append(binding.slot(name).setting.invalid(given, problem))
            continue
        if slot in chosen and not same(chosen[slot], value):
            errors.append(
                ConflictError(
                    f"{slot.setting.qualified} is given twice, under two names:"
                    f" {shown(chosen[slot])} and {shown(value)}",
                    flag=slot.setting.qualified,
                )
            )
        chosen[slot] = value
        needs |= slot.needs | COPIES if type(value) is AtLeast else slot.needs
    return needs


def judge(
    chosen: Mapping[Slot, Any],
    caller: Caller,
    origins: Mapping[Slot, Origin] | None = None,
    *,
    gathered: bool = False,
) -> dict[Slot, Any]:
    """Judge the rules on the state in which *chosen* is set: raise ConflictError, or warn.

    The values come from *origins*, by default from a patch by *caller*. If they were *gathered*, they have
    been judged with the release's defaults; what differs from these in the live state is left to judge.

    Returns:
        The other flags that the rules are about, with what is set in them.
    """
    # Hardly any state breaks a rule, and patches are made often: only then is there more to find out.
    found: dict[Slot, Any] = {}
    is_broken = False
    for slot in chosen:
        for broken, slots in slot.rules() if slot.needs & RULES else ():
            if gathered and all(each in chosen or _has_default(each) for each in slots):
                continue
            values = []
            try:
                for each in slots:
                    if each in chosen:
                        values.append(chosen[each])
                    else:
                        found[each] = each.seen()
                        values.append(each.check(each.read()))
            except Mismatch:
                continue  # something assigned nonsense, which no rule can judge
            is_broken = is_broken or broken(*values)
    if is_broken:
        _complain(chosen, caller, origins)
    return found


def _has_default(slot: Slot) -> bool:
    return same(slot.read(), slot.setting.default_value())


def _complain(chosen: Mapping[Slot, Any], caller: Caller, origins: Mapping[Slot, Origin] | None) -> None:
    """Raise or warn, with the value and the origin of each flag that broke a rule."""

    def slot_of(setting: Setting) -> Slot:
        return bind(setting.module).slot(setting.name)

    def value_of(setting: Setting) -> Any:
        slot = slot_of(setting)
        return chosen[slot] if slot in chosen else slot.check(slot.read())

    def origin_now(setting: Setting) -> Origin:
        slot = slot_of(setting)
        if slot not in chosen:
            return origin_of(slot)
        return caller.origin("patch") if origins is None else origins[slot]

    verdict = check_rules([slot.setting for slot in chosen], value_of, origin_now)
    if verdict.errors:
        raise combined(verdict.errors)
    for warning in verdict.warnings:
        caller.warn(warning)


def warn_of_no_effect(chosen: Mapping[Slot, Any], caller: Caller, *, gathered: bool = False) -> None:
    """Warn of values that may not take effect, or only in part.

    If they were *gathered*, flags that do nothing have been reported already.
    """
    for slot, value in chosen.items():
        if not slot.needs & NOTICES:
            continue
        if slot.notice is not None and not gathered:
            kind, message = slot.notice
            caller.warn(kind(message, flag=slot.setting.qualified))
        if slot.ruled:
            _warn_if_overruled(slot, value, chosen, caller)
        if slot.setting.qualified == OPTIMIZE_DDP:
            warn_of_other_modes(slot, value, caller)


def _warn_if_overruled(slot: Slot, value: object, chosen: Mapping[Slot, Any], caller: Caller) -> None:
    """Warn if a variable or another flag overrides the value."""
    winner, ruler = slot.ruling(chosen)
    if ruler is None or same(winner, value):
        return
    by = {"forced": f"the variable {ruler.name}", "implication": f"the flag {ruler.name}"}
    caller.warn(
        ForcedFlagWarning(
            f"{slot.setting.qualified}: {shown(value)} has no effect:"
            f" {by.get(ruler.kind, 'the environment')} forces {shown(winner)}",
            flag=slot.setting.qualified,
            topic=f"{slot.setting.qualified} has no effect: {ruler}",
        )
    )


def is_state(value: object) -> bool:
    """Tell whether it is one of dynconf's own objects that can make a patch; torch's modules can, too."""
    return hasattr(type(value), "as_state")


def contents(module: str, value: Any) -> Mapping[str, Any] | None:
    """Return what stands under the name of a module as a mapping: of settings or a snapshot, what is set."""
    if is_state(value):
        return {
            each.newest.removeprefix(f"{module}."): given
            for each, (given, _) in value.as_state().only_set().items()
        }
    return as_mapping(value)


def as_mapping(value: Any) -> Mapping[str, Any] | None:
    """Return *value* as a mapping if it can be read like one, whatever its class."""
    if isinstance(value, Mapping):
        return value
    return dict(value) if hasattr(value, "keys") and hasattr(value, "__getitem__") else None
