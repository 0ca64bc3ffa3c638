"""A page for each flag, and `dynconf:flag` to link to it from here and, by intersphinx, from other sites.

A page says what ``dynconf explain`` says of the flag in the newest torch: both take it from
`dynconf.tools.show.explanation` and `dynconf.tools.show.wording`. A page adds the line on which each release
declares the flag, from the facts in ``tests/data/upstream``, which no wheel has.
"""

import functools
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

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

from dynconf._codegen.generated import FIXTURES
from dynconf.catalogue.flags.flag import Flag, qualified
from dynconf.catalogue.flags.types import value_text
from dynconf.catalogue.names import FLAGS, find, newest_record, records_of
from dynconf.release import RELEASES, Release
from dynconf.tools.show.explanation import Explanation, explain
from dynconf.tools.show.search import index
from dynconf.tools.show.wording import NOT_DESCRIBED, labelled_facts

FOLDER = "reference/flags"
NEWEST = Release.named(RELEASES[-1])

_LINKED = re.compile(r"`(?P<code>[^`]+)`|(?P<url>https://\S+)|(?P<name>\b[A-Za-z_]\w*(?:\.\w+)*)")
"""The parts of a text that may be more than words: names are linked if they are those of flags."""


def newest_flags() -> list[Flag]:
    """Return all flags by their newest names, by module and name."""
    return [entry.flag for entry in index()]


def explanation(name: str) -> Explanation:
    """Return all that is known of a flag in the newest torch."""
    found = explain(name, NEWEST)
    assert found is not None
    return found


class FlagPage(SphinxDirective):
    """The body of the page of a flag."""

    required_arguments = 1

    def run(self) -> list[Node]:
        """Return the first lines of ``dynconf explain``, then its table."""
        name = self.arguments[0]
        found = explanation(name)
        flag, facts = found.flag, found.as_json()
        topic = qualified(flag.module, flag.topic)
        way = [
            _link("Flags", "index.html"),
            nodes.Text(" / "),
            _link(facts["module"], f"index.html#module={flag.module}"),
            nodes.Text(" / "),
            _link(flag.topic, f"index.html#topic={topic}"),
        ]
        body: list[Node] = [
            nodes.target("", "", ids=[name]),
            nodes.paragraph("", "", *way, classes=["flag-way"]),
        ]
        if found.setting:
            value = nodes.literal("", f"{name} = {value_text(facts['value'], repr)}")
            where = nodes.Text(f", the default of torch {facts['torch']}")
            body.append(nodes.paragraph("", "", value, where, classes=["flag-value"]))
        if found.note:
            body.append(nodes.warning("", nodes.paragraph("", "", *self._inline(found.note, flag))))
        texts = filter(None, (facts["summary"] or NOT_DESCRIBED, facts["details"]))
        body += [nodes.paragraph("", "", *self._inline(text, flag)) for text in texts]
        table = nodes.definition_list(classes=["flag-facts"])
        for label, text in labelled_facts(facts):
            shown = _sources(name, facts) if label == "source" else self._inline(text, flag)
            definition = nodes.definition("", nodes.paragraph("", "", *shown))
            table += nodes.definition_list_item("", nodes.term("", "", self._label(label)), definition)
        return [*body, table]

    def _inline(self, text: str, flag: Flag) -> Iterator[Node]:
        """Yield a text as nodes, in which other flags and addresses are links."""
        end = 0
        for match in _LINKED.finditer(text):
            word = match[match.lastgroup or 0]
            yield nodes.Text(text[end : match.start()])
            end = match.end()
            target = flag_called(word, flag.module)
            if match["url"]:
                yield nodes.reference("", word, refuri=word)
            elif target and target != flag.qualified:
                yield self._reference("dynconf", "flag", target, word)
            else:
                yield nodes.literal("", word) if match["code"] else nodes.Text(match[0])
        yield nodes.Text(text[end:])

    def _label(self, label: str) -> Node:
        if re.fullmatch(r"DC\d+", label):
            return self._reference("std", "ref", label.lower(), label, refexplicit=True)
        is_words = " " in label or label.islower()
        return nodes.Text(label) if is_words else nodes.literal("", label)

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


def _link(text: str, address: str) -> Node:
    return nodes.reference("", text, refuri=address, internal=True)


@functools.cache
def _facts(release: str) -> Any:
    """Return what a release says of its flags, by module and name."""
    return json.loads((FIXTURES / f"{release}.json").read_text(encoding="utf-8"))["modules"]


def sources(name: str, facts: dict[str, Any]) -> dict[str, str]:
    """Return the links to torch's source by release, with the line that declares the flag where known."""
    links = {}
    for release, url in facts["sources"].items():
        there = find(name, Release.named(release))
        assert there is not None
        line = _facts(release)[there.module].get(there.name, {}).get("line")
        links[release] = f"{url}#L{line}" if line else url
    return links


def _sources(name: str, facts: dict[str, Any]) -> Iterator[Node]:
    """Yield the link to torch's source in the newest release that has the flag, then those to others."""
    *others, (release, newest) = sources(name, facts).items()
    path, _, line = newest.partition(f"/v{release}/")[2].partition("#L")
    yield nodes.reference("", f"{path}, line {line}" if line else path, refuri=newest)
    yield nodes.Text(f" in torch {release}")
    for number, (other, address) in enumerate(reversed(others)):
        yield nodes.Text(", " if number else "; in ")
        yield nodes.reference("", other.rpartition(".")[0], refuri=address)


def flag_called(word: str, module: str) -> str:
    """Return the flag that a word means in a text about a config module; nothing if it is another word."""
    # Many flags are words of English, too.
    for name in (qualified(module, word), word) if "_" in word or "." in word else ():
        if name in FLAGS:
            return newest_record(name).qualified
    return ""


class FlagDomain(Domain):
    """Flags as objects, by any of their names; all that is known of them is in the catalogues."""

    name = label = "dynconf"
    object_types: ClassVar = {"flag": ObjType("flag", "flag")}
    roles: ClassVar = {"flag": XRefRole()}
    directives: ClassVar = {"flag": FlagPage}

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield every name that a flag has had, with the page."""
        for flag in newest_flags():
            for each in records_of(flag):
                yield each.qualified, each.qualified, "flag", f"{FOLDER}/{flag.qualified}", flag.qualified, 1

    def resolve_xref(
        self,
        _env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        _typ: str,
        target: str,
        _node: addnodes.pending_xref,
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
        """Do nothing: a process that reads other pages has the same catalogues."""


def write_pages(app: Sphinx) -> None:
    """Write the source of each page, if it has changed: Sphinx reads changed files again."""
    folder = Path(app.srcdir) / FOLDER
    wanted = {}
    for flag in newest_flags():
        name, facts = flag.qualified, explanation(flag.qualified).as_json()
        digest = hashlib.sha256(str({**facts, "sources": sources(name, facts)}).encode()).hexdigest()
        text = f":orphan:\n\n{name}\n{'=' * len(name)}\n\n.. dynconf:flag:: {name}\n\n.. {digest}\n"
        wanted[folder / f"{name}.rst"] = text
    for path, text in wanted.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in {*folder.glob("*.rst")} - wanted.keys():
        path.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_domain(FlagDomain)
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
