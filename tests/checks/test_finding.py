"""Tests of `dynconf.checks.finding`."""

import pytest

from dynconf.checks.finding import Finding, Level, Report


@pytest.mark.parametrize(("level", "ok"), [("error", False), ("warning", False), ("note", True)])
def test_a_report_is_fine_with_notes_alone(level: Level, *, ok: bool) -> None:
    """Errors and warnings are something wrong; notes are not, and nothing at all is fine."""
    assert Report((Finding("code", level, "message"),)).ok is ok
    assert Report(()).ok


def test_a_report_as_json() -> None:
    """A finding is an object with its facts among its entries; what there is not is null."""
    finding = Finding(
        "misread", "warning", "it is", "verbose", "TORCHDYNAMO_VERBOSE", "x", {"torch_reads": False}
    )
    assert Report((finding, Finding("other", "note", "so"))).as_json() == {
        "findings": [
            {
                "code": "misread",
                "level": "warning",
                "flag": "verbose",
                "variable": "TORCHDYNAMO_VERBOSE",
                "raw": "x",
                "torch_reads": False,
                "message": "it is",
            },
            {"code": "other", "level": "note", "flag": None, "variable": None, "raw": None, "message": "so"},
        ]
    }
