"""What there is to say about the environment variables that set flags: how torch reads each, and dynconf."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, spelled
from dynconf.catalogue.record import Flag, Rule, Variable
from dynconf.catalogue.value_types import Bool, Optional
from dynconf.checks.finding import Finding, Level
from dynconf.sources.env import RULES, TorchReading, plain_value, torch_disagrees, torch_reading, torch_value
from dynconf.sources.layer import inert_message
from dynconf.state.store import shown_as_json
from dynconf.values import Mismatch, as_text, decode, expected, same, shown
from dynconf.versions import AtHand, Minor, minor

DISABLE_SWITCH = "TORCHDYNAMO_DISABLE"
"""Read by ``torch._dynamo.optimize`` itself, past the flag ``disable``; "1" alone counts there."""

DISABLE_VARIABLE = "TORCH_COMPILE_DISABLE"
"""torch's own variable of the flag ``disable``."""


@dataclass(slots=True)
class _Subject:
    """A variable that something is to be said about.

    Attributes:
        name: The variable.
        raw: Its text.
        flag: The flag that it sets.
        facts: What is known of it so far.
    """

    name: str
    raw: str
    flag: str
    facts: dict[str, Any] = field(default_factory=dict)

    def finding(self, code: str, level: Level, text: str) -> Finding:
        """Return a finding on the variable."""
        message = f"{self.name}={self.raw!r} ({self.flag}): {text}"
        return Finding(code, level, message, self.flag, self.name, self.raw, dict(self.facts))

    def refused(self, flag: Flag, code: str, told: str, problem: Mismatch) -> Finding:
        """Return the finding that dynconf does not take the text."""
        more = f" ({problem})" if str(problem) else ""
        return self.finding(
            code, "error", f"{told}; dynconf refuses it{more}: expected {expected(flag.type)}"
        )

    def note_reading(self, reading: TorchReading) -> None:
        """Keep what torch makes of the environment for the flag."""
        if reading.error:
            self.facts["torch_error"] = reading.error
        else:
            self.facts["torch_reads"] = shown_as_json(self.flag, reading.value)


def own_variables() -> dict[str, list[tuple[Flag, Variable]]]:
    """Return every variable that some release itself reads for a flag, with the flags and how it is read."""
    found: dict[str, list[tuple[Flag, Variable]]] = {}
    for flag in FLAGS.values():
        for variable in flag.variables:
            found.setdefault(variable.name, []).append((flag, variable))
    return found


def uniform_variables() -> dict[str, Flag]:
    """Return dynconf's own variables, one for each name of a public flag in any release."""
    return {flag.uniform_variable: flag for flag in FLAGS.values() if FLAGS[canonical(flag.name)].public}


def flag_findings(environ: Mapping[str, str], at: AtHand) -> Iterator[Finding]:
    """Find what there is to say about the variables that set flags, in any release."""
    own, uniform = own_variables(), uniform_variables()
    for name in sorted(environ):
        here = _own_here(own.get(name, []), at.minor)
        if here:
            yield from _own_findings(*here, environ, at)
            continue
        if name == DISABLE_SWITCH:
            yield from _switch_findings(environ, at)
            continue
        if name in own:
            yield _not_read(name, own[name], uniform.get(name), environ[name], at)
        if name in uniform and environ[name].strip():
            yield from _uniform_findings(name, uniform[name], environ, at, told=name in own)


def _own_here(readers: list[tuple[Flag, Variable]], release: Minor) -> tuple[Flag, Variable] | None:
    """Return the flag for which that release reads the variable, and how it does."""
    for flag, variable in readers:
        name = spelled(flag.name, release)
        if name and variable.read_by(release):
            return FLAGS[name], variable
    return None


def _own_findings(
    flag: Flag, variable: Variable, environ: Mapping[str, str], at: AtHand
) -> Iterator[Finding]:
    """Find what there is to say about a variable that the release itself reads."""
    raw = environ[variable.name]
    reading, default = torch_reading(flag, at.minor, environ), flag.default_in(at.minor)
    subject = _Subject(variable.name, raw, flag.name)
    subject.note_reading(reading)
    if reading.error:
        told = f"the import of torch {at.version} ends in {reading.error}"
    else:
        told = f"torch {at.version} reads {_with_truth(flag, reading.value)} ({RULES[variable.rule]})"
    try:
        meaning = plain_value(flag, variable.rule, raw) if raw.strip() else default
    except Mismatch as problem:
        yield subject.refused(flag, "stops-import" if reading.error else "invalid-value", told, problem)
        return
    subject.facts["dynconf_reads"] = shown_as_json(flag.name, meaning)
    if torch_disagrees(flag, reading, meaning):
        wanted = shown(meaning) if raw.strip() else f"{shown(meaning)}, the default,"
        text = f"{told}; {wanted} was probably meant: {_advice(flag, variable.rule, default, meaning)}"
        if reading.error:
            yield subject.finding("stops-import", "error", text)
        else:
            yield subject.finding("misread", "warning", text)
    if raw.strip():
        if variable.rule == "force":
            yield subject.finding(
                "forced-flag",
                "note",
                "torch puts this variable above every other setting: while it is set, no assignment, patch or"
                " installation of the flag has an effect",
            )
        yield from _no_op(flag, subject, at)


def _with_truth(flag: Flag, value: Any) -> str:
    """Say a value; of a text in place of a bool, what torch takes it for."""
    inner = flag.type.of if isinstance(flag.type, Optional) else flag.type
    if isinstance(inner, Bool) and isinstance(value, str):
        return f"the text {value!r}, which counts as {bool(value)}"
    return shown(value)


def _advice(flag: Flag, rule: Rule, default: object, wanted: object) -> str:
    """Say how the variable makes torch read *wanted*, if it can."""
    if same(default, wanted):
        return "unset the variable, it is the default"
    text = text_for(flag, rule, default, wanted)
    if text is None:
        return "no text of this variable says that to torch; set the flag in the program"
    return f"write {text!r}"


def text_for(flag: Flag, rule: Rule, default: object, wanted: object) -> str | None:
    """Return a text that torch, under *rule*, and dynconf both read as *wanted*; None where there is none."""
    try:
        texts = ["1", "0", as_text(flag.type, wanted)]
    except Mismatch:
        return None
    return next((text for text in texts if _reads(flag, rule, default, text, wanted)), None)


def _reads(flag: Flag, rule: Rule, default: object, text: str, wanted: object) -> bool:
    try:
        by_torch, by_dynconf = torch_value(rule, text, default), plain_value(flag, rule, text)
    except (ValueError, Mismatch):
        return False
    return same(by_dynconf, wanted) and not torch_disagrees(flag, TorchReading(by_torch), wanted)


def _switch_findings(environ: Mapping[str, str], at: AtHand) -> Iterator[Finding]:
    """Find what there is to say about the switch that torch reads past the flag ``disable``."""
    raw, flag = environ[DISABLE_SWITCH], FLAGS["disable"]
    if not raw.strip():
        return
    subject = _Subject(DISABLE_SWITCH, raw, flag.name, {"torch_reads": raw == "1"})
    told = f"torch {at.version} takes '1' alone for True"
    try:
        meaning = decode(flag.type, raw)
    except Mismatch as problem:
        yield subject.refused(flag, "invalid-value", told, problem)
        return
    subject.facts["dynconf_reads"] = meaning
    if meaning is not (raw == "1"):
        yield subject.finding("misread", "warning", f"{told}; {meaning} was probably meant: write '1'")
    both = "both switches are set" if environ.get(DISABLE_VARIABLE, "").strip() else "there are two switches"
    yield subject.finding(
        "two-switches",
        "note",
        f"{both}: {DISABLE_SWITCH}=1 is read at each call of torch.compile, which then compiles nothing;"
        f" {DISABLE_VARIABLE} is the flag disable, read once while torch is imported, with which Dynamo runs"
        f" each frame as it is. dynconf takes {DISABLE_SWITCH} for the flag disable as well, unless"
        f" {DISABLE_VARIABLE} is set",
    )


def _not_read(
    name: str, readers: list[tuple[Flag, Variable]], uniform: Flag | None, raw: str, at: AtHand
) -> Finding:
    """Say that another release reads the variable, but not this one."""
    flag = FLAGS[spelled(readers[0][0].name, at.minor) or readers[0][0].name]
    first = min((_later(record.since, variable.since) for record, variable in readers), key=minor)
    if minor(first) > at.minor:
        code, when = "not-read-yet", f"does not read it yet: it came with torch {first}"
    else:
        last = max((variable.until or record.until for record, variable in readers), key=minor)
        code, when = "no-longer-read", f"does not read it any more: torch {last} was the last to do so"
    if not flag.exists_in(at.minor):
        todo = "it has no such flag either; unset the variable"
    elif uniform:
        todo = "it counts only in programs that install dynconf"
    else:
        newest = FLAGS[canonical(flag.name)].uniform_variable
        todo = f"{newest} sets the flag in programs that install dynconf"
    return _Subject(name, raw, flag.name).finding(code, "warning", f"torch {at.version} {when}; {todo}")


def _later(one: str, other: str) -> str:
    return max(one, other, key=minor)


def _uniform_findings(
    name: str, record: Flag, environ: Mapping[str, str], at: AtHand, *, told: bool
) -> Iterator[Finding]:
    """Find what there is to say about dynconf's own variable; *told*: what torch makes of it was said."""
    found = spelled(record.name, at.minor)
    if found is None:
        if not told:
            subject = _Subject(name, environ[name], record.name)
            yield subject.finding(
                "missing-flag", "warning", f"torch {at.version} has no such flag; it has no effect"
            )
        return
    flag = FLAGS[found]
    subject = _Subject(name, environ[name], found)
    subject.note_reading(torch_reading(flag, at.minor, environ))
    ignored = f"torch {at.version} itself ignores it"
    try:
        meaning = decode(flag.type, environ[name])
    except Mismatch as problem:
        yield subject.refused(flag, "invalid-value", ignored, problem)
        return
    subject.facts["dynconf_reads"] = shown_as_json(found, meaning)
    own = next((v.name for v in flag.variables_in(at.minor) if environ.get(v.name, "").strip()), None)
    if own:
        yield subject.finding(
            "shadowed-variable", "warning", f"it has no effect: {own}={environ[own]!r} is set too, and wins"
        )
    elif not told:
        yield subject.finding(
            "uniform-variable", "note", f"{ignored}; it counts only in programs that install dynconf"
        )
    yield from _no_op(flag, subject, at)


def _no_op(flag: Flag, subject: _Subject, at: AtHand) -> Iterator[Finding]:
    if flag.status_in(at.minor) == "no-op":
        yield subject.finding("no-op-flag", "warning", inert_message(flag, at.version))
