"""Comparing what two sides computed: tensors within a tolerance, everything else exactly, nested or not."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch.testing._comparison import default_tolerances
from torch.utils import _pytree as pytree

from dynconf.doctor.comparison import Compared, Kind, Problem, Tolerance
from dynconf.flags.types import shown


def tolerance_for(dtype: torch.dtype, precision: float | None) -> Tolerance:
    """Return the tolerance for values of *dtype*.

    Without a precision it is that of ``torch.testing.assert_close``. As of torch 2.13, that is:

    ==========================  ========  ========
    dtype                       relative  absolute
    ==========================  ========  ========
    float64, complex128         1e-7      1e-7
    float32, complex64          1.3e-6    1e-5
    float16, complex32          1e-3      1e-5
    bfloat16                    1.6e-2    1e-5
    8-bit floats, integers      0         0
    ==========================  ========  ========

    With a *precision*, both are that number, unless it is finer than the dtype can hold (``finfo.eps``).
    """
    relative, absolute = default_tolerances(dtype)
    inexact = dtype.is_floating_point or dtype.is_complex
    if precision is not None and inexact and precision >= torch.finfo(dtype).eps:
        return Tolerance(precision, precision)
    return Tolerance(relative, absolute)


def compare_trees(
    kind: Kind, name: str, base: object, control: object, precision: float | None
) -> list[Compared]:
    """Compare two nested values leaf by leaf; a leaf is named by its path, which begins with *name*."""
    found = compare_named(kind, dict(_leaves(base, name)), dict(_leaves(control, name)), precision)
    ours, theirs = _structure(base), _structure(control)
    if ours != theirs and all(each.ok for each in found):
        found.append(Compared(kind, name, **_difference("structure", f"nested as {ours}", theirs)))
    return found


def compare_named(
    kind: Kind, base: Mapping[str, object], control: Mapping[str, object], precision: float | None
) -> list[Compared]:
    """Compare values by name; a value that only one side has is a difference."""
    found = []
    for name in {**base, **control}:
        if name in base and name in control:
            found.append(Compared(kind, name, **_facts(base[name], control[name], precision)))
        else:
            absent, leaf = ("control", base[name]) if name in base else ("base", control[name])
            message = f"missing on the {absent} side; the other side has {_described(leaf)}"
            found.append(Compared(kind, name, problem="missing", message=message))
    return found


def _facts(base: object, control: object, precision: float | None) -> dict[str, Any]:
    """Return how two values compare, as the attributes of a `Compared`; NaN equals NaN."""
    if isinstance(base, torch.Tensor) and isinstance(control, torch.Tensor):
        return _facts_of_tensors(base, control, precision)
    if type(base) is not type(control):
        return _difference("structure", _described(base), _described(control))
    return {} if _equal(base, control) else _difference("values", shown(base), shown(control))


def _difference(problem: Problem, base: str, control: str) -> dict[str, Any]:
    return {"problem": problem, "message": f"{base} on the base side, {control} on the control side"}


def _facts_of_tensors(base: torch.Tensor, control: torch.Tensor, precision: float | None) -> dict[str, Any]:
    """Compare two tensors of any dtype, layout and device."""
    facts: dict[str, Any] = {
        "shape": tuple(base.shape),
        "dtype": _short(base.dtype),
        "control_shape": tuple(control.shape),
        "control_dtype": _short(control.dtype),
    }
    pairs: list[tuple[Problem, object, object]] = [
        ("shape", facts["shape"], facts["control_shape"]),
        ("dtype", facts["dtype"], facts["control_dtype"]),
        ("device", base.device, control.device),
    ]
    for problem, ours, theirs in pairs:
        if ours != theirs:
            return facts | _difference(problem, f"{problem} {ours}", str(theirs))
    tolerance = tolerance_for(base.dtype, precision)
    facts |= _errors(_plain(base), _plain(control), tolerance) | {"tolerance": tolerance}
    if facts["mismatched"]:
        facts["problem"] = "values"
        facts["message"] = (
            f"{facts['mismatched']:.1%} of {base.numel()} elements differ, by at most "
            f"{facts['max_absolute']:.3g} absolute and {facts['max_relative']:.3g} relative, "
            f"first at {list(facts['first'])}; tolerances: {tolerance.absolute:g} and {tolerance.relative:g}"
        )
    return facts


def _errors(base: torch.Tensor, control: torch.Tensor, tolerance: Tolerance) -> dict[str, Any]:
    if not base.numel():
        return {"max_absolute": 0.0, "max_relative": 0.0, "mismatched": 0.0}
    same = (base == control) | (base.isnan() & control.isnan())
    if not base.is_complex():
        base, control = base.double(), control.double()  # the difference of two integers may overflow
    gap, size = torch.where(same, 0.0, (control - base).abs()), base.abs()
    allowed = tolerance.absolute + tolerance.relative * size
    # Without a tolerance only equal values are close: the difference of two large integers may round to 0.
    far = ~same & ~(gap.isfinite() & (gap <= allowed) & (allowed > 0))
    facts: dict[str, Any] = {
        "max_absolute": float(gap.max()),
        "max_relative": float(torch.where(same, 0.0, gap / size).max()),
        "mismatched": float(far.double().mean()),
    }
    if facts["mismatched"]:
        facts["first"] = tuple(far.nonzero()[0].tolist())
    return facts


def _plain(tensor: torch.Tensor) -> torch.Tensor:
    """Return the values as a dense tensor in memory, in the widest dtype of their kind."""
    tensor = tensor.detach()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    if tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    widest = torch.float64 if tensor.is_floating_point() else torch.int64
    return tensor.cpu().to(torch.complex128 if tensor.is_complex() else widest)


def _equal(base: Any, control: Any) -> bool:
    try:
        both_nan = base != base and control != control  # noqa: PLR0124  only NaN differs from itself
        return bool(base is control or base == control or both_nan)
    except Exception:
        return True  # values that cannot be compared do not count as different


def tensors_in(value: object, name: str = "") -> dict[str, torch.Tensor]:
    """Return the tensors of a nested value by their paths, which begin with *name*."""
    return {path: leaf for path, leaf in _leaves(value, name) if isinstance(leaf, torch.Tensor)}


def _leaves(value: object, name: str, opened: frozenset[int] = frozenset()) -> Iterator[tuple[str, object]]:
    """Yield the leaves of a nested value with their paths; dataclasses and plain objects are opened, too."""
    for path, leaf in pytree.tree_flatten_with_path(value)[0]:
        here = name + pytree.keystr(path)
        if not _can_be_opened(leaf):
            yield here, leaf
        elif id(leaf) not in opened:  # otherwise a cycle, whose leaves were yielded already
            for attribute, part in vars(leaf).items():
                yield from _leaves(part, f"{here}.{attribute}", opened | {id(leaf)})


def _can_be_opened(leaf: object) -> bool:
    if isinstance(leaf, type) or callable(leaf) or not hasattr(leaf, "__dict__"):
        return False
    return dataclasses.is_dataclass(leaf) or type(leaf).__eq__ is object.__eq__


def _structure(value: object) -> str:
    return str(pytree.tree_map(lambda leaf: type(leaf).__name__, value))


def _described(leaf: object) -> str:
    if isinstance(leaf, torch.Tensor):
        return f"a {_short(leaf.dtype)} tensor of shape {tuple(leaf.shape)}"
    return "None" if leaf is None else f"a {type(leaf).__name__}"


def _short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
