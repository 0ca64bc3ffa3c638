"""Dicts of JSON values."""

import collections
import re
import types

import numpy as np
import pytest
from strategies import BrokenMapping, Number, accepts, broken

from dynconf.catalogue.flags.types import (
    JsonDict,
    JsonDicts,
    Mismatch,
    copy_containers,
    is_same_value,
    to_plain_data,
)
from dynconf.catalogue.modules.dynamo.ddp_mode import DdpMode


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
    assert JsonDicts().parse('[{"a": 1}]') == [{"a": 1}]


@pytest.mark.parametrize(
    "text",
    ["[1]", "{", '{"a": NaN}', '{"a": 1e999}', "[" * 100_000, '{"a":' * 400 + "1" + "}" * 400, "", "1"],
)
def test_what_no_text_means(text):
    """Neither other JSON nor what is not JSON is a dict."""
    for type_ in (JsonDict(), JsonDicts()):
        with pytest.raises(Mismatch):
            type_.parse(text)


def test_the_text_of_a_dict_is_the_same_in_every_order():
    """Keys are sorted."""
    assert JsonDict().to_text({"b": 1, "a": None}) == '{"a": null, "b": 1}'


@pytest.mark.parametrize("value", [None, True, 1, 0.5, "a", [1, ["b"]], {"a": {}}])
def test_plain_copies_any_json_value(value):
    """Not only dicts: other parts use it for values of unknown flags."""
    assert is_same_value(to_plain_data(value), value)
