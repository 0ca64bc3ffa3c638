"""Variables that nothing reads, and the ones that were probably meant.

The hard part is to stay silent: most variables belong to other programs, and many that begin with TORCH to
other parts of torch. So a name with the prefix of a flag's variable is always reported. Any other is only
reported if it differs from a variable of ours by its prefix (``DYNAMO_VERBOSE``), by its case
(``torchdynamo_verbose``) or by a typo in its prefix (``TORCHDYANMO_VERBOSE``), or if it is listed as one that
people set in vain (``TORCH_DISABLE_COMPILE``).

A name consists of a prefix and a stem: TORCHDYNAMO_ and VERBOSE.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from dynconf.catalogue._generated.index import FOREIGN, PHANTOMS, PREFIXES, VARIABLES
from dynconf.catalogue.catalogue import Catalogue
from dynconf.catalogue.flags.types import WORDS
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.modules.dynamo import foreign_variables
from dynconf.catalogue.modules.modes import KEYWORDS
from dynconf.catalogue.names import module_views, why_unknown
from dynconf.release import Release
from dynconf.sources.discovery import OWN_VARIABLES
from dynconf.text import SLIP, nearest
from dynconf.tools.lint.variables import DISABLE_SWITCH
from dynconf.tools.show.finding import Finding, Level

_FLAG_PREFIXES = (*foreign_variables.PREFIXES, *PREFIXES.values())
"""How variables that set flags begin, with few exceptions."""

_LIKELY_PREFIXES = (
    *_FLAG_PREFIXES,
    "TORCHCOMPILE_",
    "TORCH_INDUCTOR_",
    "DYNAMO_",
    "INDUCTOR_",
    "TORCH_",
    "DYNCONF_",
)
"""The prefixes that people write; each comes before those that are a part of it."""

_CANDIDATE_STARTS = ("TORCH", "PYTORCH", "DYNAMO", "INDUCTOR", "DYNCONF", "PT2")
"""How a misspelt name of ours may begin; most such names belong to others."""

ALL_VARIABLES = tuple(sorted({*FOREIGN, *OWN_VARIABLES}.union(*VARIABLES.values())))
"""Every variable that anything reads, in any release."""

ALIKE = 0.85
"""How similar to a flag, an argument or a backend, from 0 to 1, a name must be that stands for it."""

_DEVICES = frozenset({"CPU", "CUDA", "GPU", "MPS", "MTIA", "ROCM", "TPU", "XPU"})
DEVICES_OF_OTHERS = frozenset({"ASCEND", "GCU", "HPU", "MLU", "MUSA", "NPU"})
"""Those for which torch itself compiles, and those of packages with flags and variables of their own."""

_MAX_SEARCHES = 100
"""For how many variables of one environment a similar one is searched, which takes time."""


def misspelt(word: str, release: Release) -> str:
    """Say of a word that it is no variable but looks like one; nothing if it does not."""
    found = (finding.message for finding in misspelling_findings({word: ""}, release))
    return next(found, "").replace("=''", "", 1)


def misspelling_findings(environ: Mapping[str, str], release: Release) -> Iterator[Finding]:
    """Report variables that look as if they set a flag, and that neither torch nor dynconf reads.

    Catalogues are loaded only if there is one.
    """
    searches, known = 0, {*ALL_VARIABLES}
    for name, raw in sorted(environ.items()):
        plain = re.sub("^TORCH_(DYNAMO|INDUCTOR)_", r"TORCH\1_", name)
        is_phantom = not PHANTOMS.isdisjoint((name, plain))
        if name in known or not (is_phantom or name.upper().startswith(_CANDIDATE_STARTS)):
            continue
        words = {*name.upper().split("_")}
        if not words.isdisjoint(DEVICES_OF_OTHERS):
            continue
        searches += 1
        may_search = searches <= _MAX_SEARCHES
        has_flag_prefix = name.startswith(_FLAG_PREFIXES)
        # The index is searched before the catalogues of the release are loaded.
        if not (has_flag_prefix or is_phantom or (may_search and _intended(name, ALL_VARIABLES))):
            continue
        candidates = _variables_of(release) if may_search else ()
        if devices := words & _DEVICES:  # the name of another device differs by a letter, too
            candidates = tuple(
                each for each in candidates if devices == _DEVICES.intersection(each.split("_"))
            )
        # From the surest explanation to the weakest: advice written for this very name, another prefix or
        # case, a flag that no variable sets, a similar stem.
        phantoms = (catalogue(module).phantoms.get(each) for module in MODULES for each in (name, plain))
        reason = next(filter(None, phantoms), "")
        intended = "" if reason else _intended(name, candidates)
        if has_flag_prefix and not reason and not intended:
            reason = _why_no_variable(_stem(name), raw, release)
            stems = _by_stem(candidates)
            intended = "" if reason else stems.get(nearest(_stem(name), stems, cutoff=0.75) or "")
        if intended:
            text = f"{name}={raw!r}: nothing reads it: did you mean {intended}?"
            read = {DISABLE_SWITCH.name}.union(*(each.followers for each in module_views(release)))
            if any(intended in each.uniform_variables.keys() - read for each in module_views(release)):
                text += " Only programs that install dynconf read that one"
            facts = {"replacement": intended} if intended == _only_one(name, candidates) else {}
            yield Finding("DC401", "warning", text, variable=name, raw=raw, facts=facts)
        elif has_flag_prefix or reason:
            level: Level = "note" if release.is_beyond_catalogue and not reason else "warning"
            unknown = f"it is unknown, but torch {release.version} is newer than dynconf's catalogue"
            reason = reason or (unknown if level == "note" else "no variable of that name is known")
            text = f"{name}={raw!r}: nothing reads it: {reason}"
            yield Finding("DC401", level, text, variable=name, raw=raw)


def _why_no_variable(stem: str, raw: str, release: Release) -> str:
    """Explain the stem of a variable that names an internal or a removed flag; return "" for any other.

    It may also be an argument of torch.compile.
    """
    home, name = _flags_by_stem().get(stem, (None, ""))
    if home is None:
        argument, value = stem.lower(), WORDS.get(raw.strip().lower(), "...")
        call = f"{argument} is an argument of torch.compile: torch.compile({argument}={value})"
        return call if argument in KEYWORDS else ""
    flag = home.flags.get(name)
    if flag and not flag.public:
        return f"{flag.qualified} is torch's own, and no variable sets it"
    return why_unknown(name, release, home.name)


@functools.cache
def _flags_by_stem() -> dict[str, tuple[Catalogue, str]]:
    homes = [catalogue(module) for module in reversed(MODULES)]  # of two flags, that of the first counts
    named = [(home, name) for home in homes for name in (*home.flags, *home.removed)]
    return {name.upper().replace(".", "_"): (home, name) for home, name in named}


def _intended(name: str, candidates: tuple[str, ...]) -> str | None:
    """Return the variable that *name* is but for its case or its prefix."""
    name = name.upper()
    if name in candidates:
        return name
    if name.startswith(_FLAG_PREFIXES):
        stem = _stem(name)
        of_prefix = _by_stem(tuple(each for each in candidates if each.startswith(name.removesuffix(stem))))
        near = nearest(stem, of_prefix, cutoff=SLIP)
        return of_prefix[near] if near else _by_stem(candidates).get(stem)
    # Another prefix, such as TORCH_, may be right for another part of torch: it has such variables too.
    ours = tuple(each for each in candidates if each not in FOREIGN and each not in OWN_VARIABLES)
    # Of two whole names, a long stem that they share would make up for different prefixes.
    slips = [
        each
        for each in candidates
        if name.endswith(stem := _stem(each))
        and each.startswith(_FLAG_PREFIXES)
        and get_close_matches(name.removesuffix(stem), [each.removesuffix(stem)], cutoff=SLIP)
    ]
    others = [each for each in candidates if not each.startswith(_FLAG_PREFIXES)]
    slips += get_close_matches(name, others, n=1, cutoff=SLIP)
    return _by_stem(ours).get(_stem(name)) or (slips[0] if slips else None)


def _only_one(name: str, candidates: tuple[str, ...]) -> str | None:
    """Return the variable that *name* must mean; None if it may be a slip of the pen for several."""
    name = name.upper()
    of_stem = [each for each in candidates if _stem(each) == _stem(name)]
    if not of_stem or name.startswith(_FLAG_PREFIXES):
        of_stem = get_close_matches(name, candidates, n=2, cutoff=SLIP)
    return of_stem[0] if len(of_stem) == 1 else None


@functools.lru_cache(maxsize=32)
def _variables_of(release: Release) -> tuple[str, ...]:
    """Return the variables that something reads in the release, torch's own first."""
    views = module_views(release)
    torchs = [(name, [each for each, _ in found]) for view in views for name, found in view.followers.items()]
    ours = [(name, [setting]) for view in views for name, setting in view.uniform_variables.items()]
    names = [name for name, settings in (*torchs, *ours) if not all(each.inert for each in settings)]
    foreign = (each for view in views for each in view.catalogue.foreign)
    names += [each.name for each in foreign if each.is_read_in(release.minor)]
    return tuple(dict.fromkeys([*names, *OWN_VARIABLES]))


@functools.lru_cache(maxsize=32)
def _by_stem(candidates: tuple[str, ...]) -> dict[str, str]:
    return {_stem(each): each for each in reversed(candidates)}


@functools.lru_cache(maxsize=4096)
def _stem(name: str) -> str:
    return next((name.removeprefix(prefix) for prefix in _LIKELY_PREFIXES if name.startswith(prefix)), name)
