"""Values of any sort: how they are shown, compared and copied, whatever their own methods do."""

from collections.abc import Callable
from typing import Any

from dynconf.text import MOST_SHOWN, printable


def short_repr(value: object) -> str:
    """Return *value*, whatever it is, as short text for messages: one line of printable characters."""
    try:
        text = str.__str__(repr(value))
    except Exception:  # noqa: BLE001  a broken __repr__ must not hide the message that it would appear in
        # An integer with thousands of digits raises, too.
        text = f"<int of {value.bit_length()} bits>" if type(value) is int else object.__repr__(value)
    start = printable(text[:MOST_SHOWN])
    return start if len(text) <= MOST_SHOWN and len(start) <= MOST_SHOWN else f"{start[:MOST_SHOWN]}..."


def value_text(data: Any, show: Callable[[Any], str] = short_repr) -> str:
    """Return a value as text; a default that torch derives is in words already."""
    return data if isinstance(data, str) and data.startswith("(") else show(data)


def is_same_value(left: object, right: object) -> bool:
    """Tell whether two values are the same to torch; True and 1 are not, in a dict or list either."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    try:
        if isinstance(left, dict) and isinstance(right, dict):
            return left.keys() == right.keys() and all(is_same_value(left[key], right[key]) for key in left)
        if isinstance(left, list) and isinstance(right, list):
            return len(left) == len(right) and all(map(is_same_value, left, right))
        return bool(left == right)
    except Exception:  # noqa: BLE001  a broken or unusual __eq__, such as that of an array
        return False


def copy_containers(value: Any) -> Any:
    """Return *value*; if it is a dict, list or set, a copy of it and of the containers in it."""
    # Not `copy.deepcopy`: the objects in containers are functions and passes, which a copy would replace.
    if type(value) is dict:
        items = value.items()
        return {key: copy_containers(each) if type(each) in _CONTAINERS else each for key, each in items}
    if type(value) is list:
        return [copy_containers(each) if type(each) in _CONTAINERS else each for each in value]
    return set(value) if type(value) is set else value


_CONTAINERS = frozenset((dict, list, set))
