"""Everything that is known of a flag over all releases; of a rule, a variable, or a mode of torch.compile."""

import itertools
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE, Computed, Flag, fact_in, qualified
from dynconf.catalogue.flags.rule import Level, Rule
from dynconf.catalogue.flags.variable import VARIABLE_RULES, ForeignVariable
from dynconf.catalogue.modules import MODULES, catalogue, foreign_variable, module_path, modules_set_by
from dynconf.catalogue.modules.modes import MODES
from dynconf.catalogue.names import (
    find,
    followers_of,
    is_known,
    newest_record,
    records_of,
    split,
    why_unknown,
    without_path,
)
from dynconf.provenance import DEFAULT, Origin
from dynconf.release import NEWEST, RELEASES, Release, minor
from dynconf.sources.discovery import OWN_VARIABLES
from dynconf.state import State
from dynconf.store.snapshot import with_settings
from dynconf.tools.show.finding import page_of
from dynconf.tools.show.intents import ANSWERS
from dynconf.tools.show.search import topics

_LATER_BACKWARD = (
    "dynconf.inductor.patch covers what compiles inside it, but not a backward that compiles later;"
    " dynconf.inductor.options covers both"
)


class Explanation(NamedTuple):
    """The facts about a flag in a release, and the state that dynconf would put in force there.

    The *setting* is None if the release lacks the flag; the *note* says why, or by which other name or in
    which other module somebody asked for it.
    """

    flag: Flag
    release: Release
    setting: Setting | None
    note: str
    state: State

    @property
    def origin(self) -> Origin:
        """Where its value comes from."""
        return DEFAULT if self.setting is None else self.state.origin(self.setting)

    def as_json(self) -> dict[str, Any]:
        """Return all of it as a JSON object."""
        flag = self.flag
        in_releases = {each: find(flag.qualified, Release.named(each)) for each in RELEASES}
        defaults = {release: _default(each) for release, each in in_releases.items() if each}
        since, until = span(flag)
        records = records_of(flag)
        home = "https://github.com/pytorch/pytorch/blob"
        paths = {release: module_path(each.module) for release, each in in_releases.items() if each}
        sources = {each: f"{home}/v{each}/{path.replace('.', '/')}.py" for each, path in paths.items()}
        at = next(each for each in RELEASES if minor(each) == self.release.minor)
        setting = self.setting or Setting(flag, flag.name, self.release)
        default = value = _default(self.setting)
        if self.setting and self.state[setting].is_set:
            value = setting.type.show_data(self.state[setting].value)
        return {
            "name": flag.qualified,
            "described": flag.described,
            "summary": flag.summary,
            "details": flag.details,
            "module": module_path(flag.module),
            "topic": flag.topic,
            "type": setting.type.expected,
            "choices": list(setting.type.choices),
            "status": setting.status,
            "torch": self.release.version,
            "torch_name": self.setting and self.setting.qualified,
            "value": value,
            "origin": self.origin.as_json(),
            "default": default,
            "defaults": defaults,
            "since": since,
            "until": until,
            "old_names": [
                each.name if each.module == flag.module else each.qualified for each in records[1:]
            ],
            "names": {release: each.qualified for release, each in in_releases.items() if each},
            "instead": flag.replacement or None,
            "deprecated_since": flag.deprecated or None,
            "recompiles": not setting.compile_ignored,
            "in_cache_key": setting.in_cache_key != "nothing" if setting.in_cache_key else None,
            "cache_key_part": setting.in_cache_key or None,
            "effect": (self.setting or flag).effect,
            "reach": [{"kind": risk.kind, "values": risk.values.text} for risk in flag.risks],
            "implied_by": list(_implied_by(flag)),
            "implies": list(_implies(flag)),
            "is_saved": not flag.machine_dependent,
            "covers": _LATER_BACKWARD if flag.module == "inductor" else "",
            "uniform_variable": flag.uniform_variable if flag.public else None,
            "rules": [_rule_as_json(each.rule, each.level, flag.module) for each in setting.rules],
            "variables": list(_variables(in_releases)),
            "source": sources.get(at, [*sources.values()][-1]),
            "sources": sources,
        }


def span(flag: Flag) -> tuple[str, str | None]:
    """Return the first release that has a flag, by any of its names, and the last; None while one has it."""
    return _ends([each for each in RELEASES if find(flag.qualified, Release.named(each))])


def _ends(releases: Sequence[str]) -> tuple[str, str | None]:
    """Return the first and the last of some releases without their patch numbers; None for the newest."""
    first, last = (each.rpartition(".")[0] for each in (releases[0], releases[-1]))
    return first, last if minor(last) < NEWEST else None


def _variables(settings: Mapping[str, Setting | None]) -> Iterator[dict[str, Any]]:
    """Yield the variables that torch reads for a flag, the newest first, with each span of releases."""
    read = {
        release: [(each.name, each.rule) for each in setting.variables] if setting else []
        for release, setting in settings.items()
    }
    for name, rule in dict.fromkeys(each for release in reversed(read) for each in read[release]):
        are_read = {release: (name, rule) in pairs for release, pairs in read.items()}
        for is_read, run in itertools.groupby(read, are_read.get):
            since, until = _ends([*run])
            if is_read:
                reads = VARIABLE_RULES[rule].description
                yield {"name": name, "rule": rule, "reads": reads, "since": since, "until": until}


def _implied_by(flag: Flag) -> Iterator[dict[str, Any]]:
    """Yield the flags that overrule one: their value, the value that it then has, and the first release."""
    seen = []
    for release in RELEASES:
        for implication in fact_in(flag.implied_by, minor(release)):
            if implication not in seen:
                seen.append(implication)
                other, when, then = implication
                since = release.rpartition(".")[0]
                yield {"flag": qualified(flag.module, other), "when": when, "value": then, "since": since}


def _implies(flag: Flag) -> Iterator[dict[str, Any]]:
    """Yield the flags that one overrules, in the same form."""
    for other in catalogue(flag.module).flags.values():
        for each in _implied_by(other) if other.implied_by else ():
            if each["flag"] == flag.qualified:
                yield {**each, "flag": other.qualified}


def _rule_as_json(rule: Rule, level: str, module: str) -> dict[str, Any]:
    flags = [qualified(module, each) for each in rule.flags]
    facts = {name: getattr(rule, name) for name in ("when", "why", "source")}
    return {"code": rule.code, "level": level, "flags": flags, **facts}


def _default(setting: Setting | None) -> Any:
    if setting is None:
        return None
    if isinstance(setting.default, Computed):
        return f"({setting.default.from_what})"
    return setting.type.show_data(setting.default_value())


def subject(word: str, release: Release, state: State) -> Explanation | dict[str, Any] | None:
    """Explain a flag, or, as JSON, a rule, a mode of torch.compile, or a variable that sets no flag.

    The word may be ``torch._dynamo.config.verbose`` or any other name of a flag, a variable such as
    ``TORCHDYNAMO_VERBOSE`` or ``TORCH_LOGS``, a mode such as ``max-autotune``, ``mode`` for all of them, or
    the code of a rule such as ``DC005``, a config module such as ``torch._inductor.config``, or a page of the
    documentation such as ``explanations/precedence``.

    Example:
        >>> subject("TORCHDYNAMO_VERBOSE", release, State(release)).flag.name
        'verbose'
    """
    word = without_path(word)
    variable = word.upper()
    flags = [flag for module in modules_set_by({variable}) for flag in catalogue(module).flags.values()]
    named = [flag for flag in flags if any(each.name == variable for each in flag.variables)]
    named += [flag for flag in flags if flag.public and flag.uniform_variable == variable]
    flag = named[0].qualified if named else word
    # The name of a topic, such as debug, is also that of a flag of another module.
    found = None if not is_known(flag) and flag in topics() else explain(flag, release, state)
    also = {each.newest for each, _ in followers_of(variable, release)}
    if found and (also := also - {found.flag.qualified}):
        found = found._replace(note=found.note or f"{variable} also sets {', '.join(sorted(also))}")
    if found:
        return found
    return (
        _rule(variable, release)
        or _mode(word, release)
        or _variable(variable, release)
        or _config_module_or_page(word)
    )


def _rule(code: str, release: Release) -> dict[str, Any] | None:
    # Only a code needs the rules of all modules: loading their catalogues takes time.
    for module in MODULES if code.startswith("DC") else ():
        for rule in catalogue(module).rules:
            if rule.code == code:
                level: Level = fact_in(rule.level, release.minor)
                return {
                    **_rule_as_json(rule, level, module),
                    "since": rule.since,
                    "until": rule.until or None,
                    "torch": release.version,
                    "applies": any(each.rule is rule for each in catalogue(module).at(release).rules),
                    "page": page_of(code),
                }
    return None


def _mode(word: str, release: Release) -> dict[str, Any] | None:
    """Explain a mode of torch.compile, ``mode=NAME`` or the name alone, or all of them by ``mode``."""
    name = re.sub("""^mode=|["']""", "", word)
    if name in ("mode", "modes"):
        in_release = {each: flags for each in MODES if (flags := MODES[each].at(release.minor)) is not None}
        modes = [{"mode": each, "sets": {**flags}} for each, flags in in_release.items()]
        return {"modes": modes, "torch": release.version}
    if name not in MODES:
        return None
    flags = MODES[name].at(release.minor)
    sets = [
        {
            "flag": found.newest,
            "value": value,
            "default": _default(found),
            "summary": newest_record(found.newest).summary,
        }
        for flag, value in (flags or {}).items()
        if (found := find(flag, release, "inductor"))
    ]
    return {"mode": name, "torch": release.version, "exists": flags is not None, "sets": sets}


def _variable(name: str, release: Release) -> dict[str, Any] | None:
    """Explain a variable that torch reads for something other than a flag, or one of dynconf's own."""
    variable = foreign_variable(name)
    if name in OWN_VARIABLES:
        variable = ForeignVariable(name, "dynconf", summary=OWN_VARIABLES[name])
    if variable is None:
        return None
    facts = {each: getattr(variable, each) for each in ("summary", "read_by", "since")}
    at = {"torch": release.version, "applies": variable.is_read_in(release.minor)}
    value = os.environ.get(name)
    return {"variable": name, "value": value, **facts, "until": variable.until or None, **at}


def _config_module_or_page(path: str) -> dict[str, Any] | None:
    """Explain a config module, or a page of the documentation that answers questions, by its path."""
    short = next((each for each in MODULES if module_path(each) == path), None)
    if short:
        return {"config_module": path, "name": short, "flags": f"{short}.*"}
    is_page = "/" in path and any(path in each.flags for each in ANSWERS)
    return {"documentation": path, "page": f"{path}.html"} if is_page else None


def explain(name: str, release: Release, state: State | None = None) -> Explanation | None:
    """Explain a flag, by an old or new name; None if no release in the catalogue has it.

    A name without a module is looked for in all of them, in dynamo first.

    Example:
        >>> explain("cache_size_limit", Release.named("2.13")).note
        "'cache_size_limit' is an old name of 'recompile_limit'"
    """
    module, bare = split(name)
    if module == BARE_MODULE and bare == name and not is_known(name):
        module = next((each for each in MODULES if name in catalogue(each).flags), module)
    record = catalogue(module).flags.get(bare)
    if record is None:
        return None
    flag, setting = newest_record(bare, module), find(bare, release, module)
    note = ""
    if setting is None or not is_known(name):
        note = why_unknown(name, release)
    elif flag is not record:
        is_old = record.alias_since != record.since
        names = (bare, flag.name) if flag.module == module else (record.qualified, flag.qualified)
        note = f"{names[0]!r} is {'an old' if is_old else 'another'} name of {names[1]!r}"
    if setting and setting.flag is not flag:
        called = f"torch {release.version} has {flag.qualified!r} as {setting.qualified!r}"
        note = f"{note}; {called}" if note else called
    whole = with_settings(state or State(release), [setting] if setting else [])
    return Explanation(flag, release, setting, note, whole)
