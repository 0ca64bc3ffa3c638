"""Hypothesis strategies derived from the types of flags: values that a type takes, and values of any sort."""

import functools
import logging
import math
import warnings

from hypothesis import strategies as st

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
from dynconf.errors import DynconfError
from dynconf.provenance import Origin

TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))
"""Texts that files can hold."""

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
"""Data that JSON can hold."""

CALLABLES = (print, logging.info, logging.Logger.warning, warnings.warn, logging.Logger)
CLASSES = (logging.Logger, logging.LogRecord, Origin, DynconfError)
WORDS = ["1", "true", "yes", "on", "t", "y", "0", "false", "no", "off", "f", "n"]


class Odd:
    """An object that no flag takes, and whose text cannot even be had."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


ANYTHING = st.one_of(
    JSON,
    st.floats(),
    st.integers(),
    st.sampled_from(
        [10**400, -(10**400), math.inf, math.nan, "\0", "\udcff", b"1", 1j, ..., Odd(), Odd, int, print]
    ),
    st.sampled_from(
        [(lambda: 1), set(), {1}, {"a"}, frozenset({"a"}), (), ("a",), {1: 2}, [[]], [{}], {"a": {1}}]
    ),
)
"""Python values of every sort, the awkward ones included."""


@functools.singledispatch
def values(type_: ValueType) -> st.SearchStrategy[object]:
    """Return the values that the type takes."""
    raise TypeError(type_)


@values.register
def _(_: Bool) -> st.SearchStrategy[object]:
    return st.booleans()


@values.register
def _(type_: Int) -> st.SearchStrategy[object]:
    return st.integers(type_.minimum, type_.maximum or 2**63 - 1)


@values.register
def _(type_: Float) -> st.SearchStrategy[object]:
    return st.floats(type_.minimum, allow_nan=False, allow_infinity=False)


@values.register
def _(_: Text) -> st.SearchStrategy[object]:
    return TEXTS


@values.register
def _(_: Path) -> st.SearchStrategy[object]:
    return TEXTS.filter(bool)


@values.register
def _(type_: Choice) -> st.SearchStrategy[object]:
    return st.sampled_from(type_.options)


@values.register
def _(type_: Overrides) -> st.SearchStrategy[object]:
    numbers = st.integers(0, 50).map(str)
    graphs = st.one_of(
        numbers,
        st.tuples(numbers, numbers).map("-".join),
        st.tuples(st.sampled_from([">", ">=", "<", "<="]), numbers).map("".join),
    )
    if type_.of == "backend":
        assigned = st.sampled_from(["eager", "aot_eager", "inductor"])
    else:
        pair = st.tuples(st.sampled_from(["a", "triton.b"]), st.sampled_from(["1", "True", "x y"])).map(
            "=".join
        )
        assigned = st.lists(pair, min_size=1, max_size=2).map(",".join)
    filters = st.lists(graphs, min_size=1, max_size=3).map(", ".join)
    return st.lists(st.tuples(filters, assigned).map(":".join), max_size=3).map(";".join)


@values.register
def _(type_: Reference) -> st.SearchStrategy[object]:
    return st.sampled_from(CALLABLES if type_.to == "callable" else CLASSES)


@values.register
def _(type_: SetOf) -> st.SearchStrategy[object]:
    return st.sets(values(type_.item), max_size=3)


@values.register
def _(type_: ListOf) -> st.SearchStrategy[object]:
    return st.lists(values(type_.item), max_size=3)


@values.register
def _(_: Mapping) -> st.SearchStrategy[object]:
    return st.dictionaries(TEXTS, JSON, max_size=3)


@values.register
def _(type_: Optional) -> st.SearchStrategy[object]:
    return st.none() | values(type_.of)


@values.register
def _(type_: BoolOr) -> st.SearchStrategy[object]:
    return st.booleans() | values(type_.of)


@values.register
def _(_: Opaque) -> st.SearchStrategy[object]:
    return st.none()
