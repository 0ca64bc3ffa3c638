"""What there is to say about the environment variables that set flags: how torch reads each, and dynconf."""

from collections.abc import Iterator, Mapping
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, spelled
from dynconf.catalogue.record import Flag, Rule, Variable
from dynconf.catalogue.value_types import Bool, Optional
from dynconf.checks.finding import Finding
from dynconf.sources.env import RULES, torch_disagrees, torch_reading, torch_value
from dynconf.sources.layer import inert_message
from dynconf.state.store import shown_as_json
from dynconf.values import Mismatch, as_text, decode, expected, same, shown
from dynconf.versions import AtHand, Minor, minor

DISABLE_SWITCH = "TORCHDYNAMO_DISABLE"
"""Read by ``torch._dynamo.optimize`` itself, past the flag ``disable``; "1" alone counts there."""


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
        elif name == DISABLE_SWITCH:
            yield from _switch_findings(environ, at)
        elif name in own:
            yield _not_read(name, own[name], uniform.get(name), environ, at)
        if name in uniform and not here and name != DISABLE_SWITCH and environ[name].strip():
            yield from _uniform_findings(name, uniform[name], environ, at, known=name in own)


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
    default = flag.default_in(at.minor)
    reading = torch_reading(flag, at.minor, environ)
    by_torch = (
        {"torch_error": reading.error}
        if reading.error
        else {"torch_reads": shown_as_json(flag.name, reading.value)}
    )
    told = (
        f"the import of torch {at.version} ends in {reading.error}"
        if reading.error
        else f"torch {at.version} reads {_with_truth(flag, reading.value)} ({RULES[variable.rule]})"
    )
    head = f"{variable.name}={raw!r} ({flag.name})"
    try:
        meaning = decode(flag.type, raw) if raw.strip() else default
    except Mismatch as problem:
        more = f" ({problem})" if str(problem) else ""
        yield Finding(
            "stops-import" if reading.error else "invalid-value",
            "error",
            f"{head}: {told}; dynconf refuses it{more}: expected {expected(flag.type)}",
            flag.name,
            variable.name,
            raw,
            by_torch,
        )
        return
    facts = {**by_torch, "dynconf_reads": shown_as_json(flag.name, meaning)}
    if torch_disagrees(flag, reading, meaning):
        means = (
            f"{shown(meaning)}, the default, was probably meant" if not raw.strip() else _probably(meaning)
        )
        todo = _spelling(flag, variable.rule, default, meaning)
        yield Finding(
            "stops-import" if reading.error else "misread",
            "error" if reading.error else "warning",
            f"{head}: {told}; {means}: {todo}",
            flag.name,
            variable.name,
            raw,
            facts,
        )
    if not raw.strip():
        return
    if variable.rule == "force":
        yield Finding(
            "forced-flag",
            "note",
            f"{head}: torch puts this variable above every other setting: no assignment, patch or installation"
            " of the flag has an effect while it is set",
            flag.name,
            variable.name,
            raw,
            facts,
        )
    yield from _no_op(flag, variable.name, raw, facts, at)


def _probably(meaning: object) -> str:
    return f"{shown(meaning)} was probably meant"


def _with_truth(flag: Flag, value: Any) -> str:
    """Say a value; of a text in place of a bool, what torch takes it for."""
    inner = flag.type.of if isinstance(flag.type, Optional) else flag.type
    if isinstance(inner, Bool) and isinstance(value, str):
        return f"the text {value!r}, which counts as {bool(value)}"
    return shown(value)


def _spelling(flag: Flag, rule: Rule, default: object, wanted: object) -> str:
    """Say how the variable makes torch read *wanted*, if it can."""
    if same(default, wanted):
        return "unset the variable, it is the default"
    text = text_for(flag, rule, default, wanted)
    if text is None:
        return "no text of this variable says that to torch; set the flag in the program"
    return f"write {text!r}"


def text_for(flag: Flag, rule: Rule, default: object, wanted: object) -> str | None:
    """Return a text that torch, under *rule*, and dynconf both read as *wanted*; None where there is none."""
    texts = ["1", "0"]
    try:
        texts.append(as_text(flag.type, wanted))
    except Mismatch:
        return None
    for text in texts:
        try:
            if same(torch_value(rule, text, default), wanted) and same(decode(flag.type, text), wanted):
                return text
        except (ValueError, Mismatch):
            continue
    return None


def _switch_findings(environ: Mapping[str, str], at: AtHand) -> Iterator[Finding]:
    """Find what there is to say about the switch that torch reads past the flag ``disable``."""
    raw = environ[DISABLE_SWITCH]
    if not raw.strip():
        return
    facts: dict[str, Any] = {"torch_reads": raw == "1"}
    try:
        meaning = decode(FLAGS["disable"].type, raw)
    except Mismatch:
        message = (
            f'{DISABLE_SWITCH}={raw!r}: torch counts "1" alone; dynconf refuses it: expected True or False'
        )
        yield Finding("invalid-value", "error", message, "disable", DISABLE_SWITCH, raw, facts)
        return
    facts["dynconf_reads"] = meaning
    if meaning is not (raw == "1"):
        message = f"{DISABLE_SWITCH}={raw!r}: torch {at.version} counts \"1\" alone; {meaning} was probably meant: write '1'"
        yield Finding("misread", "warning", message, "disable", DISABLE_SWITCH, raw, facts)
    beside = environ.get("TORCH_COMPILE_DISABLE", "").strip()
    which = "there are two switches, and both are set" if beside else "there are two switches"
    yield Finding(
        "two-switches",
        "note",
        f"{which}: {DISABLE_SWITCH}=1 is read at each call of torch.compile, which then returns what it was"
        " given; TORCH_COMPILE_DISABLE is the flag disable, read once while torch is imported, by which Dynamo"
        f" runs frames without compiling them. dynconf takes {DISABLE_SWITCH} for the flag disable as well"
        " where TORCH_COMPILE_DISABLE is not set",
        "disable",
        DISABLE_SWITCH,
        raw,
        facts,
    )


def _not_read(
    name: str,
    readers: list[tuple[Flag, Variable]],
    uniform: Flag | None,
    environ: Mapping[str, str],
    at: AtHand,
) -> Finding:
    """Say that another release reads the variable, but not this one."""
    first = min((variable.since for _, variable in readers), key=minor)
    flag = readers[0][0]
    if minor(first) > at.minor:
        code, when = "not-read-yet", f"does not read it yet: it came with torch {first}"
    else:
        last = max((variable.until or flag.until for flag, variable in readers), key=minor)
        code, when = "no-longer-read", f"does not read it any more: torch {last} was the last to do so"
    known = uniform is not None and spelled(uniform.name, at.minor) is not None
    if known:
        todo = "it counts only in programs that install dynconf"
    elif spelled(flag.name, at.minor) and FLAGS[canonical(flag.name)].public:
        todo = (
            f"{FLAGS[canonical(flag.name)].uniform_variable} sets the flag in programs that install dynconf"
        )
    else:
        todo = f"torch {at.version} has no flag {flag.name} either; unset it"
    raw = environ[name]
    return Finding(
        code, "warning", f"{name}={raw!r}: torch {at.version} {when}; {todo}", flag.name, name, raw
    )


def _uniform_findings(
    name: str, record: Flag, environ: Mapping[str, str], at: AtHand, *, known: bool
) -> Iterator[Finding]:
    """Find what there is to say about dynconf's own variable; *known* where a finding on torch's part stands."""
    raw = environ[name]
    found = spelled(record.name, at.minor)
    if found is None:
        if not known:
            message = f"{name}={raw!r}: torch {at.version} has no flag {record.name}; it has no effect"
            yield Finding("missing-flag", "warning", message, record.name, name, raw)
        return
    flag = FLAGS[found]
    reading = torch_reading(flag, at.minor, environ)
    facts: dict[str, Any] = {} if reading.error else {"torch_reads": shown_as_json(flag.name, reading.value)}
    head = f"{name}={raw!r} ({flag.name})"
    try:
        meaning = decode(flag.type, raw)
    except Mismatch as problem:
        more = f" ({problem})" if str(problem) else ""
        message = (
            f"{head}: torch {at.version} ignores it, dynconf refuses it{more}: expected {expected(flag.type)}"
        )
        yield Finding("invalid-value", "error", message, flag.name, name, raw, facts)
        return
    facts["dynconf_reads"] = shown_as_json(flag.name, meaning)
    own = next((v.name for v in flag.variables_in(at.minor) if environ.get(v.name, "").strip()), None)
    if own:
        message = (
            f"{head}: it has no effect, since {own}={environ[own]!r} is set, which wins; keep one of the two"
        )
        yield Finding("shadowed-variable", "warning", message, flag.name, name, raw, facts)
    elif not known:
        message = (
            f"{head}: torch {at.version} itself ignores it; it counts only in programs that install dynconf"
        )
        yield Finding("uniform-variable", "note", message, flag.name, name, raw, facts)
    yield from _no_op(flag, name, raw, facts, at)


def _no_op(flag: Flag, name: str, raw: str, facts: dict[str, Any], at: AtHand) -> Iterator[Finding]:
    if flag.status_in(at.minor) == "no-op":
        message = f"{name}={raw!r}: {inert_message(flag, at.version)}"
        yield Finding("no-op-flag", "warning", message, flag.name, name, raw, facts)
