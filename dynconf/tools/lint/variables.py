"""The environment variables that set flags: how torch reads each, and how dynconf does.

torch reads variables in two dozen ways, so that ``TORCHDYNAMO_SUPPRESS_ERRORS=0`` turns a flag *on* and
``TORCHDYNAMO_VERBOSE=true`` leaves one off, in silence. dynconf reads one way. Each finding here is about a
variable of which the two readings differ, or which one of the two does not read in this release.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import Flag
from dynconf.catalogue.flags.types import WORDS, Bool, Mismatch, is_same_value, short_repr
from dynconf.catalogue.flags.variable import VARIABLE_RULES, Variable
from dynconf.catalogue.modules import catalogue, modules_set_by
from dynconf.catalogue.names import find, followers_of, newest_record
from dynconf.release import Release, minor
from dynconf.sources.environment import plain_value
from dynconf.tools.show.bare_torch import TorchReading, text_for, torch_disagrees, torch_reading
from dynconf.tools.show.finding import Finding, Level

DISABLE_SWITCH = Variable("TORCHDYNAMO_DISABLE", "equals_one")
"""Read by ``torch._dynamo.optimize`` itself, independently of the flag ``disable``."""

_FORCED = (
    "torch ranks this variable above every other setting: while it is set, assigning, patching or installing"
    " the flag has no effect"
)


def flag_findings(environ: Mapping[str, str], release: Release) -> Iterator[Finding]:
    """Report the variables that set flags, in this release or another one."""
    for name, raw in sorted(environ.items()):
        readers, is_word = _readers(name, release), raw.strip().lower() in ("", *WORDS)
        # A variable may set copies of a flag, too: that torch does not read those is no mistake of the user.
        may_be_inert = not all(setting.inert for setting, _ in readers)
        for setting, variable in readers:
            found = _findings(name, setting, variable, environ)
            yield from (each for each in found if not (may_be_inert and each.code == "DC306"))
            if isinstance(setting.type, Bool) and setting.type.any_text and not is_word:
                is_on = f"the switch is on, and {short_repr(raw)} itself is the value of another flag"
                yield _finding(name, raw, setting.newest, "DC409", "note", f"{is_on}, not a truth value")
        if readers:
            continue
        homes = [catalogue(module) for module in modules_set_by({name})]
        flags = [flag for home in homes for flag in home.flags.values()]
        elsewhere = [(flag, each) for flag in flags for each in flag.variables if each.name == name]
        uniform = [home.flags[each] for home in homes if (each := home.uniform_variables.get(name))]
        if elsewhere:
            yield _not_read(name, raw, elsewhere, release, is_uniform=bool(uniform))
        for flag in uniform if raw.strip() else ():
            now = find(flag.qualified, release)
            found = _findings(name, now, None, environ) if now else iter(())
            yield from (each for each in found if not elsewhere or each.code != "DC407")
            if not now and not elsewhere:
                text = f"torch {release.version} has no such flag; it has no effect"
                yield _finding(name, raw, newest_record(flag.qualified).qualified, "DC404", "warning", text)


def _finding(
    name: str, raw: str, flag: str, code: str, level: Level, text: str, *, facts: Mapping[str, Any] = {}
) -> Finding:
    return Finding(code, level, f"{name}={raw!r} ({flag}): {text}", flag, name, raw, facts)


def _readers(name: str, release: Release) -> list[tuple[Setting, Variable]]:
    """Return the settings that follow a variable; the public ones if there are any."""
    if name == DISABLE_SWITCH.name and (disable := find("disable", release)):
        return [(disable, DISABLE_SWITCH)]
    # torch computes internal flags from the variables of public ones; a finding on both would say it twice.
    found = followers_of(name, release)
    return [each for each in found if each[0].public] or found


def _findings(
    name: str, setting: Setting, variable: Variable | None, environ: Mapping[str, str]
) -> Iterator[Finding]:
    """Report a variable that sets a flag: one of torch's, or, without *variable*, one of dynconf's own."""
    raw, torch = environ[name], f"torch {setting.release.version}"
    reading = TorchReading(raw == "1") if variable is DISABLE_SWITCH else torch_reading(setting, environ)
    facts = reading.as_json(setting)
    report = partial(_finding, name, raw, setting.newest, facts=facts)
    stops_import = bool(variable and reading.error)
    if variable is None:
        torch_reads = f"{torch} itself ignores it"
    elif stops_import:
        torch_reads = f"the import of {torch} fails with {reading.error}"
    else:
        how = VARIABLE_RULES[variable.rule].description
        torch_reads = f"{torch} reads {_with_truth(setting, reading.value)} ({how})"
    rule = variable.rule if variable else "text"
    try:
        # To dynconf an empty variable is not set; to torch it is a text like any other.
        meaning = plain_value(setting, raw, rule) if raw.strip() else setting.default_value()
    except Mismatch as problem:
        reason = f" ({problem})" if str(problem) else ""
        text = f"{torch_reads}; dynconf rejects it{reason}: expected {setting.type.expected}"
        yield report("DC403", "error", text)
        return
    facts["dynconf_reads"] = setting.type.show_data(meaning)
    # dynconf ranks torch's own variables above its uniform one, as bare torch would not read that at all.
    winner = next((each.name for each in setting.variables if environ.get(each.name, "").strip()), None)
    if variable is None and winner:
        text = f"it has no effect: {winner}={environ[winner]!r} is set too, and wins"
        yield report("DC408", "warning", text)
    elif variable is None:
        text = f"{torch_reads}; it only counts in programs that install dynconf"
        yield report("DC407", "note", text)
    elif torch_disagrees(setting, reading, meaning):
        intended = short_repr(meaning) if raw.strip() else f"{short_repr(meaning)}, the default,"
        text = f"{torch_reads}; {intended} was probably meant: {_advice(setting, variable, raw, meaning)}"
        code: tuple[str, Level] = ("DC403", "error") if stops_import else ("DC402", "warning")
        yield report(*code, text)
    if variable and variable.rule == "force" and raw.strip():
        yield report("DC410", "note", _FORCED)
    if variable is DISABLE_SWITCH and raw.strip():
        yield report("DC411", "note", _explain_switches(environ))
    if setting.inert and raw.strip():
        yield report("DC306", "warning", setting.inert)


def _explain_switches(environ: Mapping[str, str]) -> str:
    switch, variable = DISABLE_SWITCH.name, "TORCH_COMPILE_DISABLE"
    both = "both switches are set" if environ.get(variable, "").strip() else "there are two switches"
    return (
        f"{both}: {switch}=1 is read at each call of torch.compile, which then compiles nothing; {variable}"
        " is the flag disable, read once while torch is imported, with which Dynamo runs each frame as it is."
        f" dynconf takes {switch} to mean the flag disable as well, unless {variable} is set"
    )


def _with_truth(setting: Setting, value: Any) -> str:
    """Spell a value; if torch stored a text in place of a bool, add the bool that it counts as."""
    truth = setting.type.truth(value)
    is_spelt = is_same_value(truth, value)
    return short_repr(value) if is_spelt else f"the text {value!r}, which counts as {truth}"


def _advice(setting: Setting, variable: Variable, raw: str, intended: object) -> str:
    # A default that depends on the machine may be another one where the program runs.
    if not raw.strip() or (not setting.is_computed and is_same_value(setting.default_value(), intended)):
        return "unset the variable, it is the default"
    text = text_for(setting, variable, intended)
    if text is None:
        return "no text of this variable gives torch that value; set the flag in the program"
    return f"write {text!r}"


def _not_read(
    name: str, raw: str, readers: list[tuple[Flag, Variable]], release: Release, *, is_uniform: bool
) -> Finding:
    # Another release may read the variable for several flags, from different releases on.
    starts = [max(flag.since, variable.since, key=minor) for flag, variable in readers]
    later = [each for each in starts if minor(each) > release.minor]
    if len(later) == len(starts):
        first = min(later, key=minor)
        when = f"does not read it yet: it came with torch {first}"
    elif later:
        when = f"does not read it; torch {min(later, key=minor)} does again"
    else:
        last = max((variable.until or flag.until for flag, variable in readers), key=minor)
        when = f"no longer reads it: torch {last} was the last release to do so"
    # In this release the flag may have another name, or be set by no variable of torch's.
    records = [newest_record(flag.qualified) for flag, _ in readers]
    settings = [find(each.qualified, release) for each in records]
    others = {each.name for setting in settings if setting for each in setting.variables}
    facts = {"replacement": min(others)} if len(others) == 1 else {}
    # The flag that is named is one that has a variable now, if there is one.
    pairs = zip(records, settings, strict=True)
    flag, today = max(pairs, key=lambda each: (bool(each[1] and each[1].variables), len(each[0].variables)))
    if today is None:
        advice = "it has no such flag either; unset the variable"
    elif today.inert:
        advice = today.inert
    elif facts:
        advice = f"it reads {facts['replacement']}"
    elif is_uniform:
        advice = "it only counts in programs that install dynconf"
    else:
        advice = f"{flag.uniform_variable} sets the flag in programs that install dynconf"
    text = f"torch {release.version} {when}; {advice}"
    return _finding(name, raw, flag.qualified, "DC404", "warning", text, facts=facts)
