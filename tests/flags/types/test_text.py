"""Text, paths and words."""

import os
import pathlib
from unittest import mock

import numpy as np
import pytest
from strategies import accepts, broken

from dynconf.flags.types import Choice, Mismatch, PathText, Text, same
from dynconf.modules import catalogue
from dynconf.modules.dynamo.ddp_mode import DdpMode


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
            assert same(type_.check(value), "python_reducer")


@pytest.mark.parametrize("value", [pathlib.PurePosixPath("a/b"), Folder("a/b"), "a/b"])
def test_a_path_may_be_an_object(value):
    """It is stored as text."""
    assert same(PathText().check(value), "a/b")


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
