"""``dynconf --version``."""

from dynconf.release import RELEASES, Release
from dynconf.version import __version__


def version() -> str:
    """Return the version of dynconf, the torch at hand, and the releases that the catalogue covers."""
    at = Release.at_hand()
    torch = "not installed" if at.source == "newest" else at.version
    beyond = ", which is newer than the catalogue" if at.is_beyond_catalogue else ""
    return f"dynconf {__version__}\ntorch {torch}{beyond}\nknows torch {RELEASES[0]} to {RELEASES[-1]}"
