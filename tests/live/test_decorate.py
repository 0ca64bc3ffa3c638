"""Decorating functions, methods and coroutines: on exactly while the body's own code runs (law 3)."""

import asyncio
import functools
import inspect

import pytest
from live_state import (
    LIMIT,
    RawState,
    config,
    in_force,
    only_per_context,
    result_in_thread,
    torch_reads,
)

import dynconf

on = dynconf.patch(verify_correctness=True)


def is_on():
    """Tell whether the patch is in force."""
    return config().verify_correctness


@pytest.fixture(autouse=True)
def _restored():
    """Make sure that each test leaves everything as it was."""
    before = RawState()
    assert not is_on()
    yield
    assert RawState() == before
    assert not in_force()


class Example:
    """Every kind of method."""

    @on
    def method(self, factor: int, *, shift: int = 0) -> tuple:
        """Tell."""
        return is_on(), self, factor, shift

    @on
    @staticmethod
    def static(value):
        return is_on(), value

    @on
    @classmethod
    def of_class(cls):
        return is_on(), cls

    @staticmethod
    @on
    def inner_static():
        return is_on()

    @classmethod
    @on
    def inner_of_class(cls):
        return is_on(), cls

    @property
    @on
    def value(self):
        return is_on()


def test_functions_and_methods():
    """The flags are in force in the body, and arguments and results go through."""
    example = Example()
    assert example.method(2, shift=3) == (True, example, 2, 3)
    assert Example.static(1) == example.static(1) == (True, 1)
    assert Example.of_class() == example.of_class() == (True, Example)
    assert Example.inner_static()
    assert Example.inner_of_class() == (True, Example)
    assert example.value
    assert on(is_on)()
    assert on(example.method)(1)[0] is True
    assert on(lambda: is_on())()  # noqa: PLW0108  a body of its own
    assert not is_on()


def test_wrappers_keep_name_signature_and_documentation():
    """Tools that look at a function see the one that was decorated."""
    plain = Example.method.__wrapped__
    assert Example.method.__name__ == "method"
    assert Example.method.__qualname__ == "Example.method"
    assert Example.method.__doc__ == plain.__doc__
    assert inspect.signature(Example.method) == inspect.signature(plain)
    assert isinstance(inspect.getattr_static(Example, "static"), staticmethod)
    assert isinstance(inspect.getattr_static(Example, "of_class"), classmethod)


def test_partials_and_callable_objects():
    """Whatever can be called can be decorated."""

    class Callable:
        def __call__(self):
            return is_on()

    class Asynchronous:
        async def __call__(self):
            await asyncio.sleep(0)
            return is_on()

    class Generating:
        def __call__(self):
            yield is_on()

    async def coroutine(value):
        return is_on(), value

    assert on(functools.partial(lambda value: (is_on(), value), 3))() == (True, 3)
    assert on(Callable())()
    assert asyncio.run(on(Asynchronous())())
    assert inspect.iscoroutinefunction(on(Asynchronous()))
    assert list(on(Generating())()) == [True]
    assert inspect.iscoroutinefunction(on(functools.partial(coroutine, 1)))
    assert asyncio.run(on(functools.partial(coroutine, 1))()) == (True, 1)
    assert on(len)([1, 2]) == 2


@pytest.mark.parametrize("target", [3, None, "text", [], object()], ids=lambda target: type(target).__name__)
def test_anything_else_is_a_type_error(target):
    """What cannot be called is refused, with what was expected."""
    with pytest.raises(TypeError, match="expected a function, a method or a test class"):
        on(target)


def test_reentrant_decorated_functions():
    """A decorated function may call itself, and an exception in it restores."""

    @on
    def countdown(number):
        assert is_on()
        if number == 0:
            raise LookupError
        countdown(number - 1)

    with pytest.raises(LookupError):
        countdown(5)


@only_per_context
def test_each_call_is_its_own_where_contexts_are():
    """A decorated function in one thread is not felt in another."""
    assert on(lambda: result_in_thread(is_on))() is False


# -- coroutines -------------------------------------------------------------------------------------------


def test_coroutine_functions():
    """On while the body runs, off while it waits; a patch that the body entered goes with it."""
    seen = []

    @on
    async def body(value):
        seen.append(is_on())
        with dynconf.patch(recompile_limit=3):
            await asyncio.sleep(0)
            seen.append((is_on(), torch_reads(LIMIT)))
        await asyncio.sleep(0)
        return is_on(), value

    async def main():
        task = asyncio.ensure_future(body(7))
        while not task.done():
            await asyncio.sleep(0)
            assert not is_on()
            assert torch_reads(LIMIT) == 8
        return task.result()

    assert inspect.iscoroutinefunction(body)
    assert body.__name__ == "body"
    assert asyncio.run(main()) == (True, 7)
    assert seen == [True, (True, 3)]


def test_a_coroutine_alone():
    """Driven by hand: off between the steps; send and throw go through."""

    class Suspend:
        def __await__(self):
            return (yield "suspended")

    @on
    async def body():
        try:
            received = await Suspend()
        except KeyError:
            received = "thrown"
        return is_on(), received

    coroutine = body()
    assert coroutine.send(None) == "suspended"
    assert not is_on()
    with pytest.raises(StopIteration) as stop:
        coroutine.send(5)
    assert stop.value.value == (True, 5)
    coroutine = body()
    coroutine.send(None)
    with pytest.raises(StopIteration) as stop:
        coroutine.throw(KeyError())
    assert stop.value.value == (True, "thrown")
    coroutine = body()
    coroutine.send(None)
    coroutine.close()
    body().close()


def test_cancelled_tasks():
    """Cancelling reaches the body, with the patch on in its handlers."""
    seen = []

    @on
    async def body():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append(is_on())
            raise
        finally:
            seen.append(is_on())

    async def main():
        task = asyncio.ensure_future(body())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not is_on()

    asyncio.run(main())
    assert seen == [True, True]
