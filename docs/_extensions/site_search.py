"""The one search of the site: what `search.js` looks through with MiniSearch, and the page of its results.

Flags, pages and Python names are one list. The aims of questions, such as "less memory", are those of
`dynconf.tools.show.search`. The index of the theme's own search is not made: that finds only pages which have
all words of a question, and fetches each page for an excerpt, which browsers refuse for files.
"""

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from flag_list import defaults, scripts_on, statuses, write_script
from flag_pages import FOLDER
from sphinx.application import Sphinx

from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.names import records_of
from dynconf.tools.show.intents import INTENTS, STOP_WORDS
from dynconf.tools.show.search import Entry, index

SCRIPTS = ("minisearch.js", "search-data.js", "search.js")


def _flag(entry: Entry) -> dict[str, Any]:
    """Return what is searched of a flag, and the facts by which one filters."""
    flag, records = entry.flag, records_of(entry.flag)
    variables = [variable.name for each in records for variable in each.variables]
    uniform = [each.uniform_variable for each in records if each.public]
    return {
        "kind": "flag",
        "title": flag.qualified,
        "address": f"{FOLDER}/{flag.qualified}.html",
        "text": flag.summary,
        "body": flag.details,
        "names": [
            *dict.fromkeys(
                [each.qualified for each in records] + [each.name for each in records] + variables + uniform
            )
        ],
        "isMinor": entry.is_minor,
        "module": flag.module,
        "topic": qualified(flag.module, flag.topic),
        "status": statuses(flag),
        "defaults": defaults(flag),
    }


def _pages(app: Sphinx) -> Iterator[dict[str, Any]]:
    """Yield all pages but those of flags: the first paragraph of each says whom it helps."""
    for name in sorted(app.env.found_docs):
        if name.startswith(f"{FOLDER}/") and name != f"{FOLDER}/index":
            continue
        tree = app.env.get_doctree(name)
        titles = [each.astext() for each in tree.findall(nodes.title)]
        texts = [each for each in tree.findall(nodes.Text) if not isinstance(each.parent, nodes.raw)]
        yield {
            "kind": "page",
            "title": titles[0],
            "address": f"{name}.html",
            "text": next((each.astext() for each in tree.findall(nodes.paragraph)), "").replace("\n", " "),
            "names": [],
            "about": " ".join(titles[1:]),
            "body": " ".join(each.astext() for each in texts),
            "isTask": name.startswith(("guides/", "explanations/")),
        }


def _python_names(app: Sphinx) -> Iterator[dict[str, Any]]:
    domain = app.env.domains.python_domain
    for name, _, kind, page, anchor, _ in domain.get_objects():
        yield {
            "kind": "python",
            "title": name,
            "address": f"{page}.html#{anchor}",
            "text": domain.object_types[kind].lname,
            "names": [name, name.removeprefix("dynconf."), name.rpartition(".")[2]],
        }


def write_data(app: Sphinx, error: Exception | None) -> None:
    """Write all that is searched."""
    if error is None:
        entries = [*map(_flag, index()), *_pages(app), *_python_names(app)]
        aims = [{"stems": each.stems, "flags": each.flags} for each in INTENTS]
        data = {"entries": entries, "aims": aims, "stopWords": STOP_WORDS}
        write_script(app, "search-data.js", "dynconfSite", data)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.setup_extension("flag_list")
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))
    app.connect("build-finished", write_data)
    app.connect("html-page-context", scripts_on("search", *SCRIPTS, "search-page.js"))
    app.connect("html-page-context", scripts_on(f"{FOLDER}/index", *SCRIPTS, "flag-search.js"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
