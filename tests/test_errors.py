"""The tree of exceptions and warnings, and how several mistakes become one error."""

import copy
import pickle

import pytest

from dynconf.errors import (
    ConflictError,
    DynconfError,
    DynconfWarning,
    InertFlagWarning,
    InvalidValueError,
    MissingRankError,
    StateFileError,
    UnknownFlagError,
    combined,
)


@pytest.mark.parametrize(
    ("error", "also"),
    [
        (UnknownFlagError, AttributeError),
        (InvalidValueError, ValueError),
        (ConflictError, ValueError),
        (StateFileError, ValueError),
        (MissingRankError, TimeoutError),
        (DynconfWarning, UserWarning),
    ],
)
def test_each_error_is_also_what_plain_python_would_raise(error, also):
    """Code that catches the builtin class keeps working."""
    assert issubclass(error, also)
    assert issubclass(error, (DynconfError, DynconfWarning))


def test_mistakes_of_one_kind_keep_their_class():
    """Two unknown flags are an UnknownFlagError, with a line for each; one is the very error.

    Of several kinds, they are the class that means wrong input.
    """
    first, second, other = UnknownFlagError("no a"), UnknownFlagError("no b"), StateFileError("no c")
    assert combined([first]) is first
    assert first.errors == (first,)
    whole = combined([first, second])
    assert type(whole) is UnknownFlagError
    assert whole.errors == (first, second)
    assert str(whole) == "no a\nno b"
    mixed = combined([first, other])
    assert (type(mixed), mixed.errors) == (InvalidValueError, (first, other))


def pickled(error):
    """Return the error as another process would get it."""
    return pickle.loads(pickle.dumps(error))  # noqa: S301  made in this line


@pytest.mark.parametrize("copied_by", [copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize(
    "error",
    [
        combined([UnknownFlagError("no a", flag="a"), InvalidValueError("b\n", place=("a.toml", 1))]),
        InvalidValueError("x" * 5000),
        MissingRankError("rank 3"),
        InertFlagWarning("y" * 5000, flag="verbose", topic="verbose"),
    ],
)
def test_a_copy_says_the_same(copied_by, error):
    """Neither the lines of several mistakes nor a text that was made shorter are changed once more."""
    copied = copied_by(error)
    assert (type(copied), str(copied), repr(copied)) == (type(error), str(error), repr(error))
    own, its = (
        vars(each) | {"_errors": [*map(str, vars(each).get("_errors", ()))]} for each in (error, copied)
    )
    assert own == its


def test_a_message_is_no_longer_than_anyone_reads():
    """A file can have a name of a megabyte; the message keeps its beginning and its end."""
    said = str(InvalidValueError(f"there is no flag {'x' * 2**20} (from a.toml:1)"))
    assert len(said) < 2_100
    assert said.startswith("there is no flag xxx")
    assert said.endswith("xxx (from a.toml:1)")
    assert "characters left out" in said


def test_of_very_many_mistakes_the_first_are_listed():
    """The error itself knows them all."""
    errors = [UnknownFlagError(f"no {number}") for number in range(5_000)]
    whole = combined(errors)
    assert len(whole.errors) == 5_000
    assert str(whole).split("\n")[-2:] == ["no 99", "... and 4900 more mistakes"]
