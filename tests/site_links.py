"""Check a built site: `python tests/site_links.py FOLDER`.

Every link and anchor between its pages leads somewhere, and nothing is loaded from elsewhere: the site works
offline and from file://. `make docs` runs it after building.
"""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
_NOT_LOADED = {"canonical", "search", "prev", "next", "index", "author", "copyright"}
"""What a <link> refers to without having the browser load it."""


class _Page(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors = {"", "top"}
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors.update(filter(None, (given.get("id"), given.get("name"))))
        for name, target in attrs:
            loads = (tag, name) in _LOADED and given.get("rel") not in _NOT_LOADED
            if target and (loads or (tag, name) == ("a", "href")):
                (self.loaded if loads else self.links).append(target)


def problems(site: Path) -> Iterator[str]:
    """Yield what is wrong with the pages of a site."""
    pages = {path.resolve(): _Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in pages.items():
        name = path.relative_to(site.resolve())
        for target in (*page.links, *page.loaded):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loaded and parts.scheme != "data":
                    yield f"{name} loads {target}"
                continue
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not file.is_file():
                yield f"{name} links to {target}, which is not there"
            # Of a fragment such as "q=faster" a script makes the state of the page.
            elif file in pages and "=" not in target and unquote(parts.fragment) not in pages[file].anchors:
                yield f"{name} links to {target}, and that page has no such anchor"
    for path in site.rglob("*.css"):
        for word in ("url(http", "url(//", "@import"):
            if word in path.read_text(encoding="utf-8"):
                yield f"{path.relative_to(site)} has {word}"


def main() -> None:
    """Print what is wrong, and exit with 1 if there is anything."""
    site = Path(sys.argv[1])
    found = sorted(set(problems(site)))
    pages = len([*site.rglob("*.html")])
    print("\n".join([*found, f"{pages} pages, {len(found)} broken links"]))
    sys.exit(1 if found or not pages else 0)


if __name__ == "__main__":
    main()
