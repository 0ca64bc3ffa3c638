"""The differences of two states, and the states in between."""

from states import AT, called, values_of

from dynconf.tools.bisect.space import Space, with_defaults_of
from dynconf.tools.bisect.trials import Run


def test_flags_that_change_kernels_come_first() -> None:
    """Then those that decide about guards, then those that change no compiled code."""
    flags = {"inductor": {"max_autotune": True, "verbose_progress": True}}
    space = Space(called(), called(verbose=True, assume_static_by_default=False, **flags))
    order = "inductor.max_autotune assume_static_by_default inductor.verbose_progress verbose"
    assert [*space.differences] == order.split()
    assert sorted(space.weights.values(), reverse=True) == [*space.weights.values()]


def test_states_in_between() -> None:
    """Every difference has one of its two values; what both states set alike stays."""
    space = Space(
        called(recompile_limit=8, repro_level=3), called(recompile_limit=64, repro_level=3, verbose=True)
    )
    assert values_of(space.state(())) == {"recompile_limit": 8, "verbose": False, "repro_level": 3}
    assert values_of(space.state({"verbose"})) == {"recompile_limit": 8, "verbose": True, "repro_level": 3}
    assert values_of(space.state(space.differences)) == {
        "recompile_limit": 64,
        "verbose": True,
        "repro_level": 3,
    }


def test_a_state_that_torch_refuses_says_so() -> None:
    """A rule over several flags that only some of the states in between break."""
    space = Space(called(), called(suppress_errors=True, fail_on_recompile_limit_hit=True))
    both = {"suppress_errors", "fail_on_recompile_limit_hit"}
    runs = [space.run(lambda _: Run("good"), names) for names in ({"suppress_errors"}, both)]
    assert [each.verdict for each in runs] == ["good", "neither"]
    assert "torch refuses this state: " in runs[1].note


def test_changed_defaults_are_those_that_this_release_can_put_back() -> None:
    """Not those that only one of them has, nor those that do nothing, nor those that the user sets."""
    base = called(inductor={"loop_ordering_after_fusion": True})
    reading = with_defaults_of("2.8", base)
    space = Space(reading.state, base, as_data=True)
    assert 10 <= len(space.differences) <= 20
    found = space.differences["inductor.graph_partition"]
    assert (found.good.value, found.bad.value, found.since) == (False, True, "2.9")
    assert found.change.kind == "default-changed"
    assert "dead_code_elimination" not in space.differences
    assert "inductor.loop_ordering_after_fusion" not in space.differences
    assert reading.warnings


def test_every_default_of_the_release_itself_can_be_put_back() -> None:
    """Flags that do nothing are not counted among the lost ones."""
    assert not with_defaults_of(AT.version, called()).warnings
