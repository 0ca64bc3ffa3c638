"""Check the flags and variables that a program uses against releases of torch."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from dynconf.catalogue.catalogue import ReleaseRule, Setting
from dynconf.catalogue.flags.flag import BARE_MODULE, Flag, qualified
from dynconf.catalogue.flags.types import Bool, Mismatch, is_same_value
from dynconf.catalogue.modules import catalogue, module_path
from dynconf.catalogue.modules.modes import BACKENDS, KEYWORDS, MODES, OF_TORCH_COMPILE, STANCES, is_argument
from dynconf.catalogue.names import newest_name, newest_record, records_of, why_unknown
from dynconf.provenance import Origin
from dynconf.release import Release, minor, within
from dynconf.sources.environment import plain_value
from dynconf.sources.reading import check_value
from dynconf.state import SettingValue, State
from dynconf.text import nearest
from dynconf.tools.lint.environment import variable_findings
from dynconf.tools.lint.loading import COMPILATION, loaded_too_early
from dynconf.tools.lint.misspelling import ALIKE, ALL_VARIABLES, DEVICES_OF_OTHERS, misspelt
from dynconf.tools.lint.sites import Problem, Site, Unknown, Use
from dynconf.tools.show.finding import Finding, Level
from dynconf.tools.show.wording import existence

_OF_NAMES = frozenset({"DC306", "DC401", "DC404", "DC407"})
"""The findings on a variable whatever its text."""

_OF_VARIABLES = _OF_NAMES | {"DC402", "DC403", "DC501"}
"""Those that matter where a program sets it; the others are about what a process has together."""

_OURS = ("option", "field", "named", "assignment")
"""The uses of a flag by dynconf itself."""

_SETTING = ("set", "compile-option", "option", "assignment")
"""The uses that set a flag to the value that is written there."""

_WITHOUT_CACHE = frozenset({"compiler.force_disable_caches", "inductor.fx_graph_cache"})
"""Flags by which a program does without the FX graph cache."""


def problems(
    sites: Sequence[Site], remarks: Iterable[Problem], releases: Sequence[Release]
) -> Iterator[Problem]:
    """Yield the problems of one file in any of the releases."""
    asked = _asked(sites)
    assigned = {_newest(each): each.span.line for each in sites if each.use == "set"}
    assigned |= {each.name: each.span.line for each in sites if each.use == "variable-read"}
    yield from remarks
    for site in sites:
        if site.use in ("variable", "child-variable", "variable-read"):
            yield from _of_variable(site, releases, assigned)
            continue
        if site.use in OF_COMPILE:
            yield from OF_COMPILE[site.use](site, releases)
            continue
        found = _of_name(site, releases)
        if found is not None:
            # Of a flag that is only read, no setting is lost.
            guard = "checked" if site.use == "read" and site.guard == "swallowed" else site.guard
            yield _left_alone(found, site, is_asked=found.flag in asked).guarded(guard)
        yield from _of_value(site, releases)
        yield from _of_change(site, releases, assigned)
    yield from _of_rules(sites, releases)


def _asked(sites: Iterable[Site]) -> set[str]:
    """Return the flags for which no other name may be written.

    A program that asks which name there is, or has both, chooses between them, on releases too that the fix
    is not for. What it deletes is gone under that name alone.
    """
    names: dict[str, set[str]] = {}
    found = set()
    for site in sites:
        if site.module:
            newest = _newest(site)
            names.setdefault(newest, set()).add(qualified(site.module, site.name))
            if site.use in ("probe", "delete") or site.guard in ("checked", "swallowed"):
                found.add(newest)
    return found | {newest for newest, used in names.items() if len(used) > 1}


def _left_alone(found: Problem, site: Site, *, is_asked: bool) -> Problem:
    """Say why an old name has to be replaced by hand, where that is so."""
    if found.code != "DC304" or (found.replacement and not is_asked):
        return found._replace(replacement=None) if is_asked else found
    why = "no name that these releases have fits here" if site.fit else "more may depend on it here"
    why = "the file tests which name exists, or uses both" if is_asked else why
    return found._replace(replacement=None, text=f"{found.text}; --fix leaves it: {why}")


def _newest(site: Site) -> str:
    return newest_name(qualified(site.module, site.name))


# Names.


def _of_name(site: Site, releases: Sequence[Release]) -> Problem | None:
    known = catalogue(site.module)
    record = known.flags.get(site.name)
    if record is None:
        return _unknown(site, releases[-1])
    lacking = [each for each in releases if not record.exists_in(each)]
    is_ours = site.use in _OURS
    if is_ours and all(catalogue(site.module).at(each).get(site.name) for each in lacking):
        lacking = []  # dynconf itself knows all names
    if site.use == "probe":
        return None
    newest = newest_record(record.qualified)
    # A model has a field for each flag of any release, and accepts its default.
    defaults = (Setting(newest, newest.name, each).default_value() for each in releases)
    is_idle = site.use == "field" and all(is_same_value(site.value, each) for each in defaults)
    full = qualified(site.module, site.name)
    is_old = newest is not record and minor(record.since) < minor(newest.since)  # there are new aliases, too
    is_mild = is_idle or (not lacking and (is_ours or site.use == "read"))
    level: Level = "note" if is_mild else "error" if lacking else "warning"
    inert = next((each.inert for each in _settings(site, releases[-1:])), "")
    if inert and not (lacking or is_idle) and site.use in (*_SETTING, "field"):
        return Problem("DC306", "warning", site.span, inert, newest.qualified, name=site.name)
    if newest is not record and is_old and (lacking or _all_have(newest, releases)):
        code, text = "DC304", f"{full} is an old name of {newest.qualified}"
        if newest.module != record.module and not is_ours:
            code, text = "DC305", f"{full} is {newest.qualified} today, in {module_path(newest.module)}"
        if lacking:
            text = f"{text}; torch {', '.join(each.version for each in lacking)} does not have it"
    elif lacking:
        code = "DC303" if minor(record.since) > lacking[0].minor else "DC302"
        former = known.at(lacking[0]).get(site.name)
        text = why_unknown(full, lacking[0])
        if former is not None:
            text = f"{full} is {former.qualified} up to torch {former.flag.until or lacking[-1].version}"
    else:
        return None
    replacement = _replacement(site, newest, releases)
    return Problem(code, level, site.span, text, newest.qualified, name=site.name, replacement=replacement)


def _unknown(site: Site, release: Release) -> Problem | None:
    known = catalogue(site.module)
    full = qualified(site.module, site.name)
    if site.name in known.groups and site.use in ("set", "compile-option"):
        first = next((each for each in known.flags if each.startswith(f"{site.name}.")), "")
        text = f"{full} is a group of flags, which torch sets one by one: write {first!r} and the like"
        return Problem("DC301", "error", site.span, text)
    is_option = site.use == "assignment"
    if not DEVICES_OF_OTHERS.isdisjoint(re.split(r"[._]", site.name.upper())):  # their packages add flags
        return None
    if not is_option and (site.name in known.groups or site.name.startswith("_")):
        return None
    if site.name in known.removed:
        text = why_unknown(full, release)
        return None if site.use == "probe" else Problem("DC302", "error", site.span, text, full)
    if site.use in ("read", "probe", "change") and not _is_like_a_flag(site.module, site.name):
        return None
    level: Level = "warning" if site.use == "probe" or release.is_beyond_catalogue else "error"
    text = why_unknown(full, release, origin=Origin("option") if is_option else None)
    return Problem("DC301", level, site.span, text, full)


@functools.lru_cache(maxsize=4096)
def _is_like_a_flag(module: str, name: str) -> bool:  # config modules contain other things
    return catalogue(module).nearest(name, alike=ALIKE) is not None


def _replacement(site: Site, newest: Flag, releases: Sequence[Release]) -> str | None:
    """Return the newest name that all releases have, old ones included, if it fits there."""
    for each in [newest] if site.fit == "newest" else records_of(newest):
        if each.module == site.module and _all_have(each, releases):
            fits = each.name.isidentifier() if site.fit == "identifier" else bool(site.fit)
            return each.name if fits and each.name != site.name else None
    return None


def _all_have(flag: Flag, releases: Sequence[Release]) -> bool:
    return all(flag.exists_in(each) for each in releases)


# Values.


def _settings(site: Site, releases: Sequence[Release]) -> list[Setting]:
    found = (catalogue(site.module).at(each).get(site.name) for each in releases)
    return [each for each in found if each is not None]


def _of_value(site: Site, releases: Sequence[Release]) -> Iterator[Problem]:
    if site.value is Unknown or site.use not in _SETTING:
        return
    convert = plain_value if site.use == "assignment" else check_value
    for setting in _settings(site, releases):
        try:
            convert(setting, site.value)
        except Mismatch as mismatch:
            # torch fails later for most unknown words, and takes most other types for a truth.
            is_unknown_word = setting.type.choices and isinstance(site.value, str)
            is_bool, text = isinstance(setting.type, Bool), str(setting.invalid(site.value, mismatch))
            level: Level = "error" if is_unknown_word or site.use in _OURS else "warning"
            if is_bool and site.use == "compile-option":
                level, text = "error", f"{text}; torch.compile raises a RuntimeError for any other type"
            elif is_bool and site.use == "set" and site.value in (0, 1):
                level, text = "note", f"{text}; torch takes it for {bool(site.value)}"
            yield Problem("DC307", level, site.span, text, setting.newest)
            return


def _of_change(site: Site, releases: Sequence[Release], assigned: Mapping[str, int]) -> Iterator[Problem]:
    """Report a change in place that comes after a compilation, and that the key of the cache misses."""
    line = dict(site.loaded).get(COMPILATION, 0) if site.use == "change" else 0
    # Once a flag is assigned after the compilation, its value is read anew each time.
    is_seen = assigned.get(_newest(site), 0) > line or not _WITHOUT_CACHE.isdisjoint(assigned)
    if line and not is_seen and any("assigned" in each.in_cache_key for each in _settings(site, releases)):
        text = (
            f"inductor.{site.name} changes in place after line {line} has compiled: the key of the FX graph"
            " cache keeps the old value, and old code is served: assign a new one"
        )
        yield Problem("DC317", "warning", site.span, text, _newest(site))


def _of_rules(sites: Sequence[Site], releases: Sequence[Release]) -> Iterator[Problem]:
    set_in: dict[str, set[int]] = {}
    blocks: dict[int, list[Site]] = {}
    for each in sites:
        is_limit = (each.use, each.name) == ("keyword", "recompile_limit")  # in place of the flag
        is_limit = is_limit and is_argument("recompile_limit", releases[0])
        site = each._replace(use="set", module=BARE_MODULE) if is_limit else each
        if site.use in ("set", "compile-option", "option", "change"):
            set_in.setdefault(_newest(site), set()).add(site.block)
            if site.value is not Unknown:
                blocks.setdefault(site.block, []).append(site)
    for block, members in blocks.items():
        yield from _of_names_of_one(members)
        found: dict[str, Problem | None] = {}
        for release in releases:
            places = {setting: site for site in members for setting in _settings(site, [release])}
            for rule in dict.fromkeys(rule for setting in places for rule in setting.rules):
                others = (set_in.get(each.newest, set()) for each in rule.settings if each not in places)
                if not any(each - {block} for each in others):  # with a value that may suit
                    code = rule.rule.code
                    found[code] = found.get(code) or _broken(rule, places, release)
        yield from filter(None, found.values())


def _of_names_of_one(members: Sequence[Site]) -> Iterator[Problem]:
    """Report keywords of a call that are names of one flag with different values."""
    given: dict[str, Site] = {}
    for site in (each for each in members if each.fit == "identifier"):
        first = given.setdefault(_newest(site), site)
        if first.name != site.name and not is_same_value(first.value, site.value):
            text = f"{first.name} and {site.name} are one flag, so that one of the values is lost: keep one"
            level: Level = "error" if site.use in _OURS else "warning"
            yield Problem("DC505", level, site.span, text, _newest(site))


def _broken(rule: ReleaseRule, places: Mapping[Setting, Site], release: Release) -> Problem | None:
    written = Origin("assignment")
    state = State(release, {each: SettingValue(site.value, written) for each, site in places.items()})
    try:
        broken = state.judged([rule])
    except TypeError:
        return None  # a value of the wrong type, which has a finding of its own
    if not broken:
        return None
    last = max((each for each in rule.settings if each in places), key=lambda each: places[each].span)
    text = str(broken[0]).removeprefix(f"{rule.rule.code}: ")
    return Problem(rule.rule.code, rule.level, places[last].span, text, last.newest)


# Words, options and arguments of torch.compile.


def _of_word(site: Site, releases: Sequence[Release]) -> Iterator[Problem]:
    """Report a mode, stance or backend that a release lacks; programs may have backends of their own."""
    for release in releases:
        modes = [each for each, flags in MODES.items() if flags.at(release.minor) is not None]
        words = {"backend": BACKENDS, "stance": STANCES}.get(site.use, modes)
        if site.name not in words and not (release.is_beyond_catalogue and site.name not in MODES):
            is_backend = site.use == "backend"
            similar = nearest(site.name, words, cutoff=ALIKE if is_backend else 0.6)
            hint = f"did you mean {similar!r}?" if similar else f"expected {', '.join(words)}"
            text = f"torch {release.version} has no {site.use} {site.name!r} of torch.compile: {hint}"
            if similar or not is_backend:
                level: Level = "warning" if is_backend else "error"
                yield Problem("DC312", level, site.span, text).guarded(site.guard)
            return


def _of_keyword(site: Site, releases: Sequence[Release]) -> Iterator[Problem]:
    """Report an argument of `torch.compile`, or an option that it keeps for itself, which a release lacks."""
    is_option = site.use == "own-option"
    first, last = (OF_TORCH_COMPILE[site.name][1], "") if is_option else KEYWORDS.get(site.name, ("", ""))
    have = (within(each.minor, first, last) if first else each.is_beyond_catalogue for each in releases)
    lacking = [each.version for each, has_it in zip(releases, have, strict=True) if not has_it]
    if lacking:
        kind, code = ("option", "DC303") if is_option else ("argument", "DC314")
        remedy = existence(first, last or None) if first else _place_of(site.name, releases[0])
        text = f"torch.compile of torch {', '.join(lacking)} has no {kind} {site.name!r}: {remedy}"
        if not site.name:
            text = "torch.compile takes one argument by position: name this one, as in mode=..."
        yield Problem(code, "error", site.span, text).guarded(site.guard)


def _place_of(name: str, release: Release) -> str:
    """Return where to write a flag that is no argument of `torch.compile`, or the argument that was meant."""
    if name in catalogue("inductor").flags:
        return f"it is a flag of inductor: options={{{name!r}: ...}}"
    if name in catalogue(BARE_MODULE).flags:
        newest = newest_name(name)
        where = (
            f"torch.compile({newest}=...)" if is_argument(newest, release) else f"dynconf.patch({newest}=...)"
        )
        return f"it is a flag of dynamo: {where}"
    known = [each for each in KEYWORDS if is_argument(each, release)]
    near = nearest(name, known, cutoff=ALIKE)
    return f"did you mean {near!r}?" if near else f"expected {', '.join(known)}"


OF_COMPILE: dict[Use, Callable[[Site, Sequence[Release]], Iterator[Problem]]] = {
    **dict.fromkeys(("mode", "backend", "stance"), _of_word),
    **dict.fromkeys(("own-option", "keyword"), _of_keyword),
}


# Environment variables.


def _of_variable(site: Site, releases: Sequence[Release], assigned: Mapping[str, int]) -> Iterator[Problem]:
    if site.use == "variable-read":
        text = misspelt(site.name, releases[-1])
        # Programs have variables of their own, too, so that only a slip of the pen is reported.
        if "did you mean" in text and nearest(site.name, ALL_VARIABLES, cutoff=0.93):
            text = f"{text} The variable is read in this file"
            new = _new_variable(site.name, None, releases) if site.fit else None
            yield Problem("DC401", "warning", site.span, text, None, site.name, site.name, new)
        return
    raw = site.value if isinstance(site.value, str) else None
    new = _new_variable(site.name, raw, releases) if site.fit and raw is not None else None
    seen = set()
    for release in releases:
        for each in _findings_on(site.name, raw or "", release):
            is_said = each.code in seen or (each.code == "DC306" and "DC404" in seen)  # unread is enough
            if not is_said and each.code in (_OF_NAMES if raw is None else _OF_VARIABLES):
                seen.add(each.code)
                text = each.message if raw is not None else each.message.replace("=''", "", 1)
                yield Problem(each.code, each.level, site.span, text, each.flag, site.name, site.name, new)
    late = max(loaded_too_early(site.name, site.loaded, each, assigned) for each in releases)
    if late and not seen:
        text = f"{site.name} is set after line {late} loaded the module that reads it"
        yield Problem("DC405", "warning", site.span, text, None, site.name)


def _new_variable(name: str, raw: str | None, releases: Sequence[Release]) -> str | None:
    """Return the variable that all releases read in place of this one, with nothing to say about that text.

    A text that means something else than it seems must not begin to count.
    """
    named = {
        each.facts.get("replacement")
        for release in releases
        for each in _findings_on(name, raw or "", release)
    }
    new = named.pop() if len(named) == 1 else None
    about_new = {each.code for at in releases if new for each in _findings_on(new, raw or "", at)}
    return None if about_new & _OF_VARIABLES else new


@functools.lru_cache(maxsize=4096)
def _findings_on(name: str, raw: str, release: Release) -> tuple[Finding, ...]:
    return tuple(variable_findings({name: raw}, release, is_elsewhere=True))
