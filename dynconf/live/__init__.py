"""The config modules in torch itself: patching, installing, and where values came from.

`torch` alone knows torch's objects; tests/test_architecture.py has the floors above it. The lists here have
functions to call when something is set, none until a tool adds one.
"""

from collections.abc import Callable

installing: list[Callable[..., object]] = []
"""Called with a state that is about to be installed or held, and the `Caller` that does so."""

assigning: list[Callable[..., object]] = []
"""Called with the slot of a flag, the value that the program is about to assign to it, and the frame that
assigns. If one raises, the flag keeps its value."""
