"""The page "Upgrading torch": what ``dynconf diff --torch A --torch B`` prints, for any two releases.

Each step from a release to the next is on the page; for any other two, the browser has the numbers of the changes in
one list of all. So no script compares releases: all of it comes from `dynconf.diff.release_changes`.
"""

from html import escape
from itertools import groupby, permutations
from typing import Any

from docutils import nodes
from docutils.nodes import Node
from flag_pages import MINORS, write_script
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from dynconf.diff import release_changes, table_row
from dynconf.names import FLAGS, newest_record

PAGE = "reference/upgrading"

TITLES = {
    "default-changed": "Changed defaults",
    "renamed": "Renamed flags",
    "removed": "Flags that are gone",
    "added": "New flags",
    "variable-removed": "Variables that are no longer read",
    "variable-added": "New variables",
    "variable-changed": "Variables that are read otherwise",
}
"""The kinds of changes, in words."""

Row = tuple[str, ...]


def rows(before: str, after: str) -> list[Row]:
    """Return the rows of the table that `dynconf diff` prints."""
    return [table_row(change.as_json()) for change in release_changes(before, after)]


class Upgrading(SphinxDirective):
    """The form that picks two releases, and the changes of each release."""

    def run(self) -> list[Node]:
        """Return the form, then a section for each release, the newest first."""
        found: list[Node] = [nodes.raw("", _form(), format="html")]
        for before, after in reversed(list(zip(MINORS, MINORS[1:]))):
            name = f"torch-{after}"
            section = nodes.section("", nodes.title("", f"{before} to {after}"), ids=[name], names=[name])
            section += nodes.raw("", _tables(rows(before, after)), format="html")
            found.append(section)
        return found


def _form() -> str:
    options = "".join(f'<option value="{each}">torch {each}</option>' for each in MINORS)
    return f"""
<form id="upgrade-form" aria-label="Releases" hidden>
<label>From <select id="upgrade-from">{options}</select></label>
<label>to <select id="upgrade-to">{options}</select></label>
</form>
<div id="upgrade-result" hidden><p id="upgrade-count" role="status"></p><pre tabindex="0"><code id="upgrade-command"></code></pre>
<div id="upgrade-tables"></div></div>
"""


def _tables(changes: list[Row]) -> str:
    return "".join(
        f'<p class="rubric">{TITLES[kind]}</p><div class="table-wrapper" tabindex="0" role="region" aria-label="{TITLES[kind]}">'
        f'<table class="docutils upgrade"><thead><tr><th scope="col">flag</th><th scope="col">before</th>'
        f'<th scope="col">after</th></tr></thead><tbody>{"".join(map(_tr, members))}</tbody></table></div>'
        for kind, members in groupby(changes, lambda row: row[1])
    )


def _tr(row: Row) -> str:
    flag, _, before, after = map(escape, row)
    href = f"flags/{escape(_page(row[0]))}.html"
    return (
        f'<tr><th scope="row"><a class="reference internal" href="{href}"><code>{flag}</code></a></th>'
        f"<td>{before}</td><td>{after}</td></tr>"
    )


def _page(flag: str) -> str:
    """Return the flag whose page a name leads to."""
    return newest_record(flag).qualified if flag in FLAGS else flag


def upgrade_data() -> dict[str, Any]:
    """Return all changes between any two releases, and their numbers for each two."""
    numbers: dict[Row, int] = {}
    pairs: dict[str, dict[str, list[int]]] = {}
    for before, after in permutations(MINORS, 2):
        found = [numbers.setdefault(row, len(numbers)) for row in rows(before, after)]
        pairs.setdefault(before, {})[after] = found
    return {"titles": TITLES, "changes": list(numbers), "pairs": pairs}


def write_data(app: Sphinx) -> None:
    """Write the data of the page."""
    write_script(app, "upgrade-data.js", "dynconfReleases", upgrade_data())


def add_scripts(app: Sphinx, page: str, *_: object) -> None:
    """Load the scripts only where they are used."""
    if page == PAGE:
        app.add_js_file("upgrade-data.js", loading_method="defer")
        app.add_js_file("upgrading.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.setup_extension("flag_pages")
    app.add_directive("upgrading", Upgrading)
    app.connect("builder-inited", write_data)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
