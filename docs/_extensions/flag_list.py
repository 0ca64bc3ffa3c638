"""The list of all flags with their defaults, which browsers that run scripts search and filter.

Data for the browser is written as scripts, because a page that is opened as a file may load scripts, but no
data.
"""

import json
from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.nodes import Element, Node
from flag_pages import FOLDER, explanation, newest_flags
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from dynconf.catalogue.flags.flag import Flag, qualified
from dynconf.catalogue.flags.types import value_text
from dynconf.catalogue.modules import MODULES, catalogue, module_path
from dynconf.catalogue.names import records_of
from dynconf.release import RELEASES, minor
from dynconf.tools.show.search import topics

MINORS = [release.rpartition(".")[0] for release in RELEASES]


class FlagList(SphinxDirective):
    """All flags by module and topic, and the form to search them."""

    def run(self) -> list[Node]:
        """Return the form, then a section for each module."""
        sections: list[Node] = []
        flags = newest_flags()
        for module in MODULES:
            section = titled_section(f"flags-of-{module}", module_path(module))
            order = list(catalogue(module).topics)
            own = sorted(
                (flag for flag in flags if flag.module == module), key=lambda flag: order.index(flag.topic)
            )
            for topic, members in groupby(own, lambda flag: flag.topic):
                inner = titled_section(f"{module}-{topic}", topic.replace("_", " "))
                listed = f'<ul class="flag-list">{"".join(map(_row, members))}</ul>'
                inner += nodes.raw("", listed, format="html")
                section += inner
            sections.append(section)
        return [nodes.raw("", _form(), format="html"), *sections]


def titled_section(name: str, title: str) -> Element:
    """Return an empty section."""
    return nodes.section("", nodes.title("", title), ids=[name], names=[name])


def breakable(name: str) -> str:
    """Return a name in HTML that a narrow screen breaks between its words."""
    return escape(name).replace("_", "_<wbr>").replace(".", ".<wbr>")


def _row(flag: Flag) -> str:
    name, by_release = escape(flag.qualified), statuses(flag)
    last = max(number for number, status in enumerate(by_release) if status)
    facts = [] if by_release[last] == "active" else [by_release[last]]
    if last + 1 < len(by_release):
        facts.append(f"until torch {MINORS[last]}")
    # Below the heading of its topic, a style sheet hides it.
    gap = " · " if facts else ""
    topic = f'<span class="flag-topic">{escape(qualified(flag.module, flag.topic))}{gap}</span>'
    default = next(reversed(defaults(flag).values()))
    # Whoever has a link with an old name gets to the flag.
    old = "".join(f'<span id="{escape(each.qualified)}"></span>' for each in records_of(flag)[1:])
    return (
        f'<li id="{name}">{old}<a class="reference internal" href="{name}.html">'
        f"<code>{breakable(flag.qualified)}</code></a>"
        f' = <code class="flag-default">{breakable(default)}</code>'
        f' <span class="flag-tags">{topic}{" · ".join(facts)}</span><p>{escape(flag.summary)}</p></li>'
    )


def statuses(flag: Flag) -> list[str]:
    """Return the status of a flag in each release, "" where there is no such flag."""
    records = records_of(flag)
    found = []
    for release in map(minor, RELEASES):
        known = next((each for each in records if each.exists_in(release)), None)
        found.append(known.status_in(release) if known else "")
    return found


def defaults(flag: Flag) -> dict[str, str]:
    """Return the default of a flag, as text, by each release that changed it."""
    found: dict[str, str] = {}
    for release, value in explanation(flag.qualified).as_json()["defaults"].items():
        text = value_text(value)
        if [*found.values()][-1:] != [text]:
            found[release.rpartition(".")[0]] = text
    return found


def _form() -> str:
    """Return the form, which is hidden where no script shows it."""
    known = sorted({status for flag in newest_flags() for status in statuses(flag) if status})
    return f"""
<form id="flag-form" role="search" aria-label="Flags" hidden>
<p><label for="flag-query">Name, old name, variable, or aim</label>
<input id="flag-query" type="search" autocomplete="off" spellcheck="false" placeholder="faster"
 aria-describedby="flag-keys"></p>
<p class="flag-filters">
{_select("module", "Module", {module: module_path(module) for module in MODULES})}
{_select("topic", "Topic", {name: f"{name} ({count})" for name, count in topics().items()})}
{_select("status", "Status", dict(zip(known, known)))}
{_select("release", "In torch", dict(zip(reversed(MINORS), reversed(MINORS))))}
<button type="reset">Clear</button>
</p>
<p id="flag-keys" class="flag-keys"><kbd>/</kbd> search, <kbd>↓</kbd> <kbd>↑</kbd> choose,
<kbd>Enter</kbd> open, <kbd>Esc</kbd> clear</p>
</form>
<div id="flag-results" hidden><p id="flag-count" role="status"></p><ol class="flag-list"></ol>
<button type="button" id="flag-more" hidden>Show all</button></div>
"""


def _select(name: str, label: str, options: Mapping[str, str]) -> str:
    listed = "".join(
        f'<option value="{escape(key)}">{escape(text)}</option>' for key, text in options.items()
    )
    return (
        f'<label>{label} <select id="flag-{name}" name="{name}"><option value="">any</option>'
        f"{listed}</select></label>"
    )


def write_script(app: Sphinx, file: str, name: str, data: Any) -> None:
    """Write data as a script that puts it into a global name."""
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    (static / file).write_text(f"const {name} = {text};\n", encoding="utf-8")


def scripts_on(page: str, *files: str) -> Any:
    """Return a handler that adds scripts to one page, the only one where they are used."""

    def add(app: Sphinx, name: str, *_: object) -> None:
        for file in files if name == page else ():
            app.add_js_file(file, loading_method="defer")

    return add


def always_read(page: str) -> Any:
    """Return a handler that has a page read in every build, because it depends on more than its source."""

    def outdated(*_: object) -> Iterable[str]:
        return [page]

    return outdated


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.setup_extension("flag_pages")
    app.add_directive("flag-list", FlagList)
    app.add_css_file("dynconf.css")
    app.add_js_file("accessibility.js", loading_method="defer")
    app.connect("env-get-outdated", always_read(f"{FOLDER}/index"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
