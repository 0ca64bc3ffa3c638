"""A search through the flags, by topic, glob, or words, as people put questions.

``faster`` is in few descriptions, so a word stands for others, too, the most telling first. A flag that has
more of the words comes first; of those with equally many, the one that has them in its name.
"""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from dynconf.flags.flag import Flag, qualified
from dynconf.modules import MODULES, catalogue

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
    "cache caching caches": ("cache", "caching"),
    "multigpu ddp fsdp distributed nccl": ("ddp", "fsdp", "distributed", "collective"),
}
"""Words, and those that stand in the names and descriptions of the flags that somebody means by them."""

_SYNONYMS = {word: others for words, others in _GROUPS.items() for word in words.split()}

_STOP_WORDS = (
    *("a", "an", "and", "are", "avoid", "be", "better", "can", "do", "does", "flag", "flags", "for", "get"),
    *("how", "i", "in", "is", "it", "its", "less", "make", "makes", "me", "more", "my", "of", "option"),
    *(
        "options",
        "or",
        "save",
        "set",
        "setting",
        "settings",
        "should",
        "so",
        "that",
        "the",
        "to",
        "too",
        "torch",
    ),
    *("turn", "use", "what", "when", "where", "which", "why", "with"),
)
"""Words of a question that tell nothing of what it is about."""

_MINOR = ("internal", "no-op", "unread", "testing")
"""The flags that are hardly ever meant."""


def topics() -> dict[str, int]:
    """Return the topics of all config modules, by their full names, with the number of their flags."""
    return {
        qualified(module, topic): sum(flag.topic == topic for flag in catalogue(module).flags.values())
        for module in MODULES
        for topic in catalogue(module).topics
    }


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
        return [flag for flag in _flags() if fnmatchcase(flag.qualified, phrase)]
    words = list(dict.fromkeys(re.sub(r"[^\w.]+", " ", phrase.lower()).split()))
    words = [word for word in words if word not in _STOP_WORDS] or words
    scores = {flag.qualified: [_score(word, flag) for word in words] for flag in _flags()}

    def rank(flag: Flag) -> tuple[int, bool, float]:
        parts = scores[flag.qualified]
        return -sum(map(bool, parts)), not flag.described or flag.status in _MINOR, -sum(parts)

    # An old name would be beside the newest one, which says the same.
    return sorted(
        (flag for flag in _flags() if any(scores[flag.qualified]) and not flag.renamed_to), key=rank
    )


def is_glob(phrase: str) -> bool:
    """Tell whether it is a glob, such as ``*limit*``, and not a question."""
    return " " not in phrase and not {"*", "?", "["}.isdisjoint(phrase.removesuffix("?"))


def _flags() -> Iterator[Flag]:
    return (flag for module in MODULES for _, flag in sorted(catalogue(module).flags.items()))


def _score(word: str, flag: Flag) -> float:
    """Return how well a flag matches a word: 0 if not at all, most if it is all of the name."""
    others = _SYNONYMS.get(word, ())
    own = re.escape(word.removesuffix("s").replace("_", " "))
    best = 0.0
    for weight, place in (
        (3, flag.name),
        (2, f"{flag.module} {flag.topic} {flag.summary}"),
        (1, flag.details),
    ):
        text = re.sub(r"[\W_]+", " ", place.lower())
        if re.search(own, text):
            best = max(best, weight + len(own) / len(text))
        for number, other in enumerate(others):
            if re.search(rf"\b{other}", text):
                best = max(best, weight + len(other) / len(text) - number / len(others))
    return best
