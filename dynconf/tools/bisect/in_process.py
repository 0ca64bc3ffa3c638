"""`bisect`: which flags change the outcome of a function."""

import inspect
import os
from collections.abc import Callable
from functools import partial
from unittest import SkipTest

from dynconf.catalogue.flags.types import Int, OrNone, short_repr
from dynconf.errors import DynconfError, InvalidValueError
from dynconf.live.binding import newer_flags
from dynconf.live.patch import patch_state
from dynconf.provenance import caller
from dynconf.release import Release
from dynconf.sources.calls import as_state, for_release
from dynconf.state import State
from dynconf.store.diff import StateOrFile
from dynconf.tools.bisect.ahead import Ahead
from dynconf.tools.bisect.result import BisectResult
from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.space import Space, need_differences
from dynconf.tools.bisect.trials import Run, Trial
from dynconf.tools.doctor.global_state import preserved_process
from dynconf.tools.doctor.global_state import seed as seed_generators
from dynconf.tools.pasted.pasted import read_side


def bisect(
    good: StateOrFile,
    bad: StateOrFile,
    predicate: Callable[[], object],
    *,
    trials: int | None = None,
    repeat: int = 1,
    seed: int = 0,
    trust: bool = False,
) -> BisectResult:
    """Return a minimal set of flags that makes the outcome of a function differ between two states.

    The function is called with the flags of the good state in force, of the bad one, and of states in
    between; before each call, Dynamo's compiled code is dropped and random number generators are seeded. It
    may return True for either good or bad: the bad outcome is the one that it has in the bad state. An
    exception counts as False, None as True, and ``unittest.SkipTest`` means that it cannot tell. Afterwards
    the process is as it was; see `dynconf.tools.doctor.global_state`.

    Args:
        good: A snapshot, settings, a mapping of flags to values, or the path of a saved state or settings
            file. A flag that only one state has is at its default in the other; those that neither has stay
            as they are.
        bad: The same.
        predicate: Called without arguments.
        trials: The maximum number of states to try; the result is not minimal if they were not enough.
        repeat: By how many calls one outcome has to lead, for a noisy function.
        seed: The seed of the generators.
        trust: Whether files may set flags with risks: see `load`.

    Raises:
        InvalidValueError: The outcome is the same in both states, or an argument is wrong.
        DynconfError: A state is wrong, or compiled code cannot be dropped.

    Example:
        >>> import dynconf, torch._dynamo.config as config
        >>> good, bad = {"recompile_limit": 8}, {"recompile_limit": 64, "verbose": True}
        >>> result = dynconf.bisect(good, bad, lambda: config.recompile_limit < 50)
        >>> result.flags
        ('recompile_limit',)
    """
    call_site, release = caller(), Release.at_hand()
    OrNone(Int(2)).check_argument("trials", trials)
    Int(1).check_argument("repeat", repeat)
    Int(0, 2**32 - 1).check_argument("seed", seed)  # NumPy takes no larger one
    if not callable(predicate) or inspect.iscoroutinefunction(predicate):
        raise InvalidValueError(
            f"predicate: {short_repr(predicate)} is not valid: expected a function that is not async"
        )

    def read(given: StateOrFile) -> State:
        if isinstance(given, (str, os.PathLike)):
            return read_side(given, release, call_site.warn, trust=trust)
        state = as_state(given, call_site).only_set()
        return for_release(state, release, newer_flags(release)).resolved()

    space = Space(read(good), read(bad))
    need_differences(space)

    def run(state: State) -> Run:
        try:
            patch = patch_state(state, call_site).recompile()
        except DynconfError as error:
            return Run("neither", note=f"torch refuses this state: {error}")
        with patch:
            seed_generators(seed)
            try:
                result = predicate()
                return Run("good" if result is None or result else "bad")
            except SkipTest as skip:
                return Run("neither", note=str(skip))
            except Exception as error:
                return Run("bad", note=f"{type(error).__name__}: {error}")

    made: list[Trial] = []
    search = partial(Search, space.weights, either_way=True)
    ahead = Ahead(search, partial(space.run, run), repeat=repeat)
    with preserved_process():
        while (found := search(made)).wanted is not None and not found.is_minimal and len(made) != trials:
            made.append(ahead.trial(found.wanted, made))
    if found.problem:
        raise InvalidValueError(f"dynconf.bisect: {found.problem}")
    return BisectResult.of(space, made, found)
