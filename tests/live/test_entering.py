"""What a ready patch is asked when it is entered, what it can be made into, and what it warns of."""

import asyncio
import contextlib
import copy
import gc
import pickle
import unittest.mock
import warnings

import pytest
from live_state import LIMIT, RawState, bind, config, in_force, torch_reads

import dynconf
from dynconf.errors import ConflictWarning

REJECTED = bind().release.minor >= (2, 7)
"""Whether torch itself rejects the pair of flags; before 2.7 dynconf only warns of it."""


has_the_pair = pytest.mark.skipif(
    bind().view.get("fail_on_recompile_limit_hit") is None, reason="this torch has no such flag yet"
)


def told_of_the_pair():
    """Return what catches what dynconf says of the pair that defeats itself."""
    if REJECTED:
        return pytest.raises(dynconf.ConflictError, match="suppress_errors")
    return pytest.warns(ConflictWarning, match="suppress_errors")


@has_the_pair
@pytest.mark.parametrize("place", [dynconf.patch, dynconf.hold, dynconf.defaults, dynconf.install])
def test_rules_are_judged_again_if_the_state_is_another(place):
    """A ready patch is refused where it does not fit, changes nothing then, and works again where it fits.

    Wherever the other half came from in the meantime; so is each call of a function that it decorates.
    """
    ready = dynconf.patch(suppress_errors=True)
    for one in (ready, copy.copy(ready)):
        with one:
            assert config().suppress_errors is True
    with place(fail_on_recompile_limit_hit=True):
        before = RawState()
        with told_of_the_pair():
            ready.__enter__()
        if REJECTED:
            assert RawState() == before
            assert ready not in in_force()
            with told_of_the_pair():
                ready(lambda: None)()
        else:
            ready.__exit__(None, None, None)
    with ready:
        assert config().suppress_errors is True


@has_the_pair
def test_a_coroutine_that_is_refused():
    """It raises what is wrong, and Python does not say besides that it was never awaited."""

    @dynconf.patch(suppress_errors=True)
    async def body():
        return config().suppress_errors

    with warnings.catch_warnings(record=True) as told, dynconf.install(fail_on_recompile_limit_hit=True):
        warnings.simplefilter("always")
        with contextlib.suppress(dynconf.ConflictError):
            asyncio.run(body())
        gc.collect()
    assert {each.category for each in told} <= {ConflictWarning}
    assert asyncio.run(body()) is True


def test_nothing_is_judged_again_while_the_state_is_the_same(monkeypatch):
    """Entering asks nothing but whether the other flags are as they were."""
    ready = dynconf.patch(suppress_errors=True)
    monkeypatch.setattr("dynconf.live.patch.broken_in_force", None)
    for _ in range(3):
        with ready, dynconf.patch(verify_correctness=True):
            pass


# -- copies -----------------------------------------------------------------------------------------------


def test_patches_are_copied_and_pickled():
    """A copy is the same patch; a pickled one is made again, with the line that made it."""
    patch = dynconf.patch(recompile_limit=5, functorch={"cse": False})
    assert copy.copy(patch) is copy.deepcopy(patch) is patch
    for one in (patch.recompile(), patch):
        again = pickle.loads(pickle.dumps(one))  # noqa: S301  our own
        assert type(again) is type(one)
        assert again.changes == patch.changes
        assert again.origin == patch.origin
    with again:
        assert torch_reads(LIMIT) == 5
        assert dynconf.origin("recompile_limit").file == __file__


# -- warnings ---------------------------------------------------------------------------------------------


def some_limit(limit):
    """Make a patch that dynconf warns of, always on this line."""
    return dynconf.patch(recompile_limit=limit, accumulated_recompile_limit=8)


def test_python_decides_how_often_a_warning_is_shown():
    """As an error each time, under its own filter once for a line: dynconf itself remembers nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for limit in (1000, 1000, 1001):
            with pytest.raises(ConflictWarning, match=str(limit)):
                some_limit(limit)
    for action, count in (("default", 1), ("always", 500)):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter(action)
            for limit in range(1000, 1500):
                some_limit(limit)
        assert len(told) == count
        assert "=1000" in str(told[0].message)


# -- the resolver -----------------------------------------------------------------------------------------


def test_uninstalling_the_resolver_under_a_mock():
    """A mock that was put there later stays, and what it brings back is torch's own again."""
    name = "_get_optimize_ddp_mode" if bind().release.minor < (2, 7) else "get_optimize_ddp_mode"
    utils = __import__("torch._dynamo.utils")._dynamo.utils
    place = utils if hasattr(utils, name) else config()
    original = vars(place)[name]
    installation = dynconf.install_ddp_resolver()
    with unittest.mock.patch.dict(vars(place), {name: lambda: "mocked"}):
        installation.uninstall()
        assert vars(place)[name]() == "mocked"
    assert vars(place)[name]() == original()
    vars(place)[name] = original
