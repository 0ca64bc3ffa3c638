"""Flags that a call passes as Python values, and options of the command line."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dynconf import names
from dynconf.catalogue import Setting
from dynconf.errors import InvalidValueError
from dynconf.flags.types import Mismatch, ValueType, shown
from dynconf.modules import MODULES, catalogue
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.sources.environment import plain_value
from dynconf.sources.missing import Missing
from dynconf.sources.reading import Convert, Reading, ReadingBuilder, check_value


def read_keywords(
    flags: Mapping[str, object], release: Release, origin: Origin, module: str = "dynamo"
) -> Reading:
    """Read flags given as Python values, all from one place: see `read_values`."""
    return read_values({name: (value, origin) for name, value in flags.items()}, release, module)


def read_data(
    values: Mapping[str, tuple[object, Origin]],
    release: Release,
    missing: Missing = "error",
    module: str = "dynamo",
    *,
    texts: bool = False,
) -> Reading:
    """Read values that are Python's or JSON-like data, as `read_values` does.

    Args:
        values: Value and origin by flag.
        release: The release that they are for.
        missing: What to do about flags that it lacks.
        module: The module of bare names.
        texts: Whether they may also be texts of variables and options.
    """
    return read_values(values, release, module, missing, _text_or_data if texts else _data)


def read_values(
    values: Mapping[str, tuple[object, Origin]],
    release: Release,
    module: str = "dynamo",
    missing: Missing = "error",
    convert: Convert = check_value,
    newer: Mapping[str, Setting] | None = None,
) -> Reading:
    """Read values that each have an origin, such as those of settings, or of a snapshot.

    Args:
        values: Value and origin by flag. The name of a module or group stands for its flags, as a mapping.
        release: The release that they are for.
        module: The module of bare names.
        missing: What to do about flags that the release lacks.
        convert: Makes the values of the settings.
        newer: Settings of flags that are newer than the catalogue, by qualified name.
    """
    builder = ReadingBuilder(release, missing, module, newer)
    for name, (value, origin) in values.items():
        _add(builder, name, value, origin, convert)
    return builder.done()


def _add(builder: ReadingBuilder, name: str, value: object, origin: Origin, convert: Convert) -> None:
    module, bare = names.split(name, builder.module)
    if name not in MODULES and not catalogue(module).at(builder.release).is_group(bare):
        builder.add(name, origin, value, convert)
    elif not isinstance(value, Mapping):
        builder.errors.append(not_a_mapping(name, value, f" (from {origin})"))
    else:
        for inner, given in value.items():
            _add(builder, f"{name}.{inner}", given, origin, convert)


def not_a_mapping(name: str, value: object, place: str = "") -> InvalidValueError:
    """Return the error for what is given for a module or a group, if that is not a mapping."""
    expected = f"expected a mapping with flags of {name}, such as {name}={{'flag': value}}"
    return InvalidValueError(f"{name}: {shown(value)}{place} is not valid: {expected}", flag=name)


def read_options(options: Iterable[str], release: Release) -> Reading:
    """Read ``FLAG=VALUE`` texts, as ``--set`` takes them."""
    builder = ReadingBuilder(release)
    for option in options:
        name, equals, raw = option.partition("=")
        name = name.strip()
        if not equals or not name:
            builder.errors.append(InvalidValueError(f"--set {option!r}: expected FLAG=VALUE"))
            continue
        builder.add(name, Origin("option", name, raw), raw, plain_value)
    return builder.done()


def _data(setting: Setting, value: object) -> Any:
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


def _text_or_data(setting: Setting, value: object) -> Any:
    try:
        return _data(setting, value)
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
