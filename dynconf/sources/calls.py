"""Flags that a call passes as Python values, and options of the command line."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from dynconf import names
from dynconf.catalogue import Setting
from dynconf.errors import InvalidValueError
from dynconf.flags.types import Mismatch, ValueType, shown
from dynconf.modules import MODULES, catalogue
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
        flags: Values by flag. The name of a module or group stands for its flags, as a mapping.
        release: The release that they are for.
        origin: Where they come from.
        missing: What to do about flags that the release lacks.
        module: The module of the names, unless they say otherwise.
    """
    builder = LayerBuilder(release, missing, module)
    for name, value in flags.items():
        _add(builder, name, value, origin, _checked)
    return builder.done()


def read_data(
    values: Mapping[str, tuple[object, Origin]],
    release: Release,
    missing: Missing = "error",
    module: str = "dynamo",
    *,
    texts: bool = False,
) -> Layer:
    """Read values that are Python's or JSON-like data, each with an origin.

    Args:
        values: Value and origin by flag. The name of a module or group stands for its flags, as a mapping.
        release: The release that they are for.
        missing: What to do about flags that it lacks.
        module: The module of the names, unless they say otherwise.
        texts: Whether they may also be texts of variables and options.
    """
    builder = LayerBuilder(release, missing, module)
    for name, (value, origin) in values.items():
        _add(builder, name, value, origin, _text_or_data if texts else _data)
    return builder.done()


def _add(
    builder: LayerBuilder, name: str, value: object, origin: Origin, read: Callable[[Any, Setting], Any]
) -> None:
    module, bare = names.split(name, builder.module)
    if name not in MODULES and not catalogue(module).at(builder.release).is_group(bare):
        builder.add(name, origin, partial(read, value), value)
    elif not isinstance(value, Mapping):
        builder.errors.append(not_a_mapping(name, value, f" (from {origin})"))
    else:
        for inner, given in value.items():
            _add(builder, f"{name}.{inner}", given, origin, read)


def not_a_mapping(name: str, value: object, place: str = "") -> InvalidValueError:
    """Return the error for what is given for a module or a group, if that is not a mapping."""
    expected = f"expected a mapping with flags of {name}, such as {name}={{'flag': value}}"
    return InvalidValueError(f"{name}: {shown(value)}{place} is not valid: {expected}", flag=name)


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
        _add(builder, name, value, origin, _checked)
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


def _data(value: object, setting: Setting) -> Any:
    return value_or_data(value, setting.type)


def value_or_data(value: object, kind: ValueType) -> Any:
    """Return what a value means as it is, else as data: a list for a set, a name for an object.

    Raises:
        Mismatch: It means nothing in either way.
    """
    try:
        return kind.check(value)
    except Mismatch as problem:
        try:
            return kind.from_data(_plain_containers(value))
        except Mismatch as problem_of_data:
            raise problem_of_data if str(problem_of_data) else problem from None


def _text_or_data(value: object, setting: Setting) -> Any:
    try:
        return _data(value, setting)
    except Mismatch:
        if isinstance(value, str):
            return setting.type.parse(value)
        raise


def _plain_containers(value: object) -> Any:
    """Return containers of any library, such as those of OmegaConf, as dicts and lists."""
    if isinstance(value, Mapping):
        return {key: _plain_containers(value[key]) for key in value}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [_plain_containers(item) for item in value]
    return value


def _parsed(raw: str, setting: Setting) -> Any:
    return setting.type.parse(raw)
