"""A search through the flags, by topic, glob, or words, as people put questions.

``faster`` is in few descriptions, so a word stands for others, too, the most telling first. A flag that has
more of the words comes first; of those with equally many, the one that has them in its name.

The flag reference of the documentation searches the same `index` in the browser, and ranks as `search` does.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from dynconf.flags.flag import Flag, qualified
from dynconf.modules import MODULES, catalogue
from dynconf.names import records_of

_GROUPS = {
    "fast faster fastest speed speedup performance perf quick quicker slow slower latency": (
        *("max autotune", "cudagraphs", "coordinate descent tuning", "freezing", "autotune", "speed"),
        *("fast", "slow", "overhead"),
    ),
    "memory oom ram vram": (
        *("memory budget", "peak memory", "memory", "recompute", "donated buffer", "buffer reuse", "offload"),
    ),
    "eager eagerly uncompiled fallback disable off": (
        *("disable", "suppress errors", "eager", "fall back", "fallback", "skip"),
    ),
    "debug debugging log logging logs print verbose": (
        *("verbose", "debug", "log", "repro", "trace", "print"),
    ),
    "recompile recompiles recompilation recompilations": ("recompile limit", "recompil", "dynamic shapes"),
    "shape shapes dynamic": ("dynamic shapes", "dynamic", "shape", "specialize"),
    "accuracy precision numerics deterministic reproducible correct": (
        *("numerics", "precision", "determin", "correctness", "rounding", "accuracy"),
    ),
    "match matches matching same identical bitwise": (
        *("emulate", "eager numerics", "numerics", "precision", "bitwise", "rounding"),
    ),
    "cache caching caches": ("cache", "caching"),
    "cold startup warm": ("fx graph cache", "compile threads", "cache", "precompile"),
    "hang hangs stuck": ("timeout", "wait", "compile threads", "start method"),
    "multigpu ddp fsdp distributed nccl": ("ddp", "fsdp", "distributed", "collective"),
}
"""Words, and those that stand in the names and descriptions of the flags that somebody means by them."""

SYNONYMS = {word: others for words, others in _GROUPS.items() for word in words.split()}

STOP_WORDS = (
    *(
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "avoid",
        "be",
        "better",
        "by",
        "can",
        "do",
        "does",
        "flag",
        "flags",
    ),
    *("for", "from", "get", "how", "i", "in", "is", "it", "its", "less", "make", "makes", "me", "more", "my"),
    *("not", "of", "on", "option", "options", "or", "save", "set", "setting", "settings", "should", "so"),
    *("than", "that", "the", "this", "to", "too", "torch", "turn", "use", "what", "when", "where", "which"),
    *("why", "with"),
)
"""Words of a question that tell nothing of what it is about."""

_MINOR = ("internal", "no-op", "unread", "testing")
"""The flags that are hardly ever meant."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The texts of a flag in which words are looked for.

    Attributes:
        flag: The flag, by its newest name.
        is_minor: Whether it is hardly ever meant: it comes after the others that match as well.
        texts: Names, variables and descriptions, each with its weight: lower case words, separated by spaces.
    """

    flag: Flag
    is_minor: bool
    texts: tuple[tuple[int, str], ...]


def index() -> list[Entry]:
    """Return the texts of all flags, by module and name."""
    return [_entry(flag) for flag in _flags()]


def _entry(flag: Flag) -> Entry:
    records = records_of(flag)
    # Two records may read the same variable, and two modules have a flag of the same name.
    names = dict.fromkeys(each.name for each in records)
    variables = {variable.name: None for each in records for variable in each.variables}
    variables |= {each.uniform_variable: None for each in records if each.public}
    about = f"{flag.module} {flag.topic} {flag.summary}"
    places = [(3, names), (2, [about, flag.qualified, *variables]), (1, [flag.details])]
    texts = tuple((weight, _normal(text)) for weight, group in places for text in group if text)
    return Entry(flag, not flag.described or flag.status in _MINOR, texts)


def topics() -> dict[str, int]:
    """Return the topics of all config modules, by their full names, with the number of their flags."""
    counts = Counter(qualified(flag.module, flag.topic) for flag in _flags())
    known = [qualified(module, topic) for module in MODULES for topic in catalogue(module).topics]
    return {topic: counts[topic] for topic in known if topic in counts}


def search(phrase: str) -> list[Flag]:
    """Return the flags of a topic, those that match a glob, or those that match words, the best first.

    Example:
        >>> [flag.name for flag in search("*recompile_limit")][:2]
        ['accumulated_recompile_limit', 'recompile_limit']
        >>> search("autotune faster")[0].qualified
        'inductor.max_autotune'
    """
    if phrase in topics():
        return [flag for flag in _flags() if qualified(flag.module, flag.topic) == phrase]
    if is_glob(phrase):
        return [
            flag for flag in _flags() if any(fnmatchcase(each.qualified, phrase) for each in records_of(flag))
        ]
    words = list(dict.fromkeys(re.sub(r"[^\w.]+", " ", phrase.lower()).split()))
    words = [word for word in words if word not in STOP_WORDS] or words
    ranks: list[tuple[tuple[int, bool, float], Flag]] = []
    for entry in index():
        scores = [_score(word, entry) for word in words]
        if any(scores):
            ranks.append(((-sum(map(bool, scores)), entry.is_minor, -sum(scores)), entry.flag))
    return [flag for _, flag in sorted(ranks, key=lambda each: each[0])]


def is_glob(phrase: str) -> bool:
    """Tell whether it is a glob, such as ``*limit*``, and not a question."""
    return " " not in phrase and not {"*", "?", "["}.isdisjoint(phrase.removesuffix("?"))


def _flags() -> Iterator[Flag]:
    """Yield the flags by their newest names: an old one would be beside it, and says the same."""
    for module in MODULES:
        for _, flag in sorted(catalogue(module).flags.items()):
            if not flag.renamed_to:
                yield flag


def _score(word: str, entry: Entry) -> float:
    """Return how well a flag matches a word: 0 if not at all, most if it is all of the name."""
    others = SYNONYMS.get(word, ())
    own = _normal(word.removesuffix("s"))
    best = 0.0
    for weight, text in entry.texts:
        if own and own in text:
            best = max(best, weight + len(own) / len(text))
        for number, other in enumerate(others):
            if f" {other}" in f" {text}":  # at the beginning of a word
                best = max(best, weight + len(other) / len(text) - number / len(others))
    return best


def _normal(text: str) -> str:
    """Return a text as words in lower case, those of a name too."""
    return re.sub(r"[\W_]+", " ", text.lower()).strip()
