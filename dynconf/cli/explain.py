"""``dynconf explain``."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import click

from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.output import (
    GAP,
    Styled,
    complain,
    origin_text,
    print_facts,
    print_json,
    print_line,
    print_table,
)
from dynconf.explanation import Explanation, subject
from dynconf.flags.types import short_repr
from dynconf.lint.codes import CODES
from dynconf.lint.misspelling import misspelling_findings
from dynconf.names import is_known, why_unknown
from dynconf.origin import Origin
from dynconf.release import OLDEST, Release, minor
from dynconf.search import is_glob, search, topics
from dynconf.sources.gather import gather

_NOT_DESCRIBED = "Not yet described: the facts below are those of torch's own releases."
_MOST_MATCHES = 20
"""How many flags are listed that match words: the first are the ones that were meant."""

_CACHE_KEY = {
    None: "",
    True: "its value is part of the cache key",
    False: "its value is not part of the cache key",
}


_EFFECT = {
    "code": "",
    "debugging": ", and adds parts for debugging to the code at most",
    "nothing": ", and leaves the code as it is",
}


@click.command(
    cls=Command,
    examples=(
        "dynconf explain recompile_limit",
        "dynconf explain TORCHDYNAMO_VERBOSE DC005",
        "dynconf explain dynamic shapes",
        "dynconf explain mode max-autotune --torch 2.6",
    ),
)
@click.argument("words", metavar="[FLAG]...", nargs=-1, shell_complete=completion.flags)
@options.torch
@options.output_format()
def explain(words: Sequence[str], torch: str | None, output_format: str) -> int:
    """Describe flags: value, type, default, variables and rules.

    FLAG may also be a variable of torch, a rule, a code of "dynconf lint", a mode of torch.compile, a
    topic, or a glob or words to search for; without an argument, the topics are listed. The value is the
    one that dynconf would put in force here. If the flag is gone or never existed, its replacement is
    named (exit 1).
    """
    if not words:
        return _list_topics(output_format)
    release = options.release(torch)
    state = gather(release, check=False).state
    found = {word: _code_of_lint(word.upper()) or subject(word, release, state) for word in words}
    unknown = [word for word in words if not found[word]]
    if len(words) > 1 and len(unknown) == len(words):
        together = subject("_".join(words), release, state)
        if isinstance(together, Explanation) and together.setting and not together.setting.inert:
            found, unknown = {"": together}, []
    known = [each for each in found.values() if each]
    # Of a phrase, one word may well be the name of something, such as the mode "default".
    if len(unknown) > 1:
        phrase = " ".join(words)
        return _print_matches(phrase, output_format, f"no flag has any of the words {phrase}")
    if not known:
        return _print_matches(words[0], output_format, _why_unknown(words[0], release))
    code = _print_known(known, output_format)
    complain("error", *(_why_unknown(word, release) for word in unknown))
    return 1 if unknown else code


def _code_of_lint(code: str) -> dict[str, Any] | None:
    """Explain the code of a finding of `dynconf lint`."""
    return {"finding": code, **CODES[code]._asdict()} if code in CODES else None


def _why_unknown(word: str, release: Release) -> str:
    """Say why there is nothing to tell of a word, be it a flag, a variable or a rule."""
    for finding in misspelling_findings({word: ""}, release):
        return finding.message.replace("=''", "", 1)
    if re.fullmatch(r"DC\d+", word.upper()):
        return f"there is no rule {word}"
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
                next(show for key, show in _PRINTERS.items() if key in each)(each)
            else:
                _print_flag(each, data)
    flags = [each for each in known if isinstance(each, Explanation)]
    complain("note", *(each.note for each in flags if each.note))
    return 0 if all(each.setting for each in flags) else 1


def _print_matches(words: str, output_format: str, why: str) -> int:
    matches = [] if is_known(words) else search(words)
    if output_format == "json":
        summaries = [{"name": each.qualified, "summary": each.summary} for each in matches]
        print_json({"matches": summaries} if matches else {"name": words, "known": False, "message": why})
    elif matches:
        unknown = Styled("not yet described", "dim")
        shown = matches if is_glob(words) or words in topics() else matches[:_MOST_MATCHES]
        rows = [(Styled(each.qualified, "bold"), each.summary or unknown) for each in shown]
        print_table(("flag", "summary"), rows)
        if rest := len(matches) - len(shown):
            complain("note", f"{rest} more flags match less well: --format json lists them, too")
    if not matches:
        complain("error", why)
    return 0 if matches else 1


def _list_topics(output_format: str) -> int:
    counts = topics()
    if output_format == "json":
        print_json({"topics": [{"name": name, "flags": count} for name, count in counts.items()]})
    else:
        rows = [(Styled(name, "bold"), str(count)) for name, count in counts.items()]
        print_table(("topic", "flags"), rows)
    return 0


def _print_flag(each: Explanation, facts: dict[str, Any]) -> None:
    status = f"no reader in torch {facts['torch']}" if facts["status"] == "unread" else facts["status"]
    origin = f"from {origin_text(each.origin)}"
    if each.origin.kind == "default":
        origin = f"the default of torch {facts['torch']}"
    name, value = Styled(facts["name"], "bold"), _text(facts["value"], repr)
    print_line(name, *([" = ", Styled(value, "green"), ", ", origin] if each.setting else [""]))
    for text in filter(None, (facts["summary"] or _NOT_DESCRIBED, facts["details"])):
        print_line(GAP, text)
    print()
    risks = "; ".join(map(str, each.flag.risks))
    uniform, own = facts["uniform_variable"], [each["name"] for each in facts["variables"]]
    since, until = facts["since"], facts["until"]
    lines = [
        ("topic", f"{facts['topic']}, {status}"),
        ("takes", facts["type"]),
        ("default", _history(facts["defaults"])),
        ("exists", _existence(since, until)),
        ("old names", ", ".join(facts["old_names"])),
        ("instead", facts["instead"]),
        ("deprecated", facts["deprecated_since"] and f"torch warns of it since {facts['deprecated_since']}"),
        (
            "a change",
            f"requires recompilation{_EFFECT[facts['effect']]}"
            if facts["recompiles"]
            else "requires no recompilation",
        ),
        ("FX graph cache", _CACHE_KEY[facts["in_cache_key"]]),
        ("a patch", facts["covers"]),
        ("trust", risks and f"is needed for a file or data from others: {risks}"),
        *(
            (
                "overruled",
                f"{_text(then['value'])} while {then['flag']} is {_text(then['when'])}{_span(then)}",
            )
            for then in facts["implied_by"]
        ),
        *(
            (_text(then["when"]), f"makes {then['flag']} {_text(then['value'])}{_span(then)}")
            for then in facts["implies"]
        ),
        *((rule["code"], f"{rule['level']} for {rule['when']}: {rule['why']}") for rule in facts["rules"]),
        *((each["name"], f"torch reads it{_span(each)}: {each['reads']}") for each in facts["variables"]),
        (uniform if uniform not in own else "", "dynconf reads it in every release that has the flag"),
    ]
    print_facts([(label, text) for label, text in lines if label and text])


def _print_rule(facts: dict[str, Any]) -> None:
    print_line(Styled(facts["code"], "bold"), Styled(f" ({facts['level']})", "dim"))
    print_line(GAP, f"{facts['when']}: {facts['why']}")
    print()
    print_facts(
        [
            ("flags", ", ".join(facts["flags"])),
            ("since", f"torch {facts['since']}"),
            ("applies", f"{'yes' if facts['applies'] else 'no'}, in torch {facts['torch']}"),
            ("source", facts["source"]),
        ]
    )


def _print_finding(facts: dict[str, Any]) -> None:
    print_line(Styled(facts["finding"], "bold"), f" ({facts['title']})")
    print_line(GAP, facts["text"])


def _print_mode(facts: dict[str, Any]) -> None:
    print_line(Styled(facts["mode"], "bold"), Styled(" (mode of torch.compile)", "dim"))
    if not facts["exists"]:
        print_line(GAP, f"torch {facts['torch']} has no such mode")
    elif not facts["sets"]:
        print_line(
            GAP, f"sets no flag in torch {facts['torch']}: it is how torch.compile works without a mode"
        )
    else:
        print_line(GAP, f"torch.compile(mode={facts['mode']!r}) sets in torch {facts['torch']}:")
        print()
        rows = [(Styled(each["flag"], "bold"), str(each["value"]), each["summary"]) for each in facts["sets"]]
        print_table(("flag", "value", "summary"), rows, fixed=2)


def _print_modes(facts: dict[str, Any]) -> None:
    print_line(
        "", f"the modes of torch.compile, and the flags of inductor that they set in torch {facts['torch']}:"
    )
    print()
    rows = [
        (Styled(each["mode"], "bold"), ", ".join(f"{flag}={value}" for flag, value in each["sets"].items()))
        for each in facts["modes"]
    ]
    print_table(("mode", "sets"), rows)


def _print_variable(facts: dict[str, Any]) -> None:
    value = "not set" if facts["value"] is None else f"set to {facts['value']!r}"
    print_line(Styled(facts["variable"], "bold"), ", ", f"{value} here")
    print_line(GAP, facts["summary"])
    print()
    applies = "" if facts["applies"] else f", not torch {facts['torch']}"
    print_facts(
        [
            ("flag", "none: only the variable"),
            ("read by", facts["read_by"]),
            ("exists", f"{_existence(facts['since'], facts['until'])}{applies}"),
        ]
    )


_PRINTERS = {
    "code": _print_rule,
    "finding": _print_finding,
    "mode": _print_mode,
    "modes": _print_modes,
    "variable": _print_variable,
}
"""How each subject that is no flag is printed, by a key that it alone has."""


def _text(data: Any, show: Callable[[Any], str] = short_repr) -> str:
    """Return a value as text; a default that torch derives is in words already."""
    return data if isinstance(data, str) and data.startswith("(") else show(data)


def _existence(since: str, until: str | None) -> str:
    if until is None:
        return "every torch since 2.4" if minor(since) == OLDEST else f"since torch {since}"
    if since == until:
        return f"torch {since} only"
    return f"{'until' if minor(since) == OLDEST else f'torch {since} to'} torch {until}"


def _span(variable: dict[str, Any]) -> str:
    if variable.get("until"):
        return f" ({variable['since']} to {variable['until']})"
    return f" (since {variable['since']})" if variable["since"] != "2.4" else ""


def _history(defaults: dict[str, Any]) -> str:
    """Return the default, with the releases in which it changed."""
    parts: list[str] = []
    last: object = object()
    for release, default in defaults.items():
        if default != last:
            parts.append(
                f"{_text(default)} from torch {release.rpartition('.')[0]}" if parts else _text(default)
            )
            last = default
    return ", ".join(parts)
