"""What a release lacks of torch.compile itself: modes, arguments, and the options that are no flags."""

from collections.abc import Callable, Iterator, Sequence

from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.modules import catalogue
from dynconf.catalogue.modules.modes import BACKENDS, KEYWORDS, MODES, OF_TORCH_COMPILE, is_argument
from dynconf.catalogue.names import newest_name
from dynconf.release import Release, minor
from dynconf.text import nearest
from dynconf.tools.lint.sites import Problem, Site, Use
from dynconf.tools.show.wording import existence

ALIKE = 0.85
"""How similar to a flag, an argument or a backend, from 0 to 1, a name must be that stands for it."""

_STANCES = (
    *("default", "force_eager", "eager_on_recompile", "fail_on_recompile", "eager_then_compile"),
    "aot_eager_then_compile",
)


def guarded(found: Problem, site: Site) -> Problem:
    """Judge a problem by the care that the program takes."""
    if site.guard == "checked":
        return found._replace(level="note")
    if site.guard != "swallowed" or found.level != "error":
        return found
    text = f"{found.text}; the error is swallowed, and the setting is lost"
    return found._replace(code="DC311", level="warning", text=text)


def _of_word(site: Site, releases: Sequence[Release]) -> Iterator[Problem]:
    """Report a mode, stance or backend that a release lacks; programs may have backends of their own."""
    for release in releases:
        modes = [each for each, flags in MODES.items() if flags.at(release.minor) is not None]
        words = {"backend": BACKENDS, "stance": _STANCES}.get(site.use, modes)
        if site.name not in words and not (release.is_beyond_catalogue and site.name not in MODES):
            is_backend = site.use == "backend"
            similar = nearest(site.name, words, cutoff=ALIKE if is_backend else 0.6)
            hint = f"did you mean {similar!r}?" if similar else f"expected {', '.join(words)}"
            text = f"torch {release.version} has no {site.use} {site.name!r} of torch.compile: {hint}"
            if similar or not is_backend:
                yield Problem("DC312", "warning" if is_backend else "error", site.span, text)
            return


def _of_own_option(site: Site, releases: Sequence[Release]) -> Iterator[Problem]:
    """Report an option that `torch.compile` keeps for itself, and that a release lacks."""
    _, since = OF_TORCH_COMPILE[site.name]
    lacking = [each.version for each in releases if each.minor < minor(since)]
    if lacking:
        text = f"{site.name!r} is not an option of torch {', '.join(lacking)} yet: it came with torch {since}"
        yield guarded(Problem("DC303", "error", site.span, text), site)


def _of_keyword(site: Site, releases: Sequence[Release]) -> Iterator[Problem]:
    first, last = KEYWORDS.get(site.name, ("", ""))
    lacking = [
        each.version
        for each in releases
        if not (is_argument(site.name, each) or (each.is_beyond_catalogue and not first))
    ]
    if lacking:
        remedy = existence(first, last or None) if first else _place_of(site.name, releases[0])
        text = f"torch.compile of torch {', '.join(lacking)} has no argument {site.name!r}: {remedy}"
        if not site.name:
            text = "torch.compile takes one argument by position: name this one, as in mode=..."
        yield guarded(Problem("DC314", "error", site.span, text), site)


def _place_of(name: str, release: Release) -> str:
    """Return where to write a flag that is no argument of `torch.compile`, or the argument that was meant."""
    if name in catalogue("inductor").flags:
        return f"it is a flag of inductor: options={{{name!r}: ...}}"
    if name in catalogue(BARE_MODULE).flags:
        newest = newest_name(name)
        where = (
            f"torch.compile({newest}=...)" if is_argument(newest, release) else f"dynconf.patch({newest}=...)"
        )
        return f"it is a flag of dynamo: {where}"
    known = [each for each in KEYWORDS if is_argument(each, release)]
    near = nearest(name, known, cutoff=ALIKE)
    return f"did you mean {near!r}?" if near else f"expected {', '.join(known)}"


OF_COMPILE: dict[Use, Callable[[Site, Sequence[Release]], Iterator[Problem]]] = {
    **dict.fromkeys(("mode", "backend", "stance"), _of_word),
    "own-option": _of_own_option,
    "keyword": _of_keyword,
}
