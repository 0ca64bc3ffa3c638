"""Comparing what two sides computed: tensors by tolerance, anything else by equality, in any nesting."""

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dynconf.values import shown

if TYPE_CHECKING:
    import torch

Kind = Literal["forward", "input", "parameter", "buffer", "gradient", "optimizer"]
"""What was compared: the outputs; after the call inputs, parameters and buffers; gradients; the parameters
after the optimizer's step."""

Problem = Literal["values", "shape", "dtype", "device", "structure", "missing", "error"]
"""What is wrong with a pair; ``error`` stands for an exception in place of a result."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a value may lie from the base: ``absolute + relative * |base|``."""

    relative: float
    absolute: float


@dataclass(frozen=True, slots=True)
class Compared:
    """One thing that both sides computed, and how it compares.

    Attributes:
        kind: What it is.
        name: Which one: the parameter's name, or the path to an output such as ``output['loss'][0]``.
        iteration: The iteration, counted from 0, that the numbers are of.
        problem: What is wrong; None where nothing is.
        message: The whole of what is wrong, for people; empty where nothing is.
        shape: Its shape on the base side; None where it is no tensor.
        dtype: Its dtype on the base side, such as ``float32``.
        control_shape: Its shape on the control side.
        control_dtype: Its dtype on the control side.
        max_absolute: The largest ``|control - base|``; NaN where one side alone has a NaN.
        max_relative: The largest ``|control - base| / |base|``; infinite where the base is 0.
        mismatched: The share of elements out of tolerance, 0 to 1.
        first: The index of the first of them.
        tolerance: The tolerance that was applied.
    """

    kind: Kind
    name: str
    iteration: int = 0
    problem: Problem | None = None
    message: str = ""
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    control_shape: tuple[int, ...] | None = None
    control_dtype: str | None = None
    max_absolute: float | None = None
    max_relative: float | None = None
    mismatched: float | None = None
    first: tuple[int, ...] | None = None
    tolerance: Tolerance | None = None

    @property
    def ok(self) -> bool:
        """Whether both sides have the same."""
        return self.problem is None

    def __str__(self) -> str:
        return f"{self.kind} {self.name}: {self.message or 'the same'}"

    def as_json(self) -> dict[str, Any]:
        """Return the attributes as a JSON object; NaN and infinity, which JSON lacks, as texts."""
        data = dataclasses.asdict(self)
        return {
            name: str(value) if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in data.items()
        }


def tolerance_for(dtype: "torch.dtype", precision: float | None) -> Tolerance:
    """Return the tolerance for values of *dtype*.

    Without a precision it is that of ``torch.testing.assert_close``, for torch 2.13:

    ==========================  ========  ========
    dtype                       relative  absolute
    ==========================  ========  ========
    float64, complex128         1e-7      1e-7
    float32, complex64          1.3e-6    1e-5
    float16, complex32          1e-3      1e-5
    bfloat16                    1.6e-2    1e-5
    8-bit floats, integers      0         0
    ==========================  ========  ========

    torch is asked, so that another release's own table counts there. With a precision both are that number,
    except where the dtype cannot hold it: one that is finer than the dtype's own step (``finfo.eps``)
    gives the table's.

    Args:
        dtype: The dtype.
        precision: The relative and absolute tolerance for dtypes that can hold it; None for the table.
    """
    import torch  # noqa: PLC0415
    from torch.testing._comparison import default_tolerances  # noqa: PLC0415  torch has no public way

    relative, absolute = default_tolerances(dtype)
    if precision is not None and (dtype.is_floating_point or dtype.is_complex):
        step = torch.finfo(dtype).eps
        if precision >= step:
            return Tolerance(precision, precision)
    return Tolerance(relative, absolute)


def compare_trees(
    kind: Kind, name: str, base: object, control: object, precision: float | None
) -> list[Compared]:
    """Compare two nested values leaf by leaf; what only one side has is a difference, not a crash.

    Args:
        kind: What they are.
        name: What to call the whole; leaves are called by their path from there.
        base: What the base side computed.
        control: What the control side computed.
        precision: As for `tolerance_for`.
    """
    ours, theirs = list(_leaves(base, name)), list(_leaves(control, name))
    left, right = dict(ours), dict(theirs)
    found = []
    for path, leaf in ours:
        if path in right:
            found.append(_compare_leaf(kind, path, leaf, right[path], precision))
        else:
            found.append(_one_sided(kind, path, leaf, "control"))
    found += [_one_sided(kind, path, leaf, "base") for path, leaf in theirs if path not in left]
    if all(each.ok for each in found) and _nesting(base) != _nesting(control):
        message = f"nested as {_nesting(base)} on the base side, {_nesting(control)} on the control side"
        found.append(Compared(kind, name, problem="structure", message=message))
    return found


def compare_named(
    kind: Kind,
    base: "dict[str, torch.Tensor | None]",
    control: "dict[str, torch.Tensor | None]",
    precision: float | None,
) -> list[Compared]:
    """Compare tensors by name; None stands for one that is missing, which is fine where both miss it."""
    found = []
    for name in {**base, **control}:
        ours, theirs = base.get(name), control.get(name)
        if ours is not None and theirs is not None:
            found.append(compare_tensors(kind, name, ours, theirs, precision))
        elif ours is not None:
            found.append(_one_sided(kind, name, ours, "control"))
        elif theirs is not None:
            found.append(_one_sided(kind, name, theirs, "base"))
    return found


def compare_tensors(
    kind: Kind, name: str, base: "torch.Tensor", control: "torch.Tensor", precision: float | None
) -> Compared:
    """Compare two tensors of any dtype, layout and device; NaN is equal to NaN."""
    facts: dict[str, Any] = {
        "shape": tuple(base.shape),
        "dtype": _short(base.dtype),
        "control_shape": tuple(control.shape),
        "control_dtype": _short(control.dtype),
    }
    for problem, ours, theirs in (
        ("shape", facts["shape"], facts["control_shape"]),
        ("dtype", facts["dtype"], facts["control_dtype"]),
        ("device", str(base.device), str(control.device)),
    ):
        if ours != theirs:
            message = f"{problem} {ours} on the base side, {theirs} on the control side"
            return Compared(kind, name, problem=problem, message=message, **facts)  # type: ignore[arg-type]
    tolerance = tolerance_for(base.dtype, precision)
    facts |= _errors(_plain(base), _plain(control), tolerance) | {"tolerance": tolerance}
    if not facts["mismatched"]:
        return Compared(kind, name, **facts)
    message = (
        f"{facts['mismatched']:.1%} of {base.numel()} elements differ, by at most "
        f"{facts['max_absolute']:.3g} absolute and {facts['max_relative']:.3g} relative, "
        f"first at {list(facts['first'])}; allowed are {tolerance.absolute:g} and {tolerance.relative:g}"
    )
    return Compared(kind, name, problem="values", message=message, **facts)


def _errors(base: "torch.Tensor", control: "torch.Tensor", tolerance: Tolerance) -> dict[str, Any]:
    import torch  # noqa: PLC0415

    if not base.numel():
        return {"max_absolute": 0.0, "max_relative": 0.0, "mismatched": 0.0}
    same = (base == control) | (base.isnan() & control.isnan())
    wide = torch.complex128 if base.is_complex() else torch.float64
    exact, other = base.to(wide), control.to(wide)
    gap = torch.where(same, 0.0, (other - exact).abs())
    size = exact.abs()
    close = same | (gap.isfinite() & (gap <= tolerance.absolute + tolerance.relative * size))
    relative = torch.where(same, 0.0, gap / size)
    facts: dict[str, Any] = {
        "max_absolute": float(gap.max()),
        "max_relative": float(relative.max()),
        "mismatched": float((~close).double().mean()),
    }
    if facts["mismatched"]:
        position = (~close).flatten().to(torch.uint8).argmax()
        facts["first"] = tuple(int(index) for index in torch.unravel_index(position, base.shape))
    return facts


def _plain(tensor: "torch.Tensor") -> "torch.Tensor":
    """Return the values as a dense tensor in memory, in a dtype that can be computed with."""
    import torch  # noqa: PLC0415

    tensor = tensor.detach()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    if tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    tensor = tensor.cpu()
    if tensor.is_floating_point() and tensor.dtype.itemsize == 1:
        return tensor.float()
    if tensor.dtype == torch.complex32:
        return tensor.to(torch.complex64)
    if tensor.dtype in (torch.uint16, torch.uint32):
        return tensor.to(torch.int64)
    return tensor


def _compare_leaf(kind: Kind, name: str, base: object, control: object, precision: float | None) -> Compared:
    import torch  # noqa: PLC0415

    if isinstance(base, torch.Tensor) and isinstance(control, torch.Tensor):
        return compare_tensors(kind, name, base, control, precision)
    if type(base) is not type(control):
        message = f"{_described(base)} on the base side, {_described(control)} on the control side"
        return Compared(kind, name, problem="structure", message=message)
    if _equal(base, control):
        return Compared(kind, name)
    message = f"{shown(base)} on the base side, {shown(control)} on the control side"
    return Compared(kind, name, problem="values", message=message)


def _equal(base: Any, control: Any) -> bool:
    try:
        return bool(base is control or base == control or (base != base and control != control))  # noqa: PLR0124  NaN
    except Exception:  # noqa: BLE001  what cannot be compared cannot be told to differ
        return True


def _one_sided(kind: Kind, name: str, leaf: object, absent: str) -> Compared:
    message = f"missing on the {absent} side; the other one has {_described(leaf)}"
    return Compared(kind, name, problem="missing", message=message)


def tensors_in(value: object) -> "list[torch.Tensor]":
    """Return the tensors of a nesting."""
    import torch  # noqa: PLC0415

    return [leaf for _, leaf in _leaves(value, "") if isinstance(leaf, torch.Tensor)]


def _leaves(value: object, name: str, opened: frozenset[int] = frozenset()) -> Iterator[tuple[str, object]]:
    """Give the leaves of a nesting with their paths.

    What pytree takes for a leaf is opened where it is a dataclass, or an object equal to itself alone.
    """
    from torch.utils import _pytree as pytree  # noqa: PLC0415

    for path, leaf in pytree.tree_flatten_with_path(value)[0]:
        here = name + pytree.keystr(path)
        if not _is_opaque(leaf):
            yield here, leaf
            continue
        if id(leaf) in opened:  # a cycle: all that it leads to is given already
            continue
        for attribute, part in vars(leaf).items():
            yield from _leaves(part, f"{here}.{attribute}", opened | {id(leaf)})


def _is_opaque(leaf: object) -> bool:
    if isinstance(leaf, type) or callable(leaf) or not hasattr(leaf, "__dict__"):
        return False
    return dataclasses.is_dataclass(leaf) or type(leaf).__eq__ is object.__eq__


def _nesting(value: object) -> str:
    from torch.utils import _pytree as pytree  # noqa: PLC0415

    return str(pytree.tree_map(lambda leaf: type(leaf).__name__, value))


def _described(leaf: object) -> str:
    import torch  # noqa: PLC0415

    if isinstance(leaf, torch.Tensor):
        return f"a {_short(leaf.dtype)} tensor of shape {tuple(leaf.shape)}"
    return "None" if leaf is None else f"a {type(leaf).__name__}"


def _short(dtype: "torch.dtype") -> str:
    return str(dtype).removeprefix("torch.")
