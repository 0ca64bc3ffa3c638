"""Comparing the values of two sides: tensors within a tolerance, everything else exactly, nested or not.

A nested value is taken apart into leaves, each named by its path, such as ``output['loss'][0]``, so that a
difference can be located. Numbers are compared as float64, complex128 or int64, because the difference of
two float16 or two int8 values may not fit into their own dtype.
"""

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import torch
from torch.testing._comparison import default_tolerances
from torch.utils import _pytree as pytree

from dynconf.catalogue.flags.types import is_same_value, short_repr
from dynconf.tools.doctor.comparison import Kind, Problem, Tolerance, ValueComparison
from dynconf.tools.doctor.steps import in_one_line


def tolerance_for(dtype: torch.dtype, precision: float | None) -> Tolerance:
    """Return the tolerance for values of *dtype*.

    Without a precision it is that of ``torch.testing.assert_close``, whose documentation has a table.
    With one, both are that number, unless it is finer than the dtype can hold (``finfo.eps``).
    """
    relative, absolute = default_tolerances(dtype)
    inexact = dtype.is_floating_point or dtype.is_complex
    if precision is not None and inexact and precision >= torch.finfo(dtype).eps:
        return Tolerance(precision, precision)
    return Tolerance(relative, absolute)


def compare_trees(
    kind: Kind, name: str, base: object, control: object, precision: float | None
) -> list[ValueComparison]:
    """Compare two nested values leaf by leaf; a leaf is named by its path, which begins with *name*."""
    found = compare_named(kind, dict(_leaves(base, name)), dict(_leaves(control, name)), precision)
    ours, theirs = _structure(base), _structure(control)
    # A difference of leaves explains another structure better than the structure itself does.
    if ours != theirs and all(each.ok for each in found):
        found.append(ValueComparison(kind, name, **_difference("structure", f"nested as {ours}", theirs)))
    return found


def compare_named(
    kind: Kind, base: Mapping[str, object], control: Mapping[str, object], precision: float | None
) -> list[ValueComparison]:
    """Compare values by name; a value that only one side has is a difference."""
    found = []
    for name in {**base, **control}:
        facts: dict[str, Any]
        if name in base and name in control:
            facts = _compare_leaves(base[name], control[name], precision)
        else:
            absent, leaf = ("control", base[name]) if name in base else ("base", control[name])
            message = f"missing on the {absent} side; the other side has {_description(leaf)}"
            facts = {"problem": "missing", "message": message}
        found.append(ValueComparison(kind, name, **facts))
    return found


def _compare_leaves(base: object, control: object, precision: float | None) -> dict[str, Any]:
    """Compare two values, and return attributes of a `ValueComparison`; NaN equals NaN."""
    if isinstance(base, torch.Tensor) and isinstance(control, torch.Tensor):
        try:
            return _compare_tensors(base, control, precision)
        except RuntimeError as error:  # such as of tensors without data, or of four bits
            return {"problem": "error", "message": f"cannot be compared: {in_one_line(error)}"}
    if type(base) is not type(control):
        return _difference("structure", _description(base), _description(control))
    are_nan = all(isinstance(each, float) and math.isnan(each) for each in (base, control))
    if are_nan or is_same_value(base, control):
        return {}
    return _difference("values", short_repr(base), short_repr(control))


def _difference(problem: Problem, base: str, control: str) -> dict[str, Any]:
    return {"problem": problem, "message": f"{base} on the base side, {control} on the control side"}


def _compare_tensors(base: torch.Tensor, control: torch.Tensor, precision: float | None) -> dict[str, Any]:
    """Compare two tensors of any layout and device."""
    if base.is_nested and control.is_nested:
        base, control = (torch.nested.to_padded_tensor(each, math.nan) for each in (base, control))
    facts: dict[str, Any] = {"shape": tuple(base.shape), "dtype": _dtype_name(base.dtype)}
    pairs: list[tuple[Problem, object, object]] = [
        ("shape", facts["shape"], tuple(control.shape)),
        ("dtype", facts["dtype"], _dtype_name(control.dtype)),
        ("device", base.device, control.device),
    ]
    for problem, ours, theirs in pairs:
        if ours != theirs:
            return facts | _difference(problem, f"{problem} {ours}", str(theirs))
    tolerance = tolerance_for(base.dtype, precision)
    facts |= _errors(_widened(base), _widened(control), tolerance) | {"tolerance": tolerance}
    if facts["mismatched"]:
        facts["problem"] = "values"
        facts["message"] = (
            f"{facts['mismatched']:.1%} of {base.numel()} elements differ, by at most "
            f"{facts['max_absolute']:.3g} absolute and {facts['max_relative']:.3g} relative, "
            f"first at {list(facts['first'])}; tolerances: {tolerance.absolute:g} and {tolerance.relative:g}"
        )
    return facts


def _errors(base: torch.Tensor, control: torch.Tensor, tolerance: Tolerance) -> dict[str, Any]:
    """Return the largest errors, the share of elements out of tolerance, and the index of the first."""
    if not base.numel():
        return {"max_absolute": 0.0, "max_relative": 0.0, "mismatched": 0.0}
    close = torch.isclose(control, base, tolerance.relative, tolerance.absolute, equal_nan=True)
    equal = (base == control) | (base.isnan() & control.isnan())
    if not base.is_complex():
        base, control = base.double(), control.double()  # the difference of two integers may overflow
    # Where both are infinite, or the base is 0, the formulas give NaN although the elements are equal.
    error, size = torch.where(equal, 0.0, (control - base).abs()), base.abs()
    facts: dict[str, Any] = {
        "max_absolute": float(error.max()),
        "max_relative": float(torch.where(equal, 0.0, error / size).max()),
        "mismatched": float((~close).double().mean()),
    }
    if facts["mismatched"]:
        facts["first"] = tuple((~close).nonzero()[0].tolist())
    return facts


def _widened(tensor: torch.Tensor) -> torch.Tensor:
    """Return the values as a dense tensor in memory, in the widest dtype of their kind."""
    tensor = tensor.detach()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    if tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    widest = torch.float64 if tensor.is_floating_point() else torch.int64
    return tensor.cpu().to(torch.complex128 if tensor.is_complex() else widest)


def _without_array(value: Any) -> Any:
    """Return an array of NumPy as a tensor, or as a list if it has no numbers; anything else as it is."""
    if "numpy" not in sys.modules or not isinstance(value, sys.modules["numpy"].ndarray):
        return value
    try:
        return torch.from_numpy(value.copy())  # the array itself may be read-only, or have negative strides
    except TypeError:
        return value.tolist()


def tensors_in(value: object, name: str = "") -> dict[str, torch.Tensor]:
    """Return the tensors of a nested value by their paths, which begin with *name*."""
    return {path: leaf for path, leaf in _leaves(value, name) if isinstance(leaf, torch.Tensor)}


def _leaves(value: object, name: str, parents: frozenset[int] = frozenset()) -> Iterator[tuple[str, object]]:
    """Yield the leaves of a nested value with their paths; dataclasses and plain objects have leaves, too."""
    # pytree knows only containers that are registered with it, and outputs are often plain objects.
    for keys, found in pytree.tree_flatten_with_path(value)[0]:
        path, leaf = name + pytree.keystr(keys), _without_array(found)
        if id(leaf) in parents:
            continue  # a cycle, whose leaves were yielded already
        kind: type[object] = type(leaf)
        attributes = _attributes(leaf)
        parts = [
            each
            for attribute, part in (attributes or {}).items()
            for each in _leaves(part, f"{path}.{attribute}", parents | {id(leaf)})
        ]
        has_arrays = any(isinstance(part, torch.Tensor) for _, part in parts)
        # Its own equality would compare arrays to the bit, or raise; in that of a dataclass, NaN differs.
        is_one = kind.__eq__ is not object.__eq__ and not has_arrays and not is_dataclass(leaf)
        yield from [(path, leaf)] if attributes is None or is_one else parts


def _attributes(value: Any) -> dict[str, object] | None:
    """Return the attributes of an object; None if it has none, or is a function."""
    if isinstance(value, (type, torch.Tensor)) or callable(value):
        return None
    if is_dataclass(value):  # which may have slots
        return {each.name: getattr(value, each.name, None) for each in fields(value)}
    return getattr(value, "__dict__", None)


def _structure(value: object) -> str:
    return str(pytree.tree_map(lambda leaf: type(leaf).__name__, value))


def _description(leaf: object) -> str:
    if isinstance(leaf, torch.Tensor):
        return f"a {_dtype_name(leaf.dtype)} tensor of shape {tuple(leaf.shape)}"
    return "None" if leaf is None else f"a {type(leaf).__name__}"


def _dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
