"""What is left to do after a release was added; the tests of the records have flags and rules that change."""

from pathlib import Path

import pytest

from dynconf._codegen import unfinished
from dynconf._codegen.unfinished import outdated_spans
from dynconf.release import RELEASES


def test_nothing_is_left_for_the_newest_release() -> None:
    """All flags are described, those that ended and rules that did say so, and documents end with it."""
    assert list(unfinished.unfinished()) == []


def test_the_next_release_leaves_the_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that name the releases from the oldest to the newest by hand."""
    monkeypatch.setattr(unfinished, "NEWEST", (2, 99))
    left = [line.partition(":")[0] for line in unfinished.unfinished()]
    assert {"README.md", ".ci/run", ".github/workflows/ci.yml"} <= set(left)


@pytest.mark.parametrize(
    ("text", "is_outdated"),
    [
        ("every torch from 2.4 to 2.98", True),
        ('torch: ["2.4.1", "2.6.0", "2.98.0"]', True),
        ("RELEASES='2.4.1 2.98.0'", True),
        ("the same on torch 2.4 and 2.5, and from 2.6 to 2.98", False),
        ("torch 2.4, 2.5: a dict", False),
        (f"{RELEASES[0]} to {RELEASES[-1]}", False),
    ],
)
def test_a_span_of_releases_ends_with_the_newest(tmp_path: Path, text: str, *, is_outdated: bool) -> None:
    """It begins with the oldest, and is in words or a list of full numbers."""
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    assert bool(list(outdated_spans(path))) is is_outdated
