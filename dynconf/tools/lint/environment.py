"""Check that the environment and the settings files mean the same to bare torch, to dynconf and to people."""

import functools
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from dynconf import errors
from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.flags.types import is_same_value, short_repr
from dynconf.catalogue.modules import MODULES, module_path
from dynconf.catalogue.names import FLAGS, find, newest_name, newest_record, records_of
from dynconf.errors import ConflictWarning, DynconfError, DynconfWarning
from dynconf.release import Release, minor
from dynconf.sources import discovery
from dynconf.sources.candidate import Skipped, settings_in
from dynconf.sources.discovery import Found
from dynconf.sources.environment import read_environment
from dynconf.sources.files import Document, document_of
from dynconf.sources.gather import judge_rules, read_found
from dynconf.sources.reading import Reading, merge
from dynconf.sources.trust import risks_of
from dynconf.state import State
from dynconf.text import SLIP, as_message, nearest, place_text
from dynconf.tools.lint.foreign import value_findings
from dynconf.tools.lint.misspelling import misspelling_findings
from dynconf.tools.lint.variables import flag_findings
from dynconf.tools.show.bare_torch import torch_disagrees, torch_reading
from dynconf.tools.show.finding import LEVELS, Finding, Level, Report

_CODES: dict[type[DynconfError | DynconfWarning], str] = {
    errors.ConflictError: "DC505",
    errors.StateFileError: "DC300",
    errors.InvalidValueError: "DC307",
    ConflictWarning: "DC505",
    errors.InertFlagWarning: "DC306",
    errors.ForcedFlagWarning: "DC501",
}

_RULE = re.compile(r"(DC\d+): ")
"""How a message about several flags begins."""

_MOST_JUDGED = 100
"""How many keys decide whether a file has settings: most of such files are somebody else's."""


def check_environment(
    environ: Mapping[str, str] | None = None,
    *,
    torch: str | None = None,
    config: str | Path | Document | None = None,
    trust: bool = False,
) -> Report:
    """Check the environment and the settings files for settings that torch misreads, ignores or refuses.

    In a program that has imported torch, and without arguments, it also reports the variables that have
    changed since torch read them. It never imports torch itself.

    Args:
        environ: The environment; that of the process if None.
        torch: The release to check for, such as ``"2.9"``, instead of the one at hand.
        config: A settings file, instead of ``DYNCONF_CONFIG`` and the search from the working directory.
        trust: Whether a named file may set flags that could do harm; in any file they are then notes, not
            warnings.

    Returns:
        The findings, errors first. ``dynconf explain DC402`` describes the code ``DC402``.

    Raises:
        InvalidValueError: The catalogue does not cover that release.

    Example:
        >>> report = check_environment({"TORCHDYNAMO_SUPPRESS_ERRORS": "0"}, torch="2.13")
        >>> report.ok, report.findings[0].code, report.findings[0].facts["torch_reads"]
        (False, 'DC402', True)
    """
    release = Release.named(torch) if torch else Release.at_hand()
    is_loaded = any(module_path(each) in sys.modules for each in MODULES)
    compare_with_live = environ is None and torch is None and is_loaded
    environ = os.environ if environ is None else environ
    findings = list(variable_findings(environ, release))
    files, is_trusted = Found(), False
    try:
        is_trusted = trust or discovery.trusts_named_files(environ)
        files = discovery.find_settings(environ, config, trust=trust)
        hidden = discovery.hidden_settings(environ, config)
        findings += [Finding("DC502", "note", str(each.warning), file=each.path) for each in hidden]
    except DynconfError as error:
        findings += _findings_of(error.errors, release)
    findings += _settings_findings(files, environ, release, findings, is_trusted=is_trusted)
    if compare_with_live:
        findings += changed_findings(environ)
    document = files.document
    read = (document.name,) if document and document.name != discovery.CONFIG_VARIABLE else ()
    skipped = tuple((each.path, each.reason) for each in files.skipped)
    findings = [replace(finding, message=as_message(finding.message)) for finding in findings]
    findings.sort(key=lambda finding: LEVELS.index(finding.level))
    return Report(tuple(findings), read, skipped)


def variable_findings(
    environ: Mapping[str, str], release: Release, *, is_elsewhere: bool = False
) -> Iterator[Finding]:
    """Report what is wrong with each variable by itself, on this machine or, if *is_elsewhere*, another."""
    yield from flag_findings(environ, release)
    yield from misspelling_findings(environ, release)
    yield from value_findings(environ, release, is_elsewhere=is_elsewhere)


def file_findings(file: str | Document, release: Release, *, trust: bool = False) -> list[Finding]:
    """Report what is wrong with the settings in a file; there may be none in it."""
    try:
        is_trusted = trust or discovery.trusts_named_files(os.environ)
        return _settings_findings(found_in(file, trust=trust), {}, release, [], is_trusted=is_trusted)
    except DynconfError as error:
        return list(_findings_of(error.errors, release))


def has_settings(path: str, content: bytes) -> bool:
    """Tell whether a file is one of settings: by its name, or because most keys are flags, maybe misspelt."""
    if os.path.basename(path) in discovery.NAMES:
        return True
    if path.endswith((".toml", ".json")):
        with suppress(DynconfError):
            data = document_of(content, path).data
            keys = list(data)[:_MOST_JUDGED]
            return "flags" in data if "dynconf" in data else 2 * sum(map(_is_like_a_flag, keys)) > len(keys)
    return False


@functools.lru_cache(maxsize=4096)
def _is_like_a_flag(key: str) -> bool:
    """Tell whether a key is a flag or a table of flags, a slip of the pen apart."""
    return key in FLAGS or nearest(key, (*MODULES, *FLAGS), cutoff=SLIP) is not None


def found_in(file: str | Document, *, trust: bool = False) -> Found:
    """Return the settings in a file, as if it were found, or if it has another name, as if it were named.

    Raises:
        DynconfError: It cannot be read.
    """
    path = file if isinstance(file, Document) else os.path.abspath(file)
    if isinstance(path, Document) or os.path.basename(path) not in discovery.NAMES:
        return Found(discovery.named_document(path, os.environ, trust=trust))
    document = settings_in(path)
    return Found(None, (document,)) if isinstance(document, Skipped) else Found(document)


def _settings_findings(
    files: Found, environ: Mapping[str, str], release: Release, findings: list[Finding], *, is_trusted: bool
) -> list[Finding]:
    """Report mistakes in files, and rules that their flags and variables break together."""
    found = [
        Finding("DC502", "warning", str(skipped.warning), file=skipped.path)
        for skipped in files.skipped
        if skipped.may_matter
    ]
    file, variables = read_found(files, release), read_environment(environ, release)
    found += _findings_of(file.errors, release)
    # Each variable by itself has its findings already, which say more than the errors here.
    found += _findings_of(
        (each for each in variables.errors if isinstance(each, errors.ConflictError)), release
    )
    whole = merge((file, variables))
    reported = {str(each) for each in (*files.warnings, *variables.warnings)}
    found += _findings_of((each for each in whole.warnings if str(each) not in reported), release)
    found += _overruled_by_flags(whole.state)
    # Rules over several flags are checked where all sources come together, and only once each value is good.
    if not whole.errors and not any(finding.level == "error" for finding in (*findings, *found)):
        judged = judge_rules(whole)
        found += _findings_of((*judged.errors, *judged.warnings[len(whole.warnings) :]), release)
    found += _old_names(file)
    return [*found, *_reach_findings(file, is_trusted=is_trusted), *_overruled_findings(files, file, release)]


def _old_names(file: Reading) -> Iterator[Finding]:
    """Report the flags that a file sets by names from before this release, as in programs."""
    for setting, (_, origin) in file.state.items():
        key = (origin.name or "").removeprefix("tool.dynconf.").removeprefix(f"{BARE_MODULE}.")
        if origin.kind == "file" and key not in (setting.newest, setting.qualified):
            text = f"{key} is an old name of {setting.newest}"
            (table, _, old), (new_table, _, new) = key.rpartition("."), setting.newest.rpartition(".")
            names = {"old": old, "new": new} if table == new_table else {}
            yield _finding("DC304", "note", text, setting.newest, origin.place, **names)


def _overruled_by_flags(state: State) -> Iterator[Finding]:
    for setting, (value, origin) in state.implied().items():
        own = state.get(setting)
        if own is not None and not is_same_value(own.value, value):
            why = f"the flag {origin.name} forces {short_repr(value)}"
            text = f"{setting.newest}: {short_repr(own.value)} (from {own.origin}) has no effect: {why}"
            yield _finding("DC501", "warning", text, setting.newest, own.origin.place)


def _reach_findings(file: Reading, *, is_trusted: bool) -> Iterator[Finding]:
    """Report flags in a file that make torch do more than compile, as notes if it is trusted."""
    request = "" if is_trusted else "; make sure that you know who wrote the file, and say so with --trust"
    for setting, (value, origin) in file.state.items():
        if reached := risks_of(setting, value):
            shown = short_repr(setting.type.show_data(value))
            text = f"{setting.newest}: {shown} (from {origin}) makes torch {' and '.join(reached)}{request}"
            level: Level = "note" if is_trusted else "warning"
            yield _finding("DC503", level, text, setting.newest, origin.place, reach=list(reached))


def _overruled_findings(files: Found, file: Reading, release: Release) -> Iterator[Finding]:
    """Report settings of the file that the process inherits otherwise, from one under `dynconf run`."""
    if files.inherited is None:
        return
    for setting, (value, own) in read_found(replace(files, inherited=None), release).state.items():
        in_force, origin = file.state[setting]
        if not is_same_value(value, in_force):
            text = (
                f"{setting.newest}: {short_repr(value)} (from {own}) has no effect: this process inherits"
                f" {short_repr(in_force)} (from {origin}): a program under `dynconf run` started it"
            )
            yield _finding("DC501", "note", text, setting.newest, own.place)


def _findings_of(problems: Iterable[DynconfError | DynconfWarning], release: Release) -> Iterator[Finding]:
    for problem in problems:
        code = next((code for kind, code in _CODES.items() if isinstance(problem, kind)), "")
        text = str(problem)
        if rule := _RULE.match(text):
            code, text = rule[1], text[rule.end() :]
        if problem.place:  # which the finding has, too
            text = re.sub(rf" \(from {re.escape(place_text(*problem.place))}(?: \([^()]*\))?\)", "", text)
        level: Level = "error" if isinstance(problem, DynconfError) else "warning"
        if isinstance(problem, ConflictWarning) and problem.topic:  # the code and the flags of the rule
            setting = find(problem.topic.split()[1], release)
            levels: dict[str, Level] = (
                {each.rule.code: each.level for each in setting.rules} if setting else {}
            )
            level = levels.get(code, level)
        flag = problem.flag and newest_name(problem.flag)
        yield _finding(code or _code_of_missing(flag, release), level, text, flag, problem.place)


def _finding(
    code: str, level: Level, text: str, flag: str | None, place: tuple[str, int | None] | None, **facts: Any
) -> Finding:
    file, line = place or (None, None)
    return Finding(code, level, text, flag, facts=facts, file=file, line=line)


def _code_of_missing(flag: str | None, release: Release) -> str:
    """Return the code for a flag that no release has, that is gone or to come, or that lacks its value."""
    if not flag or flag not in FLAGS:
        return "DC301"
    if find(flag, release):
        return "DC307"
    records = records_of(newest_record(flag))
    return "DC303" if all(minor(each.since) > release.minor for each in records) else "DC302"


def changed_findings(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Report variables that would give torch another value now than when it was imported."""
    from dynconf.live.binding import loaded

    # torch reads each variable once; the live module keeps that value, whatever was assigned since.
    for slot in (slot for binding in loaded() for slot in binding.flags()):
        setting = slot.setting
        present = [each.name for each in setting.variables if each.name in environ]
        # A computed default may follow something that changes on its own, such as the working directory; a
        # torch that is newer than the catalogue may have another one.
        may_differ = setting.is_computed or setting.release.is_beyond_catalogue
        if not setting.variables or (may_differ and not present):
            continue
        imported, now = slot.value_at_import(), torch_reading(setting, environ)
        if not now.error and (
            is_same_value(now.value, imported) or not torch_disagrees(setting, now, imported)
        ):
            continue
        variable = (present or [setting.variables[0].name])[0]
        raw = environ.get(variable)
        change = "is no longer set" if raw is None else f"is now {raw!r}"
        text = (
            f"{variable} {change}, but torch read the environment only while it was imported, and took"
            f" {short_repr(imported)} for {setting.newest}; set the variable before that, or use"
            " dynconf.patch or dynconf.install"
        )
        facts = {"torch_reads": setting.type.show_data(imported)}
        yield Finding("DC405", "warning", text, setting.newest, variable, raw, facts)
