"""Options for ``torch.compile(options=...)``: checked, merged with a mode, and in a form that torch takes."""

import importlib
import sys
from collections.abc import Mapping
from typing import Any, get_origin

from dynconf.catalogue import names
from dynconf.catalogue.catalogue import Catalogue
from dynconf.catalogue.flags.types import Choice, short_repr
from dynconf.catalogue.modules import MODULES
from dynconf.catalogue.modules.modes import OF_TORCH_COMPILE
from dynconf.errors import (
    DynconfError,
    EnvironmentWarning,
    InertFlagWarning,
    InvalidValueError,
    UnknownFlagError,
    combined,
)
from dynconf.live.binding import Binding, bind
from dynconf.live.change import writable
from dynconf.live.torch.internals import DECLARED_TYPE, OPTION_OWNER
from dynconf.live.torch.slot import Slot
from dynconf.live.validation import broken_in_force, collect_values, report_broken, warn_of_no_effect
from dynconf.provenance import Caller
from dynconf.release import minor
from dynconf.state import Missing, check_missing

INDUCTOR = "inductor"

INSTEAD = "use dynconf.install, or dynconf.patch around everything that compiles"


def options_of(
    changes: Mapping[str, Any], mode: str | None, missing: Missing, caller: Caller
) -> dict[str, Any]:
    """Return options for torch.compile, for the torch at hand: those of the mode, and above them the changes.

    *missing* decides about flags that the release lacks, and about those that its options cannot set.
    """
    missing = check_missing(missing, "missing")
    errors: list[DynconfError] = []
    absent: list[DynconfError] = []
    own, given = _read(changes, errors, absent)
    of_mode = _options_of_mode(mode, errors)
    for slot in list(given):
        if why_not := _why_not(slot, given[slot]):
            has_been_inductors = INDUCTOR in names.modules_with(slot.setting.newest)
            (absent if has_been_inductors else errors).append(why_not)
            del given[slot]
    if missing == "error":
        errors += absent
    if errors:
        raise combined(errors)
    if missing == "warn":
        for each in absent:
            caller.warn(EnvironmentWarning(f"{each}; skipped", flag=each.flag))
    values = of_mode | given
    report_broken(broken_in_force(values)[0], values, caller, lambda _: caller.origin("keyword"))
    warn_of_no_effect(given, caller)
    forgets_generics = bind(INDUCTOR).release.minor == (2, 6)  # torch.compile does, of a generic type
    for slot, value in given.items():
        is_generic = forgets_generics and get_origin(slot.storage.module.get_type(slot.name)) is not None
        if is_generic and not slot.setting.inert:
            message = f"{slot.setting.newest}: torch {_version()} drops it from options; {INSTEAD}"
            caller.warn(InertFlagWarning(message, flag=slot.setting.newest))
        elif _is_refused(slot, value):
            setattr(slot.record, DECLARED_TYPE, object)  # the declared type is wrong; any value will do
    return own | {_key(slot) or slot.name: value for slot, value in values.items()}


def _read(
    changes: Mapping[str, Any], errors: list[DynconfError], absent: list[DynconfError]
) -> tuple[dict[str, Any], dict[Slot, Any]]:
    """Return the options that torch.compile keeps for itself, and the flags; sort out what it cannot have."""
    own: dict[str, Any] = {}
    given: dict[Slot, Any] = {}
    for name, value in changes.items():
        bare = names.exact(name).replace("-", "_")  # as torch.compile reads them
        if bare in OF_TORCH_COMPILE:
            kind, since = OF_TORCH_COMPILE[bare]
            if bind(INDUCTOR).release.minor < minor(since):
                why = f"{bare!r} is not an option of torch {_version()} yet: it came with torch {since}"
                absent.append(UnknownFlagError(why, flag=bare))
                continue
            try:
                own[bare] = kind.check_argument(bare, value)
            except DynconfError as error:
                errors.append(error)
        elif device := _device(bare):
            collect_values(device, {bare.partition(".")[2]: value}, given, errors, absent)
        else:
            collect_values(bind(INDUCTOR), {bare: value}, given, errors, absent)
    return own, writable(given)


def _device(name: str) -> Binding | None:
    """Return the config of the device whose option *name* is, such as ``npu.tiles`` (torch 2.15)."""
    device, _, flag = name.partition(".")
    devices: Any = sys.modules.get("torch._inductor.codegen.common")
    if device in bind(INDUCTOR).catalogue.groups or not hasattr(devices, OPTION_OWNER):
        return None
    devices.init_backend_registration()
    owner = getattr(devices, OPTION_OWNER)(name)
    binding = Binding(owner[0], Catalogue(device, owner[0].__name__, {})) if owner else None
    # torch may name the config by the device alone; a flag that it lacks is unknown, as in any other module.
    return binding if binding is not None and flag in binding.storage.records else None


def _options_of_mode(mode: str | None, errors: list[DynconfError]) -> dict[Slot, Any]:
    """Return the options of a mode, as torch itself lists them: they differ from release to release."""
    if mode is None:
        return {}
    modes = importlib.import_module("torch._inductor").list_mode_options()
    try:
        options = modes[Choice(tuple(modes)).check_argument("mode", mode)]
    except InvalidValueError as error:
        errors.append(error)
        return {}
    return {bind(INDUCTOR).slot(name): value for name, value in options.items()}


def _key(slot: Slot) -> str | None:
    setting, inductor = slot.setting, bind(INDUCTOR)
    if setting.module == INDUCTOR:
        return slot.name
    if setting.module not in MODULES:  # but a device
        return setting.qualified
    if inductor.release.minor < (2, 15):  # since then options may be aliases
        return None
    return next((alias for alias, flag in inductor.view.aliases.items() if flag == setting.qualified), None)


def _why_not(slot: Slot, value: object) -> DynconfError | None:
    """Return the reason why the torch at hand cannot have this as an option, if there is one."""
    flag = slot.setting.newest
    if _key(slot) is None:
        why = f"{flag} is not a flag of inductor in torch {_version()}, and options set only those"
        return UnknownFlagError(f"{why}; {INSTEAD}", flag=flag)
    if _is_refused(slot, value) and not hasattr(slot.record, DECLARED_TYPE):
        now = type(slot.read()).__name__
        why = f"{flag}: torch {_version()} takes only a {now} as an option, because {flag} is one now"
        return InvalidValueError(f"{why}, and {short_repr(value)} is not; {INSTEAD}", flag=flag)
    return None


def _is_refused(slot: Slot, value: object) -> bool:
    """Tell whether torch.compile refuses the option because of its type, rightly or not."""
    module = slot.storage.module
    if not hasattr(module, "get_type"):  # torch 2.4 and 2.5 go by the value in force
        return type(value) is not type(slot.read())
    declared = module.get_type(slot.name)
    try:
        return get_origin(declared) is None and not isinstance(value, declared)
    except TypeError:  # a name, or Any, which torch fails on as well
        return True


def _version() -> str:
    return bind(INDUCTOR).release.version
