"""The places of a Python file that can have to do with torch's configuration, found without parsing it.

Most files have none, and are not parsed. Most statements of the others have none, and only bind names. Each
word is searched for once, in the whole file.
"""

import re
from bisect import bisect_left
from itertools import accumulate
from typing import Any

from dynconf.tools.lint.texts import HANDED_ON, VARIABLE

_OF_MODULES = (
    *map(re.compile, (rb"_(?:dynamo|inductor|functorch)", rb"fx\.experimental", rb"torch\.compiler")),
    re.compile(rb"import (?:experimental|compiler)"),
)
# The last one is the end of getenv, putenv and setenv.
_ENVIRONMENT = rb"env(?:iron(?:\b|ment\w* ?=)|s?[=[.]| \|?=|_var|\((?<=\.env\()|(?<=tenv))"
_CALLS = (rb"set_logs", rb"os\.system\(", rb"subprocess")
_OF_VARIABLES = tuple(map(re.compile, (_ENVIRONMENT, *_CALLS, rb"value[\"']:")))
_COMPILING = (rb"torch[._]compile", rb"aot_compile\(", rb"\.compile\(", HANDED_ON.encode())
_OF_OTHERS = tuple(map(re.compile, (rb"dynconf", rb"exec\(", *_COMPILING)))
"""Patterns that begin with letters, because any other takes ten times as long to search for."""

_COMPILE = (
    *(b"torch.compile(", b"@torch.compile", b"(torch.compile", b"= torch.compile"),
    *(b"torch.compiler.set_stance(", b"torch._dynamo.optimize(", b"aot_compile("),
    *(HANDED_ON.encode(), b"torch_compile_mode", b"torch_compile_backend"),
)
_COMPILE_OF_OTHERS = (
    re.compile(rb"torch import (?:\([\s\w,]{0,999}|[\w, ]{0,999})\bcompile\b"),
    re.compile(rb"\.compile\([^)]{0,99}\b(?:mode|options|recompile_limit|isolate_recompiles) ?="),
)
_CONFIG = re.compile(rb"config(?:_comms|\b(?<![^\W_]config)(?<!\w_config))")
_PACKAGES = rb"(?:_dynamo|_inductor|_functorch|experimental|compiler)"
_WITHOUT_CONFIG = (
    re.compile(rb"_inductor\.compile\b|standalone_compile|config_patches|inductor_configs"),
    re.compile(rb"import %b\b" % _PACKAGES),
    re.compile(rb"import [\w.,(\s]{0,99}\b%b as " % _PACKAGES),
    re.compile(rb"\.%b\.\w+ ?=" % _PACKAGES),
    re.compile(rb"= ?(?:torch\.)?%b\s*\n" % _PACKAGES),
)
"""Packages that matter although the word config is not in the file: most of these get another name."""


def is_relevant(source: bytes) -> bool:
    """Tell whether a program can have to do with torch's configuration; most have not, and are not parsed."""

    def has(*words: bytes) -> bool:
        return any(each in source for each in words)

    def matches(*patterns: re.Pattern[bytes]) -> bool:
        return any(each.search(source) for each in patterns)

    # A word that several have in common is looked for first, because most files have none of them.
    return (
        has(b"dynconf")
        or (
            has(b"compile", b"_dynamo.opt")
            and (has(*_COMPILE) or (has(b"torch") and matches(*_COMPILE_OF_OTHERS)))
        )
        or (matches(*_OF_MODULES) and matches(_CONFIG, *_WITHOUT_CONFIG))
        or (matches(*_OF_VARIABLES) and matches(VARIABLE))
    )


class Leads:
    """Knows where the words of interest are in a source, names that are added too, and where lines begin."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
        self._names: set[str] = set()
        self._places: list[int] = []
        self._add(*_OF_MODULES, *_OF_VARIABLES, *_OF_OTHERS)

    def add(self, name: str) -> None:
        """Add a name that means something by which torch is configured, in whichever scope of the file."""
        if name not in self._names:
            self._names.add(name)
            self._add(re.compile(re.escape(name.encode())))

    def lines_of(self, node: Any) -> bytes:
        """Return the lines that an expression is in."""
        return self._source[self._starts[node.lineno - 1] : self._starts[node.end_lineno]]

    def are_within(self, node: Any) -> bool:
        """Tell whether the lines of a node have something of interest; most have none."""
        # Whole lines: columns are those of UTF-8, in which the file need not be.
        at = bisect_left(self._places, self._starts[node.lineno - 1])
        return at < len(self._places) and self._places[at] < self._starts[node.end_lineno]

    def _add(self, *patterns: re.Pattern[bytes]) -> None:
        found = (each.start() for pattern in patterns for each in pattern.finditer(self._source))
        self._places = sorted([*self._places, *found])
