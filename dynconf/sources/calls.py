"""Flags that a call gives as Python values, and options of the command line."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from dynconf.catalogue.record import Flag
from dynconf.errors import InvalidValueError
from dynconf.provenance import Origin
from dynconf.sources.layer import Layer, LayerBuilder, Missing
from dynconf.values import checker, decode
from dynconf.versions import AtHand


def read_keywords(
    flags: Mapping[str, object], at: AtHand, origin: Origin, missing: Missing = "error"
) -> Layer:
    """Read flags given as Python values, all from one place."""
    builder = LayerBuilder(at, missing)
    for name, value in flags.items():
        builder.add(name, origin, partial(_checked, value), value)
    return builder.done()


def read_options(options: Iterable[str], at: AtHand, missing: Missing = "error") -> Layer:
    """Read ``FLAG=VALUE`` texts, as ``--set`` takes them."""
    builder = LayerBuilder(at, missing)
    for option in options:
        name, equals, raw = option.partition("=")
        name = name.strip()
        if not equals or not name:
            builder.errors.append(InvalidValueError(f"--set {option!r}: expected FLAG=VALUE"))
            continue
        origin = Origin("option", name, raw)
        builder.add(name, origin, partial(_decoded, raw), raw)
    return builder.done()


def _checked(value: object, flag: Flag) -> Any:
    return checker(flag.type)(value)


def _decoded(raw: str, flag: Flag) -> Any:
    return decode(flag.type, raw)
