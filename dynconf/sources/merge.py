"""All sources together, in their order: default < files < environment < the call < forced variables."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import default_of
from dynconf.errors import DynconfError, InvalidValueError, StateFileError, combined
from dynconf.provenance import DEFAULT
from dynconf.rules import judged, rules_of
from dynconf.sources.env import read_environment
from dynconf.sources.files import chosen, is_state, read_document
from dynconf.sources.layer import Layer, Missing, merged
from dynconf.versions import AtHand


def gather(
    at: AtHand,
    given: Layer,
    *,
    environ: Mapping[str, str] | None = None,
    config: str | Path | None = None,
    missing: Missing | None = None,
) -> Layer:
    """Return what is set for the release at hand, from everywhere.

    Args:
        at: The release.
        given: What the caller sets: keywords or options.
        environ: The environment; that of the process where None.
        config: A settings file, in place of ``DYNCONF_CONFIG`` and the search from the working directory.
        missing: What to do about flags of a file that the release lacks; None for what the file says.

    Raises:
        DynconfError: Any source holds a mistake; the error tells of all mistakes in all sources.
        ConflictError: Values, wherever they come from, cannot hold together.
    """
    environ = os.environ if environ is None else environ
    ordinary, forced = read_environment(environ, at)
    try:
        document = chosen(environ, config, Path.cwd())
        file = read_document(document, at, missing) if document else Layer()
        file = settable(file, in_passing=document is not None and is_state(document))
    except DynconfError as error:
        file = Layer(errors=error.errors)
    except FileNotFoundError:
        file = Layer(
            errors=(StateFileError("there is no working directory any more to look for settings in"),)
        )
    whole = merged((file, ordinary, settable(given), forced))
    if whole.errors:
        raise combined(whole.errors)
    verdict = judged(
        (rule for flag in whole.values for rule in rules_of(flag, at.minor)),
        at.minor,
        lambda flag: whole.values[flag] if flag in whole.values else default_of(flag, at.minor),
        lambda flag: whole.origins.get(flag, DEFAULT),
    )
    if verdict.errors:
        raise combined(verdict.errors)
    return replace(whole, notes=whole.notes + verdict.warnings)


def settable(layer: Layer, *, in_passing: bool = False) -> Layer:
    """Return the layer without torch's own plumbing, which is no setting.

    Args:
        layer: What a source sets.
        in_passing: Leave it out without a word, because the source only shows it: a saved state.
    """
    internal = [name for name in layer.values if not FLAGS[name].public]
    if not internal:
        return layer
    errors = [
        InvalidValueError(
            f"{name} (from {layer.origins[name]}) is internal to torch and no setting;"
            " `dynconf.patch` takes it",
            flag=name,
        )
        for name in internal
    ]
    return Layer(
        {name: value for name, value in layer.values.items() if name not in internal},
        {name: origin for name, origin in layer.origins.items() if name not in internal},
        layer.errors if in_passing else (*layer.errors, *errors),
        layer.notes,
    )
