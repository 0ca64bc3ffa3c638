"""Everything that is known of a flag, over all releases, and a search through the flags."""

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from dynconf.catalogue import Catalogue, Setting
from dynconf.flags.flag import Computed, Flag, fact_in
from dynconf.flags.variable import READINGS
from dynconf.modules import MODULES, catalogue
from dynconf.names import is_known, split, why_unknown
from dynconf.release import RELEASES, Release, minor


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a flag.

    Attributes:
        flag: Its record, under its newest name.
        release: The release that it is explained for.
        setting: What that release has of it; None if it does not have it.
        note: That it was asked for by an old name or in another module, or why the release does not have it.
    """

    flag: Flag
    release: Release
    setting: Setting | None
    note: str = ""

    @property
    def defaults(self) -> dict[str, Any]:
        """The default in each release that has the flag, as JSON data; in words if torch derives it."""
        views = ((release, self._catalogue.at(Release.named(release))) for release in RELEASES)
        settings = {release: view.get(self.flag.name) for release, view in views}
        return {release: _default(setting) for release, setting in settings.items() if setting}

    def as_json(self) -> dict[str, Any]:
        """Return all of it as a JSON object."""
        flag, known = self.flag, self._catalogue
        records = [known.flags[name] for name in known.names_of(flag.name)]
        record = self.setting.flag if self.setting else flag
        return {
            "name": flag.qualified,
            "summary": flag.summary,
            "details": flag.details,
            "topic": flag.topic,
            "type": flag.type.expected,
            "choices": list(flag.type.choices),
            "status": record.status_in(self.release),
            "torch": self.release.version,
            "default": _default(self.setting) if self.setting else None,
            "defaults": self.defaults,
            "since": min((each.since for each in records), key=minor),
            "until": flag.until or None,
            "old_names": [each.name for each in records[1:]],
            "replacement": flag.instead or None,
            "deprecated_since": flag.deprecated or None,
            "recompiles": not fact_in(record.compile_ignored, self.release.minor),
            "uniform_variable": flag.uniform_variable if flag.public else None,
            "rules": [
                {
                    "code": here.rule.code,
                    "level": here.level,
                    "flags": list(here.rule.flags),
                    "when": here.rule.when,
                    "why": here.rule.why,
                    "source": here.rule.source,
                }
                for here in (self.setting.rules if self.setting else ())
            ],
            "variables": [
                {
                    "name": variable.name,
                    "rule": variable.rule,
                    "reads": READINGS[variable.rule].words,
                    "since": variable.since,
                    "until": variable.until or None,
                }
                for each in records
                for variable in each.variables
            ],
        }

    @property
    def _catalogue(self) -> Catalogue:
        return catalogue(self.flag.module)


def _default(setting: Setting) -> Any:
    if isinstance(setting.default, Computed):
        return f"({setting.default.from_what})"
    return setting.type.show_data(setting.default_value())


def explain(name: str, release: Release) -> Explanation | None:
    """Return what is known of the flag *name*; None if no release in the catalogue has it.

    Args:
        name: Any name of the flag, old or new; one without a module is looked for in all of them, in dynamo
            first.
        release: The release to explain it for.

    Example:
        >>> explain("cache_size_limit", Release.named("2.13")).note
        "'cache_size_limit' is an old name of 'recompile_limit'"
    """
    module, bare = split(name)
    if module == "dynamo" and bare == name and not is_known(name):
        module = next((each for each in MODULES if name in catalogue(each).flags), module)
    known = catalogue(module)
    if bare not in known.flags:
        return None
    flag, setting = known.flags[known.canonical(bare)], known.at(release).get(bare)
    if setting is None or not is_known(name):
        note = why_unknown(name, release)
    elif bare != setting.name:
        note = f"{bare!r} is an old name of {flag.name!r}"
    else:
        note = ""
    return Explanation(flag, release, setting, note)


def search(word: str) -> Iterator[Flag]:
    """Yield the flags whose full name matches the glob, or whose name, topic or description has the word.

    Example:
        >>> [flag.name for flag in search("*recompile_limit")]
        ['accumulated_recompile_limit', 'recompile_limit']
    """
    lowered = word.lower()
    for module in MODULES:
        for _, flag in sorted(catalogue(module).flags.items()):
            text = f"{flag.qualified} {flag.topic} {flag.description}"
            if fnmatchcase(flag.qualified, word) or lowered in text.lower():
                yield flag
