"""The page "Upgrading torch": what `dynconf diff` prints for two releases, picked on the page."""

import json
from itertools import permutations
from typing import Any

import pytest

from dynconf.release import RELEASES
from dynconf.store.diff import release_changes, table_row

PAGE = "reference/upgrading.html"
MINORS = [release.rpartition(".")[0] for release in RELEASES]


def shown(page: Any) -> list[list[str]]:
    """Return flag, before and after of each row that the page shows."""
    rows: list[list[str]] = page.eval_on_selector_all(
        "#upgrade-tables tbody tr",
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent))",
    )
    return rows


@pytest.mark.parametrize(("before", "after"), [("2.6", "2.13"), ("2.4", "2.15"), ("2.13", "2.6")])
def test_two_releases_are_picked(tab: Any, run_cli: Any, before: str, after: str) -> None:
    """All that `dynconf diff` says, in its order, below headings; the address can be shared."""
    page = tab().open(PAGE)
    page.select_option("#upgrade-from", before)
    page.select_option("#upgrade-to", after)
    command = ("diff", "--torch", before, "--torch", after)
    printed = json.loads(run_cli(*command, "--format", "json").out)["changes"]
    rows = [table_row(change) for change in printed]
    assert shown(page) == [[flag, *sides] for flag, _, *sides in rows]
    assert page.inner_text("#upgrade-command") == f"dynconf {' '.join(command)}"
    assert page.inner_text("#upgrade-count") == f"{len(rows)} changes"
    assert page.url.endswith(f"#{before}..{after}")
    shared = tab().open(f"{PAGE}#{before}..{after}")
    assert shown(shared) == shown(page)


def test_all_releases_are_those_of_the_command(tab: Any) -> None:
    """Any release to any other, up or down."""
    data = tab().open(PAGE).evaluate("dynconfReleases")
    for before, after in permutations(MINORS, 2):
        found = [tuple(data["changes"][number]) for number in data["pairs"][before][after]]
        assert found == [table_row(change.as_json()) for change in release_changes(before, after)]


def test_changed_defaults_come_first(tab: Any) -> None:
    """Then names that are gone, with their replacements; then new flags and variables."""
    page = tab().open(f"{PAGE}#2.6..2.13")
    titles = [each.rpartition(" (")[0] for each in page.locator("#upgrade-tables .rubric").all_inner_texts()]
    assert titles[:4] == ["Changed defaults", "Renamed flags", "Flags that are gone", "New flags"]
    assert titles[-1] == "Variables that are read otherwise"
    advice = {flag: after for flag, _, after in shown(page)}
    assert advice["inductor.autoheuristic_use"] == "set inductor.autoheuristic_use.pad_mm"


def test_the_back_button_returns_to_other_releases(tab: Any) -> None:
    """And at last to the list of all releases."""
    page = tab().open(PAGE)
    page.select_option("#upgrade-from", "2.8")
    first = shown(page)
    page.select_option("#upgrade-to", "2.9")
    assert shown(page) != first
    page.go_back()
    assert shown(page) == first
    page.go_back()
    assert not page.is_visible("#upgrade-result")
    assert page.is_visible("#torch-2-13, [id='torch-2.13']")
    page.select_option("#upgrade-from", page.input_value("#upgrade-to"))
    assert page.inner_text("#upgrade-count") == "No differences."


def test_without_scripts_each_release_is_listed(tab: Any) -> None:
    """From the one before it, with links to the pages of flags."""
    page = tab(java_script_enabled=False).open(PAGE)
    assert not page.is_visible("#upgrade-form")
    texts = page.locator("h2").all_inner_texts()
    assert texts[0].rstrip("#¶") == f"{MINORS[-2]} to {MINORS[-1]}"
    assert len(texts) == len(MINORS) - 1
    page.locator("table.upgrade a").first.click()
    assert page.is_visible(".flag-facts")
