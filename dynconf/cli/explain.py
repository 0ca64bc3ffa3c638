"""``dynconf explain``."""

import textwrap
from fnmatch import fnmatchcase
from typing import Annotated, Any

import typer

from dynconf.catalogue import FLAGS, REMOVED
from dynconf.catalogue.names import canonical, names_of, spelled, why_unknown
from dynconf.catalogue.record import Computed, Flag, fact_in
from dynconf.catalogue.value_types import BoolOr, Choice, Optional, ValueType
from dynconf.cli.output import Format, complain, print_json, print_table
from dynconf.rules import rules_of
from dynconf.sources.env import RULES
from dynconf.state.store import shown_as_json
from dynconf.values import expected, shown
from dynconf.versions import RELEASES, at_hand, minor


def explain(
    flag: Annotated[str, typer.Argument(help="A flag, an old name, or a word or glob to search for.")],
    *,
    form: Annotated[Format, typer.Option("--format", help="The form of the result.")] = Format.text,
) -> None:
    """Say what a flag does, what it takes, its default by release and its variables.

    For a flag that is gone or was never there, say what to use instead (exit 1).
    """
    at = at_hand()
    if flag in FLAGS:
        found = spelled(flag, at.minor) or canonical(flag)
        facts = _facts(FLAGS[canonical(flag)])
        print_json(facts) if form is Format.json else _print_facts(facts)
        if spelled(flag, at.minor) is None:
            complain("note", why_unknown(flag, at.minor, at.version))
        elif flag != found:
            complain("note", f"{flag!r} is an old name of {canonical(flag)!r}")
        if not FLAGS[canonical(flag)].exists_in(at.minor) and spelled(flag, at.minor) is None:
            raise typer.Exit(1)
        return
    matches = [] if flag in REMOVED else _search(flag)
    if form is Format.json:
        if matches:
            print_json({"matches": [{"name": each.name, "summary": each.summary} for each in matches]})
        else:
            print_json({"name": flag, "known": False, "message": why_unknown(flag, at.minor, at.version)})
    elif matches:
        print_table(("flag", "summary"), [(each.name, each.summary) for each in matches])
    if not matches:
        complain("error", why_unknown(flag, at.minor, at.version))
        raise typer.Exit(1)


def _search(word: str) -> list[Flag]:
    """Return the flags whose name matches the glob, or that speak of the word in name, topic or text."""
    lowered = word.lower()
    return [
        flag
        for name, flag in sorted(FLAGS.items())
        if fnmatchcase(name, word) or lowered in f"{name} {flag.topic} {flag.summary} {flag.details}".lower()
    ]


def _facts(flag: Flag) -> dict[str, Any]:
    """Return all that is known of a flag, as JSON."""
    at = at_hand()
    known = {release: _name_in(flag, release) for release in RELEASES}
    defaults = {release: _default(FLAGS[name], release) for release, name in known.items() if name}
    now = FLAGS[spelled(flag.name, at.minor) or flag.name]
    return {
        "name": flag.name,
        "summary": flag.summary,
        "details": flag.details,
        "topic": flag.topic,
        "type": expected(flag.type),
        "choices": list(_choices(flag.type)),
        "status": now.status_in(at.minor),
        "torch": at.version,
        "default": defaults.get(next((r for r in RELEASES if minor(r) == at.minor), "")),
        "defaults": defaults,
        "since": min((FLAGS[name].since for name in names_of(flag.name)), key=minor),
        "until": flag.until or None,
        "old_names": list(names_of(flag.name)[1:]),
        "replacement": flag.instead or None,
        "deprecated_since": flag.deprecated or None,
        "recompiles": not now.compile_ignored_in(at.minor),
        "uniform_variable": flag.uniform_variable if flag.public else None,
        "rules": [
            {
                "code": rule.code,
                "level": rule.level_in(at.minor),
                "flags": list(rule.flags),
                "when": rule.when,
                "why": rule.why,
                "source": rule.source,
            }
            for rule in rules_of(flag.name, at.minor)
        ],
        "variables": [
            {
                "name": variable.name,
                "rule": variable.rule,
                "reads": RULES[variable.rule],
                "since": variable.since,
                "until": variable.until or None,
            }
            for name in names_of(flag.name)
            for variable in FLAGS[name].variables
        ],
    }


def _name_in(flag: Flag, release: str) -> str | None:
    return spelled(flag.name, minor(release))


def _default(flag: Flag, release: str) -> Any:
    default = fact_in(flag.default, minor(release))
    if isinstance(default, Computed):
        return f"({default.from_what})"
    return shown_as_json(flag.name, flag.default_in(minor(release)))


def _choices(type_: ValueType) -> tuple[str, ...]:
    if isinstance(type_, (Optional, BoolOr)):
        return _choices(type_.of)
    return type_.options if isinstance(type_, Choice) else ()


def _print_facts(facts: dict[str, Any]) -> None:
    print(f"{facts['name']} ({facts['topic']}, {facts['status']})")
    for text in (facts["summary"], facts["details"]):
        if text:
            print(textwrap.fill(text, 96, initial_indent="  ", subsequent_indent="  "))
    print()
    lines = [("takes", facts["type"]), ("default", _history(facts["defaults"]))]
    lifetime = (
        f"torch {facts['since']} to {facts['until']}" if facts["until"] else f"since torch {facts['since']}"
    )
    lines.append(("exists", lifetime))
    if facts["old_names"]:
        lines.append(("old names", ", ".join(facts["old_names"])))
    if facts["replacement"]:
        lines.append(("instead", facts["replacement"]))
    if facts["deprecated_since"]:
        lines.append(("deprecated", f"torch warns of it since {facts['deprecated_since']}"))
    effect = "recompiles what the flag bears on" if facts["recompiles"] else "needs no recompilation"
    lines.append(("a change", effect))
    lines += [(rule["code"], f"{rule['level']} for {rule['when']}: {rule['why']}") for rule in facts["rules"]]
    lines += [
        (variable["name"], f"torch reads it{_span(variable)}: {variable['reads']}")
        for variable in facts["variables"]
    ]
    if facts["uniform_variable"]:
        lines.append((facts["uniform_variable"], "dynconf reads it in every release"))
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
            number = ".".join(release.split(".")[:2])
            text = default if isinstance(default, str) and default.startswith("(") else shown(default)
            parts.append(f"{text} from torch {number}" if parts else text)
            last = default
    return ", ".join(parts)
