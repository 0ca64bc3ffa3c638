"""Names across releases: which flag a name means, how a release spells it, and why a name is refused."""

import functools
from typing import Any

from dynconf.catalogue import FLAGS, REMOVED
from dynconf.catalogue.record import Flag
from dynconf.errors import UnknownFlagError
from dynconf.versions import NEWEST, Minor, minor


@functools.cache
def canonical(name: str) -> str:
    """Return the newest name of the setting that *name* means; a name that nobody knows stays as it is."""
    while name in FLAGS and FLAGS[name].renamed:
        name = FLAGS[name].renamed
    return name


@functools.cache
def names_of(name: str) -> tuple[str, ...]:
    """Return every name that the setting has had, the newest first."""
    newest = canonical(name)
    return newest, *(old for old in FLAGS if old != newest and canonical(old) == newest)


@functools.cache
def spelled(name: str, release: Minor) -> str | None:
    """Return the name by which that release knows the setting, or None where it does not have it."""
    return next((each for each in names_of(name) if each in FLAGS and FLAGS[each].exists_in(release)), None)


def default_of(name: str, release: Minor) -> Any:
    """Return the setting's default in that release, under whatever name; a fresh object.

    Where the release does not have the setting, it is the default of the release nearest to it.
    """
    return FLAGS[spelled(name, release) or name].default_in(release)


@functools.cache
def settings_of(release: Minor) -> tuple[Flag, ...]:
    """Return the flags of that release that hold a value of their own: all names but the aliases."""
    return tuple(flag for flag in FLAGS.values() if flag.exists_in(release) and not flag.is_alias_in(release))


def require(name: str, release: Minor, version: str) -> Flag:
    """Return the flag that holds the setting *name* in that release.

    Args:
        name: Any name that the setting has or had.
        release: The release at hand.
        version: The same, as messages shall give it.

    Raises:
        UnknownFlagError: The release has no such flag; the message says why and what to use.
    """
    found = spelled(name, release)
    if found is None:
        raise UnknownFlagError(why_unknown(name, release, version))
    return FLAGS[found]


def why_unknown(name: str, release: Minor, version: str) -> str:
    """Say why that release has no flag *name*: it never existed, is not there yet, or is gone."""
    if name in FLAGS:
        flag = FLAGS[canonical(name)]
        if minor(flag.since) > release:
            return f"{name!r} is not in torch {version} yet: it came with torch {flag.since}"
        last = (
            f"torch {flag.until} was the last to have it" if flag.until else "no release is known to drop it"
        )
        gone = f"{name!r} is not in torch {version} any more: {last}"
        return f"{gone}; {advice(flag.instead)}"
    if name in REMOVED:
        stone = REMOVED[name]
        last = f"torch {stone.until} was the last to have it" if stone.until else "it went before torch 2.0"
        return f"{name!r} is gone: {last}; {advice(stone.advice)}"
    return f"there is no flag {name!r}{suggestion(name)}"


def suggestion(name: str) -> str:
    """Return ``: did you mean 'x'?`` for the public flag that is nearest to *name*, or nothing."""
    near = nearest(name, [flag.name for flag in FLAGS.values() if flag.public])
    return f": did you mean {near!r}?" if near else "; `dynconf explain WORD` searches the flags"


def nearest(word: str, words: "list[str] | tuple[str, ...]") -> str | None:
    """Return the one of *words* that is spelled most like *word*, if any is close."""
    from difflib import get_close_matches  # noqa: PLC0415  needed for messages only, and slow to import

    found = get_close_matches(word.strip().lower(), words, n=1, cutoff=0.6)
    return found[0] if found else None


def advice(instead: str) -> str:
    """Return what to do in place of using a flag, from what its record says."""
    if not instead:
        return "nothing takes its place"
    return f"use {instead!r} instead" if canonical(instead) in FLAGS else instead


def latest(name: str) -> Flag:
    """Return the record of the setting under its newest name."""
    return FLAGS[spelled(name, NEWEST) or canonical(name)]
