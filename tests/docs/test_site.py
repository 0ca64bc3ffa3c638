"""The whole site in a browser: narrow, dark, accessible, and quiet."""

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from dynconf.catalogue.modules.often_set import OFTEN_SET

PAGES = (
    "index.html",
    "start.html",
    "often-set.html",
    "guides/training-script.html",
    "explanations/precedence.html",
    "explanations/speed.html",
    "reference/command-line/explain.html",
    "reference/codes/DC005.html",
    "reference/api/in-force.html",
    "search.html?q=less+memory",
    "404.html",
    "reference/flags/index.html",
    "reference/flags/index.html#q=faster",
    "reference/flags/inductor.cpp.cxx.html",
    "reference/upgrading.html",
    "reference/upgrading.html#2.6..2.13",
)
SCHEMES = ("light", "dark")


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_screen_needs_scrolling_sideways(tab: Any, address: str, scheme: str) -> None:
    """360 pixels are those of a small phone, 1366 of a small laptop; the background follows the scheme."""
    page = tab(color_scheme=scheme).open(address)
    for width in (360, 1366):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red, green, blue = map(int, re.findall(r"\d+", background)[:3])
    assert (red + green + blue > 3 * 128) == (scheme == "light")


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_accessibility_checker_finds_nothing(tab: Any, address: str, scheme: str) -> None:
    """Contrast, names of controls, landmarks, order of headings."""
    if importlib.util.find_spec("axe_playwright_python") is None:
        pytest.skip("there is no axe: `pip install --editable '.[docs]'`")
    from axe_playwright_python.sync_playwright import Axe

    page = tab(color_scheme=scheme).open(address)
    # It would load style sheets once more, which the browser refuses for files.
    found = Axe().run(page, options={"preload": False}).response["violations"]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"][:3]]) for each in found] == []


def test_wide_code_and_tables_scroll_by_keyboard(tab: Any) -> None:
    """They take the focus where they are wider than the screen, and only there."""
    for width in (360, 1600):
        page = tab(viewport={"width": width, "height": 740}).open("explanations/precedence.html")
        page.wait_for_load_state("load")
        wide = "each => each.scrollWidth > each.clientWidth"
        boxes = page.locator("pre, .table-wrapper").all()
        focusable = [each.get_attribute("tabindex") == "0" for each in boxes]
        assert focusable == [each.evaluate(wide) for each in boxes]
        assert any(focusable) == (width == 360)


def test_code_and_what_a_terminal_shows_fit_a_wide_screen(tab: Any, site: Path) -> None:
    """A demonstration is seen whole, on every page but those of flags, which have none."""
    opened = tab(viewport={"width": 1280, "height": 900})
    cut = []
    for path in site.rglob("*.html"):
        if path.parent.name != "flags":
            page = opened.open(str(path.relative_to(site)))
            wide = "boxes => boxes.filter((each) => each.scrollWidth > each.clientWidth + 1).length"
            cut += [path.name] * page.eval_on_selector_all("pre, article img, .table-wrapper", wide)
    assert cut == []


def test_the_flags_that_people_set_are_in_their_order(tab: Any) -> None:
    """Each with a link, the repositories that set it, and what it does: nothing measured, or more or less."""
    page = tab().open("often-set.html")
    cells = "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
    rows = page.locator("table").first.locator("tbody tr").evaluate_all(cells)
    assert [(about.split(":")[0], int(count)) for about, count, _ in rows] == [*OFTEN_SET.items()]
    effect = r"none measured on a CPU|.*: (the same|(compile time|run time|memory) [\d.]+ x.*)"
    assert all(re.fullmatch(effect, row[2]) for row in rows)
    page.click("text=inductor.freezing")
    page.wait_for_url("**/reference/flags/inductor.freezing.html")


def test_every_page_has_an_icon_and_so_does_the_one_that_says_that_there_is_none(site: Path) -> None:
    """The page for addresses that are not there leads to the start page and to all flags."""
    for path in site.rglob("*.html"):
        assert re.search(
            r'<link rel="shortcut icon" href="[^"]*favicon\.svg"', path.read_text(encoding="utf-8")
        )
    missing = (site / "404.html").read_text(encoding="utf-8")
    assert {"index.html", "reference/flags/index.html"} <= set(re.findall(r'href="([^"]+)"', missing))


def test_nothing_is_loaded_from_elsewhere(tab: Any) -> None:
    """Pages that are opened as files ask for files alone."""
    opened = tab()
    asked: list[str] = []
    opened.page.on("request", lambda request: asked.append(request.url))
    for address in PAGES:
        opened.open(address)
    assert len(asked) > len(PAGES)
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
