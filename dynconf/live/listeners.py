"""What the core tells others while it works: lists of functions to call, empty until a tool joins one.

A tool joins when it is imported. The core knows none of them, so `patch` and `install` cost nothing for tools
that nobody uses.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from dynconf.live.torch.slot import Slot
    from dynconf.provenance import Caller
    from dynconf.state import State

installing: "list[Callable[[State, Caller], object]]" = []
"""Called with a state that is about to be installed or held, and the line that does so."""

assigning: "list[Callable[[Slot, Any, FrameType], object]]" = []
"""Called with a flag, the value that the program is about to assign to it, and the frame that assigns.

If one raises, the flag keeps its value.
"""
