"""Trials: repeated where they are noisy."""

from dynconf.tools.bisect.trials import Run, Trial, overlap, trial_of


def test_a_run_is_repeated_until_one_verdict_is_ahead() -> None:
    """By as many runs as wanted; runs that never agree are neither good nor bad."""

    def verdict(runs: str, repeat: int) -> tuple[str, int]:
        names = {"g": "good", "b": "bad", "n": "neither"}
        made = [Run(names[letter], 1.0) for letter in runs]
        trials = (trial_of((), made[:count], repeat) for count in range(len(made) + 1))
        trial = next(each for each in trials if each is not None)
        return trial.verdict, len(trial.numbers)

    assert verdict("b", 1) == ("bad", 1)
    assert verdict("ggg", 3) == ("good", 3)
    assert verdict("bgbbb", 3) == ("bad", 5)
    assert verdict("bn", 3) == ("neither", 2)
    assert verdict("gb" * 5, 2) == ("neither", 10)


def test_ends_that_overlap_are_told() -> None:
    """By their numbers, or by verdicts that contradict each other."""
    good, bad = Trial((), "good", (0.7, 0.8, 0.95)), Trial((), "bad", (0.91, 1.2, 1.3))
    assert (
        overlap(good, bad) == "the numbers overlap: 0.7 to 0.95 where it is good, 0.91 to 1.3 where it is bad"
    )
    assert overlap(good, Trial((), "bad", (1.0, 1.2))) == ""
    assert overlap(Trial((), "good"), Trial((), "bad")) == ""
    assert "contradict" in overlap(Trial((), "good", agreed=False), Trial((), "bad"))
