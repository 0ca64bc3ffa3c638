"""Steps as findings: each outcome, its level and its facts."""

import pytest

from dynconf.doctor.steps import Failed, Skipped, Step, StepReport, run_step, run_steps


def step(outcome, **options):
    """Return a step that returns a text or raises an exception."""

    def run():
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return Step("a-code", "thing", run, "general advice", **options)


@pytest.mark.parametrize(
    ("outcome", "level", "status", "required", "message"),
    [
        ("all good", "note", "passed", True, "thing: all good"),
        (Skipped("no thing here"), "note", "skipped", False, "thing: no thing here"),
        (
            Failed("it is bent\nat one end", "bend it back"),
            "error", "failed", True, "thing: it is bent\nat one end\nTry: bend it back",
        ),
        (
            Failed("it is bent", "bend it back", required=False),
            "note", "failed", False, "thing: it is bent\nTry: bend it back",
        ),
        (
            OSError("no disk\nno hope"),
            "error", "failed", True, "thing: OSError: no disk\nno hope\nTry: general advice",
        ),
    ],
)  # fmt: skip
def test_each_outcome_is_a_finding(outcome, level, status, required, message):
    """Only a failure of something required is an error; the message has details and advice."""
    finding = run_step(step(outcome, facts={"device": "cpu"}))
    assert (finding.code, finding.level, finding.message) == ("a-code", level, message)
    assert (finding.facts["status"], finding.facts["required"]) == (status, required)
    assert (finding.facts["title"], finding.facts["device"]) == ("thing", "cpu")
    assert finding.facts["seconds"] >= 0
    assert ("advice" in finding.facts) == (status == "failed")


def test_the_traceback_is_that_of_the_cause():
    """An exception of torch has a traceback; a failure that the step found itself has none."""
    assert "OSError: no disk" in run_step(step(OSError("no disk"))).facts["traceback"]
    assert run_step(step(Failed("it is bent", "bend it back"))).facts["traceback"] == ""


def test_the_traceback_includes_causes():
    """An exception raised from another shows both."""
    error = ValueError("outer")
    error.__cause__ = KeyError("inner")
    shown = run_step(step(error)).facts["traceback"]
    assert "KeyError: 'inner'" in shown
    assert "ValueError: outer" in shown


def test_an_interruption_is_not_a_finding():
    """Ctrl-C ends the run."""

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_step(Step("a-code", "thing", interrupted))


def test_the_summary_names_failed_and_skipped_steps():
    """A report says in one line whether the required steps passed."""
    outcomes = ["fine", Skipped("no need"), Failed("optional", "", required=False)]
    report = StepReport(tuple(run_steps(map(step, outcomes))))
    assert (report.ok, report.summary) == (True, "All required checks passed; skipped: thing.")
    report = StepReport((run_step(step(OSError())),))
    assert (report.ok, report.summary) == (False, "Failed: thing.")
