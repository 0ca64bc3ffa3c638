"""The pages of flags say what `dynconf explain` says, no more and no less."""

import re
import zlib
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from dynconf.catalogue.names import records_of
from dynconf.release import RELEASES, Release
from dynconf.tools.show.explanation import explain
from dynconf.tools.show.search import index
from dynconf.tools.show.wording import labelled_facts

NEWEST = Release.named(RELEASES[-1])
FLAGS = [entry.flag.qualified for entry in index()]


class Facts(HTMLParser):
    """The terms and definitions of a page, and the addresses in the last definition."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.items: list[list[str]] = []
        self.links: list[str] = []
        self.reads = False
        self.feed(page)
        self.pairs = list(zip(*[iter(re.sub(r"\s+", " ", "".join(each)).strip() for each in self.items)] * 2))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("dt", "dd"):
            self.items.append([])
            self.reads = True
            self.links = []
        self.links += [value for name, value in attrs if self.reads and name == "href" and value]

    def handle_endtag(self, tag: str) -> None:
        self.reads = self.reads and tag not in ("dt", "dd")

    def handle_data(self, data: str) -> None:
        if self.reads:
            self.items[-1].append(data)


def text_of(site: Path, name: str) -> str:
    """Return the page of a flag."""
    return (site / "reference" / "flags" / f"{name}.html").read_text(encoding="utf-8")


def test_every_flag_has_a_page_with_its_facts(site: Path) -> None:
    """The labels and texts that `explain` prints, and the links to torch's source, one for each release."""
    assert len(FLAGS) > 900
    declared = {}
    for name in FLAGS:
        page = Facts(text_of(site, name))
        found = explain(name, NEWEST)
        assert found is not None
        facts = found.as_json()
        expected = [(label, text.replace("`", "")) for label, text in labelled_facts(facts)]
        assert page.pairs[:-1] == expected[:-1], name
        assert page.pairs[-1][0] == expected[-1][0] == "source"
        links = [(link.partition("#L")[0], link.partition("#L")[2]) for link in page.links]
        assert [url for url, _ in links] == [facts["source"], *list(facts["sources"].values())[-2::-1]], name
        declared[name] = [line for _, line in links if line]
    assert declared["verbose"][0] == "37"
    assert sum(map(bool, declared.values())) > 900


@pytest.mark.parametrize(
    "name",
    [
        "recompile_limit",
        "inductor.cpp.cxx",
        "inductor.numerics",
        "compiler.force_disable_caches",
        "fx.no_data_dependent_graph_break",
    ],
)
def test_the_page_says_what_the_command_prints(site: Path, run_cli: Any, name: str) -> None:
    """Each line of it."""
    page = words(re.sub(r"<[^>]+>", "", re.sub(r"(?s)<(script|style).*?</\1>", "", text_of(site, name))))
    printed = run_cli("explain", name, "--torch", RELEASES[-1]).out.splitlines()
    for line in printed:
        for part in filter(None, re.split(r"\s{2,}", line.strip())):
            assert "https://" in part or words(part) in page, part


def words(text: str) -> str:
    """Return a text without quotes and spaces, which a page and a terminal show in their own ways."""
    return re.sub(r"\s+", " ", unescape(text).replace("`", ""))


@pytest.mark.parametrize("name", ["allow_complex_guards_as_runtime_asserts", "skip_fsdp_hooks"])
def test_the_page_of_a_flag_that_is_gone(tab: Any, run_cli: Any, name: str) -> None:
    """It says since when, and what to use, as `explain` does on the standard error output."""
    page = tab().open(f"reference/flags/{name}.html")
    note = run_cli("explain", name, "--torch", RELEASES[-1]).err.removeprefix("dynconf: note: ").strip()
    assert page.inner_text(".admonition p:last-child").strip() == note


def test_other_flags_and_rules_are_links(tab: Any) -> None:
    """In texts, and the codes of rules."""
    page = tab().open("reference/flags/recompile_limit.html")
    page.click(".flag-facts dt >> text=DC005")
    assert page.inner_text("h1").startswith("DC005")
    page.go_back()
    page.click(".flag-facts a >> text=accumulated_recompile_limit >> nth=0")
    assert page.inner_text("h1").startswith("accumulated_recompile_limit")
    page.click(".flag-way a >> text=recompile")
    page.wait_for_selector("#flag-results li")
    assert page.input_value("#flag-topic") == "recompile"


def test_the_page_of_a_rule_links_to_its_flags(tab: Any) -> None:
    """Wherever it names one, as does the page of a flag."""
    page = tab().open("reference/codes/DC204.html")
    page.click("p a >> text=coordinate_descent_tuning")
    assert page.inner_text("h1").startswith("inductor.coordinate_descent_tuning")


def test_other_sites_can_link_to_flags(site: Path) -> None:
    """The inventory has each flag, by its old names too, as ``dynconf:flag``."""
    inventory = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    lines = zlib.decompress(inventory).decode().splitlines()
    found = {line.split()[0]: line.split()[3] for line in lines if " dynconf:flag " in line}
    names = {each.qualified for entry in index() for each in records_of(entry.flag)}
    assert found.keys() == names
    assert found["cache_size_limit"].startswith("reference/flags/recompile_limit.html")
