"""``dynconf explain``."""

import textwrap
from typing import Any

from dynconf.cli.options import FORMAT, Format
from dynconf.cli.output import complain, print_json, print_table
from dynconf.cli.parser import option
from dynconf.explanation import explain as explanation_of
from dynconf.explanation import search
from dynconf.flags.types import shown
from dynconf.names import is_known, why_unknown
from dynconf.release import Release

OPTIONS = (
    option("flag", metavar="FLAG", help="A flag, an old name, or a word or glob to search for."),
    FORMAT,
)


def explain(*, flag: str, form: Format) -> int:
    """Describe a flag: its type, defaults, variables and rules.

    If the flag is gone or never existed, say what to use instead (exit 1).
    """
    release = Release.at_hand()
    found = explanation_of(flag, release)
    if found:
        facts = found.as_json()
        print_json(facts) if form == "json" else _print_facts(facts)
        if found.note:
            complain("note", found.note)
        return 0 if found.setting else 1
    why = why_unknown(flag, release)
    matches = [] if is_known(flag) else list(search(flag))
    if form == "json":
        summaries = [{"name": each.qualified, "summary": each.summary} for each in matches]
        print_json({"matches": summaries} if matches else {"name": flag, "known": False, "message": why})
    elif matches:
        print_table(("flag", "summary"), [(each.qualified, each.summary) for each in matches])
    if not matches:
        complain("error", why)
    return 0 if matches else 1


def _print_facts(facts: dict[str, Any]) -> None:
    print(f"{facts['name']} ({facts['topic']}, {facts['status']})")
    for text in filter(None, (facts["summary"], facts["details"])):
        print(textwrap.fill(text, 96, initial_indent="  ", subsequent_indent="  "))
    print()
    since, until = facts["since"], facts["until"]
    lines = [
        ("takes", facts["type"]),
        ("default", _history(facts["defaults"])),
        ("exists", f"torch {since} to {until}" if until else f"since torch {since}"),
        ("old names", ", ".join(facts["old_names"])),
        ("instead", facts["replacement"]),
        ("deprecated", facts["deprecated_since"] and f"torch warns of it since {facts['deprecated_since']}"),
        ("a change", "requires recompilation" if facts["recompiles"] else "requires no recompilation"),
        *((rule["code"], f"{rule['level']} for {rule['when']}: {rule['why']}") for rule in facts["rules"]),
        *((each["name"], f"torch reads it{_span(each)}: {each['reads']}") for each in facts["variables"]),
        (facts["uniform_variable"], "dynconf reads it in every release"),
    ]
    lines = [(label, text) for label, text in lines if label and text]
    width = max(len(label) for label, _ in lines)
    for label, text in lines:
        print(f"  {label.ljust(width)}  {text}")


def _span(variable: dict[str, Any]) -> str:
    if variable["until"]:
        return f" ({variable['since']} to {variable['until']})"
    return f" (since {variable['since']})" if variable["since"] != "2.4" else ""


def _history(defaults: dict[str, Any]) -> str:
    """Return the default, with the releases in which it changed."""
    parts: list[str] = []
    last: object = object()
    for release, default in defaults.items():
        if default != last:
            text = default if isinstance(default, str) and default.startswith("(") else shown(default)
            parts.append(f"{text} from torch {release.rpartition('.')[0]}" if parts else text)
            last = default
    return ", ".join(parts)
