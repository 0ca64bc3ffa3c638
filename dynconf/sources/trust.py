"""Flags that a file of unknown origin may not set: by their values torch runs, writes or skips something.

``cpp.cxx = "/tmp/x"`` makes torch run that program at the first compile, so a file from a colleague, or one
that came with a download, must not set it without `trust`. Which files these are, `discovery` decides.
"""

from collections.abc import Collection
from typing import Any

from dynconf.catalogue import Setting
from dynconf.errors import InvalidValueError
from dynconf.flags.types import Named, Opaque, is_same_value, short_repr
from dynconf.flags.types.reference import HARMLESS, leaves
from dynconf.sources.reading import Reading


def risks_of(setting: Setting, value: Any) -> tuple[str, ...]:
    """Return the things that torch does, besides compiling, because the setting has that value.

    That is nothing for the default of the release, and for values that cannot name anything: numbers, the
    words that the flag lists, the functions of ``logging``. For a flag that is internal to torch, has no
    written form or is not described, it is not known.
    """
    found: list[str] = list(setting.flag.risks)
    is_opaque = isinstance(setting.type, Opaque)
    if not setting.public:
        found.append("is internal to torch")
    elif not setting.flag.described:
        found.append("is not described in dynconf's catalogue")
    elif is_opaque:
        found.append("has no written form")
    is_harmless = not found or (
        setting.public and not is_opaque and all(_names_nothing(setting, leaf) for leaf in leaves(value))
    )
    return () if is_harmless or is_same_value(value, setting.default_value()) else tuple(found)


def _names_nothing(setting: Setting, leaf: object) -> bool:
    if isinstance(leaf, str):
        return not leaf or leaf in setting.type.choices
    if isinstance(leaf, Named):
        return leaf.module in HARMLESS
    return leaf is None or isinstance(leaf, (bool, int, float))


def without_reach(file: Reading, unset: Collection[Setting] = ()) -> Reading:
    """Return the reading of a file, with mistakes for settings with a reach; objects still go by their names.

    Those in *unset*, which the file merely shows with the default of wherever it was written, are left out.
    """
    state = file.state
    reached = {setting: found for setting, (value, _) in state.items() if (found := risks_of(setting, value))}
    errors = [
        InvalidValueError(
            f"{setting.newest}: {short_repr(setting.type.show_data(state[setting].value))}"
            f" (from {state.origin(setting)}) is refused: the flag {' and '.join(found)};"
            " if you know who wrote the file, load it with trust=True, or --trust on the command line, or set"
            " DYNCONF_TRUST=1",
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
    return source.without(internal, () if silently else errors)
