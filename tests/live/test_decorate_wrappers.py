"""Decorating what wraps, and bodies at their ends: recursion, garbage, what is left open, wrong arguments."""

import asyncio
import contextlib
import functools
import gc
import inspect
import sys
import types
import unittest

import pytest
from live_state import LIMIT, RawState, bind, config, default_of, in_force, torch_reads

import dynconf

on = dynconf.patch(verify_correctness=True)


def is_on():
    """Tell whether the patch is in force."""
    return config().verify_correctness


@pytest.fixture(autouse=True, scope="module")
def _collected_quickly():
    """Have the collector pass over what is loaded by now."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _restored():
    """Make sure that each test leaves everything as it was."""
    before = RawState()
    assert not is_on()
    yield
    assert RawState() == before
    assert not in_force()


def patched_generator():
    """Yield for ever, under a patch of its own."""
    with dynconf.patch(recompile_limit=5):
        while True:
            yield is_on()


def test_recursion_out_of_a_loop_over_a_generator():
    """At whatever depth the RecursionError comes, nothing is left in force."""
    generator = on(patched_generator)
    before = RawState()

    def climb(depth):
        for value in generator():
            assert value
            climb(depth + 1)

    def with_less_room(left):
        if left:
            with_less_room(left - 1)
        else:
            climb(0)

    limit = sys.getrecursionlimit()
    room = len(inspect.stack(0)) + 200
    for spare in range(30):
        sys.setrecursionlimit(room)
        try:
            with pytest.raises(RecursionError):
                with_less_room(spare)
        finally:
            sys.setrecursionlimit(limit)
        gc.collect()
        assert not in_force(), spare
        assert RawState() == before, spare


@pytest.mark.parametrize("count", range(3))
def test_an_asynchronous_generator_in_a_cycle(count):
    """The collector leaves the body to its wrapper: it is closed whole, with the patch on."""
    seen, problems = [], []

    @on
    async def body(cycle):
        try:
            yield cycle
        finally:
            for _ in range(count):
                await asyncio.sleep(0)
            seen.append(is_on())

    async def main():
        asyncio.get_running_loop().set_exception_handler(lambda _, told: problems.append(told))
        cycle = []
        cycle.append(body(cycle))
        await cycle[0].__anext__()
        del cycle
        gc.collect()
        await asyncio.sleep(0.01)

    asyncio.run(main())
    gc.collect()
    assert seen == [True]
    assert not problems


def test_a_generator_in_a_cycle():
    """Its finally runs with the patch on."""
    seen = []

    @on
    def body(cycle):
        try:
            yield cycle
        finally:
            seen.append(is_on())

    cycle = []
    cycle.append(body(cycle))
    next(cycle[0])
    del cycle
    gc.collect()
    assert seen == [True]


# -- what a body leaves open ------------------------------------------------------------------------------


def test_what_a_coroutine_leaves_open_stays():
    """As without the patch: the one who awaited it has it until it is left."""
    inner = dynconf.patch(recompile_limit=5)

    @on
    async def opening():
        inner.__enter__()
        await asyncio.sleep(0)
        assert is_on()
        inner.__enter__()
        return "done"

    async def main():
        assert await opening() == "done"
        assert not is_on()
        assert torch_reads(LIMIT) == 5
        inner.__exit__(None, None, None)
        assert torch_reads(LIMIT) == 5
        inner.__exit__(None, None, None)
        assert torch_reads(LIMIT) == default_of(LIMIT)

    asyncio.run(main())


@pytest.mark.parametrize("ending", ["return", "raise"])
def test_what_a_generator_leaves_open_stays(ending):
    """Whether it returns or raises."""
    inner = dynconf.patch(recompile_limit=5)

    @on
    def opening():
        inner.__enter__()
        yield
        if ending == "raise":
            raise LookupError

    with contextlib.suppress(LookupError):
        for _ in opening():
            assert torch_reads(LIMIT) == default_of(LIMIT)
    assert torch_reads(LIMIT) == 5
    inner.__exit__(None, None, None)


def test_what_an_asynchronous_generator_leaves_open_stays():
    """When it ends; while it is suspended it takes it along."""
    inner = dynconf.patch(recompile_limit=5)

    @on
    async def opening():
        inner.__enter__()
        yield
        await asyncio.sleep(0)

    async def main():
        async for _ in opening():
            assert torch_reads(LIMIT) == default_of(LIMIT)
        assert torch_reads(LIMIT) == 5
        inner.__exit__(None, None, None)

    asyncio.run(main())


@pytest.mark.skipif(sys.version_info < (3, 11), reason="enterContext is there from Python 3.11 on")
def test_enter_context_in_a_set_up():
    """A context that ``asyncSetUp`` enters holds in the test, and is left after it."""
    seen = []

    class Case(unittest.IsolatedAsyncioTestCase):
        @on
        async def asyncSetUp(self):
            self.enterContext(dynconf.patch(recompile_limit=5))
            await self.enterAsyncContext(_asynchronous_context())

        async def test(self):
            seen.append((is_on(), torch_reads(LIMIT)))

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(result)
    assert not result.errors
    assert seen == [(False, 5)]


@contextlib.asynccontextmanager
async def _asynchronous_context():
    yield


# -- plain functions that wrap another kind ---------------------------------------------------------------


def wrapped(function):
    """Wrap as ``torch.no_grad`` wraps a coroutine function: in a plain one."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


async def a_coroutine(first):
    """Tell before and after waiting."""
    before = is_on()
    await asyncio.sleep(0)
    return before, is_on(), first


def a_generator(first):
    """Yield what is in force, and return it."""
    yield is_on()
    yield first
    return is_on()


async def an_asynchronous_generator(first):
    """Yield what is in force."""
    yield is_on()
    await asyncio.sleep(0)
    yield is_on(), first


async def listed(generator):
    """Return what an asynchronous generator yields."""
    return [value async for value in generator]


@pytest.mark.parametrize(
    "wrap", [wrapped, lambda f: wrapped(wrapped(f)), lambda f: functools.partial(wrapped(f))]
)
def test_plain_wrappers_are_driven(wrap):
    """What comes back runs with the patch on, and is what would have come back."""
    coroutine = on(wrap(a_coroutine))(1)
    assert inspect.iscoroutine(coroutine)
    assert coroutine.__name__ == "a_coroutine"
    assert asyncio.run(coroutine) == (True, True, 1)
    generator = on(wrap(a_generator))(1)
    assert inspect.isgenerator(generator)
    assert not inspect.isawaitable(generator)
    assert next(generator) is True
    assert not is_on()
    assert next(generator) == 1
    with pytest.raises(StopIteration) as stop:
        next(generator)
    assert stop.value.value is True
    generator = on(wrap(an_asynchronous_generator))(1)
    assert inspect.isasyncgen(generator)
    assert asyncio.run(listed(generator)) == [True, (True, 1)]


def test_a_wrapper_that_does_not_say_what_it_wraps():
    """The coroutine that it returns runs with the patch on; a generator may have other users, and is left."""
    coroutine = on(lambda: a_coroutine(1))()
    assert coroutine.__name__ == "a_coroutine"
    assert asyncio.run(coroutine) == (True, True, 1)
    assert not is_on()
    shared = a_generator(1)
    assert on(lambda: shared)() is shared


def test_a_wrapper_that_runs_it_itself():
    """What comes back is no body: the patch was on, and the result is handed on."""

    @on
    @functools.wraps(a_coroutine)
    def runs(*args):
        return asyncio.run(a_coroutine(*args))

    assert runs(1) == (True, True, 1)


def test_context_managers():
    """On while the code of a context manager's function runs, as a decorator too, and off in its block."""
    seen = []

    @on
    @contextlib.contextmanager
    def manager():
        seen.append(is_on())
        try:
            yield "value"
        finally:
            seen.append(is_on())

    with manager() as value:
        assert value == "value"
        assert not is_on()

    @manager()
    def function():
        return is_on()

    assert function() is False
    assert function() is False
    assert seen == [True] * 6

    @on
    @contextlib.asynccontextmanager
    async def asynchronous():
        seen.append(is_on())
        yield
        seen.append(is_on())

    async def main():
        async with asynchronous():
            assert not is_on()

    asyncio.run(main())
    assert seen == [True] * 8


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore:.*coroutine.*:UserWarning")
def test_the_decorators_of_torch():
    """Around and below torch.no_grad, torch.inference_mode and torch._dynamo.disable."""
    import torch

    # What torch.compile makes of a coroutine function looks the same; to run it crashes torch 2.13.
    assert asyncio.run(on(torch._dynamo.disable(a_coroutine))(1)) == (True, True, 1)
    for wrap in (torch.no_grad(), torch.inference_mode()):
        assert asyncio.run(on(wrap(a_coroutine))(1)) == (True, True, 1)
        assert list(on(wrap(a_generator))(1)) == [True, 1]
        assert asyncio.run(listed(on(wrap(an_asynchronous_generator))(1))) == [True, (True, 1)]
        assert asyncio.run(wrap(on(a_coroutine))(1)) == (True, True, 1)


# -- calls ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [a_coroutine, a_generator, an_asynchronous_generator])
@pytest.mark.parametrize("arguments", [(), (1, 2)])
def test_wrong_arguments_raise_at_the_call(function, arguments):
    """With the same message as undecorated."""
    with pytest.raises(TypeError) as plain:
        function(*arguments)
    with pytest.raises(TypeError) as decorated:
        on(function)(*arguments)
    assert str(decorated.value) == str(plain.value)
    with pytest.raises(TypeError, match="argument"):
        on(functools.partial(function, 1))(1)


def test_every_kind_of_parameter():
    """Positional only, with defaults, keyword only, and the rest."""

    @on
    async def function(a, b=[1], /, c=3, *rest, d, e=5, **more):  # noqa: B006  the very object
        return is_on(), a, b, c, rest, d, e, more

    given = function.__wrapped__.__defaults__[0]
    assert asyncio.run(function(1, d=4)) == (True, 1, [1], 3, (), 4, 5, {})
    assert asyncio.run(function(1, d=4))[2] is given
    assert asyncio.run(function(1, 2, 3, 4, d=5, f=6)) == (True, 1, 2, 3, (4,), 5, 5, {"f": 6})
    assert inspect.signature(function) == inspect.signature(function.__wrapped__)
    assert inspect.iscoroutinefunction(function)

    class Holder:
        @on
        async def method(self, value):
            return self, value

        async def __call__(self, value):
            return is_on(), value

    holder = Holder()
    assert asyncio.run(holder.method(2)) == (holder, 2)
    assert asyncio.run(on(holder.method)(2)) == (holder, 2)
    assert asyncio.run(on(holder)(2)) == (True, 2)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'value'"):
        on(holder)()


def test_parameters_named_as_the_wrapper_names_its_own():
    """The pytest plugin itself has a fixture of such a name."""

    @on
    async def function(dynconf_patch, dynconf_run=2, *, dynconf__function=3):
        return is_on(), dynconf_patch, dynconf_run, dynconf__function

    assert asyncio.run(function(1, dynconf_run=5)) == (True, 1, 5, 3)


def test_a_partial_of_a_function_that_pretends():
    """What counts is the parameters that the function has, not those of what it says that it wraps."""

    @functools.wraps(a_coroutine)
    async def wrapper(*args):
        return is_on(), args

    assert asyncio.run(on(functools.partial(wrapper, 1))(2, 3)) == (True, (1, 2, 3))


def test_no_text_of_a_function_is_run():
    """A wrapper's source is made of identifiers alone: no default, annotation or name is part of it."""
    ran = []

    class Evil:
        def __repr__(self):
            return "dynconf_patch.ran()"

    async def function(a: "ran.append(1)" = Evil(), *, b: "ran.append(2)" = "1); ran.append(3"):  # noqa: B008
        return is_on(), a, b

    function.__name__ = function.__qualname__ = "f(): ran.append(4)\nasync def shell"
    function.__signature__ = inspect.Signature(
        [inspect.Parameter("c", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=Evil())]
    )
    decorated = on(function)
    state, a, b = asyncio.run(decorated())
    assert (state, type(a), b) == (True, Evil, "1); ran.append(3")
    assert decorated.__name__ == function.__name__
    odd = types.FunctionType(
        function.__code__.replace(co_varnames=("a=ran.append(5)", "b")), {"ran": ran}, "odd", (1,)
    )
    with pytest.raises(TypeError, match="cannot decorate"):
        on(odd)
    assert ran == []


def test_generator_based_coroutines():
    """`types.coroutine` makes what can be awaited, and it stays so."""

    @on
    @types.coroutine
    def paused(value):
        yield
        return is_on(), value

    async def main():
        return await paused(1)

    assert asyncio.run(main()) == (True, 1)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="markcoroutinefunction is new in Python 3.12")
@pytest.mark.parametrize("awaited", [asyncio.ensure_future, lambda body: body])
def test_functions_that_are_marked_as_coroutine_functions(awaited):
    """The patch is on in their own code, and they stay marked and return what they returned."""

    @on
    @inspect.markcoroutinefunction
    def started():
        seen.append(is_on())
        return awaited(asyncio.sleep(0, "result"))

    async def main():
        return await started()

    seen = []
    assert asyncio.run(main()) == "result"
    assert seen == [True]
    assert inspect.iscoroutinefunction(started)


def test_many_nested_generators_are_as_fast_as_they_are_deep():
    """A generator that delegates to itself, ten deep, works under its patch at each depth."""

    @dynconf.patch(recompile_limit=7)
    def nested(depth):
        yield torch_reads(LIMIT)
        if depth:
            yield from nested(depth - 1)

    assert list(nested(10)) == [7] * 11
    assert bind().slot(LIMIT).read() == default_of(LIMIT)
