"""``missing``: the choice of a caller or a file for flags that the release does not have."""

from typing import Literal, get_args

from dynconf.catalogue.flags.types import Choice

Missing = Literal["error", "warn", "skip"]
"""How to treat a flag that the release does not have."""


def check_missing(missing: object, name: str) -> Missing:
    """Return *missing* if it is one of the words of `Missing`; *name* is that of the argument or entry."""
    checked: Missing = Choice(get_args(Missing)).check_argument(name, missing)
    return checked
