"""Variables that nothing reads, and which one was probably meant."""

import functools
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from dynconf._generated.index import FOREIGN, PREFIXES, VARIABLES
from dynconf.finding import Finding, Level
from dynconf.modules import MODULES, catalogue
from dynconf.modules.dynamo.foreign_variables import PREFIXES as DYNAMO_PREFIXES
from dynconf.names import views, why_unknown
from dynconf.release import Release
from dynconf.sources.discovery import CONFIG_VARIABLE
from dynconf.spelling import nearest

_OURS = (*DYNAMO_PREFIXES, *PREFIXES.values())
"""How variables that set flags begin, with few exceptions."""

_MISTAKEN = (*_OURS, "TORCHCOMPILE_", "TORCH_INDUCTOR_", "DYNAMO_", "INDUCTOR_", "TORCH_")
"""What may stand before the rest of a name by mistake; a longer one before what it begins with."""

_ELSEWHERE = ("TORCH", "PYTORCH", "DYNAMO", "INDUCTOR", "DYNCONF", "PT2")
"""How a name begins that may be one of ours misspelt, prefix and all; most such names belong to others."""

_EVER = tuple(sorted(FOREIGN.union(*VARIABLES.values(), (CONFIG_VARIABLE,))))
"""Every variable that anything reads, in any release."""

_ALIKE = 0.9
"""How similar such a name must be, from 0 to 1."""

_MOST_SEARCHED = 100
"""For how many variables of one environment a similar one is searched, which takes time."""


def misspelling_findings(environ: Mapping[str, str], release: Release) -> Iterator[Finding]:
    """Find variables that look as if they set a flag, and that neither torch nor dynconf reads.

    Catalogues are loaded only if there is one.
    """
    searched, known = 0, {*_EVER}
    for name, raw in sorted(environ.items()):
        if name in known or not name.upper().startswith(_ELSEWHERE):
            continue
        searched += 1
        is_searched = searched <= _MOST_SEARCHED
        if name.startswith(_OURS):
            yield _ours(name, raw, release, is_searched=is_searched)
        elif is_searched and _meant(name, _EVER) and (meant := _meant(name, _known_in(release))):
            yield _misspelt(name, raw, meant)


def _ours(name: str, raw: str, release: Release, *, is_searched: bool) -> Finding:
    if advice := next(filter(None, (catalogue(module).phantoms.get(name) for module in MODULES)), None):
        return _finding("unknown-variable", name, raw, f"no torch reads it: {advice}")
    candidates = _known_in(release) if is_searched else ()
    if meant := _meant(name, candidates):
        return _misspelt(name, raw, meant)
    known = _known_of(_rest(name), release)
    if not known and (meant := _nearest(name, candidates)):
        return _misspelt(name, raw, meant)
    level: Level = "warning"
    if not known and release.is_beyond_catalogue:
        level = "note"
        known = f"it is unknown, but torch {release.version} is newer than dynconf's catalogue"
    known = known or "no variable of that name is known"
    return _finding("unknown-variable", name, raw, f"nothing reads it: {known}", level)


def _misspelt(name: str, raw: str, meant: str) -> Finding:
    return _finding("misspelt-variable", name, raw, f"nothing reads it: did you mean {meant}?")


def _finding(code: str, name: str, raw: str, text: str, level: Level = "warning") -> Finding:
    return Finding(code, level, f"{name}={raw!r}: {text}", None, name, raw)


def foreign_findings(environ: Mapping[str, str], release: Release) -> Iterator[Finding]:
    """Find variables of other parts of torch that other releases read."""
    present = FOREIGN.intersection(environ)
    readers = {each.name: each for module in MODULES for each in catalogue(module).foreign} if present else {}
    for name in sorted(present):
        if not readers[name].is_read_in(release.minor):
            text = f"torch {release.version} does not read it; other releases do, in {readers[name].read_by}"
            yield _finding("foreign-variable", name, environ[name], text, "note")


def _known_of(rest: str, release: Release) -> str:
    """Return what to say of a variable that names an internal or a removed flag; otherwise nothing."""
    module, name = _by_spelling().get(rest, ("", ""))
    if not module:
        return ""
    flag = catalogue(module).flags.get(name)
    if flag and not flag.public:
        return f"{flag.qualified} is torch's own, and no variable sets it"
    return why_unknown(name, release, module)


@functools.cache
def _by_spelling() -> dict[str, tuple[str, str]]:
    """Return module and name of every flag, removed ones too, by how a variable would spell it."""
    known = [catalogue(module) for module in reversed(MODULES)]
    return {
        name.upper().replace(".", "_"): (each.name, name)
        for each in known
        for name in (*each.flags, *each.removed)
    }


def _meant(name: str, candidates: tuple[str, ...]) -> str | None:
    """Return the variable that *name* is but for its case or its prefix; without a prefix, nearly is."""
    name = name.upper()
    if name in candidates:
        return name
    is_ours = name.startswith(_OURS)
    # A prefix that is not ours may be right for another part of torch: it has such variables too.
    among = candidates if is_ours else tuple(each for each in candidates if each not in FOREIGN)
    found = _by_rest(among).get(_rest(name))
    return found if found or is_ours else next((each for each in candidates if _alike(name, each)), None)


def _nearest(name: str, candidates: tuple[str, ...]) -> str | None:
    by_rest = _by_rest(candidates)
    near = nearest(_rest(name), (each.lower() for each in by_rest))
    return by_rest[near.upper()] if near else None


def _alike(name: str, candidate: str) -> bool:
    """Tell whether only the prefix of *candidate* is misspelt in *name*; if it has none, any of it."""
    rest = _rest(candidate) if candidate.startswith(_OURS) else ""
    if not name.endswith(rest):
        return False
    matcher = SequenceMatcher(None, name.removesuffix(rest), candidate.removesuffix(rest))
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


@functools.lru_cache(maxsize=32)
def _known_in(release: Release) -> tuple[str, ...]:
    """Return the variables that mean something in the release, torch's own first."""
    here = views(release)
    names = [name for view in here for name in view.variables]
    names += [name for view in here for name in view.uniform_variables]
    foreign = (each for module in MODULES for each in catalogue(module).foreign)
    names += [each.name for each in foreign if each.is_read_in(release.minor)]
    return tuple(dict.fromkeys([*names, CONFIG_VARIABLE]))


@functools.lru_cache(maxsize=32)
def _by_rest(candidates: tuple[str, ...]) -> dict[str, str]:
    """Return the variables by what follows their prefix; of several, the first."""
    return {_rest(each): each for each in reversed(candidates)}


def _rest(name: str) -> str:
    """Return what follows the prefix; all of a name without one."""
    return next((name.removeprefix(prefix) for prefix in _MISTAKEN if name.startswith(prefix)), name)
