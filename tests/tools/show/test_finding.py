"""Findings and reports: the results of checks."""

import pytest

from dynconf.tools.show.finding import Finding, Level, Report


@pytest.mark.parametrize(("level", "ok"), [("error", False), ("warning", False), ("note", True)])
def test_a_report_is_fine_with_notes_alone(level: Level, *, ok: bool) -> None:
    """Errors and warnings mean that something is wrong; notes do not, and neither does an empty report."""
    assert Report((Finding("code", level, "message"),)).ok is ok
    assert Report(()).ok


def test_a_report_as_json() -> None:
    """A finding is an object with its facts among its entries, and null for whatever is absent."""
    finding = Finding(
        "DC402", "warning", "it is", "verbose", "TORCHDYNAMO_VERBOSE", "x", {"torch_reads": False}
    )
    assert Report((finding, Finding("other", "note", "so"))).as_json() == {
        "findings": [
            {
                "code": "DC402",
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
