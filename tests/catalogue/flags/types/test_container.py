"""Sets, lists, tuples and dicts, and values that torch fills in."""

import collections
import re
import time
import types

import numpy as np
import pytest
from strategies import AWKWARD, BrokenMapping, MadeUpSet, Number, accepts, broken

from dynconf import provenance
from dynconf.catalogue.flags.types import (
    Choice,
    InstanceOf,
    Int,
    Items,
    JsonDict,
    Mismatch,
    Named,
    Opaque,
    OrNone,
    Reference,
    SetOf,
    Text,
    copy_containers,
    is_same_value,
)
from dynconf.catalogue.flags.types.container import to_plain_data
from dynconf.catalogue.flags.types.value_type import parts_of
from dynconf.catalogue.modules.dynamo.ddp_mode import DdpMode

NUMBERS = Items(Int(0))
COMPILERS = Items(OrNone(Text()), as_tuple=True)


@pytest.mark.parametrize("value", [{"a"}, frozenset("a"), {"a": 1}.keys(), MadeUpSet("a", "a")])
def test_any_set_becomes_a_set(value):
    """Python's own, views of a dict, and classes that follow the protocol."""
    assert is_same_value(SetOf(Text()).check(value), {"a"})


@pytest.mark.parametrize(
    "value", [["a"], ("a",), "a", {"a": 1}, None, MadeUpSet(1), {1}, collections.deque("a")]
)
def test_what_is_not_a_set_of_texts(value):
    """Neither other containers nor sets of other things are."""
    assert not accepts(SetOf(Text()), value)


def test_a_tuple_stays_one_and_a_list_another() -> None:
    """Either may be given for either, in the order given; JSON has no tuples, and no tuple can be changed."""
    assert is_same_value(Items(Text()).check(("b", "a", "b")), ["b", "a", "b"])
    assert is_same_value(NUMBERS.check((1, 2)), [1, 2])
    assert is_same_value(COMPILERS.check([None, "g++"]), (None, "g++"))
    assert COMPILERS.from_data([None, "g++"]) == COMPILERS.parse("none,g++") == (None, "g++")
    assert COMPILERS.to_data((None, "g++")) == [None, "g++"]
    assert (NUMBERS.mutable, COMPILERS.mutable) == (True, False)
    assert [each for each in ({"a"}, "ab", [1]) if accepts(Items(Text()), each)] == []
    assert [each for each in ([1, -1], "12") if accepts(NUMBERS, each)] == []
    assert not accepts(COMPILERS, "g++")


def test_an_object_that_cannot_be_hashed_cannot_be_in_a_set():
    """A set of one's own may hold it; the flag's cannot."""

    class Callable:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self) -> None:
            """Do nothing."""

    with pytest.raises(Mismatch, match="an item cannot be in a set"):
        SetOf(Reference("callable")).check(MadeUpSet(Callable()))


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [
        (SetOf(Text()), "b, a,,b ", {"a", "b"}),
        (Items(Text()), "b, a,b", ["b", "a", "b"]),
        (SetOf(Reference("callable")), "builtins:print", {Named("builtins", "print")}),
        (SetOf(Text()), "", set()),
        (NUMBERS, "2, 1,1", [2, 1, 1]),
        (COMPILERS, "none,g++", (None, "g++")),
        (Items(Reference("callable")), "builtins:print", [Named("builtins", "print")]),
    ],
)
def test_text_separates_items_by_commas(type_, text, value):
    """Space around an item and empty items do not count; names of objects stay names."""
    assert is_same_value(type_.parse(text), value)


@pytest.mark.parametrize("text", ["['g++']", "('g++',)", "[g++]", "{'g++'}", '["g++"', '["g++"] x', "a, (b)"])
def test_text_in_brackets_is_json_or_refused(text):
    """A list as Python writes it, as `dump` shows it, would be words with brackets in them."""
    for type_ in (COMPILERS, Items(Text()), SetOf(Text())):
        with pytest.raises(Mismatch, match="read as JSON"):
            type_.parse(text)
    assert COMPILERS.parse('["g++"], clang++') == ("g++", "clang++")


def test_data_is_a_list_of_strings():
    """A list of lists in a file is a mistake like any other."""
    for data in ([["a"]], [{}], [1], "a", {"a": 1}, [None], None):
        for type_ in (SetOf(Text()), Items(Text()), SetOf(Reference("callable"))):
            with pytest.raises(Mismatch):
                type_.from_data(data)
    with pytest.raises(Mismatch, match="JSON and TOML have a list there"):  # where "a tuple" is expected
        COMPILERS.from_data("g++")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interruption_passes(stop):
    """Only what is wrong with a value is a mismatch."""

    class Interrupted(list):  # type: ignore[type-arg]
        def __iter__(self):
            raise stop

    with pytest.raises(stop):
        Items(Text()).check(Interrupted())


def test_sets_are_written_sorted():
    """The text and the data of a set are the same in every process."""
    assert SetOf(Text()).to_data({"b", "a", "c"}) == ["a", "b", "c"]
    assert SetOf(Text()).to_text({"b", "a", "c"}) == "a,b,c"
    assert SetOf(Text()).to_text(set()) == "[]"
    assert SetOf(Text()).parse("[]") == set()


def test_expectations_are_plain_words():
    """They follow the word "expected"."""
    assert SetOf(Reference("class")).expected == "a set of classes"
    assert SetOf(Reference("callable")).expected == "a set of callables"
    assert SetOf(Text()).expected == "a set of strings"
    assert Items(Text()).expected == "a list of strings"
    assert NUMBERS.expected == "a list, each item of which is a whole number, 0 or more"
    assert NUMBERS.annotation == "list[int]"
    assert COMPILERS.annotation == "tuple[str | None, ...]"
    assert OrNone(Choice(("a", "b"))).expected == "one of 'a', 'b', or None"


@pytest.mark.parametrize(
    "value",
    [
        types.MappingProxyType({"a": (1,)}),
        collections.OrderedDict(a=[1]),
        collections.ChainMap({"a": [1]}),
        collections.UserDict({"a": [1]}),
    ],
)
def test_any_mapping_becomes_a_dict(value):
    """Views, ordered dicts and classes that follow the protocol; a tuple becomes a list."""
    assert is_same_value(JsonDict().check(value), {"a": [1]})


def test_numbers_and_texts_become_plain():
    """Whatever is stored can be written to a file and read back as the same."""
    value = {
        DdpMode.python_reducer: [Number.ONE, np.int8(1), np.float32(0.5), DdpMode.no_optimization, broken(7)]
    }
    assert is_same_value(JsonDict().check(value), {"python_reducer": [1, 1, 0.5, "no_optimization", 7]})


@pytest.mark.parametrize("value", [None, [], "{}", {1}, BrokenMapping(), 1])
def test_what_is_not_a_dict(value):
    """Neither a list of pairs nor text is."""
    assert not accepts(JsonDict(), value)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({1: 2}, "the key 1 is not text"),
        ({"\udcff": 2}, r"the key '\udcff' is not text"),
        ({"a": {"b": {None: 1}}}, "the key None is not text"),
        ({"a": {1}}, "{1} cannot be written to a file"),
        ({"a": float("nan")}, "nan cannot be written to a file"),
        ({"a": [2**63]}, "9223372036854775808 cannot be written to a file"),
        ({"a": 10**5000}, "cannot be written to a file"),
        ({"a": "\0"}, r"'\x00' cannot be written to a file"),
        ({"a": 1j}, "1j cannot be written to a file"),
    ],
)
def test_what_no_file_can_hold_is_refused(value, problem):
    """The message shows the part that is wrong."""
    with pytest.raises(Mismatch, match=re.escape(problem)):
        JsonDict().check(value)


def test_a_dict_that_holds_itself_is_refused():
    """Neither a cycle nor a depth that no file could hold ends in a RecursionError."""
    value: dict[str, object] = {}
    value["self"] = [value]
    with pytest.raises(Mismatch, match="it is nested too deeply"):
        JsonDict().check(value)


def test_a_dict_is_copied_through_and_through():
    """Changing what was given does not change what was stored, nor does changing a copy."""
    given = {"options": {"a": [1]}}
    stored = JsonDict().check(given)
    given["options"]["a"].append(2)
    copy_containers(stored)["options"]["a"].append(3)
    assert stored == {"options": {"a": [1]}}


def test_text_is_json():
    """As ``--set`` and variables give it."""
    assert JsonDict().parse('{"fullgraph": true}') == {"fullgraph": True}
    assert Items(JsonDict()).parse('[{"a": 1}]') == [{"a": 1}]


@pytest.mark.parametrize(
    "text",
    ["[1]", "{", '{"a": NaN}', '{"a": 1e999}', "[" * 100_000, '{"a":' * 400 + "1" + "}" * 400, "1"],
)
def test_what_text_is_no_dict(text):
    """Neither other JSON nor what is not JSON is a dict; no text is an empty list, but no dict."""
    for type_ in (JsonDict(), Items(JsonDict())):
        with pytest.raises(Mismatch):
            type_.parse(text)
    with pytest.raises(Mismatch):
        JsonDict().parse("")


def test_the_text_of_a_dict_is_the_same_in_every_order():
    """Keys are sorted."""
    assert JsonDict().to_text({"b": 1, "a": None}) == '{"a": null, "b": 1}'


@pytest.mark.parametrize("value", [None, True, 1, 0.5, "a", [1, ["b"]], {"a": {}}])
def test_plain_copies_any_json_value(value):
    """Not only dicts: other parts use it for values of unknown flags."""
    assert is_same_value(to_plain_data(value), value)


def test_anything_is_accepted_as_it_is():
    """It is torch's own business; dynconf only passes it on."""
    assert all(Opaque().check(value) is value for value in AWKWARD)


def test_only_none_has_a_written_form():
    """Everything else would not come back as what it was."""
    assert Opaque().to_data(None) is None
    with pytest.raises(Mismatch, match="3 has no written form"):
        Opaque().to_data(3)
    with pytest.raises(Mismatch, match="'x' has no meaning"):
        Opaque().parse("x")
    assert Opaque().show_data({3}) == ["3"]


class Origin:
    """Of the name of a class of dynconf, but of another module."""


def test_an_instance_of_a_class_is_known_by_the_name_of_the_class():
    """An object of it or of a subclass is accepted; one of another module is not, nor the class itself."""
    of_origin = InstanceOf("dynconf.provenance.Origin")
    subclass = type("Mine", (provenance.Origin,), {})
    for value in (provenance.Origin("default"), subclass("default")):
        assert of_origin.check(value) is value
    for value in (None, True, "x", Origin()):
        with pytest.raises(Mismatch, match=r"^$"):
            of_origin.check(value)
    with pytest.raises(Mismatch, match="did you mean an instance"):
        of_origin.check(provenance.Origin)
    assert of_origin.expected == "an instance of dynconf.provenance.Origin"
    with pytest.raises(Mismatch):
        of_origin.parse("x")


def test_a_long_text_takes_no_quadratic_time():
    """A request may contain one: what is not JSON at one bracket is not tried at the next."""
    start = time.process_time()
    assert list(parts_of("[1]," * 200_000)) == [[1]] * 200_000
    for text in ("[1," * 300_000, '{"a":[' * 200_000, "[" * 500_000, "[1] x" * 200_000):
        with pytest.raises(Mismatch):
            list(parts_of(text))
    assert time.process_time() - start < 10
