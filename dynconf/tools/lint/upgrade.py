"""What an upgrade of torch changes for a program beside what fails: the defaults that touch what it uses."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.flags.types import WORDS, is_same_value, value_text
from dynconf.catalogue.modules import KEYED
from dynconf.catalogue.modules.modes import MODES
from dynconf.catalogue.names import FLAGS, find, followers_of, newest_name, newest_record
from dynconf.errors import DynconfError
from dynconf.release import Release
from dynconf.sources.gather import gather, read_found
from dynconf.store.diff import release_changes
from dynconf.tools.lint.environment import found_in, has_settings
from dynconf.tools.lint.judgement import OF_COMPILE
from dynconf.tools.lint.program import findings_of
from dynconf.tools.lint.sites import Problem, Source
from dynconf.tools.show.finding import LEVELS, Finding, Level

_SPECIAL = frozenset(
    {"aot_inductor", "autotune", "caching", "cudagraphs", "devices", "distributed", "offloading", "trace"}
)
"""The topics of flags that only matter to programs which set one of the topic; any other is for everybody."""

_FOR_EACH_THREAD = (2, 12)
"""The release from which on an assignment holds in the thread that makes it."""

_THREADS = re.compile(rb"\b(?:threading|ThreadPool\w*|to_thread|run_in_executor)\b")


def changed_defaults(sources: Iterable[Source] | None, before: Release, after: Release) -> list[Finding]:
    """Report the defaults that differ and touch what files use, or what variables and settings here set.

    Those first whose topic is used by name, then those that every compilation sees, and of each those first
    that change kernels. Of a flag that they name it is a warning, of any other a note. A flag that is set
    does not have its default, and is not reported.
    """
    if sources is None:
        names, compiles = {each.newest for each in gather(after, check=False).state}, False
        assigned = names
    else:
        sources = list(sources)
        used = [each for source in sources for each in _flags_of(source, after)]
        names, assigned = {name for name, _ in used}, {name for name, is_set in used if is_set}
        compiles = any(re.search(rb"\bcompile\b", source.content) for source in sources)
    topics = {
        (each.module, each.topic): each.qualified for each in map(newest_record, sorted(names, reverse=True))
    }
    found: list[tuple[tuple[bool, ...], Finding]] = []
    for change in release_changes(before.version, after.version):
        former, setting = find(change.flag, before), find(change.flag, after)
        flag = newest_record(change.flag)
        # Where False became "off", the compiler gets the same option.
        old, new = (WORDS.get(str(each), each) for each in (change.before, change.after))
        if change.kind != "default-changed" or is_same_value(old, new) or not flag.public:
            continue
        if not former or not setting or former.inert or setting.inert:
            continue
        used_there = topics.get((flag.module, flag.topic))
        if change.flag in assigned or not (used_there or (compiles and flag.topic not in _SPECIAL)):
            continue
        sides = change.as_json()
        was, now = value_text(sides["before"]), value_text(sides["after"])
        because = f" Of its topic, {used_there} is used" if used_there else ""
        text = (
            f"{change.flag}: the default was {was} in torch {before.version}, and is {now} in"
            f" {after.version}: {flag.summary}{because}"
        )
        facts = {"before": sides["before"], "after": sides["after"]}
        level: Level = "warning" if change.flag in names else "note"
        finding = Finding("DC506", level, text, change.flag, facts=facts)
        found.append(((not used_there, setting.effect != "code", flag.module not in KEYED), finding))
    return [finding for _, finding in sorted(found, key=lambda each: each[0])]


def lost_in_threads(sources: Iterable[Source], before: Release, after: Release) -> list[Finding]:
    """Report, once, that threads do not see what another sets, if that is new and the files use threads."""
    sources = list(sources)
    is_new = before.minor < _FOR_EACH_THREAD <= after.minor
    for source in sources if is_new and any(_THREADS.search(each.content) for each in sources) else ():
        for site in (each for each in source.sites if each.use == "set"):
            flag = newest_name(qualified(site.module, site.name))
            text = (
                f"{flag}: from torch 2.12 on, other threads do not see what one assigns or patches, and this"
                " program uses threads: dynconf.install sets a flag for all of them, and `dynconf check"
                " --threads MODULE` names those that others do not see"
            )
            problem = Problem("DC504", "note", site.span, text, flag)
            return [*findings_of(source._replace(problems=(problem,)))]
    return []


def new_first(
    found: Iterable[Finding], before: Release, already: Iterable[Finding], after: Release
) -> list[Finding]:
    """Return what an upgrade brings, then, with a word, what was *already* found *before*; each by level."""
    old = {(each.subject, each.message.replace(before.version, "")) for each in already}
    marked = [(each, (each.subject, each.message.replace(after.version, "")) in old) for each in found]
    marked.sort(key=lambda each: (each[1], LEVELS.index(each[0].level)))
    as_before = f" (not new: also in torch {before.version})"
    return [replace(each, message=each.message + as_before * is_old) for each, is_old in marked]


def _flags_of(source: Source, release: Release) -> Iterator[tuple[str, bool]]:
    """Yield the flags that a file uses, by newest name, and whether it sets them."""
    for site in source.sites:
        names: Iterable[str] = ()
        if site.use == "mode":
            mode = MODES.get(site.name)
            names = [qualified("inductor", each) for each in (mode and mode.at(release.minor)) or {}]
        elif site.use in ("variable", "child-variable"):
            names = [each.newest for each, _ in followers_of(site.name, release)]
        elif (name := qualified(site.module, site.name)) in FLAGS and site.use not in OF_COMPILE:
            names = [newest_name(name)]
        yield from ((each, site.use not in ("read", "probe", "delete")) for each in names)
    if has_settings(source.path, source.content):
        with suppress(DynconfError):
            yield from ((each.newest, True) for each in read_found(found_in(source.path), release).state)
