"""Take the pictures of the site for the README: ``python docs/screenshots.py``, after `make docs`."""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parent
SITE = DOCS.parent / ".cache" / "docs"
PICTURES = {
    "site-start.png": "index.html",
    "site-flags.png": "reference/flags/index.html#q=less+memory",
}


def main() -> None:
    """Take each picture."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for file, address in PICTURES.items():
            page = chromium.new_page(viewport={"width": 1100, "height": 720})
            page.goto(f"{SITE.as_uri()}/{address}")
            page.screenshot(path=DOCS / "images" / file)


if __name__ == "__main__":
    main()
