"""Tables in notebooks."""

import dynconf
from dynconf.text import html_table
from dynconf.tools.doctor.comparison import Comparison, ValueComparison
from dynconf.tools.doctor.steps import Failed, Steps


def test_a_table_is_escaped() -> None:
    """Headers, cells, title and note alike; it has no colours, so that it suits light and dark."""
    table = html_table("<t>", [("<a>", "b")], "<n>", ("<h>", "i"))
    assert table == (
        "<table><caption>&lt;t&gt;</caption><tr><th>&lt;h&gt;</th><th>i</th></tr>"
        "<tr><td>&lt;a&gt;</td><td>b</td></tr></table><p>&lt;n&gt;</p>"
    )


def test_differences() -> None:
    """A row for each change; the list is a list."""
    found = dynconf.diff({"verbose": True}, {"recompile_limit": 64})
    assert [each.flag for each in found] == ["recompile_limit", "verbose"]
    assert "<td>recompile_limit</td><td>changed</td><td>8</td><td>64</td>" in found._repr_html_()  # type: ignore[attr-defined]
    nothing = dynconf.diff({}, {})
    assert nothing == []
    assert "no differences" in nothing._repr_html_()  # type: ignore[attr-defined]


def test_a_comparison() -> None:
    """The values that differ, or all if none does."""
    same = ValueComparison("forward", "output", shape=(2,), dtype="float32")
    numbers = {"max_absolute": 0.5, "max_relative": 1, "mismatched": 0.25}
    other = ValueComparison("gradient", "weight<0>", problem="values", message="far off", **numbers)
    table = Comparison("eager", "inductor", 1, {}, (same, other))._repr_html_()
    assert "eager against inductor, 1 iteration: 1 of 2 values differ" in table
    assert "<td>weight&lt;0&gt;</td><td></td><td></td><td>0.5</td><td>1</td><td>25.0%</td>" in table
    assert "output" not in table
    assert "<td>the same</td>" in Comparison("eager", "inductor", 1, {}, (same,))._repr_html_()


def test_a_report() -> None:
    """Of steps each with its result and advice, of other checks each finding."""
    steps = Steps()
    steps.run("good", "versions", lambda: "torch 2.13.0")

    def fails() -> str:
        raise Failed("no <compiler>", "install one")

    steps.run("bad", "toolchain", fails)
    table = steps.report()._repr_html_()
    assert "<caption>Failed: toolchain.</caption>" in table
    assert "<td>versions</td><td>passed</td><td>torch 2.13.0</td>" in table
    assert "<td>no &lt;compiler&gt;</td>" in table
    assert "<td>install one</td>" in table
    report = dynconf.check_environment({"TORCHDYNAMO_SUPPRESS_ERRORS": "0"}, torch="2.13")
    assert "<td>warning</td><td>DC402</td>" in report._repr_html_()
