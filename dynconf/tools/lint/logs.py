"""The names in TORCH_LOGS: torch takes an unknown one for that of a module, or refuses to be imported."""

import importlib.util
import re
import sys
from collections.abc import Iterator, Mapping

from dynconf.catalogue.flags.types import WORDS
from dynconf.catalogue.modules.dynamo import logs
from dynconf.release import Release, minor
from dynconf.text import nearest
from dynconf.tools.show.finding import Finding, Level

VARIABLE = "TORCH_LOGS"

BY_SET_LOGS = ("TORCH_LOGS_OUT", "TORCH_TRACE")
"""The variables that `torch._logging.set_logs` reads again."""

AT_IMPORT = (VARIABLE, *BY_SET_LOGS)
"""The variables of logs that ``import torch`` itself reads, and else nothing after it."""

_ALIKE = 0.85
"""How similar to a log, from 0 to 1, a name must be that may be a module's: torchao is no misspelt torch."""

_WELL_FORMED = re.compile(r"([+-]?[\w.]+,\s*)*[+-]?[\w.]+")
_NO_MODULES = (*WORDS, "debug", "info", "warn", "warning", "error", "critical", "none")
"""Switches and levels, which are not for this variable."""

_HELP = ("help", "+help")
"""With these torch prints the names, and ends."""


def log_findings(
    environ: Mapping[str, str], release: Release, *, is_elsewhere: bool = False
) -> Iterator[Finding]:
    """Report the names in TORCH_LOGS with which torch cannot be imported.

    Args:
        environ: The variables and their texts.
        release: The torch that reads them.
        is_elsewhere: Whether the program runs in another environment, which may have further modules.
    """
    raw = environ.get(VARIABLE, "help")
    if raw in _HELP:
        return
    if not _WELL_FORMED.fullmatch(raw):
        names = "names separated by commas, each after + or - or neither, such as +dynamo,guards"
        problems = [f"expected {names}" if raw else "it is empty: unset it"]
    else:
        problems = [
            why
            for word in re.split(r",\s*", raw)
            if (why := _why_not(word, release, is_elsewhere=is_elsewhere))
        ]
    level: Level = "note" if release.is_beyond_catalogue else "error"
    for problem in problems:
        text = f"{VARIABLE}={raw!r}: the import of torch {release.version} fails: {problem}"
        yield Finding("DC403", level, text, variable=VARIABLE, raw=raw)


def _why_not(word: str, release: Release, *, is_elsewhere: bool) -> str:
    """Say why torch takes no such word in TORCH_LOGS; return "" if it does."""
    name = word.lstrip("+-")
    if name in logs.LOGS:
        since = logs.LOGS[name]
        return (
            f"it has no log {name!r} yet: it came with torch {since}" if minor(since) > release.minor else ""
        )
    # The parents of a module in a package would have to be imported to find it.
    if "." in name or _is_module(name, release):
        return ""
    known = [each for each, since in logs.LOGS.items() if minor(since) <= release.minor]
    may_be_module = name.isidentifier() and name.lower() not in (*_NO_MODULES, *logs.OF_MODULES)
    if is_elsewhere and may_be_module and nearest(name, known, cutoff=_ALIKE) is None:
        return ""
    near = logs.OF_MODULES.get(name) or nearest(name, known)
    hint = f": did you mean {word[: -len(name)]}{near}?" if near else "; TORCH_LOGS=help lists the names"
    return f"it has no log {name!r}{hint}"


def _is_module(name: str, release: Release) -> bool:
    """Tell whether there is a module of that name for torch to find; a script's ``__main__`` is none."""
    if release.minor == (2, 4) and name in sys.modules:
        return True  # that one does not search for the module, but imports it
    try:
        return name != "__main__" and importlib.util.find_spec(name) is not None
    except ValueError:  # one that is loaded without a spec, as scripts are: torch's own search fails, too
        return False
