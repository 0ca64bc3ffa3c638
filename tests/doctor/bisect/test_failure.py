"""Judging a command: exit codes, signals, numbers that it prints, and time."""

import pytest

from dynconf.doctor.bisect.failure import Condition, Failure
from dynconf.errors import InvalidValueError


@pytest.mark.parametrize(
    ("on", "good", "bad", "neither"),
    [
        ("nonzero", (0,), (1, 3, -11, 139), (125,)),
        ("zero", (1, 3, -11), (0,), (125,)),
        ("3", (0,), (3,), (1, -11, 125)),
        ("125", (0,), (125,), (1,)),
        ("signal", (0,), (-11, 139), (1, 125)),
    ],
)
def test_exit_codes(on: str, good, bad, neither) -> None:
    """A code that says neither that it works nor that it fails is neither."""
    judge = Failure(on).judge
    assert [judge(code, "").verdict for code in good] == ["good"] * len(good)
    assert [judge(code, "").verdict for code in bad] == ["bad"] * len(bad)
    assert [judge(code, "").verdict for code in neither] == ["neither"] * len(neither)


@pytest.mark.parametrize(
    "output",
    [
        "step_time=1.5",
        "warmup\nstep_time = 1.5 ms\ndone",
        "step_time: 1.5",
        '{"loss": 2, "step_time": 1.5}',
        '{\n  "stats": {"step_time": 1.50}\n}\n',
        "step_time=9\nstep_time=15e-1\n",
        "my.step_time=9 step_time=1.5 step_time_2=9 last_step_time=9",
    ],
)
def test_a_number_is_found_in_the_output(output: str) -> None:
    """In a line or in JSON, the last one counts."""
    run = Failure("", Condition.parse("step_time > 0.9")).judge(0, output)
    assert (run.verdict, run.number) == ("bad", 1.5)


def test_conditions() -> None:
    """All comparisons; a number that is none fails each of them, as a loss that is not a number should."""
    judged = {
        text: Failure("", Condition.parse(text)).judge(0, "x=2").verdict
        for text in ("x > 2", "x>=2", "x < 2", "x<=2", "x == 2", "x != 2", "x > -1e3")
    }
    assert [*judged.values()] == ["good", "bad", "good", "bad", "bad", "good", "bad"]
    for text in ("loss > 5", "loss < 5", "loss == 5"):
        assert Failure("", Condition.parse(text)).judge(0, "loss=nan").verdict == "bad"
    for wrong in ("x", "> 5", "x > ", "x > y", "x >> 5", "5 > x"):
        with pytest.raises(InvalidValueError, match="expected NAME > NUMBER"):
            Condition.parse(wrong)


def test_a_command_without_the_number_cannot_be_judged() -> None:
    """Nor one that crashed before, unless a crash counts as a failure, too."""
    condition = Condition.parse("x > 5")
    run = Failure("", condition).judge(0, "y=6")
    assert (run.verdict, run.note) == ("neither", "it printed no x=NUMBER")
    assert Failure("", condition).judge(1, "x=6").verdict == "neither"
    assert Failure("nonzero", condition).judge(1, "x=4").verdict == "bad"
    assert Failure("nonzero", condition).judge(0, "x=6").verdict == "bad"


def test_a_hang_means_what_is_wanted() -> None:
    """A failure by default."""
    assert [Failure(hang=hang).judge(None, "").verdict for hang in ("fail", "pass", "skip")] == [
        "bad",
        "good",
        "neither",
    ]


@pytest.mark.parametrize("wrong", ["often", "0", "256", "-1", "1.5", "²"])
def test_other_codes_are_refused(wrong: str) -> None:
    """With those that are accepted."""
    with pytest.raises(InvalidValueError, match="expected nonzero, zero, signal, or an exit code"):
        Failure(wrong)
