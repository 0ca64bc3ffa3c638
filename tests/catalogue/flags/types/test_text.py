"""Text, paths, words, and rules for graphs."""

import os
import pathlib
import re
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import accepts, broken, values

from dynconf.catalogue.flags.types import Choice, GraphRules, Mismatch, PathText, Text, Words, is_same_value
from dynconf.catalogue.modules import catalogue
from dynconf.catalogue.modules.dynamo.ddp_mode import DdpMode


class Folder(os.PathLike):  # type: ignore[type-arg]
    """A path that is not one of pathlib's."""

    def __init__(self, path: object) -> None:
        self.path = path

    def __fspath__(self) -> object:  # type: ignore[override]
        if isinstance(self.path, Exception):
            raise self.path
        return self.path


def test_text_is_what_a_file_and_a_variable_can_hold():
    """No NUL and no half of a character; a mock is not what it claims to be."""
    for type_ in (Text(), PathText()):
        for value in ("x\0y", "\udcff", b"x", 1, None, True, mock.Mock(spec=str), ["x"]):
            assert not accepts(type_, value)
        assert accepts(type_, "Grüße/x y")


def test_text_of_a_subclass_becomes_plain():
    """Members of an enum and strings of numpy are stored as the text that they are."""
    optimize_ddp = catalogue("dynamo").flags["optimize_ddp"].type
    for value in (DdpMode.python_reducer, np.str_("python_reducer"), broken("python_reducer")):
        for type_ in (Text(), PathText(), Choice(("python_reducer",)), optimize_ddp):
            assert is_same_value(type_.check(value), "python_reducer")


@pytest.mark.parametrize("value", [pathlib.PurePosixPath("a/b"), Folder("a/b"), "a/b"])
def test_a_path_may_be_an_object(value):
    """It is stored as text."""
    assert is_same_value(PathText().check(value), "a/b")


def test_what_is_not_a_path():
    """Neither an empty text, nor bytes, nor an object whose path cannot be had."""
    unfit = [Folder(path) for path in ("", b"x", 3, "\0", OSError("no"))]
    assert [value for value in ("", np.array(["a", "b"]), *unfit) if accepts(PathText(), value)] == []


def test_text_does_not_accept_paths():
    """Only a flag that is a path does."""
    assert not accepts(Text(), pathlib.Path("x"))


def test_text_is_read_as_it_is():
    """But for the space around it."""
    assert Text().parse(" as it is ") == "as it is"


@pytest.mark.parametrize("text", ["c", "A", "", "a b", "\ud800"])
def test_a_choice_is_one_of_its_words(text):
    """In the same case."""
    type_ = Choice(("a", "b"))
    assert type_.parse("b") == "b"
    with pytest.raises(Mismatch):
        type_.parse(text)


def test_a_near_miss_of_a_choice_is_corrected():
    """The nearest word is suggested."""
    with pytest.raises(Mismatch, match="did you mean 'ddp_optimizer'"):
        catalogue("dynamo").flags["optimize_ddp"].type.check("ddp_optimiser")
    with pytest.raises(Mismatch, match="did you mean 'dynamo'"):
        Choice(("aot", "dynamo")).check(broken("dynam"))
    with pytest.raises(Mismatch, match="did you mean 'EXHAUSTIVE'"):
        Choice(("DEFAULT", "EXHAUSTIVE")).check("exhaustive")


@pytest.mark.parametrize(
    ("type_", "value"),
    [(Text(), ""), (Text(), " "), (Text(), " x"), (PathText(), "x "), (PathText(), "none")],
)
def test_some_texts_cannot_be_written(type_, value):
    """Text that would be read as something else is not written."""
    with pytest.raises(Mismatch, match=r"no text means|does not accept None"):
        type_.to_text(value)


def test_expectations_are_plain_words():
    """They follow the word "expected"."""
    assert [type_.expected for type_ in (Text(), PathText(), Choice(("a", "b")))] == [
        "a string",
        "a path",
        "one of 'a', 'b'",
    ]


BACKENDS = Words(("ATEN", "TRITON", "CPP"))


@pytest.mark.parametrize("text", ["ATEN", "aten, Triton", "CPP,ATEN"])
def test_words_count_in_any_case_and_order(text: str) -> None:
    """As torch reads them; the text is kept as it is."""
    assert BACKENDS.check(text) == text


@pytest.mark.parametrize("value", ["", "ATEN,", "CUDA", ["ATEN"], None])
def test_what_is_not_such_a_text(value: object) -> None:
    """An empty word is none of them."""
    assert not accepts(BACKENDS, value)


def test_a_misspelt_word_is_suggested() -> None:
    """Torch itself would say nothing, and use the other ones."""
    with pytest.raises(Mismatch, match="did you mean 'TRITON'"):
        BACKENDS.check("ATEN,TRITTON")
    assert BACKENDS.expected == "any of ATEN, TRITON, CPP, separated by commas"
    assert BACKENDS.choices == ("ATEN", "TRITON", "CPP")


def test_rules_are_kept_as_they_are():
    """They are checked, not rewritten."""
    text = "0-5,>=10:eager; <3:inductor"
    assert GraphRules("backend").parse(text) == GraphRules("backend").check(text) == text


@pytest.mark.parametrize(
    ("of", "text", "problem"),
    [
        ("backend", "eager", "'eager' has no value"),
        ("backend", "0:", "'0:' has no value"),
        ("backend", "x:eager", "'x' does not select a graph"),
        ("backend", ":eager", "'' does not select a graph"),
        ("backend", "0,,1:eager", "'' does not select a graph"),
        ("backend", "-1:eager", "'-1' does not select a graph"),
        ("backend", ">1-2:eager", "'>1-2' does not select a graph"),
        ("settings", "0:eager", "'eager' is not of the form key=value"),
        ("settings", "0:a=1,b", "'b' is not of the form key=value"),
        ("settings", "0:a=1\n2", "'a=1\\n2' is not of the form key=value"),
    ],
)
def test_rules_follow_torchs_grammar(of, text, problem):
    """A rule that torch would drop with a line in its log is an error that quotes the part."""
    with pytest.raises(Mismatch, match=re.escape(problem)):
        GraphRules(of).check(text)


def test_a_long_mistake_is_quoted_in_part():
    """The message stays short."""
    with pytest.raises(Mismatch) as refused:
        GraphRules("backend").check("x" * 100_000)
    assert len(str(refused.value)) < 200


@pytest.mark.real_torch
@given(values(GraphRules("settings")), st.integers(0, 60))
def test_torch_accepts_every_rule(text, graph):
    """Torch's own parser makes a rule of each rule, and complains of none."""
    graph_id_filter = pytest.importorskip("torch._dynamo.graph_id_filter")
    GraphRules("settings").check(text)
    for rule in filter(None, text.split(";")):
        router = graph_id_filter.GraphConfigRouter(rule)
        assert len(router._rules) == 1
        filters, _, assigned = rule.partition(":")
        assert len(router._rules[0][1]) == len({pair.partition("=")[0] for pair in assigned.split(",")})
        assert (graph in graph_id_filter.GraphIdFilter(filters)) == (graph in router._rules[0][0])
