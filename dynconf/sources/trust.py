"""Values that data of unknown origin may not set: they would make torch do harm.

``cpp.cxx = "/tmp/x"`` makes torch run that program at the first compile, so a file from a colleague, or one
that came with a download, must not set it without `trust`. Which files these are, `discovery` decides.
"""

from collections.abc import Collection
from typing import Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.risk import NAMES
from dynconf.catalogue.flags.types import Items, Opaque, is_same_value, short_repr
from dynconf.catalogue.flags.types.reference import leaves
from dynconf.catalogue.modules import catalogue
from dynconf.errors import InvalidValueError
from dynconf.sources.reading import Reading


def may_reach(setting: Setting) -> bool:
    """Tell whether `risks_of` may find something for a value of the setting; hardly any flag has a risk."""
    return bool(setting.flag.risks) or not setting.flag.described or isinstance(setting.type, Opaque)


def risks_of(setting: Setting, value: Any) -> tuple[str, ...]:
    """Return the kinds of harm that the value could make torch do, besides changing how it compiles.

    There are none for the default of the release. Nobody knows them for a flag that is internal to torch or
    newer than the catalogue, or that has no written form. For one that is not described, they are not known
    for values that name something, while its numbers, True and False have been reviewed.
    """
    if is_same_value(value, setting.default_value()):
        return ()
    # The words that a flag lists name nothing else.
    kind = setting.type.item if isinstance(setting.type, Items) else setting.type
    items = [item for item in leaves(value) if type(item) is not str or item not in kind.choices]
    found: list[str] = [risk.kind for risk in setting.flag.risks if any(map(risk.values.include, items))]
    if not setting.public:
        found.append(_UNKNOWN.format("is internal to torch"))
    elif setting.flag.name not in catalogue(setting.module).flags:
        found.append(_UNKNOWN.format("is newer than dynconf's catalogue"))
    elif isinstance(setting.type, Opaque):
        found.append(_UNKNOWN.format("has no written form"))
    elif not setting.flag.described and any(map(NAMES.include, items)):
        found.append(_UNKNOWN.format("is not described in dynconf's catalogue"))
    return tuple(found)


_UNKNOWN = "do something that dynconf cannot judge (the flag {})"


def without_reach(file: Reading, unset: Collection[Setting] = ()) -> Reading:
    """Return the reading of a file, with mistakes for settings with risks; objects still go by their names.

    Those in *unset*, which the file merely shows with the default of wherever it was written, are left out.
    """
    state = file.state
    reached = {setting: found for setting, (value, _) in state.items() if (found := risks_of(setting, value))}
    errors = [
        InvalidValueError(
            f"{setting.newest}: {short_repr(setting.type.show_data(state[setting].value))}"
            f" (from {state.origin(setting)}) is refused: it would make torch {' and '.join(found)},"
            " and a file that is named may be anyone's: if you know who wrote it, add --trust, or trust=True"
            " in Python, or set DYNCONF_TRUST=1",
            flag=setting.newest,
            place=state.origin(setting).place,
        )
        for setting, found in reached.items()
        if setting not in unset
    ]
    return file.without(reached, errors)


def without_internal(source: Reading, *, silently: bool = False) -> Reading:
    """Return the reading without flags that are torch's own plumbing, which settings may not touch.

    If *silently*, they are no mistakes: a saved state merely shows them.
    """
    internal = {setting: each.origin for setting, each in source.state.items() if not setting.public}
    errors = [
        InvalidValueError(
            f"{setting.newest} (from {origin}) is internal to torch and not a setting;"
            " `dynconf.patch` accepts it",
            flag=setting.newest,
            place=origin.place,
        )
        for setting, origin in internal.items()
    ]
    return source.without(internal, () if silently else errors) if internal else source
