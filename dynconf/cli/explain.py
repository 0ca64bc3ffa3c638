"""``dynconf explain``."""

import re
from collections.abc import Sequence
from typing import Any

import click

from dynconf.catalogue.flags.flag import Flag
from dynconf.catalogue.flags.types import value_text
from dynconf.catalogue.modules.modes import KEYWORDS, MODES, OF_TORCH_COMPILE
from dynconf.catalogue.names import find, is_known, why_unknown
from dynconf.cli import completion, options
from dynconf.cli.command import command
from dynconf.cli.output import Styled, complain, origin_text, print_facts, print_json, print_line, print_table
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.gather import gather
from dynconf.state import State
from dynconf.text import SLIP, nearest
from dynconf.tools.lint.codes import explain_code
from dynconf.tools.lint.misspelling import misspelt
from dynconf.tools.show.explanation import Explanation, span, subject
from dynconf.tools.show.search import answers, corrected, is_glob, search, topics
from dynconf.tools.show.wording import NOT_DESCRIBED, existence, labelled_facts, logs_for, subject_in_words

_MOST_MATCHES = 20
"""How many flags are listed that match words: the first are the ones that were meant."""


@command(
    "dynconf explain recompile_limit",
    "dynconf explain TORCHDYNAMO_VERBOSE DC005",
    "dynconf explain dynamic shapes",
    "dynconf explain mode max-autotune --torch 2.6",
)
@click.argument("words", metavar="[FLAG]...", nargs=-1, shell_complete=completion.flags)
@options.torch
@options.output_format()
def explain(words: Sequence[str], torch: str | None, output_format: str) -> int:
    """FLAG may also be one of torch's variables, a rule, a code from `dynconf check`, a mode of
    torch.compile, a topic, or a glob or words to search for; without arguments, the topics are listed. The
    value is what dynconf would put in force here. Of a flag that is gone, the replacement is named (exit 1).
    """
    if not words:
        return _list_topics(output_format)
    words = [re.sub(r"^(?!mode=)([\w.]+)=\S*$", r"\1", word) for word in words]
    release = options.release(torch)
    reading = gather(release, check=False)
    found = {word: explain_code(word) or subject(word, release, reading.state) for word in words}
    unknown = [word for word in words if not found[word]]
    if len(words) > 1 and len(unknown) == len(words):
        together = subject("_".join(words), release, reading.state)
        if isinstance(together, Explanation) and together.setting and not together.setting.inert:
            found, unknown = {"": together}, []
    known = [each for each in found.values() if each]
    # Of a phrase, one word may well be the name of something, such as the mode "default".
    if len(unknown) > 1 or (not known and " " in words[0]):
        phrase = corrected(" ".join(words))
        if phrase != " ".join(words):
            complain("note", f"searched for {phrase!r}")
        about, matches = _answers(phrase, release, reading.state)
        known_options = {*KEYWORDS, *OF_TORCH_COMPILE}
        arguments = (each for each in phrase.split() if "_" in each and each in known_options)
        why = f"dynconf does not know: no flag has half of the words {phrase}"
        why = next((_why_unknown(each, release) for each in arguments), why)
        return _print_matches(phrase, matches, about, output_format, why, release)
    if not known:
        (word,) = words
        # A variable that is misspelt is part of others, but whoever wrote it did not mean them.
        about, matches = _answers(word, release, reading.state)
        matches = [] if is_known(word) or misspelt(word, release) else matches
        meant = [each.qualified for each in matches if each.name.endswith(f".{word}")]
        if len(meant) != 1 or word in topics() or about:
            why = _why_unknown(word, release)
            if word in KEYWORDS and matches:
                complain("note", why)
            return _print_matches(word, matches, about, output_format, why, release)
        known, unknown = list(filter(None, [subject(meant[0], release, reading.state)])), []
    code = _print_known(known, output_format)
    if flags := {each.flag.qualified for each in known if isinstance(each, Explanation)}:
        # Until they are mended, dynconf puts nothing in force, neither the value shown nor any other.
        complain("warning", *(each for each in reading.errors if not each.flag or each.flag in flags))
    complain("error", *(_why_unknown(word, release) for word in unknown))
    return 1 if unknown else code


def _answers(phrase: str, release: Release, state: State) -> tuple[list[dict[str, Any]], list[Flag]]:
    """Return what answers a question and is no flag, as JSON, and the flags that do."""
    found = (explain_code(name) or subject(name, release, state) for name in answers(phrase))
    about = [each for each in found if isinstance(each, dict)]
    # Beside an answer, flags that only share words with the question are none.
    return about, [each for each in search(phrase) if not about or each.name.rpartition(".")[2] in phrase]


def _why_unknown(word: str, release: Release) -> str:
    """Say why there is nothing to tell of a word, be it a flag, a variable or a rule."""
    if why := misspelt(word, release):
        return why
    if re.fullmatch(r"DC\d+", word.upper()):
        return f"there is no rule {word}"
    if near := nearest(word, MODES, cutoff=SLIP):
        return f"there is no mode {word!r} of torch.compile: did you mean {near!r}?"
    return why_unknown(word, release, origin=Origin("option", word))


def _print_known(known: list[Explanation | dict[str, Any]], output_format: str) -> int:
    facts = [each if isinstance(each, dict) else each.as_json() for each in known]
    if output_format == "json":
        print_json(facts[0] if len(facts) == 1 else {"explanations": facts})
    else:
        for each, data in zip(known, facts):
            if data is not facts[0]:
                print()
            if isinstance(each, dict):
                _print_subject(each)
            else:
                _print_flag(each, data)
    flags = [each for each in known if isinstance(each, Explanation)]
    complain("note", *(each.note for each in flags if each.note))
    return 0 if all(each.setting for each in flags) else 1


def _print_matches(
    words: str, matches: list[Flag], about: list[Any], output_format: str, why: str, release: Release
) -> int:
    matches = sorted(matches, key=lambda flag: find(flag.qualified, release) is None)
    is_known = bool(matches or about)
    if output_format == "json":
        found = {"matches": [_summary(each, release) for each in matches], "answers": about}
        print_json(found if is_known else {"name": words, "known": False, "message": why})
    elif is_known:
        for each in about:
            _print_subject(each)
            if matches or each is not about[-1]:
                print()
        if matches:
            _print_table(words, matches, release)
    if not is_known:
        complain("error", why)
    return 0 if is_known else 1


def _summary(flag: Flag, release: Release) -> dict[str, Any]:
    here = find(flag.qualified, release)
    facts = {"name": flag.qualified, "summary": flag.summary}
    return {**facts, "applies": here is not None, "torch_name": here and here.qualified}


def _print_table(words: str, matches: list[Flag], release: Release) -> None:
    shown = matches if is_glob(words) or words in topics() else matches[:_MOST_MATCHES]
    texts = [f"{_mark(each, release)}{each.summary or 'not yet described'}" for each in shown]
    print_table(("flag", "summary"), [(each.qualified, text) for each, text in zip(shown, texts)])
    complain("note", *logs_for(shown))
    if rest := len(matches) - len(shown):
        flags = "flags match" if rest > 1 else "flag matches"
        complain("note", f"{rest} more {flags} less well: --format json lists them, too")


def _mark(flag: Flag, release: Release) -> str:
    """Return a mark with the releases that have a flag, or with its name here, if this one lacks the name."""
    here = find(flag.qualified, release)
    if here is None:
        return f"! {existence(*span(flag))}: "
    return "" if here.qualified == flag.qualified else f"{here.qualified} in torch {release.version}: "


def _list_topics(output_format: str) -> int:
    counts = topics()
    if output_format == "json":
        print_json({"topics": [{"name": name, "flags": count} for name, count in counts.items()]})
    else:
        print_table(("topic", "flags"), [(name, str(count)) for name, count in counts.items()])
    return 0


def _print_flag(each: Explanation, facts: dict[str, Any]) -> None:
    origin = f"from {origin_text(each.origin)}"
    if each.origin.kind == "default":
        origin = f"the default of torch {facts['torch']}"
    name, value = Styled(facts["name"], "bold"), value_text(facts["value"], repr)
    print_line(name, *([" = ", Styled(value, "green"), ", ", origin] if each.setting else [""]))
    for text in filter(None, (facts["summary"] or NOT_DESCRIBED, facts["details"])):
        print_line("  ", text)
    print()
    print_facts(labelled_facts(facts))


def _print_subject(facts: dict[str, Any]) -> None:
    name, note, text, listed, table = subject_in_words(facts)
    print_line(Styled(name, "bold"), Styled(f" ({note})", "dim"))
    print_line("  ", text)
    if listed or table:
        print()
    print_facts(listed)
    if table:
        print_table(table[0], table[1:], fixed=len(table[0]) - 1)
