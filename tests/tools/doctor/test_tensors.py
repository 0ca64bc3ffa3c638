"""Comparing values: laws for all floats, and a case for each kind of tensor."""

import dataclasses
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynconf.release import Release

torch = pytest.importorskip("torch")
tensors = pytest.importorskip("dynconf.tools.doctor.tensors", reason="needs all of torch")
compare_trees, tolerance_for = tensors.compare_trees, tensors.tolerance_for
pytestmark = [
    pytest.mark.real_torch,
    pytest.mark.filterwarnings("ignore:ComplexHalf support is experimental"),
]

FLOATS = st.lists(st.floats(width=32), min_size=1, max_size=6)


def compared(base, control, precision=1e-4):
    """Compare two tensors as outputs."""
    (result,) = compare_trees("forward", "output", base, control, precision)
    return result


@given(FLOATS, st.data())
@settings(deadline=None, max_examples=200)
def test_the_verdict_is_that_of_allclose(values, data):
    """For any floats, NaN and infinity included, it agrees with torch.allclose under equal_nan."""
    base = torch.tensor(values, dtype=torch.float32)
    others = [data.draw(st.one_of(st.just(each), st.floats(width=32))) for each in values]
    control = torch.tensor(others, dtype=torch.float32)
    result = compared(base, control)
    wide = control.double(), base.double()
    assert result.ok == torch.allclose(*wide, rtol=1e-4, atol=1e-4, equal_nan=True)
    if not result.ok:
        close = torch.isclose(*wide, rtol=1e-4, atol=1e-4, equal_nan=True)
        assert result.first == (close.tolist().index(False),)
        assert result.mismatched == pytest.approx(1 - close.double().mean().item())


@given(FLOATS)
@settings(deadline=None)
def test_a_tensor_equals_its_copy(values):
    """There is no difference at any tolerance, whatever the values are."""
    tensor = torch.tensor(values)
    result = compared(tensor, tensor.clone(), precision=0)
    assert (result.ok, result.max_absolute, result.max_relative) == (True, 0, 0)


@pytest.mark.parametrize(
    "dtype",
    [
        torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.complex64,
        torch.complex32, torch.int64, torch.int8, torch.uint8, torch.uint16, torch.bool,
    ],
    ids=str,
)  # fmt: skip
def test_every_dtype_can_be_compared(dtype):
    """One element that is 1 instead of 0 is found in every dtype."""
    base = torch.zeros(2, 3).to(dtype)
    control = torch.tensor([[0, 0, 0], [0, 1, 0]]).to(dtype)
    assert compared(base, base.clone()).ok
    result = compared(base, control)
    assert (result.problem, result.first, result.max_absolute) == ("values", (1, 1), 1)
    assert result.max_relative == math.inf


def test_large_integers_are_compared_exactly():
    """Also beyond the integers that a float64 can tell apart."""
    large = torch.tensor([2**60, 2**60])
    result = compared(large, large + torch.tensor([0, 1]))
    assert (result.problem, result.first, result.mismatched) == ("values", (1,), 0.5)


def test_sparse_tensors_are_compared_by_value():
    """A layout other than the dense one makes no difference."""
    dense = torch.eye(3)
    assert compared(dense.to_sparse(), dense.to_sparse()).ok
    assert compared(dense.to_sparse(), (dense * 2).to_sparse()).first == (0, 0)


def test_empty_tensors_are_equal():
    """Tensors without elements have nothing that could differ."""
    assert compared(torch.empty(0, 3), torch.empty(0, 3)).ok


def test_the_error_of_a_one_sided_nan_is_nan():
    """JSON, which has no NaN, gets it as text."""
    result = compared(torch.ones(1), torch.tensor([math.nan]))
    assert math.isnan(result.max_absolute)
    assert result.as_json()["max_absolute"] == "nan"


def test_the_tolerance_is_the_precision_if_the_dtype_can_hold_it():
    """Otherwise, or without a precision, it is torch's own for the dtype."""
    from torch.testing._comparison import default_tolerances

    assert tolerance_for(torch.float32, 1e-4).relative == 1e-4
    assert tolerance_for(torch.float64, 1e-4).absolute == 1e-4
    assert tolerance_for(torch.bfloat16, 0.1).relative == 0.1
    assert tolerance_for(torch.float16, 2**-10).absolute == 2**-10, "float16 can just hold it"
    for dtype, precision in ((torch.bfloat16, 1e-4), (torch.float16, 1e-4), (torch.float32, None)):
        tolerance = tolerance_for(dtype, precision)
        assert (tolerance.relative, tolerance.absolute) == default_tolerances(dtype)
    assert tolerance_for(torch.int32, 0.5).relative == 0


def test_different_containers_differ():
    """A list and a tuple of the same leaves are different structures."""
    leaves = [torch.ones(1), 2]
    (difference,) = [
        each for each in compare_trees("forward", "output", leaves, tuple(leaves), None) if not each.ok
    ]
    assert difference.problem == "structure"


def test_plain_objects_are_compared_by_their_attributes():
    """An object without an equality of its own is opened, even if it refers to itself."""

    class Thing:
        def __init__(self, value):
            self.value, self.me = torch.tensor(value), self

    assert all(each.ok for each in compare_trees("forward", "output", Thing(1.0), Thing(1.0), None))
    names = [each.name for each in compare_trees("forward", "o", Thing(1.0), Thing(2.0), None) if not each.ok]
    assert "o.value" in names


class Equal:
    """An object with an equality of its own, as attrs makes it."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return (self.value,) == (other.value,)

    __hash__ = None


@dataclasses.dataclass(slots=True)
class Slotted:
    """An object that has its attributes in slots."""

    value: object


@pytest.mark.parametrize("kind", [Equal, Slotted])
def test_tensors_in_objects_are_compared_whatever_equality_they_have(kind):
    """Their own `==` would raise for tensors of more than one element, which is no agreement."""
    ones, nearly = torch.ones(3), torch.ones(3) + 1e-6
    (difference,) = compare_trees("forward", "o", kind(ones), kind(ones + 1), None)
    assert (difference.name, difference.problem) == ("o.value", "values")
    assert compared(kind(ones), kind(nearly)).ok
    assert not compared(kind(2), kind(3)).ok


def test_arrays_are_compared_as_tensors_are():
    """torch.compile compiles functions of NumPy, too: within the tolerance, and by value if not numbers."""
    numpy = pytest.importorskip("numpy")
    array = numpy.arange(6.0).reshape(2, 3)[::-1]
    array.flags.writeable = False
    assert compared(array, array + 1e-6).ok
    assert compared(array, array + 1).first == (0, 0)
    texts = numpy.array(["a", "b"])
    assert compared(texts, texts.copy()).ok
    assert compared(texts, texts[::-1]).problem == "values"


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors is in prototype stage")
@pytest.mark.skipif(Release.at_hand().minor < (2, 6), reason="cannot pad all of them")
@pytest.mark.parametrize("layout", [torch.strided, torch.jagged])
def test_nested_tensors_are_compared_by_value(layout):
    """Other lengths are a difference, too."""

    def nested(*lengths, value=1.0):
        return torch.nested.nested_tensor([torch.full((each, 2), value) for each in lengths], layout=layout)

    assert compared(nested(2, 3), nested(2, 3)).ok
    assert not compared(nested(2, 3), nested(2, 3, value=2.0)).ok
    assert compared(nested(2, 3), nested(3, 2)).problem == "values"


def test_tensors_that_cannot_be_compared_are_a_difference():
    """Such as those without data: nobody knows that they agree."""
    meta = torch.ones(3, device="meta")
    result = compared(meta, meta)
    assert result.problem == "error"
    assert "cannot be compared: NotImplementedError: " in result.message


def test_an_equality_that_raises_is_a_difference():
    """Nobody knows that such values agree."""

    class Raises:
        def __eq__(self, other):
            raise RuntimeError

        __hash__ = None

    assert compared(Raises(), Raises()).problem == "values"
