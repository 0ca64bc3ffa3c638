"""Whoever has a question finds the flag or page that answers it: by the search, or from the start page."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from conftest import ROOT

from dynconf.tools.show.search import corrected, search

QUESTIONS = {
    "let a colleague change flags without editing my script": "guides/training-script",
    "my package wants a higher recompile limit without overruling the user": "guides/libraries",
    "flag is ignored in the threads of my inference server": "guides/serving",
    "which worker reads my dynconf.toml under gunicorn": "guides/web-servers",
    "my ranks recompile differently on Slurm": "guides/ranks",
    "how do I set dynamo flags with Lightning Trainer": "guides/trainers",
    "how do I pass settings through srun or docker": "guides/slurm-and-containers",
    "warnings about CONFIG in pytest": "guides/pytest",
    "find deprecated flags in my repo": "guides/check",
    "undo a cell that changed a flag in Jupyter": "guides/notebooks",
    "put torch.compile flags in my hydra config": "guides/frameworks",
    "what changed between torch 2.8 and 2.13": "guides/upgrading",
    "what do I paste into a GitHub issue": "guides/bug-report",
    "loss is NaN since the upgrade, which flag is it": "guides/bisect",
    "who set recompile_limit to 64": "guides/audit",
    "why does my second run compile again": "guides/cache-misses",
    "how do I stop using dynconf": "guides/leaving",
    "does mode= beat my file": "explanations/precedence",
    "are flags seen in DataLoader workers": "explanations/threads-and-processes",
    "does changing a flag trigger a recompile": "explanations/caches",
    "is it safe to load somebody else's dynconf.toml": "explanations/trust",
    "how much overhead does dynconf add": "explanations/speed",
    "why not just use torch._dynamo.config": "explanations/comparison",
    "how is dynconf tested": "explanations/evidence",
}
"""A question for each guide and explanation, in the words of somebody who has not read it."""

KEYWORDS = {
    "flags that people set": "often-set",
    "what people set": "often-set",
    "gunicorn": "guides/web-servers",
    "slurm": "guides/slurm-and-containers",
    "uninstall": "guides/leaving",
    "precedence": "explanations/precedence",
    "alternatives": "explanations/comparison",
    "overhead": "explanations/speed",
    "cache miss": "guides/cache-misses",
    "github issue": "guides/bug-report",
    "jupyter notebok": "guides/notebooks",
    "kuberntes": "guides/slurm-and-containers",
}
"""Words that people type instead of a question, two of them with typos."""


def ask(page: Any, question: str) -> None:
    """Put a question to the search of the sidebar."""
    page.fill(".sidebar-search", question)
    page.press(".sidebar-search", "Enter")
    page.wait_for_selector(".search-summary")


def found(page: Any, kind: str) -> list[str]:
    """Return the addresses in a list of results, without fragments."""
    links = page.eval_on_selector_all(f"#{kind}-found li a", "links => links.map((link) => link.href)")
    return [urlsplit(link).path.rpartition("/docs/")[2].removesuffix(".html") for link in links]


def test_there_is_a_question_for_each_page() -> None:
    """For each guide, and for each explanation."""
    pages = [path for folder in ("guides", "explanations") for path in (ROOT / "docs" / folder).glob("*.md")]
    assert {f"{path.parent.name}/{path.stem}" for path in pages} == set(QUESTIONS.values())


@pytest.mark.parametrize(("question", "page"), (QUESTIONS | KEYWORDS).items())
def test_a_search_answers(tab: Any, question: str, page: str) -> None:
    """One search from the start page: the page is among the first three."""
    opened = tab().open("index.html")
    ask(opened, question)
    assert page in found(opened, "pages")[:3]


class Links(HTMLParser):
    """The pages that a page links to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.pages: set[Path] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        parts = urlsplit(dict(attrs).get("href") or "")
        if tag == "a" and parts.path.endswith(".html") and not parts.scheme:
            self.pages.add((self.path.parent / parts.path).resolve())


def test_every_page_is_three_clicks_away(site: Path) -> None:
    """From the start page, by links that need no script; a guide or an explanation is one click away."""
    start = (site / "index.html").resolve()
    clicks = {start: 0}
    for path in (waiting := [start]):
        for each in Links(path).pages - clicks.keys() if clicks[path] < 3 else ():
            clicks[each] = clicks[path] + 1
            waiting.append(each)
    assert {clicks[(site / f"{page}.html").resolve()] for page in QUESTIONS.values()} == {1}
    pages = {path.resolve() for path in site.rglob("*.html")} - {site.resolve() / "genindex.html"}
    assert {path.name for path in pages - clicks.keys()} <= {"search.html", "404.html", "py-modindex.html"}


AIMS = (
    *(
        "faster",
        "less memory",
        "fewer recompiles",
        "debug recompiles",
        "match eager",
        "slow compile",
        "cold start",
    ),
    *(
        "why is it slow?",
        "graph breaks",
        "numerics differ",
        "run eager",
        "compilation hangs",
        "where is the cache",
    ),
    *("autotune, faster", "dynamic shapes", "eager on error", "cudagraphs", "deterministic", "debugging"),
)
"""Questions by which one means an aim, which is in no description of a flag."""

MESSAGES = (
    *("cache_size_limit", "TORCHDYNAMO_RECOMPILE_LIMIT", "triton.cudagraphs", "torchinductor_max_autotune"),
    *("torch._dynamo hit config.recompile_limit (8)", "Not enough SMs to use max_autotune_gemm mode"),
    *("No working C++ compiler found in torch._inductor.config.cpp.cxx: (None, 'g++')", "recompile_limt"),
    "skipping cudagraphs due to mutated inputs (1 instances)",
)
"""Names of flags in full, old ones, variables, a typo, and messages of torch's, which people paste."""


@pytest.mark.parametrize("question", AIMS + MESSAGES)
def test_the_first_result_is_the_flag_that_an_expert_would_name(tab: Any, question: str) -> None:
    """The one that `dynconf explain` finds first, before all pages."""
    page = tab().open("index.html")
    ask(page, question)
    page.locator("#search-results a").first.click()
    page.wait_for_url(f"**/reference/flags/{search(corrected(question))[0].qualified}.html")


def test_the_topic_of_a_flag_finds_the_flag(tab: Any) -> None:
    """As any word; the flags of an aim follow in the expert's order."""
    page = tab().open("index.html")
    ask(page, "recompile")
    first = "recompile_limit", "accumulated_recompile_limit", "automatic_dynamic_shapes"
    assert found(page, "flags")[:3] == [f"reference/flags/{name}" for name in first]


def test_typos_are_forgiven(tab: Any) -> None:
    """The page says for which words it has searched, and links to all flags that match."""
    page = tab().open("index.html")
    ask(page, "inducter memroy")
    assert "“inductor memory”" in page.inner_text(".search-summary")
    all_flags = page.inner_text("#flags-found > p a").split()[1]
    page.click("#flags-found > p a")
    page.wait_for_selector("#flag-results li")
    assert page.inner_text("#flag-count").startswith(f"{all_flags} flags")


@pytest.mark.parametrize("name", ["dynconf.patch", "patch", "at_least()"])
def test_a_python_name_comes_first(tab: Any, name: str) -> None:
    """With a link to the place on its page."""
    page = tab().open("index.html")
    ask(page, name)
    address = page.get_attribute("#search-results a >> nth=0", "href")
    assert address.startswith("./reference/api/")
    assert address.endswith(f"#dynconf.{name.removeprefix('dynconf.').removesuffix('()')}")


def test_results_say_whom_a_page_helps(tab: Any) -> None:
    """By its first sentences."""
    page = tab().open("index.html")
    ask(page, "gunicorn")
    assert "How do all workers" in page.inner_text("#pages-found li:first-child p")


def test_nothing_is_found(tab: Any) -> None:
    """The page says so; markup in a question stays text."""
    page = tab().open(f"search.html?{urlencode({'q': 'qqqq <b>wwww</b> zzzz'})}")
    page.wait_for_selector(".search-summary")
    assert "“qqqq <b>wwww</b> zzzz”" in page.inner_text(".search-summary")


def test_without_scripts_the_search_says_where_to_look(tab: Any) -> None:
    """On the start page, and on the page of all flags."""
    page = tab(java_script_enabled=False).open("search.html?q=slurm")
    assert not page.is_visible("#page-form")
    page.click("noscript a >> text=one page")
    assert page.is_visible("section > .flag-list > li a >> nth=0")


def test_the_search_is_on_a_narrow_screen(tab: Any) -> None:
    """Where the sidebar is out of sight, the page itself has the search."""
    page = tab(viewport={"width": 360, "height": 740}).open("search.html")
    page.fill("#page-form input", "slurm")
    page.press("#page-form input", "Enter")
    page.wait_for_selector("#pages-found")
    assert found(page, "pages")[0] == "guides/slurm-and-containers"
    assert page.input_value("#page-form input") == "slurm"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
