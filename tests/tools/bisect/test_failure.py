"""Judging a command: exit codes, signals, numbers that it prints, and time."""

import math

import pytest

from dynconf.errors import InvalidValueError
from dynconf.tools.bisect.failure import Condition, Failure


@pytest.mark.parametrize(
    ("on", "good", "bad", "neither"),
    [
        ("nonzero", (0,), (1, 3, -11, 139), (125,)),
        ("zero", (1, 3, -11), (0,), (125,)),
        ("3", (0,), (3,), (1, -11, 125)),
        ("125", (0,), (125,), (1,)),
        ("signal", (0,), (-11, -9, 139, 137), (1, 125, 128, 255, 193)),
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
        "step_time=9\nstep_time: see above\nstep_time: 1.5.",
        "step_time=1.5, loss=2",
        "step_time=1.5,loss=2",
        "step_time=+1.50e0s",
        "step_time: 1.5\N{PLUS-MINUS SIGN}0.2",
        "step_time=1.5\x1b[0m",
    ],
)
def test_a_number_is_found_in_the_output(output: str) -> None:
    """In a line or in JSON, the last one counts."""
    run = Failure("", Condition.parse("step_time > 0.9")).judge(0, output)
    assert (run.verdict, run.number) == ("bad", 1.5)


NUMBERS = [
    *(("0.95s", 0.95), ("1.99s", 1.99), ("12ms", 12), ("12 ms", 12), (".5s", 0.5), ("12.s", 12), ("0x", 0)),
    *(("3.5 it/s", 3.5), ("3.5it/s", 3.5), ("0.95s,2 steps", 0.95), ("12ms/2 steps", 12), ("1.5x", 1.5)),
    *(("50%", 50), ("8e3ms", 8000), ("-2.5e-3s", -0.0025), ("7\N{MICRO SIGN}s", 7), ("3.2GB/s", 3.2)),
    *(("nan", math.nan), ("-nan", math.nan), ("nanms", math.nan), ("inf", math.inf), ("-infs", -math.inf)),
    *(("12eV", 12), ("1,234.5 ms", 1234.5), ("1,234,567", 1234567), ("1_234.5ms", 1234.5)),
]


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_a_number_counts_whatever_unit_follows(text: str, number: float) -> None:
    """All of it, in any form in which Python prints one; the unit does not matter."""
    found = Failure("", Condition.parse("x > 1")).judge(0, f"x={text}").number
    assert found == pytest.approx(number, nan_ok=True)


PARTS = """
    1.2.3 1,5 1,23,456 12,3456 1234,567 1_5 1:30 12:30:45 5m30s 1h:30m 0x1F 0xFF 2024-01-05 1-2 1+2j 1/2
    1.5D-3 3.7e 3.7e- 2^10 1.5x10-3 1.5*10^3 1'000 information 1..2
"""


@pytest.mark.parametrize("text", [*PARTS.split(), "1\N{NARROW NO-BREAK SPACE}000"])
def test_a_part_of_a_number_is_none(text: str) -> None:
    """A text that only begins with a number cannot be judged, even if an earlier one could, and is shown."""
    for output in (f"x={text}", f"x=0.5\nx={text}\n", f'{{"x": "{text}"}}'):
        run = Failure("", Condition.parse("x > 1")).judge(0, output)
        assert (run.verdict, run.number) == ("neither", None)
        assert run.note == f"it printed x={text}, which is not one plain number"


def test_conditions() -> None:
    """All comparisons; a number that is none fails each of them, as a loss that is not a number should."""
    judged = {
        text: Failure("", Condition.parse(text)).judge(0, "x=2").verdict
        for text in ("x > 2", "x>=2", "x < 2", "x<=2", "x == 2", "x != 2", "x > -1e3", "x > 1,000.5")
    }
    assert [*judged.values()] == ["good", "bad", "good", "bad", "bad", "good", "bad", "good"]
    for text in ("loss > 5", "loss < 5", "loss == 5"):
        assert Failure("", Condition.parse(text)).judge(0, "loss=nan").verdict == "bad"
    for wrong in ("x", "> 5", "x > ", "x > y", "x >> 5", "5 > x", "x > 5s", "x > 1,5", "x > nan"):
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
    verdicts = [Failure(hang=hang).judge(None, "").verdict for hang in ("fail", "pass", "skip")]
    assert verdicts == ["bad", "good", "neither"]


@pytest.mark.parametrize("wrong", ["often", "07", "0", "256", "-1", "1.5", "²", "9" * 5000])
def test_other_codes_are_refused(wrong: str) -> None:
    """With those that are accepted."""
    with pytest.raises(InvalidValueError, match="expected nonzero, zero, signal, or an exit code"):
        Failure(wrong)
