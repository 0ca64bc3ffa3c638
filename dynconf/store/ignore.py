"""Flags that a saved state leaves out: sets of names, to be combined with ``|``, ``&`` and ``-``.

Each set has one purpose. `dynconf.save` leaves out `DEFAULT` unless told otherwise::

    dynconf.save("state.json", ignore=dynconf.ignore.DEFAULT | dynconf.ignore.DEBUG)
    dynconf.save("state.json", ignore=dynconf.ignore.DEFAULT - {"repro_level"})

A flag of a module other than dynamo goes by its full name, such as ``"functorch.donated_buffer"``.
"""

import functools
from collections.abc import Iterable

from dynconf.catalogue._generated.index import SETS
from dynconf.catalogue.flags.types import short_repr
from dynconf.catalogue.names import is_known, newest_name, why_unknown
from dynconf.errors import InvalidValueError, UnknownFlagError, combined
from dynconf.release import Release

TORCH = SETS["TORCH"] | {"constant_functions"}
"""The flags that torch's own ``save_config`` leaves out."""

HOST = SETS["HOST"]
"""Tied to one machine, as paths are, which would lead nowhere on another one."""

DEBUG = SETS["DEBUG"]
"""For looking into a compilation, as logs, checks and profiles do. They change no compiled result."""

TESTING = SETS["TESTING"]
"""For torch's own tests, which break or watch the compiler on purpose."""

INTERNAL = SETS["INTERNAL"]
"""torch's own plumbing, which users are not meant to set."""

NOTHING: frozenset[str] = frozenset()
"""Leaves nothing out."""

DEFAULT = TORCH | HOST | TESTING | INTERNAL
"""For a state that should mean the same on another machine and in another release."""


def ignored(ignore: Iterable[str], known: Iterable[str] = ()) -> frozenset[str]:
    """Return the newest names of the flags in *ignore*; those in *known* are valid, too."""
    if not isinstance(ignore, Iterable):
        raise InvalidValueError(f"ignore: {short_repr(ignore)} is not a set such as dynconf.ignore.HOST")
    newest, unknown = _looked_up(frozenset(ignore))
    errors = [
        UnknownFlagError(f"ignore: {why_unknown(name, Release.at_hand())}", flag=name)
        for name in (sorted(unknown.difference(known)) if unknown else ())
    ]
    if errors:
        raise combined(errors)
    return newest


@functools.lru_cache(8)
def _looked_up(names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the newest names of flags, and the names that no catalogue has: it depends on nothing else."""
    return frozenset(map(newest_name, names)), frozenset(name for name in names if not is_known(name))
