"""Variables that nobody reads, and which one was probably meant."""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from dynconf.catalogue import FLAGS, REMOVED
from dynconf.catalogue.foreign_variables import FOREIGN_VARIABLES, PREFIXES
from dynconf.catalogue.names import nearest, spelled, why_unknown
from dynconf.checks.finding import Finding, Level
from dynconf.checks.variables import own_variables, uniform_variables
from dynconf.sources.files import CONFIG_VARIABLE
from dynconf.versions import NEWEST, AtHand, minor

_MISTAKEN_PREFIXES = (*PREFIXES, "TORCHINDUCTOR_", "TORCHCOMPILE_", "TORCHCOMPILER_", "DYNAMO_", "TORCH_")
"""What may stand before the rest of a name by mistake; a longer one before what it begins with."""

_ELSEWHERE = ("TORCH", "PYTORCH", "DYNAMO", "DYNCONF", "PT2")
"""How a name begins that may be one of ours misspelt, prefix and all; most such names are other people's."""

_FOREIGN = {variable.name: variable for variable in FOREIGN_VARIABLES}

_ALMOST = 0.9
"""How alike such a name must be, from 0 to 1."""


def misspelling_findings(environ: Mapping[str, str], at: AtHand) -> Iterator[Finding]:
    """Find variables that look as if they set a flag, and that neither torch nor dynconf reads."""
    flags = {*own_variables(), *uniform_variables(), CONFIG_VARIABLE}
    for name in sorted(environ):
        if name in flags:
            continue
        if name in _FOREIGN:
            if not _FOREIGN[name].is_read_in(at.minor):
                message = (
                    f"{name}={environ[name]!r}: torch {at.version} does not read it; other releases do, "
                    f"in {_FOREIGN[name].read_by}"
                )
                yield Finding("foreign-variable", "note", message, None, name, environ[name])
            continue
        intended = _intended(name, at)
        if intended:
            message = f"{name}={environ[name]!r}: nobody reads it: did you mean {intended}?"
            yield Finding("misspelt-variable", "warning", message, None, name, environ[name])
        elif name.startswith(PREFIXES):
            yield _unknown(name, environ[name], at)


def _unknown(name: str, raw: str, at: AtHand) -> Finding:
    rest = _rest(name) or name
    gone = next((stone for stone in REMOVED if stone.upper() == rest), None)
    internal = next((flag for flag in FLAGS if flag.upper() == rest), None)
    level: Level = "warning"
    if gone:
        why = why_unknown(gone, at.minor, at.version)
    elif internal:
        why = f"{internal} is torch's own, and no variable sets it"
    else:
        why = "no variable of that name is known"
        if minor(at.version) > NEWEST:
            level, why = "note", f"it is not known; torch {at.version} is newer than dynconf's catalogue"
    return Finding("unknown-variable", level, f"{name}={raw!r}: nobody reads it: {why}", None, name, raw)


def _intended(name: str, at: AtHand) -> str | None:
    """Return the variable that was probably meant: in other case, with another prefix, or spelled alike."""
    candidates = _candidates(at)
    if name.upper() in candidates:
        return name.upper()
    rest = _rest(name.upper())
    if rest is not None:
        # A prefix that is not ours may be right for another part of torch: it has such variables too.
        ours = name.upper().startswith(PREFIXES)
        among = candidates if ours else [each for each in candidates if each not in _FOREIGN]
        by_rest = {_rest(each) or each: each for each in reversed(among)}
        if rest in by_rest:
            return by_rest[rest]
        if ours and not _says_more(rest):
            near = nearest(rest, [each.lower() for each in by_rest])
            return by_rest[near.upper()] if near else None
    if name.upper().startswith(_ELSEWHERE):
        return next((each for each in candidates if _alike(name.upper(), each)), None)
    return None


def _alike(name: str, candidate: str) -> bool:
    """Tell whether only the prefix of *candidate* is misspelt in *name*; of one without, any of it."""
    rest = _rest(candidate) if candidate.startswith(PREFIXES) else ""
    if not rest:
        return SequenceMatcher(None, name, candidate).ratio() >= _ALMOST
    prefixes = name.removesuffix(rest), candidate.removesuffix(rest)
    return name.endswith(rest) and SequenceMatcher(None, *prefixes).ratio() >= _ALMOST


def _says_more(rest: str) -> bool:
    """Tell whether the rest of the name is a flag that is gone or internal, of which there is more to say."""
    return any(each.upper() == rest for each in (*REMOVED, *FLAGS))


def _candidates(at: AtHand) -> list[str]:
    """Return the variables that mean something in the release, torch's own first."""
    own = [
        name
        for name, readers in own_variables().items()
        if any(variable.read_by(at.minor) and spelled(flag.name, at.minor) for flag, variable in readers)
    ]
    uniform = [name for name, flag in uniform_variables().items() if spelled(flag.name, at.minor)]
    foreign = [variable.name for variable in FOREIGN_VARIABLES if variable.is_read_in(at.minor)]
    return [*own, *(name for name in uniform if name not in own), *foreign, CONFIG_VARIABLE]


def _rest(name: str) -> str | None:
    """Return what follows the prefix, or None where there is no such prefix."""
    prefix = next((prefix for prefix in _MISTAKEN_PREFIXES if name.startswith(prefix)), None)
    return None if prefix is None else name[len(prefix) :]
