"""`propagate`: what one thread or task has set, in another."""

import asyncio
import functools
import inspect
import multiprocessing
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from live_state import A_SET, LIMIT, RawState, config, limit, only_per_context, patch_of_anything

import dynconf
from dynconf.live.threads import set_here


def in_pool(work, *args):
    """Run *work* in the thread of a pool, which has nothing of the caller's."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work, *args).result(60)


def set_names():
    """Return what is set in the running thread or task."""
    return {slot.setting.key for slot in set_here()}


def test_patches_assignments_and_installations_for_the_context():
    """All that the caller has set, whichever way, is there; a copy where it can be changed in place."""
    before = RawState()
    config().specialize_int = True
    changes = {LIMIT: 17, "functorch": {"functionalize_rng_ops": True}, A_SET: {dict}}
    with patch_of_anything(changes), config().patch(verbose=True):
        carried = dynconf.propagate(dynconf.snapshot)
        getattr(config(), A_SET).add(list)
    dynconf.reset("specialize_int", "verbose")
    values = in_pool(carried)
    assert {LIMIT: 17, "specialize_int": True, "verbose": True, A_SET: {dict}}.items() <= values.items()
    assert values["functorch.functionalize_rng_ops"] is True
    assert RawState() == before


def test_an_object_that_cannot_be_copied_is_carried_itself():
    """Such as a pass that owns a lock."""
    owner = threading.Lock()
    with config("inductor").patch(post_grad_custom_post_pass=owner):
        carried = dynconf.propagate(lambda: config("inductor").post_grad_custom_post_pass)
    assert in_pool(carried) is owner


def test_it_is_taken_off_again():
    """The thread has what it had before, whatever the function does and raises; calls share nothing."""

    def work():
        assert limit() == 17
        getattr(config(), A_SET).add(list)
        raise ZeroDivisionError

    def in_thread():
        before = RawState()
        with dynconf.patch(recompile_limit=5, verbose=True):
            for _ in range(2):
                with pytest.raises(ZeroDivisionError):
                    carried()
                assert limit() == 5
        return RawState() == before

    with patch_of_anything({LIMIT: 17, A_SET: {dict}}):
        carried = dynconf.propagate(work)
    assert in_pool(in_thread)


def test_what_the_other_thread_has_set_stays_below():
    """The caller's values come on top of it."""

    def in_thread():
        with dynconf.patch(recompile_limit=5, verbose=True):
            return carried()

    with dynconf.patch(recompile_limit=17):
        carried = dynconf.propagate(lambda: (limit(), config().verbose))
    assert in_pool(in_thread) == (17, True)


def test_origins_are_carried():
    """What is said of a value is where the caller got it from."""
    with dynconf.patch(recompile_limit=17):
        here = dynconf.origin("recompile_limit")
        assert in_pool(dynconf.propagate(lambda: dynconf.origin("recompile_limit"))) == here


def test_what_is_installed_for_the_process_is_not_carried():
    """Every thread has it, for as long as it is installed."""
    with dynconf.install(recompile_limit=17):
        assert set_names() == set()
        assert dynconf.propagate(limit) is limit
        assert in_pool(limit) == 17


@only_per_context
def test_what_is_installed_for_the_context_is_carried():
    """It belongs to the running thread or task."""
    with dynconf.DynamoSettings(recompile_limit=17).install(scope="context"):
        assert set_names() == {"recompile_limit"}
        assert in_pool(dynconf.propagate(limit)) == 17


def test_nothing_set_is_nothing_to_carry():
    """Values that reading copied, and torch's own leftovers, are not set."""
    getattr(config(), A_SET)
    assert dynconf.propagate(limit) is limit


def test_any_callable():
    """Methods, partials, builtins and objects; what it is called, and its signature, stay."""

    class Model:
        def __call__(self, extra=0):
            return limit() + extra

    with dynconf.patch(recompile_limit=17):
        assert in_pool(dynconf.propagate(Model()), 1) == 18
        assert in_pool(dynconf.propagate(Model().__call__)) == 17
        assert in_pool(dynconf.propagate(functools.partial(Model(), extra=2))) == 19
        assert in_pool(dynconf.propagate(len), "abc") == 3
        carried = dynconf.propagate(limit)
        assert (carried.__name__, carried.__doc__) == ("limit", limit.__doc__)
        assert inspect.signature(carried) == inspect.signature(limit)
        assert "limit" in repr(carried)
        with pytest.raises(TypeError, match="expected a callable, not 3"):
            dynconf.propagate(3)


def test_callables_that_return_a_coroutine():
    """What they return is run with the values, too, wherever it is awaited; coroutine functions stay such."""

    async def task():
        await asyncio.sleep(0)
        return limit()

    def later():
        return task()

    class Task:
        async def __call__(self):
            return await task()

    with dynconf.patch(recompile_limit=17):
        carried = [dynconf.propagate(each) for each in (task, later, Task(), Task().__call__)]
    assert inspect.iscoroutinefunction(carried[0])
    for each in carried:
        assert in_pool(lambda each=each: asyncio.run(each())) == 17


def test_methods():
    """A function that was carried is a method of the class it is put into, as it would be without."""

    class Model:
        def limit(self, extra):
            return limit() + extra

    with dynconf.patch(recompile_limit=17):
        Model.carried, Model.length = dynconf.propagate(Model.limit), dynconf.propagate(len)
    assert in_pool(Model().carried, 1) == 18
    assert in_pool(Model.carried, Model(), 2) == 19
    assert in_pool(Model().length, "abc") == 3


def generated_limit():
    """Generate."""
    yield limit()


def test_a_generator_function_is_a_type_error():
    """Whoever resumes the generator would have the values, too."""
    with dynconf.patch(recompile_limit=17), pytest.raises(TypeError, match="a generator shares its context"):
        dynconf.propagate(generated_limit)


def test_many_threads_at_once():
    """One carried callable in many threads, while the caller's own patch ends."""
    before = RawState()
    barrier = threading.Barrier(8)

    def work():
        barrier.wait(60)
        return limit()

    with ThreadPoolExecutor(8) as pool:
        with dynconf.patch(recompile_limit=17):
            done = [pool.submit(dynconf.propagate(work)) for _ in range(8)]
        assert [each.result(60) for each in done] == [17] * 8
    assert RawState() == before


@pytest.mark.real_torch
@pytest.mark.usefixtures("spawns_warm")
def test_another_process():
    """What can be pickled can be sent to a process that has imported nothing yet."""
    with (
        dynconf.patch(recompile_limit=17, functorch={"functionalize_rng_ops": True}),
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool,
    ):
        line = dynconf.origin("recompile_limit")
        found = pool.submit(dynconf.propagate(dynconf.origin), "recompile_limit").result(120)
        assert found == line
        values = pool.submit(dynconf.propagate(dynconf.snapshot)).result(120)
        assert values["functorch.functionalize_rng_ops"] is True
        assert pool.submit(dynconf.origin, "recompile_limit").result(120).kind == "default"
