"""Findings and reports: the results of checks."""

import pytest

from dynconf.tools.show.finding import Finding, Level, Report


@pytest.mark.parametrize(("level", "ok"), [("error", False), ("warning", False), ("note", True)])
def test_a_report_is_fine_with_notes_alone(level: Level, *, ok: bool) -> None:
    """Errors and warnings mean that something is wrong; notes do not, and neither does an empty report."""
    assert Report((Finding("code", level, "message"),)).ok is ok
    assert Report(()).ok
