"""Hypothesis strategies: the values of each type of flag, and values of every other sort.

A new value type needs one entry in `VALUES`; the laws of ``flags/types/test_laws.py`` then hold it to what
they say of every type.
"""

import collections
import enum
import logging
import math
import pathlib
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal
from fractions import Fraction
from typing import Any
from unittest import mock

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from dynconf.catalogue.flags.types import (
    Bool,
    BoolOr,
    Choice,
    ChoiceOr,
    FalseOr,
    Float,
    GraphRules,
    InstanceOf,
    Int,
    Items,
    JsonDict,
    Mismatch,
    OneOrMore,
    Opaque,
    OrNone,
    PathText,
    PlainData,
    Reference,
    SetOf,
    Text,
    ValueType,
    Words,
)
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.modules.dynamo.ddp_mode import DdpMode
from dynconf.errors import DynconfError
from dynconf.provenance import Origin

FEW = settings(max_examples=settings.default.max_examples // 3)
"""For what is tried on each of many types or flags: the laws of the types have more examples."""

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


def _graph_rules(type_: GraphRules) -> st.SearchStrategy[str]:
    numbers = st.integers(0, 50).map(str)
    graphs = st.one_of(
        numbers,
        st.tuples(numbers, numbers).map("-".join),
        st.tuples(st.sampled_from([">", ">=", "<", "<="]), numbers).map("".join),
    )
    if type_.of == "inductor":
        assigned = st.sampled_from(["eager", "aot_eager", "inductor"])
    else:
        pair = st.tuples(st.sampled_from(["a", "triton.b"]), st.sampled_from(["1", "True", "x y"])).map(
            "=".join
        )
        assigned = st.lists(pair, min_size=1, max_size=2).map(",".join)
    filters = st.lists(graphs, min_size=1, max_size=3).map(", ".join)
    return st.lists(st.tuples(filters, assigned).map(":".join), max_size=3).map(";".join)


VALUES: dict[type[ValueType], Callable[[Any], st.SearchStrategy[Any]]] = {
    Bool: lambda _: st.booleans(),
    Int: lambda type_: st.integers(type_.minimum, type_.maximum),
    Float: lambda type_: st.floats(type_.minimum, type_.maximum),
    Text: lambda _: TEXTS,
    PathText: lambda _: TEXTS.filter(bool),
    Choice: lambda type_: st.sampled_from(type_.options),
    GraphRules: _graph_rules,
    Reference: lambda type_: st.sampled_from(CALLABLES if type_.to == "callable" else CLASSES),
    SetOf: lambda type_: st.sets(values(type_.item), max_size=3),
    Items: lambda type_: st.lists(values(type_.item), max_size=3).map(tuple if type_.as_tuple else list),
    Words: lambda type_: st.lists(st.sampled_from(type_.options), min_size=1, max_size=3).map(",".join),
    JsonDict: lambda _: st.dictionaries(TEXTS, JSON, max_size=3),
    OrNone: lambda type_: st.none() | values(type_.of),
    BoolOr: lambda type_: st.booleans() | values(type_.of),
    ChoiceOr: lambda type_: st.sampled_from(type_.options) | values(type_.of),
    FalseOr: lambda type_: st.just(False) | values(type_.of),
    Opaque: lambda _: st.none(),
    PlainData: lambda _: JSON,
    InstanceOf: lambda _: st.nothing(),  # as with Opaque, only None has a written form
    OneOrMore: lambda type_: values(type_.of) | values(type_.own),
}
"""For each type, the strategy for its values, as flags store them."""


IN_CATALOGUES = {flag.type for module in MODULES for flag in catalogue(module).flags.values()}
OTHERS = {
    *(Int(-5, 5), Int(maximum=3), Float(), Float(0, 1), Text(), PathText(), Opaque(), PlainData()),
    *(Choice(("none", "1", "yes", "a b")), GraphRules("inductor"), GraphRules("key=value")),
    *(Reference("callable"), Reference("class"), SetOf(Text()), SetOf(Reference("class")), Items(Text())),
    *(JsonDict(), Items(JsonDict()), Items(Int()), Items(OrNone(Text()), as_tuple=True)),
    *(Items(Reference("callable")), Words(("ATEN", "TRITON"))),
    *(OneOrMore(Text()), OneOrMore(Int(0), as_tuple=True), InstanceOf("dynconf.provenance.Origin")),
    *(OrNone(SetOf(Reference("callable"))), OrNone(Items(Text())), OrNone(JsonDict())),
    *(OrNone(BoolOr(PathText())), BoolOr(Int(0)), BoolOr(SetOf(Text())), BoolOr(Reference("callable"))),
}
TYPES = sorted(IN_CATALOGUES | OTHERS, key=repr)
"""Every type of a flag, and others that no flag has."""


def values(type_: ValueType) -> st.SearchStrategy[Any]:
    """Return the values of the type, as flags store them."""
    return VALUES[type(type_)](type_)


def accepts(type_: ValueType, value: object) -> bool:
    """Tell whether the type accepts the value."""
    try:
        type_.check(value)
    except Mismatch:
        return False
    return True


class Bomb:
    """An object that can be asked for nothing: every special method raises, and so does every attribute."""

    def _explode(self, *_: object) -> Any:
        raise RuntimeError("a value was asked for more than its type")

    __getattribute__ = __repr__ = __str__ = __eq__ = __hash__ = __bool__ = __len__ = _explode
    __iter__ = __int__ = __index__ = __float__ = __fspath__ = __contains__ = __format__ = _explode


BROKEN_METHODS = (
    "__repr__ __str__ __format__ __eq__ __ne__ __hash__ __bool__ __len__ __iter__ __contains__ __getitem__"
    " __int__ __index__ __float__ __abs__ __lt__ __le__ __gt__ __ge__ keys items lower strip"
)


def broken(value: Any) -> Any:
    """Return *value* as an instance of a subclass whose every method raises."""
    return type(
        f"Broken{type(value).__name__}", (type(value),), dict.fromkeys(BROKEN_METHODS.split(), Bomb._explode)
    )(value)


class Multiline:
    """An object whose text has several lines and control characters, and no end."""

    def __repr__(self) -> str:
        return "first\nsecond\x1b[31m\u2028\ud800" + "\n" * 100_000


class Endless:
    """An object whose text cannot be made."""

    def __repr__(self) -> str:
        return repr(self)


class MadeUpSet(AbstractSet):  # type: ignore[type-arg]
    """A set that is not one of Python's own, of items that need not be hashable."""

    def __init__(self, *items: object) -> None:
        self.items = items

    def __contains__(self, item: object) -> bool:
        return item in self.items

    def __iter__(self) -> Iterator[object]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


class BrokenMapping(Mapping):  # type: ignore[type-arg]
    """A mapping that has no value for its only key."""

    def __getitem__(self, key: object) -> object:
        raise LookupError(key)

    def __iter__(self) -> Iterator[object]:
        return iter(["key"])

    def __len__(self) -> int:
        return 1


class Number(enum.IntEnum):
    """Integers of an enum."""

    ONE = 1
    MANY = 2**70


def _holding_itself(container: Any) -> Any:
    if isinstance(container, list):
        container.append(container)
    else:
        container["self"] = container
    return container


def _nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"inner": value}
    return value


AWKWARD: tuple[Any, ...] = (
    *(10**400, -(10**400), 10**5000, math.inf, math.nan, Fraction(10**400), Fraction(1, 3), Decimal("0.5")),
    *(1j, Number.ONE, Number.MANY, np.int8(1), np.uint64(2**64 - 1), np.float32(0.5), np.float64("nan")),
    *(np.bool_(1), np.longdouble("1e4000"), np.zeros(3), np.array(1), np.str_("a"), np.array(["a", "b"])),
    *("\0", "\udcff", b"1", DdpMode.ddp_optimizer, pathlib.Path("x"), pathlib.PurePath("x"), ..., int, print),
    *((lambda: 1), set(), {1}, {"a"}, frozenset({"a"}), {"a": 1}.keys(), MadeUpSet("a"), (), ("a",)),
    *(MadeUpSet([], print), collections.deque("a"), range(3), [[]], [{}], {1: 2}, {"a": {1}}, {"\udcff": 1}),
    *({"a": 10**5000}, types.MappingProxyType({"a": [1]}), collections.ChainMap({"a": 1}), BrokenMapping()),
    collections.Counter("a"),
    *(_holding_itself([]), _holding_itself({}), _nested(99), _nested(101), _nested(100_000)),
    *(broken(1), broken(1.5), broken("true"), broken({"a": 1}), broken([1]), broken({"a"}), broken(("a",))),
    *({"a": broken(1)}, {"a": broken("x")}, [broken("x")], {"a": Bomb()}, [Bomb()], MadeUpSet(Bomb())),
    *(Bomb(), Bomb),
    *(mock.Mock(spec=str), mock.Mock(spec=int), mock.Mock(spec=dict), mock.Mock(spec=set), mock.MagicMock()),
    *(Multiline(), Endless(), {"a": Multiline()}),
)
"""Values of the most awkward sorts."""

_awkward = st.integers(0, len(AWKWARD) - 1).map(AWKWARD.__getitem__)  # sampled_from would hash each
ANYTHING = st.one_of(JSON, st.floats(), st.integers(), st.text(), _awkward)
"""Python values of every sort."""
