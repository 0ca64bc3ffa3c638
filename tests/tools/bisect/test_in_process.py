"""`bisect` in the process, on real torch."""

from unittest import SkipTest

import pytest
from live_state import LIMIT

import dynconf
from dynconf.errors import InvalidValueError

torch = pytest.importorskip("torch")
pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = pytest.mark.real_torch

BAD = {"recompile_limit": 64, "verbose": True, "inductor": {"max_autotune": True}, "repro_level": 3}


def limit() -> int:
    """Return the flag as torch reads it."""
    return getattr(torch._dynamo.config, LIMIT)


@pytest.fixture(autouse=True)
def _nothing_stays(process_state, tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))  # torch.compile itself would set it
    before = process_state()
    yield
    assert process_state() == before


def test_it_finds_the_flag() -> None:
    """By its newest name, with both values, and a file that reproduces it."""
    result = dynconf.bisect({"recompile_limit": 16}, BAD, lambda: limit() < 50)
    assert result.flags == ("recompile_limit",)
    assert [(each.before, each.after) for each in result.changes] == [(16, 64)]
    assert result.is_minimal
    assert result.trials == len(result.history) <= 6
    result.save("repro.json")
    with dynconf.load("repro.json").patch():
        assert limit() == 64
        assert not torch._dynamo.config.verbose
    assert dynconf.bisect({}, BAD, lambda: limit() > 50).flags == result.flags  # as whether it works


def test_compiled_code_is_dropped_between_trials() -> None:
    """A function that was compiled under other flags is compiled again: its outcome is that of the flags."""
    compiled = torch.compile(lambda x: x + 1, backend=lambda graph, _: lambda *inputs: [inputs[-1] + limit()])
    x = torch.zeros(())
    result = dynconf.bisect({}, BAD, lambda: bool(compiled(x) < 50))
    assert result.flags == ("recompile_limit",)


def test_random_numbers_are_the_same_in_each_trial() -> None:
    """They depend on the seed alone."""
    drawn = []

    def check() -> bool:
        drawn.append(torch.rand(()).item())
        return limit() < 50

    dynconf.bisect({}, BAD, check, seed=7)
    assert len({*drawn}) == 1


def test_what_cannot_be_judged_is_avoided() -> None:
    """A predicate that skips, and states that break a rule of torch's."""

    def check() -> bool:
        if torch._dynamo.config.verbose and limit() == 64:
            raise SkipTest("not today")
        return torch._dynamo.config.repro_level == 2

    with pytest.raises(InvalidValueError, match="the bad state cannot be judged: not today"):
        dynconf.bisect({}, BAD, check)


def test_equal_outcomes_are_refused() -> None:
    """There is nothing to search, as there is not between equal states; an error in both is shown."""
    for outcome, words in ((True, "does not fail in the bad state"), (False, "fails in the good state, too")):
        with pytest.raises(InvalidValueError, match=words):
            dynconf.bisect({}, BAD, lambda outcome=outcome: outcome)
    with pytest.raises(InvalidValueError, match="do not differ"):
        dynconf.bisect(BAD, BAD, lambda: True)
    with pytest.raises(InvalidValueError, match=r"too \(ZeroDivisionError: .*\): no difference"):
        dynconf.bisect({}, BAD, lambda: 1 / 0)


def test_overrides_are_as_before() -> None:
    """A flag that nobody had set is unset, though torch's own restoring stores its default."""
    before = dynconf.snapshot(pins=True)
    dynconf.bisect({}, BAD, lambda: limit() < 50)
    assert dict(dynconf.snapshot(pins=True)) == dict(before)


async def asynchronous() -> bool:
    """Nobody would await this."""
    return True


@pytest.mark.parametrize("wrong", [None, 3, asynchronous])
def test_a_predicate_that_cannot_be_called_is_refused(wrong) -> None:
    """Nothing is run, and a coroutine that nobody awaits does not count as good."""
    with pytest.raises(InvalidValueError, match=r"predicate: .* expected a function"):
        dynconf.bisect({}, BAD, wrong)


def test_a_budget_ends_it_early() -> None:
    """The culprits are among the flags of the result, which says that it is not minimal."""
    result = dynconf.bisect({}, BAD, lambda: limit() < 50, trials=2)
    assert not result.is_minimal
    assert len(result.flags) == 4
    assert "at most 4 of 4 differences decide it" in result.summary


@pytest.mark.parametrize(
    "wrong", [{"trials": 1}, {"repeat": 0}, {"seed": -1}, {"seed": 2**32}, {"repeat": True}]
)
def test_wrong_arguments_are_refused(wrong) -> None:
    """Before anything is run."""
    with pytest.raises(InvalidValueError, match=next(iter(wrong))):
        dynconf.bisect({}, BAD, lambda: pytest.fail("was called"), **wrong)


def test_an_interruption_leaves_nothing() -> None:
    """It is raised, and no flag stays set."""

    def check() -> bool:
        if limit() == 64:
            raise KeyboardInterrupt
        return True

    with pytest.raises(KeyboardInterrupt):
        dynconf.bisect({}, BAD, check)


def test_files_are_read(tmp_path) -> None:
    """States and settings files, as everywhere, which need trust for flags with risks."""
    (tmp_path / "bad.toml").write_text("debug_dir_root = '/a/folder'\nverbose = true\n")
    roots = []

    def check() -> bool:
        roots.append(torch._dynamo.config.debug_dir_root)
        return roots[-1] != "/a/folder"

    with pytest.raises(dynconf.StateFileError, match="trust"):
        dynconf.bisect({}, tmp_path / "bad.toml", check)
    assert roots == []
    assert dynconf.bisect({}, tmp_path / "bad.toml", check, trust=True).flags == ("debug_dir_root",)
