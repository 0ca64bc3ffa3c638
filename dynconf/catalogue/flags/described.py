"""Combining the two parts of a record: facts derived from the releases, and a handwritten description.

A flag is declared in ``_derived.py`` of its module, which is generated, and described in ``descriptions.py``,
under the heading of its topic, as a docstring describes an argument::

    [backward]: When the backward is compiled, and which assumptions are made about its inputs.
    donated_buffer: Lets the backward reuse the memory of intermediate results saved for it.
        Lowers peak memory, but each backward can then run only once.

The first sentence is the summary, everything after it the details; ``Instead: ...`` at their end is the
replacement, and ``No-op since torch 2.6; used to ...`` gives the status, too. Lines that belong together are
indented. An old name needs no description: it is where the new one is. ``facts.py`` of the module has what
no release reveals, each fact with the flags that it is true of::

    FACTS = facts_by_flag({Facts(type=Int(0)): "max_dist_from_bw", Facts(status="testing"): "..."})

"""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from dynconf.catalogue.catalogue import Catalogue
from dynconf.catalogue.flags.flag import ByRelease, Flag, Removed, Status
from dynconf.catalogue.flags.risk import Risk
from dynconf.catalogue.flags.rule import Rule, all_set, set_alone
from dynconf.catalogue.flags.types import ValueType
from dynconf.catalogue.flags.variable import ForeignVariable, Takes
from dynconf.catalogue.modules import HOMES
from dynconf.catalogue.modules.risks import RISKS
from dynconf.release import OLDEST, RELEASES, minor


class Facts(NamedTuple):
    """Handwritten facts, in fields of `Flag`; a field that is left out keeps the derived fact."""

    type: ValueType | None = None
    type_by_release: ByRelease[ValueType] | None = None
    status: Status | ByRelease[Status] | None = None
    renamed_to: str = ""
    same_code: bool = False
    machine_dependent: bool = False


def facts_of_words(kind: Callable[[tuple[str, ...]], ValueType], words: Mapping[str, str]) -> Facts:
    """Return the facts of a flag that takes words, which came with these releases."""
    so_far = itertools.accumulate(words.values(), "{} {}".format)
    types = [kind(tuple(each.split())) for each in so_far]
    changes = zip(words, types, strict=True)
    return Facts(type=types[-1], type_by_release=ByRelease(types[0], tuple(changes)[1:]))


def facts_by_flag(flags: Mapping[Facts, str]) -> dict[str, dict[str, Any]]:
    """Return the facts of each flag, given the flags that each fact is true of; all their facts count."""
    found: dict[str, dict[str, Any]] = {}
    for facts, names in flags.items():
        known = {field: fact for field, fact in facts._asdict().items() if fact}
        found |= {name: {**found.get(name, {}), **known} for name in names.split()}
    return found


_NO_OP = re.compile(r"No-op(?: since torch (\d+\.\d+))?;")

ABOUT_NO_FLAG: list[str] = []
"""Descriptions and risks of flags that no release has, which ``python -m dynconf._codegen`` refuses."""


def catalogue_of(package: str, **parts: Any) -> Catalogue:
    """Return the catalogue of a config module, given its package, and what else it has."""
    name = package.rpartition(".")[2]
    return Catalogue(name, HOMES[name], described(package), **parts)


def described(package: str) -> dict[str, tuple[Flag, ...]]:
    """Return the records of the config module with that package, by topic, in the order for display.

    Flags without a description follow under the name of their nested class, such as "triton", or under
    "more". A text about no flag of any release, or a second one about the same, is left out, and noted in
    `ABOUT_NO_FLAG`.
    """
    undescribed = {flag.name: flag for flag in import_module(f"{package}._derived").FLAGS}
    risks = RISKS.get(package.rpartition(".")[2], {})
    facts: Mapping[str, Mapping[str, Any]] = import_module(f"{package}.facts").FACTS
    ABOUT_NO_FLAG.extend(f"{package}: {name}" for name in (*facts, *risks) if name not in undescribed)
    records: dict[str, list[Flag]] = {}
    topic = ""
    for name, text in texts_of(import_module(f"{package}.descriptions").DESCRIPTIONS):
        if name.startswith("["):
            topic = name.strip("[]")
        elif flag := undescribed.pop(name, None):
            known = facts.get(name, {}), risks.get(name)
            records.setdefault(topic, []).append(_completed(flag, *known, *text))
        else:
            ABOUT_NO_FLAG.append(f"{package}: {name}")
    homes = {flag.name: topic for topic, flags in records.items() for flag in flags}
    for name, flag in undescribed.items():
        own = facts.get(name, {})
        if home := homes.get(own.get("renamed_to", flag.renamed_to)):
            records[home].append(_completed(flag, own, risks.get(name), "", ""))
        else:
            nested, dot, _ = name.partition(".")
            records.setdefault(nested if dot else "more", []).append(flag)
    return {topic: tuple(flags) for topic, flags in records.items()}


def texts_of(descriptions: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the name of each flag that is described, with its summary and its details."""
    for entry in filter(None, descriptions.replace("\n    ", " ").splitlines()):
        name, _, text = entry.partition(": ")
        summary, _, details = text.partition(". ")
        yield name.removesuffix(":"), (f"{summary}." if details else summary, details)


def _described(descriptions: str, head: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the head of each paragraph, which that pattern matches, and its text."""
    for paragraph, text in texts_of(descriptions):
        match = re.fullmatch(head, paragraph)
        assert match is not None, paragraph
        yield match, " ".join(filter(None, text))


def described_variables(descriptions: str, takes: Mapping[str, Takes]) -> tuple[ForeignVariable, ...]:
    """Return the records of variables without a flag, each described as flags are, after what reads it.

    Such as ``TORCH_TRACE (torch._logging._internal, since 2.4): The folder ...``, or ``until 2.5``, or
    ``2.10 only``; *takes* has the texts that they are for.
    """
    head = r"(\w+) \(([\w.]+)(?:, (?:since (?P<since>.+)|until (?P<until>.+)|(?P<only>.+) only))?\)"
    return tuple(
        ForeignVariable(
            match[1],
            match[2],
            since=match["since"] or match["only"] or "2.4",
            until=match["until"] or match["only"] or "",
            summary=text,
            takes=takes.get(match[1]),
        )
        for match, text in _described(descriptions, head)
    )


def described_removals(descriptions: str) -> dict[str, Removed]:
    """Return the records of flags that were gone before torch 2.4: the last release of each, and advice.

    Such as ``log_level (2.0): call ...``; without a release, only torchdynamo, before torch 2.0, had it.
    """
    found = _described(descriptions, r"([\w.]+)(?: \((.+)\))?")
    return {match[1]: Removed(match[2] or "", text) for match, text in found}


def described_rules(descriptions: str, *others: Rule) -> tuple[Rule, ...]:
    """Return the rules that are described, each with its source and the consequence, and *others*, by code.

    Such as ``DC206 freezing_discard_parameters without freezing (torch/_inductor/freezing.py): parameters
    are ...``; ``with`` is for flags that defeat each other.
    """
    head = r"(\w+) ([\w.]+) (with|without) ([\w.]+) \((.+)\)"
    rules = [
        Rule(
            code=match[1],
            flags=(match[2], match[4]),
            is_broken=set_alone if match[3] == "without" else all_set,
            why=text,
            source=match[5],
        )
        for match, text in _described(descriptions, head)
    ]
    return tuple(sorted((*rules, *others), key=lambda rule: rule.code))


def _completed(
    flag: Flag, facts: Mapping[str, Any], risks: tuple[Risk, ...] | None, summary: str, details: str
) -> Flag:
    known = {**facts}
    if risks is None and known.get("type", flag.type).names_objects:
        risks = (Risk("call or skip objects"),)
    known["risks"] = risks or ()
    if no_op := _NO_OP.match(summary):
        since = no_op[1] or RELEASES[0]
        known["status"] = ByRelease("active", ((since, "no-op"),)) if minor(since) > OLDEST else "no-op"
    known["summary"] = summary or f"Old name of {facts.get('renamed_to', flag.renamed_to)}."
    details, _, instead = details.partition("Instead: ")
    known["details"] = details.rstrip()
    if instead:
        known["replacement"] = instead
    for name, fact in known.items():
        # Not a copy, although the record is frozen: nobody else has seen it yet, and copying 900 records
        # would take longer than loading them.
        object.__setattr__(flag, name, fact)
    return flag
