"""Steps as findings: each outcome, its level and its facts."""

import pytest

from dynconf.tools.doctor.steps import Failed, Skipped, Steps, in_one_line, key_lines


def report_of(*outcomes, **facts):
    """Run a step for each outcome, which is a text that it returns or an exception that it raises."""
    steps = Steps()
    for outcome in outcomes:

        def run(outcome=outcome):
            if isinstance(outcome, BaseException):
                raise outcome
            return outcome

        steps.run("a-code", "thing", run, "general advice", **facts)
    return steps.report()


def finding_of(outcome, **facts):
    """Return the finding of one step."""
    (finding,) = report_of(outcome, **facts).findings
    return finding


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
    finding = finding_of(outcome, device="cpu")
    assert (finding.code, finding.level, finding.message) == ("a-code", level, message)
    assert (finding.facts["status"], finding.facts["required"]) == (status, required)
    assert (finding.facts["title"], finding.facts["device"]) == ("thing", "cpu")
    assert finding.facts["seconds"] >= 0
    assert ("advice" in finding.facts) == (status == "failed")


def test_the_traceback_is_that_of_the_cause():
    """An exception of torch has one, with its own causes; a failure that the step found itself has none."""
    error = ValueError("outer")
    error.__cause__ = KeyError("inner")
    shown = finding_of(error).facts["traceback"]
    assert "KeyError: 'inner'" in shown
    assert "ValueError: outer" in shown
    assert finding_of(Failed("it is bent", "bend it back")).facts["traceback"] == ""


def test_an_interruption_is_not_a_finding():
    """Ctrl-C ends the run."""
    with pytest.raises(KeyboardInterrupt):
        finding_of(KeyboardInterrupt())


def test_the_summary_names_failed_and_skipped_steps():
    """A report says in one line whether the required steps passed."""
    report = report_of("fine", Skipped("no need"), Failed("optional", "", required=False))
    assert (report.ok, report.summary) == (True, "All required checks passed; skipped: thing.")
    report = report_of(OSError())
    assert (report.ok, report.summary) == (False, "Failed: thing.")


def test_a_short_message_is_shown_whole():
    """The class comes first; empty lines are left out; an exception without a message is its class."""
    assert key_lines(ValueError("one\n\n  two  ")) == ["ValueError: one", "  two"]
    assert key_lines(ValueError()) == ["ValueError"]


def test_of_a_long_message_the_first_and_the_last_lines_are_shown():
    """The first line names the failed step, the last ones the reason."""
    error = RuntimeError("\n".join(f"line {number}" for number in range(20)))
    assert key_lines(error, 4) == ["RuntimeError: line 0", "...", "line 18", "line 19"]
    assert in_one_line(error) == "RuntimeError: line 0 ... line 19"


def test_torchs_own_wrapping_and_advice_are_left_out():
    """The original exception is shown in place of Dynamo's wrapper, without torch's advice."""
    wrapper = RuntimeError("backend raised")
    wrapper.inner_exception = KeyError("the reason")
    assert key_lines(wrapper) == ["KeyError: 'the reason'"]
    advice = "Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace"
    assert key_lines(RuntimeError(f"it broke\n\n{advice}\nand more")) == ["RuntimeError: it broke"]


def test_the_reason_of_an_error_of_dynamo_is_in_its_line():
    """The explanation, without hints and without the code under which torch draws carets."""
    text = (
        "RuntimeError when making fake tensor call\n  Explanation: got [2, 5] X [4, 4]\n  Hint: Your code may"
        " fail.\n\nfrom user code:\n   File 'm.py', line 5\n    return f(x)\n           ^^^^\n"
    )
    line = "RuntimeError: RuntimeError when making fake tensor call Explanation: got [2, 5] X [4, 4]"
    assert in_one_line(RuntimeError(text)) == line
