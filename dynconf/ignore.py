"""What a saved state leaves out: sets of flags, to be combined with ``|``, ``&`` and ``-``.

Each set has one purpose. `DEFAULT` is what `dynconf.save` uses unless it is told otherwise::

    dynconf.save("state.json", ignore=dynconf.ignore.DEFAULT | dynconf.ignore.DEBUG)
    dynconf.save("state.json", ignore=dynconf.ignore.DEFAULT - {"repro_level"})
"""

from collections.abc import Collection, Iterable

from dynconf.catalogue import FLAGS, REMOVED
from dynconf.catalogue.names import canonical, suggestion
from dynconf.errors import UnknownFlagError, combined

TORCH = frozenset({"constant_functions"} | {name for name, flag in FLAGS.items() if not flag.torch_saves})
"""What torch's own ``save_config`` leaves out; a test compares it with the live module."""

HOST = frozenset(name for name, flag in FLAGS.items() if flag.host)
"""Tied to one machine: paths. On another one they would point nowhere."""

DEBUG = frozenset(
    name for name, flag in FLAGS.items() if flag.topic in ("debug", "repro", "profiling") and flag.public
)
"""For looking into a compilation: logs, checks, reproducers, profiles. They change no compiled result."""

TESTING = frozenset(name for name, flag in FLAGS.items() if flag.status == "testing")
"""What torch's own tests set, to break or to watch the compiler on purpose."""

INTERNAL = frozenset(name for name, flag in FLAGS.items() if not flag.public)
"""torch's own plumbing, which no user is meant to set."""

NOTHING: frozenset[str] = frozenset()
"""Leaves nothing out."""

DEFAULT = TORCH | HOST | TESTING | INTERNAL
"""What a state leaves out that shall mean the same on another machine and in another release."""


def ignored(ignore: Iterable[str], known: Collection[str] = ()) -> frozenset[str]:
    """Return the newest names of the flags in *ignore*.

    Args:
        ignore: Names of flags, of any release.
        known: Names that the catalogue may lack, being newer.

    Raises:
        UnknownFlagError: There is no such flag, in any release.
    """
    names = frozenset(ignore)
    unknown = sorted(
        name for name in names if name not in FLAGS and name not in REMOVED and name not in known
    )
    if unknown:
        raise combined(
            [
                UnknownFlagError(f"ignore: there is no flag {name!r}{suggestion(name)}", flag=name)
                for name in unknown
            ]
        )
    return frozenset(canonical(name) for name in names)
