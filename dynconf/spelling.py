"""Suggestions for misspelt words."""

from collections.abc import Iterable


def nearest(word: str, words: Iterable[str], *, alike: float = 0.6) -> str | None:
    """Return the one of *words* that is spelled most like *word*, if any is as close as *alike*, 0 to 1."""
    from difflib import get_close_matches  # only messages need it, and it is slow to import

    found = get_close_matches(word.strip().lower()[:100], list(words), n=1, cutoff=alike)
    return found[0] if found else None
