"""The config modules in torch itself: patching, installing, and where values came from.

Only `torch` knows torch's objects; tests/test_architecture.py defines the layers above it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from dynconf.provenance import Caller
    from dynconf.state import State

installing: "list[Callable[[State, Caller], object]]" = []
"""Functions to call with a state that is about to be installed or held, and the line that does so; none until
a tool adds one."""
