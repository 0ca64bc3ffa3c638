"""Programs of tests in the words of the torch at hand."""

import re

from dynconf.catalogue.names import find
from dynconf.release import Release


def spelled(program: str) -> str:
    """Return a program that calls recompile_limit in torch's module as the release at hand does."""
    setting = find("recompile_limit", Release.at_hand())
    assert setting is not None
    return re.sub(r"\b((?:config|c)\.(?:patch\()?)recompile_limit\b", rf"\1{setting.name}", program)


def without_source(traceback: str) -> str:
    """Return a traceback of ``-c`` without the program's lines, which Python itself shows from 3.13 on.

    It keeps them by a private function of `linecache` that differs between patch releases.
    """
    return re.sub(r'^(  File "<string>", .*\n)(?:    .*\n)+', r"\1", traceback, flags=re.MULTILINE)
