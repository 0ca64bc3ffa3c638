"""Programs of tests in the words of the torch at hand."""

import re

from dynconf.names import find
from dynconf.release import Release


def spelled(program: str) -> str:
    """Return a program that calls recompile_limit in torch's module as the release at hand does."""
    setting = find("recompile_limit", Release.at_hand())
    assert setting is not None
    return re.sub(r"\b(config|c)\.recompile_limit\b", rf"\1.{setting.name}", program)
