"""Values: one check, one reading of text and JSON, and the laws that tie them together."""

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ANYTHING, JSON, WORDS, values

from dynconf.catalogue import FLAGS
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
from dynconf.errors import InvalidValueError
from dynconf.provenance import Origin
from dynconf.references import Named
from dynconf.values import (
    Mismatch,
    as_json,
    as_text,
    checked,
    checker,
    decode,
    expected,
    from_json,
    invalid,
    same,
    shown,
)

TYPES = sorted({flag.type for flag in FLAGS.values()}, key=repr)
EVERY = pytest.mark.parametrize("type_", [pytest.param(each, id=repr(each)) for each in TYPES])


def takes(type_: ValueType, value: object) -> bool:
    """Tell whether the type takes the value."""
    try:
        checker(type_)(value)
    except Mismatch:
        return False
    return True


@EVERY
@given(st.data())
def test_checking_changes_nothing_that_was_checked(type_, data):
    """What a check gives back is equal to what it got, and passes again."""
    value = data.draw(values(type_))
    once = checker(type_)(value)
    assert same(checker(type_)(once), once)
    assert once == value


@EVERY
@given(st.data())
def test_text_that_is_written_is_read_back(type_, data):
    """``decode(as_text(v))`` is *v* wherever there is a text for it."""
    value = data.draw(values(type_))
    try:
        text = as_text(type_, value)
    except Mismatch:
        return
    assert text.strip()
    assert same(checker(type_)(decode(type_, text)), checker(type_)(value))


@EVERY
@given(st.data())
def test_json_that_is_written_is_read_back(type_, data):
    """``from_json(as_json(v))`` is *v*, through real JSON text."""
    value = data.draw(values(type_))
    document = json.loads(json.dumps(as_json(type_, value), allow_nan=False))
    assert same(checker(type_)(from_json(type_, document)), checker(type_)(value))


@EVERY
@given(ANYTHING)
def test_any_value_is_taken_or_refused(type_, value):
    """A check raises nothing but `Mismatch`, and what it lets through can be written down and read."""
    try:
        taken = checker(type_)(value)
    except Mismatch:
        return
    if not isinstance(type_, Opaque):
        json.dumps(shown_or_json(type_, taken), allow_nan=False).encode()


def shown_or_json(type_: ValueType, value: object) -> object:
    """Return what a dump holds for the value."""
    try:
        return as_json(type_, value)
    except Mismatch:
        return shown(value)


@EVERY
@given(JSON)
def test_any_json_is_read_or_refused(type_, data):
    """Data from a file raises nothing but `Mismatch`."""
    try:
        value = from_json(type_, data)
    except Mismatch:
        return
    assert takes(type_, value) or "Reference" in repr(type_)


@EVERY
@given(st.text())
def test_any_text_is_read_or_refused(type_, text):
    """A text from a variable raises nothing but `Mismatch`; what it gives suits the type."""
    try:
        value = decode(type_, text)
    except Mismatch:
        return
    assert takes(type_, value) or "Reference" in repr(type_)


@pytest.mark.parametrize("word", WORDS)
@given(st.data())
def test_there_are_twelve_words_for_true_and_false(word, data):
    """Each may be written in any case and with white space around it, for each type that takes a bool."""
    written = "".join(data.draw(st.sampled_from([letter.lower(), letter.upper()])) for letter in word)
    space = data.draw(st.text(" \t\n"))
    for type_ in (Bool(), Optional(Bool()), BoolOr(Path()), BoolOr(Choice(("a", "b")))):
        assert decode(type_, f"{space}{written}{space}") is (word in {"1", "true", "yes", "on", "t", "y"})


@pytest.mark.parametrize("text", ["2", "", "tru", "ja", "nein", "1.0", "-1", "none", "enable"])
def test_no_other_word_is_a_bool(text):
    """Torch's habit of taking any text for True is not dynconf's."""
    with pytest.raises(Mismatch):
        decode(Bool(), text)


@pytest.mark.parametrize(
    "type_", [Bool(), Int(), Text(), Choice(("none", "a")), SetOf(Text()), BoolOr(Path())]
)
@pytest.mark.parametrize("text", ["none", "None", " NONE "])
def test_none_is_an_error_where_the_flag_does_not_take_it(type_, text):
    """Only an optional flag can be None; elsewhere the word is not taken for a text either."""
    with pytest.raises(Mismatch, match="None is no value of this flag"):
        decode(type_, text)
    assert decode(Optional(type_), text) is None


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("type_", [Int(), Int(0), Int(1, 4), Float(0)])
def test_a_bool_is_no_number(type_, value):
    """Python's ``True == 1`` does not count."""
    assert not takes(type_, value)


@pytest.mark.parametrize("value", [0, 1, "true", None, 1.0])
def test_only_a_bool_is_a_bool(value):
    """Neither numbers nor texts are."""
    assert not takes(Bool(), value)


@pytest.mark.parametrize(
    ("type_", "good", "bad"),
    [
        (Int(), [-5, 0, 7, 2**63 - 1], [1.0, "1", None, 2**63, 10**5000]),
        (Int(0), [0, 1], [-1]),
        (Int(1, 4), [1, 4], [0, 5]),
        (Float(0), [0, 0.0, 1e-300, 3], [-1e-9, math.nan, math.inf, -math.inf, 10**400, "0.1"]),
        (Float(), [-1.5], [math.inf]),
    ],
)
def test_numbers_keep_to_their_bounds(type_, good, bad):
    """Both bounds are inclusive; nothing is rounded, cut off or infinite."""
    assert [value for value in good if not takes(type_, value)] == []
    assert [shown(value) for value in bad if takes(type_, value)] == []


def test_a_float_flag_takes_an_int_and_holds_a_float():
    """The live module then has the type that torch gave the flag."""
    assert same(checker(Float(0))(1), 1.0)


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [
        (Int(), " 64 ", 64),
        (Int(), "-3", -3),
        (Float(), "1e-3", 0.001),
        (Text(), " as it is ", "as it is"),
        (Choice(("a", "b")), "b", "b"),
        (BoolOr(Path()), "/tmp/profile", "/tmp/profile"),  # noqa: S108  only a text
        (BoolOr(Path()), "YES", True),
        (SetOf(Text()), "b, a,,b ", {"a", "b"}),
        (ListOf(Text()), "b, a,b", ["b", "a", "b"]),
        (SetOf(Reference("callable")), "builtins:print", {Named("builtins", "print")}),
        (Mapping(), '{"fullgraph": true}', {"fullgraph": True}),
        (Overrides("backend"), "0-5,>=10:eager; <3:inductor", "0-5,>=10:eager; <3:inductor"),
    ],
)
def test_what_texts_mean(type_, text, value):
    """Numbers, words, comma-separated items, JSON for dicts."""
    assert same(decode(type_, text), value)


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (Int(), "6.4"),
        (Int(), "0x40"),
        (Int(), "1_000"),
        (Int(), "١٢"),
        (Int(), "9" * 5000),
        (Float(), "nan"),
        (Float(), "inf"),
        (Float(), "1e999"),
        (Choice(("a", "b")), "c"),
        (Choice(("a", "b")), "A"),
        (Mapping(), "[1]"),
        (Mapping(), "{"),
        (Mapping(), '{"a": NaN}'),
        (Mapping(), "[" * 100_000),
        (Mapping(), '{"a":' * 400 + "1" + "}" * 400),
        (SetOf(Reference("callable")), "print"),
        (Opaque(), "x"),
    ],
)
def test_what_no_text_means(type_, text):
    """Anything else is refused, never guessed."""
    with pytest.raises(Mismatch):
        decode(type_, text)


@pytest.mark.parametrize(
    ("of", "text", "problem"),
    [
        ("backend", "eager", "'eager' has no value"),
        ("backend", "0:", "'0:' has no value"),
        ("backend", "x:eager", "'x' selects no graph"),
        ("backend", ":eager", "'' selects no graph"),
        ("backend", "0,,1:eager", "'' selects no graph"),
        ("backend", "-1:eager", "'-1' selects no graph"),
        ("backend", ">1-2:eager", "'>1-2' selects no graph"),
        ("settings", "0:eager", "'eager' is no key=value"),
        ("settings", "0:a=1,b", "'b' is no key=value"),
    ],
)
def test_overrides_follow_torchs_grammar(of, text, problem):
    """A rule that torch would drop with a line in its log is an error that quotes the part."""
    with pytest.raises(Mismatch, match=re.escape(problem)):
        checker(Overrides(of))(text)


@pytest.mark.real_torch
@given(values(Overrides("settings")), st.integers(0, 60))
def test_overrides_that_are_taken_are_rules_to_torch(text, graph):
    """Torch's own parser makes a rule of each rule, and complains of none."""
    graph_id_filter = pytest.importorskip("torch._dynamo.graph_id_filter")
    checker(Overrides("settings"))(text)
    for rule in filter(None, text.split(";")):
        router = graph_id_filter.GraphConfigRouter(rule)
        assert len(router._rules) == 1
        filters, _, assigned = rule.partition(":")
        assert len(router._rules[0][1]) == len({pair.partition("=")[0] for pair in assigned.split(",")})
        assert (graph in graph_id_filter.GraphIdFilter(filters)) == (graph in router._rules[0][0])


@pytest.mark.parametrize("value", ["", "x\0y", "\udcff", b"x", 1, None])
def test_a_path_is_a_text_that_a_file_could_have(value):
    """Neither empty nor with a NUL or a half character in it."""
    assert not takes(Path(), value)
    assert takes(Path(), "Grüße/x y")


def test_items_that_cannot_be_in_a_set_are_refused():
    """A list of lists in a file is a mistake like any other."""
    for data in ([["a"]], [{}], [1], "a", {"a": 1}, [None]):
        with pytest.raises(Mismatch):
            from_json(SetOf(Text()), data)
        with pytest.raises(Mismatch):
            from_json(SetOf(Reference("callable")), data)


def test_a_dict_that_holds_itself_is_refused():
    """Neither a cycle nor a nesting that no file could hold ends in a RecursionError."""
    value: dict[str, object] = {}
    value["self"] = value
    assert not takes(Mapping(), value)


def test_a_dict_is_copied():
    """Changing what was given does not change what was taken."""
    given_value = {"options": {"a": [1]}}
    taken = checker(Mapping())(given_value)
    given_value["options"]["a"].append(2)
    assert taken == {"options": {"a": [1]}}


def test_a_near_miss_of_a_choice_is_corrected():
    """The nearest word is suggested."""
    with pytest.raises(Mismatch, match="did you mean 'ddp_optimizer'"):
        checker(FLAGS["optimize_ddp"].type)("ddp_optimiser")


def test_names_of_objects_are_looked_up_only_when_checked():
    """Reading a file or a variable runs and imports nothing; `checker` resolves, and says what is wrong."""
    type_ = SetOf(Reference("callable"))
    named = from_json(type_, ["no_such_module_at_all:f"])
    assert named == {Named("no_such_module_at_all", "f")}
    with pytest.raises(Mismatch, match="is not imported"):
        checker(type_)(named)
    assert checker(type_)(from_json(type_, ["builtins:print"])) == {print}


def test_an_object_of_the_wrong_sort_is_refused():
    """A class flag takes no function, and no flag takes a number by name."""
    assert not takes(Reference("class"), print)
    assert not takes(Reference("callable"), Named("logging", "INFO"))


@pytest.mark.parametrize("value", [(lambda: 1), len.__call__])
def test_objects_without_a_name_cannot_be_written(value):
    """A lambda or a bound method is a good value, but no file can hold it."""
    type_ = SetOf(Reference("callable"))
    assert takes(type_, {value})
    for write in (as_json, as_text):
        with pytest.raises(Mismatch):
            write(type_, {value})


def test_sets_are_written_sorted():
    """The text and the JSON of a set are the same in every process."""
    assert as_json(SetOf(Text()), {"b", "a", "c"}) == ["a", "b", "c"]
    assert as_text(SetOf(Text()), {"b", "a", "c"}) == "a,b,c"


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (Text(), ""),
        (Text(), " "),
        (Text(), "none"),
        (SetOf(Text()), set()),
        (SetOf(Text()), {"a,b"}),
        (BoolOr(Path()), "yes"),
        (Path(), "x "),
    ],
)
def test_some_values_have_no_text(type_, value):
    """A text that would be read as something else is not written."""
    with pytest.raises(Mismatch, match=r"no text means|None is no value"):
        as_text(type_, value)


@pytest.mark.parametrize(("left", "right"), [(True, 1), (1, 1.0), (0, False), ("1", 1), (None, False)])
def test_values_of_two_types_are_never_the_same(left, right):
    """To torch's hash and its users True and 1 differ."""
    assert not same(left, right)
    assert same(left, left)


@given(ANYTHING)
def test_anything_can_be_shown(value):
    """A message can be made of every value, and it is short."""
    assert len(shown(value)) < 200


@pytest.mark.parametrize("flag", [pytest.param(flag, id=flag.name) for flag in FLAGS.values()])
def test_an_error_names_flag_value_source_and_expectation(flag):
    """Whoever reads it knows what to change, and where."""
    if isinstance(flag.type, Opaque):
        return
    origin = Origin("env", "SOME_VARIABLE", "some text")
    wrong = object()
    with pytest.raises(InvalidValueError) as refused:
        checked(flag, wrong, origin)
    message = str(refused.value)
    assert message.startswith(
        f"{flag.name}: 'some text' (from environment SOME_VARIABLE=some text) is not valid"
    )
    assert f"expected {expected(flag.type)}" in message
    with pytest.raises(InvalidValueError, match=re.escape(shown(wrong))):
        checked(flag, wrong)


@pytest.mark.parametrize(
    ("type_", "said"),
    [
        (Bool(), "True or False"),
        (Int(), "a whole number"),
        (Int(0), "a whole number, 0 or more"),
        (Int(1, 4), "a whole number from 1 to 4"),
        (Float(0), "a finite number, 0 or more"),
        (Optional(Choice(("a", "b"))), "one of 'a', 'b', or None"),
        (BoolOr(Path()), "True, False, or a path"),
        (SetOf(Reference("class")), "a set of classes"),
        (ListOf(Text()), "a list of texts"),
    ],
)
def test_expectations_are_plain_words(type_, said):
    """They follow the word 'expected'."""
    assert expected(type_) == said


def test_what_was_wrong_is_told_after_what_was_expected():
    """The text of a `Mismatch` stands at the end."""
    error = invalid(FLAGS["verbose"], 3, Mismatch("because"))
    assert str(error) == "verbose: 3 is not valid: expected True or False; because"
