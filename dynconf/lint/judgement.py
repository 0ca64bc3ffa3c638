"""What the places of a program mean to releases of torch."""

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dynconf.catalogue import Setting
from dynconf.errors import InvalidValueError
from dynconf.finding import Finding, Level
from dynconf.flags.flag import Flag, qualified
from dynconf.lint.misspelling import foreign_findings, misspelling_findings
from dynconf.lint.sites import UNKNOWN, Remark, Site, Span
from dynconf.lint.variables import flag_findings
from dynconf.modules import catalogue
from dynconf.names import newest_name, newest_record, why_unknown
from dynconf.origin import DEFAULT, Origin
from dynconf.release import Release, minor
from dynconf.rules import check_rules
from dynconf.state import SettingValue, State

_VARIABLE_CODES: dict[str, tuple[str, Level]] = {
    "misspelt-variable": ("DC401", "warning"),
    "unknown-variable": ("DC401", "warning"),
    "uniform-variable": ("DC401", "note"),
    "misread": ("DC402", "warning"),
    "invalid-value": ("DC403", "error"),
    "stops-import": ("DC403", "error"),
    "not-read-yet": ("DC404", "warning"),
    "no-longer-read": ("DC404", "warning"),
    "missing-flag": ("DC404", "warning"),
    "foreign-variable": ("DC404", "note"),
    "no-op-flag": ("DC306", "warning"),
}
_OF_TEXTS = frozenset({"DC402", "DC403"})

_ALIKE = 0.85
"""How similar to a flag, from 0 to 1, a name must be that is only read: config modules have other contents."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding before it is known in which file: `replacement` is the text for the span, if there is one."""

    code: str
    level: Level
    span: Span
    text: str
    flag: str | None = None
    variable: str | None = None
    replacement: str | None = None


def problems(
    sites: Sequence[Site], remarks: Iterable[Remark], releases: Sequence[Release]
) -> Iterator[Problem]:
    """Yield the problems of one file in any of the releases."""
    for each in remarks:
        yield Problem(each.code, "warning", each.span, each.text, each.flag)
    for site in sites:
        if site.use == "variable":
            yield from _of_variable(site, releases)
            continue
        found = _of_name(site, releases)
        if found is not None:
            yield _guarded(found, site)
        yield from _of_value(site, releases)
    yield from _of_rules(sites, releases)


def _guarded(found: Problem, site: Site) -> Problem:
    """Judge a problem by the care that the program takes."""
    if found.level != "error" or not site.guard or site.use == "option":
        return found
    if site.guard == "checked":
        return replace(found, level="note")
    text = f"{found.text}; the error is swallowed, and the setting is lost"
    return replace(found, code="DC311", level="warning", text=text)


# Names.


def _of_name(site: Site, releases: Sequence[Release]) -> Problem | None:
    known = catalogue(site.module)
    record = known.flags.get(site.name)
    if record is None:
        return _unknown(site, releases[-1])
    lacking = [each for each in releases if not record.exists_in(each)]
    if site.use == "probe" or (site.use == "option" and not _is_gone(site, lacking)):
        return None
    newest = newest_record(record.qualified)
    replacement = _replacement(site, newest, releases)
    full = qualified(site.module, site.name)
    is_old = newest is not record and minor(record.since) < minor(newest.since)  # there are new aliases, too
    if newest is not record and (lacking or (is_old and _all_have(newest, releases))):
        if newest.module != record.module:
            code, text = "DC305", f"{full} is {newest.qualified} today, in torch.{_path(newest)}"
        else:
            code, text = "DC304", f"{full} is an old name of {newest.qualified}"
        if lacking:
            return Problem(
                code, "error", site.span, _with(text, lacking), newest.qualified, None, replacement
            )
        level: Level = "note" if site.use == "read" else "warning"
        return Problem(code, level, site.span, text, newest.qualified, None, replacement)
    if lacking:
        is_new = minor(record.since) > lacking[0].minor
        former = known.at(lacking[0]).get(site.name)
        text = why_unknown(full, lacking[0])
        if former is not None:
            text = f"{full} is {former.qualified} up to torch {former.flag.until or lacking[-1].version}"
        code = "DC303" if is_new else "DC302"
        return Problem(code, "error", site.span, text, newest.qualified, None, replacement)
    inert = next((each.inert for each in _settings(site, releases[-1:])), "")
    if inert and site.use in ("set", "option"):
        return Problem("DC306", "warning", site.span, inert, newest.qualified)
    return None


def _is_gone(site: Site, lacking: Sequence[Release]) -> bool:
    """Tell whether dynconf itself, which knows all names, cannot set a flag in a release."""
    return any(catalogue(site.module).at(each).get(site.name) is None for each in lacking)


def _unknown(site: Site, release: Release) -> Problem | None:
    known = catalogue(site.module)
    if site.name in known.groups or site.name.startswith("_"):
        return None
    full = qualified(site.module, site.name)
    text = why_unknown(full, release)
    if site.name in known.removed:
        return None if site.use == "probe" else Problem("DC302", "error", site.span, text, full)
    if site.use in ("read", "probe", "change") and not known.nearest(site.name, alike=_ALIKE):
        return None
    level: Level = "warning" if site.use == "probe" or release.is_beyond_catalogue else "error"
    return Problem("DC301", level, site.span, text, full)


def _replacement(site: Site, newest: Flag, releases: Sequence[Release]) -> str | None:
    is_here = site.exact and newest.module == site.module and newest.name != site.name
    return newest.name if is_here and _all_have(newest, releases) else None


def _all_have(flag: Flag, releases: Sequence[Release]) -> bool:
    return all(flag.exists_in(each) for each in releases)


def _path(flag: Flag) -> str:
    return catalogue(flag.module).module.removeprefix("torch.")


def _with(text: str, lacking: Sequence[Release]) -> str:
    return f"{text}; torch {', '.join(each.version for each in lacking)} does not have it"


# Values.


def _settings(site: Site, releases: Sequence[Release]) -> list[Setting]:
    found = (catalogue(site.module).at(each).get(site.name) for each in releases)
    return [each for each in found if each is not None]


def _of_value(site: Site, releases: Sequence[Release]) -> Iterator[Problem]:
    if site.value is UNKNOWN or site.use not in ("set", "option"):
        return
    for setting in _settings(site, releases):
        try:
            setting.check(site.value)
        except InvalidValueError as error:
            yield Problem("DC307", "warning", site.span, str(error), setting.newest)
            return


def _of_rules(sites: Sequence[Site], releases: Sequence[Release]) -> Iterator[Problem]:
    """Report rules that flags break which are set together."""
    set_anywhere: dict[str, set[int]] = {}
    blocks: dict[int, list[Site]] = {}
    for site in sites:
        if site.use in ("set", "option", "change"):
            set_anywhere.setdefault(newest_name(qualified(site.module, site.name)), set()).add(site.block)
            if site.value is not UNKNOWN:
                blocks.setdefault(site.block, []).append(site)
    for block, members in blocks.items():
        reported: set[str] = set()
        for release in releases:
            values: dict[Setting, Any] = {}
            for site in members:
                for setting in _settings(site, [release]):
                    values[setting] = site.value
            for code, text, setting in _broken(values, release, block, set_anywhere):
                if code not in reported:
                    reported.add(code)
                    last = next(each for each in reversed(members) if _settings(each, [release]) == [setting])
                    yield Problem(code, "warning", last.span, text, setting.newest)


def _broken(
    values: dict[Setting, Any], release: Release, block: int, set_anywhere: dict[str, set[int]]
) -> Iterator[tuple[str, str, Setting]]:
    state = State(
        release, {each: SettingValue(value, Origin("assignment")) for each, value in values.items()}
    )
    for setting in values:
        for rule in setting.rules:
            others = [each for each in rule.settings if each not in values]
            if any(set_anywhere.get(each.newest, set()) - {block} for each in others):
                continue  # with a value that may suit
            try:
                verdict = check_rules([setting], state.value, lambda each: _origin(each, state))
            except TypeError:
                return  # a value of the wrong type, which has a finding of its own
            for problem in (*verdict.errors, *verdict.warnings):
                code, _, text = str(problem).partition(": ")
                if code == rule.rule.code:
                    yield code, text, setting


def _origin(setting: Setting, state: State) -> Origin:
    return state.origin(setting) if setting in state else DEFAULT


# Environment variables.


def _of_variable(site: Site, releases: Sequence[Release]) -> Iterator[Problem]:
    raw = site.value if isinstance(site.value, str) else None
    seen = set()
    for release in releases:
        for each in variable_findings(site.name, raw or "", release):
            code, level = _VARIABLE_CODES.get(each.code, ("", "note"))
            if code and code not in seen and (raw is not None or code not in _OF_TEXTS):
                seen.add(code)
                yield Problem(code, level, site.span, _shown(each, raw), each.flag, site.name)
    if site.late and not seen:
        text = f"{site.name} is set after line {site.late} imported the module that reads it"
        yield Problem("DC405", "warning", site.span, text, None, site.name)


def _shown(finding: Finding, raw: str | None) -> str:
    return finding.message if raw is not None else finding.message.replace("=''", "", 1)


@functools.lru_cache(maxsize=4096)
def variable_findings(name: str, raw: str, release: Release) -> tuple[Finding, ...]:
    """Return the findings on one variable by itself."""
    environ = {name: raw}
    return (
        *flag_findings(environ, release),
        *misspelling_findings(environ, release),
        *foreign_findings(environ, release),
    )
