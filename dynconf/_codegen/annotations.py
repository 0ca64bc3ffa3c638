"""The Python annotation of a flag's type, as generated files spell it."""

import functools

from dynconf.catalogue.value_types import (
    Bool,
    BoolOr,
    Choice,
    Float,
    Int,
    ListOf,
    Mapping,
    Opaque,
    Optional,
    Overrides,
    Path,
    Reference,
    SetOf,
    Text,
    ValueType,
)


@functools.singledispatch
def annotation(type_: ValueType) -> str:
    """Return the annotation of a type."""
    raise TypeError(type_)


@annotation.register
def _(_: Bool) -> str:
    return "bool"


@annotation.register
def _(_: Int) -> str:
    return "int"


@annotation.register
def _(_: Float) -> str:
    return "float"


@annotation.register(Text)
@annotation.register(Path)
@annotation.register(Overrides)
def _(_: Text | Path | Overrides) -> str:
    return "str"


@annotation.register
def _(type_: Choice) -> str:
    return f"Literal[{', '.join(map(repr, type_.options))}]"


@annotation.register
def _(type_: Reference) -> str:
    return "type[Any]" if type_.to == "class" else "Callable[..., Any]"


@annotation.register
def _(type_: SetOf) -> str:
    return f"set[{annotation(type_.item)}]"


@annotation.register
def _(type_: ListOf) -> str:
    return f"list[{annotation(type_.item)}]"


@annotation.register
def _(_: Mapping) -> str:
    return "dict[str, Any]"


@annotation.register
def _(type_: Optional) -> str:
    return f"{annotation(type_.of)} | None"


@annotation.register
def _(type_: BoolOr) -> str:
    return f"bool | {annotation(type_.of)}"


@annotation.register
def _(_: Opaque) -> str:
    return "Any"
