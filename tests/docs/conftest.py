"""The site that `make docs` built, and a real browser: without one of the two, the tests are skipped."""

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

SITE = ROOT / ".cache" / "docs"


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site."""
    if not (SITE / "reference" / "flags" / "index.html").is_file():
        pytest.skip("there is no site: `make docs` builds it")
    return SITE


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, without a window.

    It ends with each module of tests: until then, playwright has an event loop running in this thread, in
    which no other test could call `asyncio.run`.
    """
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("there is no chromium: `apt install chromium`")
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("there is no playwright: `pip install --editable '.[docs]'`")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


class Tab:
    """A page of the site in the browser, with the messages of its console."""

    def __init__(self, browser: Any, site: Path, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.site = site
        self.messages: list[str] = []
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("requestfailed", self._failed)

    def _failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # as is what a page still loads when one leaves it
            self.messages.append(request.url)

    def open(self, address: str) -> Any:
        """Open a page by its address in the site."""
        self.page.goto(f"{self.site.as_uri()}/{address}")
        return self.page


@pytest.fixture
def tab(browser: Any, site: Path) -> Iterator[Any]:
    """Return a function that makes a tab; what its console says, such as an error, fails the test."""
    made = []

    def make(**options: Any) -> Tab:
        made.append(Tab(browser, site, **options))
        return made[-1]

    yield make
    for each in made:
        each.context.close()
    assert [message for each in made for message in each.messages] == []
