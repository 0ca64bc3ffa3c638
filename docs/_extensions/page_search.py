"""The search of all pages: the theme's index, with the first sentences of each page, and the flags besides.

The theme's own search finds only pages that have all words of a question, and fetches each page for an
excerpt, which browsers refuse for files.
"""

from docutils import nodes
from flag_list import RANKING, scripts_on, write_script
from flag_pages import FOLDER
from sphinx.application import Sphinx


def openings(app: Sphinx) -> dict[str, str]:
    """Return the first paragraph of each page, which says whom it helps; flags have their summaries."""
    found = {}
    for name in sorted(app.env.found_docs):
        if not name.startswith(f"{FOLDER}/") or name == f"{FOLDER}/index":
            paragraphs = app.env.get_doctree(name).findall(nodes.paragraph)
            found[name] = next((each.astext().replace("\n", " ") for each in paragraphs), "")
    return found


def write_openings(app: Sphinx, error: Exception | None) -> None:
    """Write the data of the search."""
    if error is None:
        write_script(app, "page-data.js", "dynconfPages", openings(app))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.setup_extension("flag_list")
    app.connect("build-finished", write_openings)
    app.connect("html-page-context", scripts_on("search", *RANKING, "page-data.js", "page-search.js"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
