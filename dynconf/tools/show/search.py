"""A search through the flags, by topic, glob, or words, as people put questions.

``less memory`` is in no description of the flags that an expert would name, so the words of an `Intent` bring
its flags, in the expert's order. After them, a flag that has more of the words comes first; of those with
equally many, the one that has them in its name. A word that no flag has is taken for a misspelt one.

The search of the documentation answers an `Intent` with the same flags.
"""

import builtins
import functools
import keyword
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from dynconf.catalogue.flags.flag import Flag, qualified
from dynconf.catalogue.modules import MODULES, catalogue, foreign_variable
from dynconf.catalogue.names import records_of
from dynconf.text import SLIP, nearest
from dynconf.tools.show.intents import ANSWERS, INTENTS, SPELT_RIGHT, STOP_WORDS, begins

_FIRST = 1000
"""The weight of the first flag of an intent: more than any words can score."""

_FEW = 6
"""The words of a question; more are a message, of which one common word, such as memory, tells little."""

_NOISE = re.compile(r"://|\.py\b|^['\"(~.]*/|^TORCH_LOGS=|^[A-Z]\d{4}$")
"""Marks what a message has beside its words: addresses, files, an advice that is in many, the day."""

_CAMEL = re.compile(r"[\w.]{1,99}\.(?=[A-Z][a-z])|(?<=[a-z]{2})(?=[A-Z])")
_DIGITS = "0123456789._"

_ASKED = re.compile(r"(?<!\S)(?:TORCH[A-Z_]+|[a-z_.]*[a-z_])(?=[,.?!]*(?!\S))")
"""Words that may be misspelt: those of a question, the names of flags and variables."""

_LONG = 6
"""The letters of a word of a question that may be misspelt: a shorter one is like too many others."""

_PYTHON = {*dir(builtins), *keyword.kwlist}

_OF_NAMES = 3
"""The weight of the texts that are names."""


class Entry(NamedTuple):
    """The texts of a flag in which words are looked for.

    Attributes:
        flag: The flag, by its newest name.
        is_minor: Whether it is hardly ever meant: it comes after the others that match as well.
        texts: Names, variables and descriptions, each with its weight: lower case words, separated by spaces.
    """

    flag: Flag
    is_minor: bool
    texts: tuple[tuple[int, str], ...]


@functools.cache
def index() -> tuple[Entry, ...]:
    """Return the texts of all flags, by module and name."""
    found = []
    for flag in newest_flags():
        records = records_of(flag)
        # Two records may read the same variable, and two modules have a flag of the same name.
        names = dict.fromkeys(name for each in records for name in (each.name, each.name.rpartition(".")[2]))
        variables = {variable.name: None for each in records for variable in each.variables}
        variables |= {each.uniform_variable: None for each in records if each.public}
        about = f"{flag.module} {flag.topic} {flag.summary}"
        places = [(_OF_NAMES, names), (2, [about, flag.qualified, *variables]), (1, [flag.details])]
        texts = tuple((weight, _normal(text)) for weight, group in places for text in group if text)
        is_minor = not flag.described or flag.status in ("internal", "no-op", "unread", "testing")
        found.append(Entry(flag, is_minor, texts))
    return tuple(found)


def topics() -> dict[str, int]:
    """Return the topics of all config modules, by their full names, with the number of their flags."""
    counts = Counter(qualified(flag.module, flag.topic) for flag in newest_flags())
    known = [qualified(module, topic) for module in MODULES for topic in catalogue(module).topics]
    return {topic: counts[topic] for topic in known if topic in counts}


def search(phrase: str) -> list[Flag]:
    """Return the flags of a topic, those that match a glob, or those that match words, the best first.

    A flag that is named in full comes before all others. If none has half of the words, none is meant; of a
    long phrase, such as a message, one common word is no aim.

    Example:
        >>> [flag.name for flag in search("*recompile_limit")][:2]
        ['accumulated_recompile_limit', 'recompile_limit']
        >>> search("autotune faster")[0].qualified
        'inductor.max_autotune'
    """
    if phrase in topics():
        return [flag for flag in newest_flags() if qualified(flag.module, flag.topic) == phrase]
    if is_glob(phrase):
        return [
            flag
            for flag in newest_flags()
            if any(fnmatchcase(each.qualified, phrase) for each in records_of(flag))
        ]
    written = _written(phrase)
    words = list(dict.fromkeys(each.rpartition("config.")[2] for each in written if each.strip(_DIGITS)))
    # Of one word, such as "disable", people may mean something else.
    in_full = {_normal(each) for each in words if each not in written or not each.isalpha()}
    meant = _flags_meant(words)
    words = [word for word in words if word not in STOP_WORDS] or words
    ranks: list[tuple[tuple[bool, int, bool, float], Flag]] = []
    is_known = False
    for entry in index():
        asked, weight = meant.get(entry.flag.qualified, (set(), 0))
        scores = [_score(word, entry) for word in words if word not in asked]
        if asked or any(scores):
            # A word by which a flag is meant counts more than one that is in its texts.
            matched = sum(map(bool, scores))
            # The name of a function of torch's in a message is as good as the flag's.
            is_named = any(text in in_full for _, text in entry.texts) or any("_" in each for each in asked)
            is_aim = (
                len(asked) > 1 or len(words) <= _FEW or any(_score(each, entry) > _OF_NAMES for each in asked)
            )
            is_known |= is_named or (is_aim and bool(asked)) or 2 * (matched + len(asked)) >= len(words)
            # Two words are an aim, of which the expert's order counts; with one, the other words count, too.
            shared, order = (len(scores), weight) if len(asked) > 1 else (matched, weight + sum(scores))
            rank = not is_named, -2 * len(asked) - shared, entry.is_minor, -order
            ranks.append((rank, entry.flag))
    return [flag for _, flag in sorted(ranks, key=lambda each: each[0])] if is_known else []


def _written(phrase: str) -> list[str]:
    """Return the words of a question, and the names in it, in lower case."""
    told = _CAMEL.sub(" ", " ".join(each for each in phrase.split() if not _NOISE.search(each)))
    return [each.strip(".") for each in re.sub(r"[^\w.]+", " ", told.lower()).split()]


def answers(phrase: str) -> list[str]:
    """Return what answers a question beside flags: codes, variables and config modules, by their names.

    Example:
        >>> answers("flags are ignored in the backward thread")
        ['DC504']
    """
    # Its folder is in the path of a file; what else is there is the user's own.
    words = [*_written(phrase), *re.findall("torchinductor", phrase)]
    found = ((intent, intent.words_in(words)) for intent in ANSWERS)
    meant = [intent for intent, asked in found if asked and (len(intent.stems) > 1 or asked >= {*words})]
    named = [each.upper() for each in words if foreign_variable(each.upper())]
    return list(dict.fromkeys((*named, *(name for intent in meant for name in intent.flags))))


def _flags_meant(words: Sequence[str]) -> dict[str, tuple[set[str], int]]:
    """Return the flags of a question's intents, each with the words that ask for it and a weight."""
    found = [(intent.words_in(words), intent) for intent in INTENTS]
    flags: dict[str, tuple[set[str], int]] = {}
    for asked, intent in found:
        if any(asked < other for other, _ in found):  # "debug recompiles" is more than "debug"
            continue
        for number, name in enumerate(intent.flags if asked else ()):
            others, weight = flags.get(name, (set(), 0))
            flags[name] = asked | others, max(weight, _FIRST - number)
    return flags


def corrected(phrase: str) -> str:
    """Return a short question with each misspelt word as the only one of flags or their aims that it is like.

    A message is spelt as its program has it, and so are Python's names, what is in quotes and what begins
    with a capital letter. The name of a flag or variable is compared with other names.

    Example:
        >>> corrected("inducter memroy")
        'inductor memory'
    """
    if is_glob(phrase) or sum(word not in STOP_WORDS for word in phrase.split()) > _FEW:
        return phrase
    texts = [text for entry in index() for text in entry.texts]
    words = {word for _, text in texts for word in text.split()}
    stems = tuple(stem for each in INTENTS for group in each.stems for stem in group)
    meant = {word for weight, text in texts for word in text.split() if weight == _OF_NAMES}
    meant |= {word for word in words if begins(word, stems)}

    def known(match: re.Match[str]) -> str:
        word = match[0]
        if "_" in word:
            records = [record for flag in newest_flags() for record in records_of(flag)]
            names = [name for each in records for name in (each.name, each.qualified, each.uniform_variable)]
            is_known = any(each.endswith(word.rpartition("config.")[2]) for each in names)
            return (None if is_known else nearest(word, names, cutoff=SLIP)) or word
        if len(word) < _LONG or word in _PYTHON or word in SPELT_RIGHT or begins(word, stems):
            return word
        if any(each.startswith(word.removesuffix("s")) for each in words):
            return word
        like = [each for each in meant if re.fullmatch(_slips(word), each)]
        return like[0] if len(like) == 1 else word

    return _ASKED.sub(known, phrase)


def _slips(word: str) -> str:
    """Return a pattern of the words that it may be a slip of: its first and last letter are theirs."""
    splits = [(word[:at], word[at], word[at + 1 :]) for at in range(1, len(word) - 1)]
    other_or_less = [f"{start}.?{end}" for start, _, end in splits]
    swapped = [f"{start}{end[0]}{letter}{end[1:]}" for start, letter, end in splits]
    more = [f"{word[:at]}.{word[at:]}" for at in range(1, len(word))]
    return "|".join((*other_or_less, *swapped, *more))


def is_glob(phrase: str) -> bool:
    """Tell whether it is a glob, such as ``*limit*``, and not a question."""
    return " " not in phrase and not {"*", "?", "["}.isdisjoint(phrase.removesuffix("?"))


def newest_flags() -> Iterator[Flag]:
    """Yield the flags by their newest names: an old one would be beside it, and says the same."""
    for module in MODULES:
        for _, flag in sorted(catalogue(module).flags.items()):
            if not flag.renamed_to:
                yield flag


def _score(word: str, entry: Entry) -> float:
    """Return how well a flag has a word, or its beginning: 0 if not at all, most if it is all of the name."""
    own = _normal(word.removesuffix("s"))
    return max(
        (weight + len(own) / len(text) for weight, text in entry.texts if own and f" {own}" in f" {text}"),
        default=0,
    )


def _normal(text: str) -> str:
    """Return a text as words in lower case, those of a name too."""
    return re.sub(r"[\W_]+", " ", text.lower()).strip()
