"""The environment variables that set flags: what torch makes of each, and what dynconf does."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dynconf.catalogue import Setting, View
from dynconf.finding import Finding, Level
from dynconf.flags.flag import Flag
from dynconf.flags.types import Mismatch, same, shown
from dynconf.flags.variable import READINGS, Variable
from dynconf.modules import catalogue, set_by
from dynconf.names import find, newest_record, views
from dynconf.release import Release, minor
from dynconf.sources.environment import TorchReading, plain_value, text_for, torch_disagrees, torch_reading

_SWITCH = Variable("TORCHDYNAMO_DISABLE", "equals_one")
"""Read by ``torch._dynamo.optimize`` itself, independently of the flag ``disable``."""


@dataclass(frozen=True, slots=True)
class _Subject:
    """A variable that there is something to say about, and the facts that are known of it."""

    name: str
    raw: str
    flag: str
    facts: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read_as(cls, name: str, raw: str, setting: Setting, reading: TorchReading) -> "_Subject":
        if reading.error:
            return cls(name, raw, setting.qualified, {"torch_error": reading.error})
        return cls(name, raw, setting.qualified, {"torch_reads": setting.type.show_data(reading.value)})

    def finding(self, code: str, level: Level, text: str) -> Finding:
        message = f"{self.name}={self.raw!r} ({self.flag}): {text}"
        return Finding(code, level, message, self.flag, self.name, self.raw, dict(self.facts))

    def refused(self, setting: Setting, code: str, by_torch: str, problem: Mismatch) -> Finding:
        more = f" ({problem})" if str(problem) else ""
        text = f"{by_torch}; dynconf rejects it{more}: expected {setting.type.expected}"
        return self.finding(code, "error", text)


def flag_findings(environ: Mapping[str, str], release: Release) -> Iterator[Finding]:
    """Find what there is to say about the variables that set flags, in any release."""
    modules = set_by(frozenset(environ))
    flags = [flag for module in modules for flag in catalogue(module).flags.values()]
    uniform = {flag.uniform_variable: flag for flag in flags if newest_record(flag.qualified).public}
    ever: dict[str, list[tuple[Flag, Variable]]] = defaultdict(list)
    for flag in flags:
        for variable in flag.variables:
            ever[variable.name].append((flag, variable))
    here = views(release, modules)
    for name, raw in sorted(environ.items()):
        readers = _readers(name, here, release)
        for setting, variable in readers:
            yield from _torch_findings(setting, variable, environ)
        if readers:
            continue
        if name in ever:
            yield _not_read(name, raw, ever[name], release, is_uniform=name in uniform)
        if name in uniform and raw.strip():
            yield from _uniform_findings(name, uniform[name], environ, release, told=name in ever)


def _readers(name: str, here: Iterable[View], release: Release) -> list[tuple[Setting, Variable]]:
    """Return the settings that follow a variable; the public ones if there are any."""
    if name == _SWITCH.name and (disable := find("disable", release)):
        return [(disable, _SWITCH)]
    found = [each for view in here for each in view.followers.get(name, ())]
    return [each for each in found if each[0].public] or found


def _torch_findings(setting: Setting, variable: Variable, environ: Mapping[str, str]) -> Iterator[Finding]:
    raw, torch = environ[variable.name], f"torch {setting.release.version}"
    reading = TorchReading(raw == "1") if variable is _SWITCH else torch_reading(setting, environ)
    subject = _Subject.read_as(variable.name, raw, setting, reading)
    if reading.error:
        by_torch = f"the import of {torch} fails with {reading.error}"
    else:
        by_torch = f"{torch} reads {_with_truth(setting, reading.value)} ({READINGS[variable.rule].words})"
    try:
        meaning = plain_value(setting, raw, variable.rule) if raw.strip() else setting.default_value()
    except Mismatch as problem:
        code = "stops-import" if reading.error else "invalid-value"
        yield subject.refused(setting, code, by_torch, problem)
        return
    subject.facts["dynconf_reads"] = setting.type.show_data(meaning)
    if torch_disagrees(setting, reading, meaning):
        wanted = shown(meaning) if raw.strip() else f"{shown(meaning)}, the default,"
        text = f"{by_torch}; {wanted} was probably meant: {_advice(setting, variable, meaning)}"
        if reading.error:
            yield subject.finding("stops-import", "error", text)
        else:
            yield subject.finding("misread", "warning", text)
    if raw.strip() and variable.rule == "force":
        text = (
            "torch ranks this variable above every other setting: while it is set, assigning, patching or"
            " installing the flag has no effect"
        )
        yield subject.finding("forced-flag", "note", text)
    if raw.strip() and variable is _SWITCH:
        yield subject.finding("two-switches", "note", _about_switches(environ))
    if raw.strip():
        yield from _inert(setting, subject)


def _about_switches(environ: Mapping[str, str]) -> str:
    switch, variable = _SWITCH.name, "TORCH_COMPILE_DISABLE"
    both = "both switches are set" if environ.get(variable, "").strip() else "there are two switches"
    return (
        f"{both}: {switch}=1 is read at each call of torch.compile, which then compiles nothing; {variable}"
        " is the flag disable, read once while torch is imported, with which Dynamo runs each frame as it is."
        f" dynconf takes {switch} to mean the flag disable as well, unless {variable} is set"
    )


def _with_truth(setting: Setting, value: Any) -> str:
    """Say a value; if it is a text in place of a bool, also what it counts as."""
    truth = setting.type.truth(value)
    return shown(value) if same(truth, value) else f"the text {value!r}, which counts as {truth}"


def _advice(setting: Setting, variable: Variable, wanted: object) -> str:
    if same(setting.default_value(), wanted):
        return "unset the variable, it is the default"
    text = text_for(setting, variable, wanted)
    if text is None:
        return "no text of this variable tells torch that; set the flag in the program"
    return f"write {text!r}"


def _not_read(
    name: str, raw: str, readers: list[tuple[Flag, Variable]], release: Release, *, is_uniform: bool
) -> Finding:
    starts = [max(flag.since, variable.since, key=minor) for flag, variable in readers]
    later = [each for each in starts if minor(each) > release.minor]
    if len(later) == len(starts):
        first = min(later, key=minor)
        code, when = "not-read-yet", f"does not read it yet: it came with torch {first}"
    elif later:
        code, when = "not-read-yet", f"does not read it; torch {min(later, key=minor)} does again"
    else:
        last = max((variable.until or flag.until for flag, variable in readers), key=minor)
        code, when = "no-longer-read", f"no longer reads it: torch {last} was the last release to do so"
    flag = readers[0][0]
    setting = find(flag.qualified, release)
    if setting is None:
        advice = "it has no such flag either; unset the variable"
    elif is_uniform:
        advice = "it only counts in programs that install dynconf"
    else:
        advice = (
            f"{newest_record(flag.qualified).uniform_variable} sets the flag in programs that install dynconf"
        )
    subject = _Subject(name, raw, setting.qualified if setting else flag.qualified)
    return subject.finding(code, "warning", f"torch {release.version} {when}; {advice}")


def _uniform_findings(
    name: str, flag: Flag, environ: Mapping[str, str], release: Release, *, told: bool
) -> Iterator[Finding]:
    """Find what there is to say about one of dynconf's own variables; *told* if one on torch precedes it."""
    setting, raw = find(flag.qualified, release), environ[name]
    if setting is None:
        if not told:
            text = f"torch {release.version} has no such flag; it has no effect"
            yield _Subject(name, raw, flag.qualified).finding("missing-flag", "warning", text)
        return
    subject = _Subject.read_as(name, raw, setting, torch_reading(setting, environ))
    ignored = f"torch {release.version} itself ignores it"
    try:
        meaning = setting.type.parse(raw)
    except Mismatch as problem:
        yield subject.refused(setting, "invalid-value", ignored, problem)
        return
    subject.facts["dynconf_reads"] = setting.type.show_data(meaning)
    winner = next((each.name for each in setting.variables if environ.get(each.name, "").strip()), None)
    if winner:
        text = f"it has no effect: {winner}={environ[winner]!r} is set too, and wins"
        yield subject.finding("shadowed-variable", "warning", text)
    elif not told:
        text = f"{ignored}; it only counts in programs that install dynconf"
        yield subject.finding("uniform-variable", "note", text)
    yield from _inert(setting, subject)


def _inert(setting: Setting, subject: _Subject) -> Iterator[Finding]:
    if setting.inert:
        yield subject.finding("no-op-flag", "warning", setting.inert)
