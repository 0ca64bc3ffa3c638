"""All sources together, in their order: default < files < environment < the call < forced variables."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dynconf.errors import DynconfError
from dynconf.modules import MODULES
from dynconf.origin import DEFAULT
from dynconf.release import Release
from dynconf.rules import check_rules
from dynconf.sources.discovery import Found, chosen
from dynconf.sources.environment import read_environment
from dynconf.sources.files import is_state, read_document
from dynconf.sources.layer import Layer, Missing, merged, without_internal


def gather(
    release: Release,
    given: Layer,
    *,
    environ: Mapping[str, str] | None = None,
    config: str | Path | None = None,
    missing: Missing | None = None,
    modules: Sequence[str] = MODULES,
    trust: bool = False,
    check: bool = True,
) -> Layer:
    """Return what is set for the release, from everywhere.

    Args:
        release: The release.
        given: What the caller sets: keywords or options.
        environ: The environment; that of the process if None.
        config: A settings file, in place of ``DYNCONF_CONFIG`` and the search from the working directory.
        missing: What to do about flags of a file that the release lacks; None for what the file says.
        modules: The config modules to read from files and the environment.
        trust: Whether a saved state may set flags by which torch runs, writes or skips what they name, and
            internal ones.
        check: Whether to go on with `check_layer`; otherwise the mistakes are in the layer.

    Raises:
        DynconfError: A source contains a mistake; the error lists the mistakes of all sources.
        ConflictError: Values, wherever they come from, contradict each other.
    """
    environ = os.environ if environ is None else environ
    file = read_file(release, config, missing, modules, environ=environ, trust=trust)
    ordinary, forced = read_environment(environ, release, modules)
    layer = merged((file, ordinary, without_internal(given), forced))
    return check_layer(layer) if check else layer


def read_file(
    release: Release,
    config: str | Path | None = None,
    missing: Missing | None = None,
    modules: Sequence[str] = MODULES,
    *,
    environ: Mapping[str, str] | None = None,
    trust: bool = False,
) -> Layer:
    """Return what the settings file that counts sets, mistakes included; see `gather`."""
    try:
        found = chosen(os.environ if environ is None else environ, config)
        return layer_of(found, release, missing, modules, trust=trust)
    except DynconfError as error:
        return Layer(errors=error.errors)


def layer_of(
    found: Found,
    release: Release,
    missing: Missing | None = None,
    modules: Sequence[str] = MODULES,
    *,
    trust: bool = False,
) -> Layer:
    """Return what a settings file sets, and what to say of those that were passed over; see `gather`."""
    document = found.document
    if document is None:
        return Layer(notes=found.warnings)
    is_saved = is_state(document)
    trust = trust or found.trusted
    file = read_document(document, release, missing, modules, trust=trust or not is_saved)
    if not (is_saved and trust):
        file = without_internal(file, silently=is_saved)
    return replace(file, notes=(*found.warnings, *file.notes)) if found.skipped else file


def check_layer(layer: Layer) -> Layer:
    """Return the layer after a check of the rules over several flags, with what they warn of.

    Raises:
        DynconfError: The layer contains mistakes.
        ConflictError: Its values contradict each other, or the release's defaults.
    """
    layer.sound()
    verdict = check_rules(
        layer.values,
        lambda setting: layer.values[setting] if setting in layer.values else setting.default_value(),
        lambda setting: layer.origins.get(setting, DEFAULT),
    )
    if verdict.errors:
        return replace(layer, errors=verdict.errors).sound()
    return replace(layer, notes=layer.notes + verdict.warnings) if verdict.warnings else layer
