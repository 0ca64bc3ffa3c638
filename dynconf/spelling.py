"""Suggestions for misspelt words."""

from collections.abc import Iterable


def nearest(word: str, words: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the most similar of *words*, or None if the similarity, from 0 to 1, is below *cutoff*.

    Case makes no difference.
    """
    from difflib import get_close_matches  # only error messages need it, and it is slow to import

    by_lower = {each.lower(): each for each in words}
    matches = get_close_matches(word.strip().lower()[:100], by_lower, n=1, cutoff=cutoff)
    return by_lower[matches[0]] if matches else None
