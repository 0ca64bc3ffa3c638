"""All sources together, in their order: default < files < environment < the call < forced variables.

A value that another process holds and hands on ranks above the call: see `Reading.held_before`.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.modules import MODULES
from dynconf.errors import ConflictError, ConflictWarning, DynconfError
from dynconf.release import Release
from dynconf.sources.discovery import Found, find_settings
from dynconf.sources.environment import read_environment
from dynconf.sources.files import Document, is_saved_state, read_document
from dynconf.sources.reading import Reading, merge
from dynconf.sources.trust import without_internal
from dynconf.state import Missing, State


def gather(
    release: Release,
    call: Reading | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    config: str | Path | Document | None = None,
    missing: Missing | None = None,
    modules: Sequence[str] = MODULES,
    trust: bool = False,
    newer: Mapping[str, Setting] | None = None,
    check: bool = True,
) -> Reading:
    """Read all sources for the release.

    Args:
        release: The release that the settings are for.
        call: The flags that the caller sets: keywords or options.
        environ: The environment; None for that of the process.
        config: A settings file, or its content, in place of ``DYNCONF_CONFIG`` and the search from the
            working directory.
        missing: How to treat flags of a file that the release lacks; None for the choice of the file.
        modules: The config modules to read from files and the environment.
        trust: Whether a file that is named may set flags with risks, and a saved state internal ones.
        newer: Settings of flags that are newer than the catalogue, by qualified name.
        check: Whether to go on with `judge_rules`.

    Returns:
        The reading, with the mistakes of all sources.
    """
    environ = os.environ if environ is None else environ
    file = read_file(release, config, missing, modules, environ=environ, trust=trust, newer=newer)
    variables = read_environment(environ, release, modules)
    reading = merge((file, variables) if call is None else (file, variables, without_internal(call)))
    return judge_rules(reading) if check else reading


def read_file(
    release: Release,
    config: str | Path | Document | None = None,
    missing: Missing | None = None,
    modules: Sequence[str] = MODULES,
    *,
    environ: Mapping[str, str] | None = None,
    trust: bool = False,
    newer: Mapping[str, Setting] | None = None,
) -> Reading:
    """Read the settings file that counts, if there is one; see `gather`."""
    try:
        found = find_settings(os.environ if environ is None else environ, config, trust=trust)
        return read_found(found, release, missing, modules, newer)
    except DynconfError as error:
        return Reading(State(release), error.errors)


def read_found(
    found: Found,
    release: Release,
    missing: Missing | None = None,
    modules: Sequence[str] = MODULES,
    newer: Mapping[str, Setting] | None = None,
) -> Reading:
    """Read the settings file that a search found, with warnings of those that it skipped; see `gather`."""

    def read(document: Document, missing: Missing | None) -> Reading:
        found = read_document(document, release, missing, modules, newer)
        is_saved = is_saved_state(document)
        trusted = is_saved and document.trusted
        return found if trusted else without_internal(found, silently=is_saved)

    file = Reading(State(release), warnings=found.warnings)
    if found.document is not None:
        file = merge((file, read(found.document, missing)))
    if found.inherited is not None:
        # The process that started this one may have had another torch.
        inherited = read(found.inherited, missing or "warn")
        held = frozenset(setting for setting in inherited.holds if setting in inherited.state)
        file = merge((file, replace(inherited, held_before=held)))
    return file


def judge_rules(reading: Reading) -> Reading:
    """Return the reading with mistakes and warnings of broken rules, unless it has other mistakes."""
    if reading.errors:
        return reading
    if reading.holds:
        reading = reading.with_held_defaults()
    found = reading.state.judged()
    errors = tuple(each for each in found if isinstance(each, ConflictError))
    warnings = (each for each in found if isinstance(each, ConflictWarning))
    return replace(reading, errors=errors, warnings=(*reading.warnings, *warnings)) if found else reading
