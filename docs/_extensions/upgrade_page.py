"""The page "Upgrading torch": what ``dynconf diff --torch A --torch B`` prints, for any two releases.

Each step from a release to the next is on the page; for any other two, the browser has the numbers of the
changes in one list of all. So no script compares releases: all of it comes from `dynconf.diff`.
"""

from html import escape
from itertools import groupby, permutations
from typing import Any

from docutils import nodes
from docutils.nodes import Node
from flag_list import MINORS, always_read, breakable, scripts_on, titled_section, write_script
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from dynconf.store.diff import release_changes, table_row

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
        for after, before in zip(MINORS[:0:-1], MINORS[-2::-1]):
            section = titled_section(f"torch-{after}", f"{before} to {after}")
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
<div id="upgrade-result" hidden>
<p><span id="upgrade-count" role="status"></span> <code class="literal" id="upgrade-command"></code></p>
<div id="upgrade-tables"></div>
</div>
"""


def _tables(changes: list[Row]) -> str:
    return "".join(
        f'<p class="rubric">{TITLES[kind]}</p><table class="docutils upgrade"><thead><tr>'
        '<th scope="col">flag</th><th scope="col">before</th><th scope="col">after</th></tr></thead>'
        f"<tbody>{''.join(map(_table_row, members))}</tbody></table>"
        for kind, members in groupby(changes, lambda row: row[1])
    )


def _table_row(row: Row) -> str:
    flag, _, before, after = row
    return (
        f'<tr><th scope="row"><a class="reference internal" href="flags/{escape(flag)}.html">'
        f"<code>{breakable(flag)}</code></a></th><td>{breakable(before)}</td><td>{breakable(after)}</td></tr>"
    )


def upgrade_data() -> dict[str, Any]:
    """Return all changes between any two releases, and their numbers for each two."""
    numbers: dict[Row, int] = {}
    pairs: dict[str, dict[str, list[int]]] = {}
    for before, after in permutations(MINORS, 2):
        found = [numbers.setdefault(row, len(numbers)) for row in rows(before, after)]
        pairs.setdefault(before, {})[after] = found
    return {"titles": TITLES, "changes": list(numbers), "pairs": pairs}


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.setup_extension("flag_list")
    app.add_directive("upgrading", Upgrading)
    app.connect(
        "builder-inited", lambda app: write_script(app, "upgrade-data.js", "dynconfReleases", upgrade_data())
    )
    app.connect("env-get-outdated", always_read(PAGE))
    app.connect("html-page-context", scripts_on(PAGE, "upgrade-data.js", "upgrading.js"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
