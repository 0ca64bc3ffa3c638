"""Variables that nothing reads, and which one was probably meant."""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from dynconf.finding import Finding, Level
from dynconf.lint.variables import torch_variables, uniform_variables
from dynconf.modules import MODULES, catalogue
from dynconf.modules.dynamo.foreign_variables import PREFIXES
from dynconf.names import views, why_unknown
from dynconf.release import Release
from dynconf.sources.discovery import CONFIG_VARIABLE
from dynconf.spelling import nearest

_OURS = (*PREFIXES, *(catalogue(module).prefix for module in MODULES))
"""How variables that set flags begin, with few exceptions."""

_MISTAKEN = (*_OURS, "TORCHINDUCTOR_", "TORCHCOMPILE_", "TORCHCOMPILER_", "DYNAMO_", "TORCH_")
"""What may stand before the rest of a name by mistake; a longer one before what it begins with."""

_ELSEWHERE = ("TORCH", "PYTORCH", "DYNAMO", "DYNCONF", "PT2")
"""How a name begins that may be one of ours misspelt, prefix and all; most such names belong to others."""

_FOREIGN = {each.name: each for module in MODULES for each in catalogue(module).foreign}

_ALIKE = 0.9
"""How similar such a name must be, from 0 to 1."""


def misspelling_findings(environ: Mapping[str, str], release: Release) -> Iterator[Finding]:
    """Find variables that look as if they set a flag, and that neither torch nor dynconf reads."""
    known = {*torch_variables(), *uniform_variables(), CONFIG_VARIABLE}
    for name, raw in sorted(environ.items()):
        if name in known:
            continue
        if name in _FOREIGN:
            if not _FOREIGN[name].is_read_in(release.minor):
                message = (
                    f"{name}={raw!r}: torch {release.version} does not read it; other releases do,"
                    f" in {_FOREIGN[name].read_by}"
                )
                yield Finding("foreign-variable", "note", message, None, name, raw)
        elif intended := _intended(name, release):
            message = f"{name}={raw!r}: nothing reads it: did you mean {intended}?"
            yield Finding("misspelt-variable", "warning", message, None, name, raw)
        elif name.startswith(_OURS):
            yield _unknown(name, raw, release)


def _unknown(name: str, raw: str, release: Release) -> Finding:
    level: Level = "warning"
    why = _known_of(_rest(name) or name, release)
    if not why and release.is_beyond_catalogue:
        level, why = "note", f"it is unknown, but torch {release.version} is newer than dynconf's catalogue"
    message = f"{name}={raw!r}: nothing reads it: {why or 'no variable of that name is known'}"
    return Finding("unknown-variable", level, message, None, name, raw)


def _known_of(rest: str, release: Release) -> str:
    """Return what to say of a variable that names an internal or a removed flag; otherwise nothing."""
    for module in MODULES:
        known = catalogue(module)
        for name in (*known.removed, *known.flags):
            if name.upper() == rest:
                if name in known.flags and not known.flags[name].public:
                    return f"{known.flags[name].qualified} is torch's own, and no variable sets it"
                return why_unknown(name, release, module)
    return ""


def _intended(name: str, release: Release) -> str | None:
    """Return the variable that was probably meant: in other case, with another prefix, or spelled alike."""
    candidates, name = _candidates(release), name.upper()
    if name in candidates:
        return name
    rest = _rest(name)
    if rest is not None:
        # A prefix that is not ours may be right for another part of torch: it has such variables too.
        ours = name.startswith(_OURS)
        among = candidates if ours else [each for each in candidates if each not in _FOREIGN]
        by_rest = {_rest(each) or each: each for each in reversed(among)}
        if rest in by_rest:
            return by_rest[rest]
        if ours and not _known_of(rest, release):
            near = nearest(rest, (each.lower() for each in by_rest))
            return by_rest[near.upper()] if near else None
    if name.startswith(_ELSEWHERE):
        return next((each for each in candidates if _alike(name, each)), None)
    return None


def _alike(name: str, candidate: str) -> bool:
    """Tell whether only the prefix of *candidate* is misspelt in *name*; if it has none, any of it."""
    rest = _rest(candidate) if candidate.startswith(_OURS) else ""
    if not rest:
        return SequenceMatcher(None, name, candidate).ratio() >= _ALIKE
    prefixes = name.removesuffix(rest), candidate.removesuffix(rest)
    return name.endswith(rest) and SequenceMatcher(None, *prefixes).ratio() >= _ALIKE


def _candidates(release: Release) -> list[str]:
    """Return the variables that mean something in the release, torch's own first."""
    here = views(release)
    names = [name for view in here for name in view.variables]
    names += [name for view in here for name in view.uniform_variables]
    names += [each.name for each in _FOREIGN.values() if each.is_read_in(release.minor)]
    return list(dict.fromkeys([*names, CONFIG_VARIABLE]))


def _rest(name: str) -> str | None:
    """Return what follows the prefix, or None if there is no such prefix."""
    return next((name.removeprefix(prefix) for prefix in _MISTAKEN if name.startswith(prefix)), None)
