"""Flags that a call passes as Python values, and options of the command line."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from dynconf.catalogue import Setting
from dynconf.errors import InvalidValueError
from dynconf.flags.types import shown
from dynconf.modules import MODULES
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.sources.layer import Layer, LayerBuilder, Missing


def read_keywords(
    flags: Mapping[str, object],
    release: Release,
    origin: Origin,
    missing: Missing = "error",
    module: str = "dynamo",
) -> Layer:
    """Read flags given as Python values, all from one place.

    Args:
        flags: Values by flag. The name of a module stands for flags of that module, as a mapping.
        release: The release that they are for.
        origin: Where they come from.
        missing: What to do about flags that the release lacks.
        module: The module of the names, unless they say otherwise.
    """
    builder = LayerBuilder(release, missing, module)
    for name, value in flags.items():
        if name not in MODULES:
            builder.add(name, origin, partial(_checked, value), value)
        elif not isinstance(value, Mapping):
            builder.errors.append(
                InvalidValueError(
                    f"{name}: {shown(value)} (from {origin}) is not valid: expected a mapping with flags of"
                    f" {name}, such as {name}={{'flag': value}}",
                    flag=name,
                )
            )
        else:
            for inner, given in value.items():
                builder.add(inner, origin, partial(_checked, given), given, name)
    return builder.done()


def read_values(
    values: Mapping[str, tuple[object, Origin]],
    release: Release,
    module: str = "dynamo",
    newer: Mapping[str, Setting] | None = None,
) -> Layer:
    """Read values that each have an origin: those of settings, or of a snapshot.

    Args:
        values: Value and origin by flag.
        release: The release that they are for.
        module: The module of bare names.
        newer: Settings of flags that are newer than the catalogue, by qualified name.
    """
    builder = LayerBuilder(release, module=module, newer=newer)
    for name, (value, origin) in values.items():
        builder.add(name, origin, partial(_checked, value), value)
    return builder.done()


def read_options(options: Iterable[str], release: Release, missing: Missing = "error") -> Layer:
    """Read ``FLAG=VALUE`` texts, as ``--set`` takes them."""
    builder = LayerBuilder(release, missing)
    for option in options:
        name, equals, raw = option.partition("=")
        name = name.strip()
        if not equals or not name:
            builder.errors.append(InvalidValueError(f"--set {option!r}: expected FLAG=VALUE"))
            continue
        builder.add(name, Origin("option", name, raw), partial(_parsed, raw), raw)
    return builder.done()


def _checked(value: object, setting: Setting) -> Any:
    return setting.type.check(value)


def _parsed(raw: str, setting: Setting) -> Any:
    return setting.type.parse(raw)
