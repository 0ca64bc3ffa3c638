"""What a model of flags has: the values that are set, and where each came from."""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import AliasPath

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.flags.types import is_same_value
from dynconf.live.binding import newer_flags
from dynconf.provenance import DEFAULT, Origin
from dynconf.release import Release
from dynconf.settings.field import RUNNING, FieldPath, choices
from dynconf.state import SettingValue


@dataclass
class Provenance:
    """The origins of values, and the release that they are for; None while they are being checked.

    The models that a validation makes share one. It is a private attribute, and pydantic compares those:
    where a value is from must not count.
    """

    origins: dict[FieldPath, Origin] = field(default_factory=dict, compare=False)
    """By config module, group and field, as far as there is one."""
    other: Origin = field(default=Origin("keyword"), compare=False)
    """The origin of all other values that are set."""
    release: Release | None = field(default=None, compare=False)

    @classmethod
    def of_new_model(cls) -> "Provenance":
        """Return that of a model which is being made: by a validation, or without one."""
        running = RUNNING.get()
        return running.provenance if running else cls(release=Release.at_hand())


def provenance_of(made: Any) -> Provenance:
    """Return that of a model; not by the attribute: pydantic finds a private one only after all others."""
    return made.__pydantic_private__["_dynconf_provenance"]  # type: ignore[no-any-return]


def remember(made: Any, names: Iterable[str], origin: Origin) -> None:
    """Note that the program has set fields of this very model."""
    known = provenance_of(made)
    if known.release is None:  # a validator's line is not for the sender of data
        origin = known.other
    else:  # copies share the old record
        known = Provenance({**known.origins}, known.other, known.release)
        made.__pydantic_private__["_dynconf_provenance"] = known
    known.origins |= {(*made.__dynconf__.home, name): origin for name in names}


def origin_of(made: Any, name: str) -> Origin:
    """Return where the value of a field came from."""
    is_extra = name in (made.__pydantic_extra__ or ())
    *outer, field = (name,) if is_extra else made.__dynconf__.named()[name].path
    holder = functools.reduce(getattr, outer, made)
    layout, known = holder.__dynconf__, provenance_of(holder)
    if field in layout.inner:
        raise KeyError(name)
    if field not in holder.__pydantic_fields_set__:
        return layout.class_defaults.get(field, DEFAULT)  # type: ignore[no-any-return]
    declared = layout.model.model_fields.get(field)
    aliases = choices(declared) if declared else []  # pydantic may look for the value inside another one
    keys = [field, *(str(each.path[0]) for each in aliases if isinstance(each, AliasPath))]
    found = (known.origins.get((*layout.home, key)) for key in keys)
    return next(filter(None, found), known.other)


def set_flags(
    made: Any, release: Release, changed: set[str] | None = None, *, is_judged: bool = False
) -> Iterator[tuple[Setting, SettingValue]]:
    """Yield the flags that are set in a model, with their values.

    With *is_judged*, only those that are judged after pydantic: hardly any, but a validator may have
    returned anything. With *changed* fields, only those and the ones with which they share a rule.
    """
    layout, given, extra = made.__dynconf__, made.__pydantic_fields_set__, made.__pydantic_extra__
    flags, names = layout.flags, {*given, *layout.class_defaults}
    if changed is not None:
        rules = [rule for name in changed & flags.keys() for rule in flags[name].at(release).rules]
        names &= changed.union(each.newest.rpartition(".")[2] for rule in rules for each in rule.settings)
    found = {name: flags[name].at(release) for name in names if name in flags}
    if is_judged and not layout.has_code:
        found = {name: setting for name, setting in found.items() if setting.is_judged}
    if extra:
        newer = newer_flags(release)
        full = {name: qualified(layout.modules[0], name) for name in extra}
        found |= {name: newer[each] for name, each in full.items() if each in newer}
    for name in sorted(found):
        setting, value = found[name], getattr(made, name)
        # Dumps contain defaults of flags that the release lacks, and a class is for many releases.
        is_idle = is_same_value(value, setting.default_value()) if name in given else not is_judged
        if not (setting.is_absent and is_idle):
            yield setting, SettingValue(value, origin_of(made, name))
    for name in layout.inner if changed is None else layout.inner.keys() & changed:
        inner = vars(made).get(name)
        if isinstance(inner, Mapping):  # of `model_construct`, which makes no models
            inner = layout.inner[name].model_construct(**inner)
        if hasattr(type(inner), "__dynconf__"):
            yield from set_flags(inner, release, is_judged=is_judged)


def give_defaults(made: Any, release: Release, provenance: Provenance) -> None:
    """Give a model and those in it the release's defaults, unless it was passed on as a model."""
    if provenance_of(made) is not provenance:
        return
    layout, values = made.__dynconf__, vars(made)
    # As by pydantic, defaults are not validated: a field need not accept those of a release.
    for name in layout.flags.keys() - made.__pydantic_fields_set__ - layout.class_defaults.keys():
        values[name] = layout.flags[name].at(release).default_value()
    for name, kind in layout.inner.items():
        if isinstance(values.get(name), kind):  # and not a mapping, as `model_construct` leaves it
            give_defaults(values[name], release, provenance)
