"""The flag reference: a page for each flag, the list that one searches, and `dynconf:flag` to link to them.

A page says what ``dynconf explain`` says of the flag in the newest torch: both take it from `dynconf.explanation` and
`dynconf.wording`. The browser searches the index of `dynconf.search`, which is written as a script because a page that
is opened as a file may load scripts, but no data.
"""

import json
import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.nodes import Element, Node
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

from dynconf.explanation import Explanation, explain
from dynconf.flags.flag import Flag, qualified
from dynconf.modules import MODULES, catalogue, module_path
from dynconf.names import FLAGS, newest_record, records_of
from dynconf.release import RELEASES, Release, minor
from dynconf.search import STOP_WORDS, SYNONYMS, index, topics
from dynconf.wording import NOT_DESCRIBED, labelled_facts, value_text

FOLDER = "reference/flags"
NEWEST = Release.named(RELEASES[-1])
MINORS = [release.rpartition(".")[0] for release in RELEASES]

_LINKED = re.compile(r"`(?P<code>[^`]+)`|(?P<url>https://\S+)|(?P<name>\b[A-Za-z_]\w*(?:\.\w+)*)")
"""The parts of a text that may be more than words: names are linked if they are those of flags."""


def newest_flags() -> list[Flag]:
    """Return all flags by their newest names, in the order of modules and names."""
    return [entry.flag for entry in index()]


def explanation(flag: Flag) -> Explanation:
    """Return all that is known of a flag in the newest torch."""
    found = explain(flag.qualified, NEWEST)
    assert found is not None
    return found


class FlagPage(SphinxDirective):
    """The body of the page of a flag."""

    required_arguments = 1

    def run(self) -> list[Node]:
        """Return the first lines of ``dynconf explain``, then its table."""
        name = self.arguments[0]
        found = explanation(FLAGS[name])
        facts = found.as_json()
        value = f" = {value_text(facts['value'], repr)}"
        first = nodes.paragraph(
            "", "", nodes.literal("", f"{name}{value if found.setting else ''}"), classes=["flag-value"]
        )
        if found.setting:
            first += nodes.Text(f", the default of torch {facts['torch']}")
        body: list[Node] = [nodes.target("", "", ids=[name]), first]
        if found.note:
            body.append(nodes.warning("", nodes.paragraph("", "", *self._inline(found.note, found.flag))))
        for text in filter(None, (facts["summary"] or NOT_DESCRIBED, facts["details"])):
            body.append(nodes.paragraph("", "", *self._inline(text, found.flag)))
        table = nodes.definition_list(classes=["flag-facts"])
        for label, text in labelled_facts(facts):
            parts = self._source(facts) if label == "source" else self._inline(text, found.flag)
            parts = self._topic(text, found.flag) if label == "topic" else parts
            term = nodes.term("", "", *self._label(label))
            table += nodes.definition_list_item(
                "", term, nodes.definition("", nodes.paragraph("", "", *parts))
            )
        return [*body, table]

    def _inline(self, text: str, flag: Flag) -> Iterator[Node]:
        """Yield a text as nodes, in which flags and addresses are links."""
        end = 0
        for match in _LINKED.finditer(text):
            word = match[match.lastgroup or 0]
            yield nodes.Text(text[end : match.start()])
            end = match.end()
            target = _target(word, flag)
            if match["url"]:
                yield nodes.reference("", word, refuri=word)
            elif target:
                yield self._reference("dynconf", "flag", target, word)
            else:
                yield nodes.literal("", word) if match["code"] else nodes.Text(match[0])
        yield nodes.Text(text[end:])

    def _label(self, label: str) -> list[Node]:
        if re.fullmatch(r"DC\d+", label):
            return [self._reference("std", "ref", label.lower(), label, refexplicit=True)]
        return [nodes.literal("", label) if label.isupper() or "_" in label else nodes.Text(label)]

    def _reference(self, domain: str, kind: str, target: str, text: str, **options: bool) -> Node:
        return addnodes.pending_xref(
            "",
            nodes.literal("", text),
            refdomain=domain,
            reftype=kind,
            reftarget=target,
            refdoc=self.env.docname,
            refwarn=True,
            **options,
        )

    def _topic(self, text: str, flag: Flag) -> list[Node]:
        topic, _, status = text.partition(", ")
        address = f"index.html#topic={qualified(flag.module, topic)}"
        return [nodes.reference("", topic, refuri=address, internal=True), nodes.Text(f", {status}")]

    def _source(self, facts: dict[str, Any]) -> Iterator[Node]:
        """Yield the link to torch's source in the newest release that has the flag, then those to others."""
        *others, (release, newest) = facts["sources"].items()
        path, _, line = newest.partition(f"/v{release}/")[2].partition("#L")
        yield nodes.reference("", f"{path}, line {line}" if line else path, refuri=newest)
        yield nodes.Text(f" in torch {release}")
        for number, (other, url) in enumerate(reversed(others)):
            yield nodes.Text(", " if number else "; in ")
            yield nodes.reference("", other.rpartition(".")[0], refuri=url)


def _target(word: str, flag: Flag) -> str:
    """Return the flag that a word in the text of a flag means; nothing if it is another word, or itself."""
    # Many flags are words of English, too.
    for name in (qualified(flag.module, word), word) if "_" in word or "." in word else ():
        if name in FLAGS:
            target = newest_record(name).qualified
            return "" if target == flag.qualified else target
    return ""


class FlagList(SphinxDirective):
    """All flags by module and topic, and the form to search them, which is for browsers that run scripts."""

    def run(self) -> list[Node]:
        """Return the form, then a section for each module."""
        sections: list[Node] = []
        for module in MODULES:
            section = _section(f"flags-of-{module}", module_path(module))
            flags = sorted(
                newest_flags(),
                key=lambda flag: (
                    list(catalogue(module).topics).index(flag.topic) if flag.module == module else 0
                ),
            )
            for topic, members in groupby(
                (each for each in flags if each.module == module), lambda each: each.topic
            ):
                inner = _section(f"{module}-{topic}", topic.replace("_", " "))
                rows = "".join(map(_row, members))
                inner += nodes.raw("", f'<ul class="flag-list">{rows}</ul>', format="html")
                section += inner
            sections.append(section)
        return [nodes.raw("", _form(), format="html"), *sections]


def _section(name: str, title: str) -> Element:
    return nodes.section("", nodes.title("", title), ids=[name], names=[name])


def _row(flag: Flag) -> str:
    status = flag.status_in(flag.until or NEWEST)
    until = "" if not flag.until else f"until torch {flag.until}"
    tags = filter(None, (qualified(flag.module, flag.topic), status if status != "active" else "", until))
    # Whoever has a link with an old name gets to the flag.
    old = "".join(f'<span id="{escape(each.qualified)}"></span>' for each in records_of(flag)[1:])
    name = escape(flag.qualified)
    return (
        f'<li id="{name}">{old}<a class="reference internal" href="{name}.html"><code>{name}</code></a>'
        f' <span class="flag-tags">{escape(" · ".join(tags))}</span>'
        f"<p>{escape(flag.summary)}</p></li>"
    )


def _form() -> str:
    """Return the form; scripts show it."""
    return f"""
<form id="flag-form" role="search" aria-label="Flags" hidden>
<p><label for="flag-query">Name, old name, variable, or aim</label>
<input id="flag-query" type="search" autocomplete="off" spellcheck="false" placeholder="faster" aria-describedby="flag-keys"></p>
<p class="flag-filters">
{_select("module", "Module", {module: module_path(module) for module in MODULES})}
{_select("topic", "Topic", {name: f"{name} ({count})" for name, count in topics().items()})}
{_select("status", "Status", {name: name for name in _statuses()})}
{_select("release", "In torch", {name: name for name in reversed(MINORS)})}
<button type="reset">Clear</button>
</p>
<p id="flag-keys" class="flag-keys"><kbd>/</kbd> search, <kbd>↓</kbd> <kbd>↑</kbd> choose, <kbd>Enter</kbd> open,
<kbd>Esc</kbd> clear</p>
</form>
<div id="flag-results" hidden><p id="flag-count" role="status"></p><ol class="flag-list"></ol>
<button type="button" id="flag-more" hidden>Show all</button></div>
"""


def _select(name: str, label: str, options: dict[str, str]) -> str:
    listed = "".join(
        f'<option value="{escape(key)}">{escape(text)}</option>' for key, text in options.items()
    )
    return f'<label>{label} <select id="flag-{name}" name="{name}"><option value="">any</option>{listed}</select></label>'


def _statuses() -> list[str]:
    return sorted({flag.status_in(minor(release)) for flag in newest_flags() for release in RELEASES})


def search_data() -> dict[str, Any]:
    """Return the index of `dynconf.search`, with the facts by which one filters."""
    flags = []
    for entry in index():
        flag = entry.flag
        records = records_of(flag)
        by_release: list[str] = []
        for release in map(minor, MINORS):
            known = next((each for each in records if each.exists_in(release)), None)
            by_release.append(known.status_in(release) if known else "")
        flags.append(
            {
                "name": flag.qualified,
                "module": flag.module,
                "topic": qualified(flag.module, flag.topic),
                "minor": entry.is_minor,
                "texts": entry.texts,
                "status": by_release,
            }
        )
    return {
        "flags": flags,
        "releases": MINORS,
        "synonyms": SYNONYMS,
        "stopWords": STOP_WORDS,
        "topics": list(topics()),
    }


class FlagDomain(Domain):
    """Flags as objects, to which this and other sites link by any of their names."""

    name = label = "dynconf"
    object_types = {"flag": ObjType("flag", "flag")}
    roles = {"flag": XRefRole()}
    directives = {"flag": FlagPage, "flags": FlagList}

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield every name that a flag has had."""
        for flag in newest_flags():
            for each in records_of(flag):
                yield each.qualified, each.qualified, "flag", f"{FOLDER}/{flag.qualified}", flag.qualified, 1

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: addnodes.pending_xref,
        contnode: Element,
    ) -> nodes.reference | None:
        """Return the link to the page of a flag."""
        if target not in FLAGS:
            return None
        flag = newest_record(target)
        return make_refnode(builder, fromdocname, f"{FOLDER}/{flag.qualified}", "", contnode, flag.summary)

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: addnodes.pending_xref,
        contnode: Element,
    ) -> list[tuple[str, nodes.reference]]:
        """Return the link to the page of a flag, for a reference that does not say what it means."""
        found = self.resolve_xref(env, fromdocname, builder, "flag", target, node, contnode)
        return [("dynconf:flag", found)] if found else []

    def merge_domaindata(self, docnames: Any, otherdata: Any) -> None:
        """Do nothing: all of it comes from the catalogues."""


def write_pages(app: Sphinx) -> None:
    """Write the source of each page, and the data of the search."""
    folder = Path(app.srcdir) / FOLDER
    wanted = {folder / f"{flag.qualified}.rst": flag.qualified for flag in newest_flags()}
    for path, name in wanted.items():
        text = f":orphan:\n\n{name}\n{'=' * len(name)}\n\n.. dynconf:flag:: {name}\n"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in {*folder.glob("*.rst")} - wanted.keys():
        path.unlink()
    write_script(app, "flag-data.js", "dynconfFlags", search_data())


def write_script(app: Sphinx, file: str, name: str, data: Any) -> None:
    """Write data as a script that puts it into a global name."""
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    (static / file).write_text(
        f"const {name} = {json.dumps(data, separators=(',', ':'))};\n", encoding="utf-8"
    )


def add_scripts(app: Sphinx, page: str, *_: object) -> None:
    """Load the scripts only where they are used."""
    if page == f"{FOLDER}/index":
        app.add_js_file("flag-data.js", loading_method="defer")
        app.add_js_file("flag-search.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_domain(FlagDomain)
    app.connect("builder-inited", write_pages)
    app.connect("html-page-context", add_scripts)
    app.add_css_file("dynconf.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
