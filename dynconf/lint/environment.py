"""Whether the environment and the files say what was meant, to bare torch and to dynconf."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from dynconf.catalogue.record import Computed, fact_in
from dynconf.checks.finding import Finding, Level, Report
from dynconf.checks.misspelling import misspelling_findings
from dynconf.checks.variables import flag_findings
from dynconf.errors import (
    ConflictError,
    ConflictWarning,
    DynconfError,
    DynconfWarning,
    ForcedFlagWarning,
    InertFlagWarning,
    InvalidValueError,
    StateFileError,
    UnknownFlagError,
)
from dynconf.live.binding import CONFIG_MODULE, live
from dynconf.live.install import imported_value
from dynconf.sources.env import read_environment, torch_disagrees, torch_reading
from dynconf.sources.files import chosen, read_document
from dynconf.sources.gathering import gather
from dynconf.sources.layer import Layer, merged
from dynconf.state.store import shown_as_json
from dynconf.values import same, shown
from dynconf.versions import AtHand, asked, at_hand

_ERROR_CODES: tuple[tuple[type[DynconfError], str], ...] = (
    (UnknownFlagError, "unknown-flag"),
    (ConflictError, "conflict"),
    (StateFileError, "bad-file"),
    (InvalidValueError, "invalid-value"),
)
_NOTE_CODES: tuple[tuple[type[DynconfWarning], str], ...] = (
    (ConflictWarning, "conflict"),
    (InertFlagWarning, "no-op-flag"),
    (ForcedFlagWarning, "no-effect"),
    (DynconfWarning, "missing-flag"),
)
_ORDER: tuple[Level, ...] = ("error", "warning", "note")


def check_environment(
    environ: Mapping[str, str] | None = None, *, torch: str | None = None, config: str | Path | None = None
) -> Report:
    """Check the environment and the settings files: what does not mean what it seems to.

    In a program that has imported torch, without arguments, it also says which variables have changed since
    torch read them. torch is never imported for it.

    Args:
        environ: The environment; that of the process where None.
        torch: The release to answer for, such as ``"2.9"``, in place of the one at hand.
        config: A settings file, in place of ``DYNCONF_CONFIG`` and the search from the working directory.

    Returns:
        The findings, errors first. Their codes: ``stops-import``, ``invalid-value``, ``misread``,
        ``misspelt-variable``, ``unknown-variable``, ``not-read-yet``, ``no-longer-read``, ``missing-flag``,
        ``shadowed-variable``, ``no-op-flag``, ``unknown-flag``, ``conflict``, ``bad-file``, ``no-effect``,
        ``changed-after-import``; notes: ``uniform-variable``, ``forced-flag``, ``two-switches``,
        ``foreign-variable``.

    Raises:
        InvalidValueError: The catalogue has nothing on that release.

    Example:
        >>> report = check_environment({"TORCHDYNAMO_SUPPRESS_ERRORS": "0"}, torch="2.13")
        >>> report.ok, report.findings[0].code, report.findings[0].facts["torch_reads"]
        (False, 'misread', True)
    """
    at = asked(torch) if torch else at_hand()
    running = environ is None and torch is None and CONFIG_MODULE in sys.modules
    environ = os.environ if environ is None else environ
    found = [*flag_findings(environ, at), *misspelling_findings(environ, at)]
    found += _other_findings(environ, at, config, found)
    if running:
        found += _changed_findings(environ)
    return Report(tuple(sorted(found, key=lambda finding: _ORDER.index(finding.level))))


def _other_findings(
    environ: Mapping[str, str], at: AtHand, config: str | Path | None, found: list[Finding]
) -> Iterator[Finding]:
    """Find what there is to say about files, and about what holds between several flags."""
    ordinary, forced = read_environment(environ, at)
    try:
        document = chosen(environ, config, Path.cwd())
        file = read_document(document, at) if document else Layer()
    except DynconfError as error:
        file = Layer(errors=error.errors)
    yield from _of_errors(file.errors)
    yield from _of_errors(error for error in ordinary.errors if isinstance(error, ConflictError))
    whole = merged((file, ordinary, forced))
    said = {str(note) for layer in (ordinary, forced) for note in layer.notes}
    yield from _of_notes(note for note in whole.notes if str(note) not in said)
    if whole.errors or any(finding.level == "error" for finding in found):
        return
    # What holds between flags is judged where all sources come together, and only once each value is good.
    try:
        together = gather(at, Layer(), environ=environ, config=config)
    except DynconfError as error:
        yield from _of_errors(error.errors)
    else:
        told = {str(note) for note in whole.notes}
        yield from _of_notes(note for note in together.notes if str(note) not in told)


def _of_errors(errors: Iterable[DynconfError]) -> Iterator[Finding]:
    for error in errors:
        code = next(code for kind, code in _ERROR_CODES if isinstance(error, kind))
        yield Finding(code, "error", str(error), error.flag)


def _of_notes(notes: Iterable[DynconfWarning]) -> Iterator[Finding]:
    for note in notes:
        code = next(code for kind, code in _NOTE_CODES if isinstance(note, kind))
        yield Finding(code, "warning", str(note), note.flag)


def _changed_findings(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Find variables that would give torch another value now than when it was imported."""
    binding = live()
    for name, slot, alias in binding.table():
        variables = slot.flag.variables_in(binding.minor)
        if alias or not variables:
            continue
        there = next((variable for variable in variables if variable.name in environ), None)
        if there is None and isinstance(fact_in(slot.flag.default, binding.minor), Computed):
            # Such a default may follow from what has changed by itself, such as the working directory.
            continue
        read = imported_value(binding, slot)
        now = torch_reading(slot.flag, binding.minor, environ)
        if not now.error and (same(now.value, read) or not torch_disagrees(slot.flag, now, read)):
            continue
        variable = (there or variables[0]).name
        raw = environ.get(variable)
        state = "is not set any more" if raw is None else f"is {raw!r} by now"
        yield Finding(
            "changed-after-import",
            "warning",
            f"{variable} {state}, but torch read the environment once, while it was imported, and took {name}"
            f" for {shown(read)}; set the variable before that, or use dynconf.patch or dynconf.install",
            name,
            variable,
            raw,
            {"torch_reads": shown_as_json(name, read)},
        )
