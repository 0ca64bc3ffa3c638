"""`FlagValues`, the flags as a typed mapping for signatures of one's own.

Type checkers read the stub beside this file, which is generated. This one is for what reads types while a
program runs, such as jsonargparse; in it the flags of another config module are a plain dict.
"""

import os
from collections.abc import Callable
from typing import Any, Literal

from typing_extensions import TypedDict

from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.signature import annotations_of

__all__ = ["Any", "Callable", "FlagValues", "Literal", "os"]
"""The annotations are texts, in which these names stand."""

FlagValues = TypedDict("FlagValues", annotations_of(BARE_MODULE), total=False)  # pyright: ignore[reportArgumentType]
