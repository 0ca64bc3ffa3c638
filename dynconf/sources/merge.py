"""All sources together, in their order: default < files < environment < the call < forced variables."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dynconf import names
from dynconf.errors import DynconfError
from dynconf.modules import MODULES
from dynconf.origin import DEFAULT
from dynconf.release import Release
from dynconf.rules import check_rules
from dynconf.sources.discovery import chosen
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
) -> Layer:
    """Return what is set for the release, from everywhere; the rules over several flags have been checked.

    Args:
        release: The release.
        given: What the caller sets: keywords or options.
        environ: The environment; that of the process if None.
        config: A settings file, in place of ``DYNCONF_CONFIG`` and the search from the working directory.
        missing: What to do about flags of a file that the release lacks; None for what the file says.
        modules: The config modules to read from files and the environment.

    Raises:
        DynconfError: A source contains a mistake; the error tells of all mistakes in all sources.
        ConflictError: Values, wherever they come from, contradict each other.
    """
    environ = os.environ if environ is None else environ
    try:
        document = chosen(environ, config)
        file = read_document(document, release, missing, modules) if document else Layer()
        if document:
            file = without_internal(file, silently=is_state(document))
    except DynconfError as error:
        file = Layer(errors=error.errors)
    ordinary, forced = read_environment(environ, names.views(release, modules))
    return judged(merged((file, ordinary, without_internal(given), forced)))


def judged(layer: Layer) -> Layer:
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
