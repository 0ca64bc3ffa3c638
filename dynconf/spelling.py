"""Suggestions for misspelt words."""

from collections.abc import Iterable


def nearest(word: str, words: Iterable[str]) -> str | None:
    """Return the one of *words* that is spelled most like *word*, if any is close."""
    from difflib import get_close_matches  # only messages need it, and it is slow to import

    found = get_close_matches(word.strip().lower()[:100], list(words), n=1, cutoff=0.6)
    return found[0] if found else None
