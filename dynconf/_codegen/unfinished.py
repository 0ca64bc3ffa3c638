"""What is left to do by hand, once the facts of the releases are derived."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from dynconf._codegen.differences import differences
from dynconf._codegen.generated import FIXTURES, ROOT
from dynconf.catalogue.catalogue import Catalogue
from dynconf.catalogue.modules import catalogue
from dynconf.release import NEWEST, RELEASES, Release, minor

_FIRST = re.escape(RELEASES[0].rpartition(".")[0]) + r"(?:\.\d+)?"
SPAN = re.compile(rf"\b{_FIRST}\b(?: to |[\"', ]+(?=\d+\.\d+\.\d))([\d.\"', ]*\d)")
"""From the oldest release to the newest, as in "2.4 to 2.15" and "2.4.1, 2.6.0, 2.15.0"."""

DOCUMENTS = ("*.md", "Makefile", ".ci/*", ".github/**/*.yml", "docs/**/*.md", "release/*.py", "tests/*.py")
"""The files that name releases by hand, but for CHANGELOG.md: what a version covered stays true."""


def unfinished() -> Iterator[str]:
    """Yield a line for each flag, rule and document that the newest release leaves to do."""
    facts = json.loads((FIXTURES / f"{RELEASES[-1]}.json").read_text(encoding="utf-8"))["modules"]
    for module, flags in facts.items():
        known = catalogue(module)
        yield from (f"{module}: {name}: describe it" for name in undescribed(known))
        yield from (
            f"{module}: {name}: has ended, so say what replaces it" for name in ended_in_silence(known)
        )
        yield from (f"{module}: {code}: has ended, so say `until`" for code in rules_that_vanish(known))
        yield from (f"{module}: {each}" for each in differences(module, flags, RELEASES[-1]))
    for path in sorted({path for pattern in DOCUMENTS for path in ROOT.glob(pattern)}):
        if path.is_file() and path.name != "CHANGELOG.md":
            yield from (str(line).removeprefix(f"{ROOT}/") for line in outdated_spans(path))


def undescribed(known: Catalogue) -> list[str]:
    """Return the flags without a description; an old name needs none."""
    return [flag.name for flag in known.flags.values() if not (flag.described or flag.renamed_to)]


def ended_in_silence(known: Catalogue) -> list[str]:
    """Return the public flags that a release lost, and of which no record says what to do instead."""
    return [
        flag.name
        for flag in known.flags.values()
        if flag.until and flag.public and not flag.renamed_to and not flag.replacement
    ]


def rules_that_vanish(known: Catalogue) -> list[str]:
    """Return the rules whose last release is not the one that they name, or else the newest."""
    last: dict[str, str] = {}
    for release in RELEASES:
        at = Release.named(release)
        last |= {each.rule.code: ".".join(map(str, at.minor)) for each in known.at(at).rules}
    newest = ".".join(map(str, NEWEST))
    return [rule.code for rule in known.rules if last.get(rule.code) != (rule.until or newest)]


def outdated_spans(path: Path) -> Iterator[str]:
    """Yield the lines of a document in which another release is the newest."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for span in SPAN.findall(line):
            newest = re.findall(r"\d+\.\d+(?:\.\d+)?", span)[-1]
            if minor(newest) != NEWEST:
                yield f"{path}:{number}: {newest} is not the newest release: {line.strip()}"
