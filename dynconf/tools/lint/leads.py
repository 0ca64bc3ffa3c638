"""The places of a Python file that can have to do with torch's configuration, found without parsing it.

Most functions of a program have none, and are passed over. Each word is searched for once, in the whole file.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate

_WORDS = (
    *(b"environ", b"getenv", b"putenv", b"setenv", b"import_module", b"dynconf", b"exec(", b".env("),
    *(b"env=", b"env =", b"torch.compile", b"_inductor.compile", b"_inductor.aot_compile", b"set_logs"),
)
_OF_MODULES = (b"_dynamo", b"_inductor", b"_functorch", b"experimental", b"torch.compiler")
"""These count beside the word config, or where something is assigned to an attribute."""

_ASSIGNED = re.compile(rb"\w+(?:\.\w+)? ?=")
_COMPILE = re.compile(rb"\.compile\([^)]{0,99}\b(?:mode|options|recompile_limit|isolate_recompiles) ?=")


class Leads:
    """Knows where the words of interest are in a source, of which these are the lines."""

    def __init__(self, source: bytes, lines: Sequence[bytes]) -> None:
        self._source = source
        self._starts = [0, *accumulate(map(len, lines))]
        self._config = list(self._places_of(b"config"))
        self._modules = sorted(place for each in _OF_MODULES for place in self._places_of(each))
        assigned = (each for each in self._modules if _ASSIGNED.match(source, each))
        compiling = (each for each in self._places_of(b".compile(") if _COMPILE.match(source, each))
        plain = (place for each in _WORDS for place in self._places_of(each))
        self._places = sorted([*plain, *assigned, *compiling])
        self._of_name = cache(lambda name: list(self._places_of(name.encode())))

    def are_within(self, first: int, last: int, names: Iterable[str]) -> bool:
        """Tell whether lines have something of interest, or one of these names."""
        start, end = self._starts[first - 1], self._starts[last]

        def has(places: Sequence[int]) -> bool:
            at = bisect_left(places, start)
            return at < len(places) and places[at] < end

        of_module = has(self._config) and has(self._modules)
        return of_module or has(self._places) or any(has(self._of_name(each)) for each in names)

    def _places_of(self, word: bytes) -> Iterator[int]:
        at = self._source.find(word)
        while at >= 0:
            yield at
            at = self._source.find(word, at + 1)
