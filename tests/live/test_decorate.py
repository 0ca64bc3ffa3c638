"""Decorating functions, methods and coroutines: on exactly while the body's own code runs (law 3)."""

import asyncio
import contextlib
import functools
import inspect
import sys
import types
import unittest

import pytest
from live_state import LIMIT, PER_CONTEXT, is_on, only_per_context, result_in_thread, torch_reads

import dynconf

pytestmark = pytest.mark.usefixtures("restored")

on = dynconf.patch(verify_correctness=True)


def with_no_name(function):
    """Wrap a function as ``torch.no_grad()`` does: a plain function around one of any kind."""

    @functools.wraps(function)
    def wrapper():
        return function()

    return wrapper


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

    async def coroutine(value):
        return is_on(), value

    assert on(functools.partial(lambda value: (is_on(), value), 3))() == (True, 3)
    assert on(Callable())()
    assert asyncio.run(on(Asynchronous())())
    assert inspect.iscoroutinefunction(on(Asynchronous()))
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
    """On while the body runs; from torch 2.12 on nobody else sees it, or what the body patches, meanwhile."""
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
            if PER_CONTEXT:
                assert not is_on()
                assert torch_reads(LIMIT) == 8
        return task.result()

    assert inspect.iscoroutinefunction(body)
    assert body.__name__ == "body"
    assert asyncio.run(main()) == (True, 7)
    assert seen == [True, (True, 3)]


def test_a_coroutine_that_is_driven_by_hand():
    """Values, exceptions and closing reach the body, and the patch is off once it has ended."""

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

    for drive, received in (lambda each: each.send(5), 5), (lambda each: each.throw(KeyError()), "thrown"):
        coroutine = body()
        assert coroutine.send(None) == "suspended"
        with pytest.raises(StopIteration) as stop:
            drive(coroutine)
        assert stop.value.value == (True, received)
        assert not is_on()
    coroutine = body()
    coroutine.send(None)
    coroutine.close()
    body().close()


# -- generators -------------------------------------------------------------------------------------------


def numbers():
    """Generate."""
    yield 1


async def asynchronous_numbers():
    """Generate, too."""
    yield 1


class Generating:
    """An object whose call makes a generator."""

    def __call__(self):
        """Generate, too."""
        yield 1


@pytest.mark.parametrize(
    "function",
    [numbers, asynchronous_numbers, Generating(), functools.partial(numbers), types.coroutine(numbers)],
    ids=["generator", "asynchronous", "object", "partial", "generator-based coroutine"],
)
def test_generator_functions_are_a_type_error(function):
    """The code that resumes one would see the flags, too; the message says what to write instead."""
    with pytest.raises(TypeError, match=r"write `with dynconf\.patch\(\.\.\.\):` inside it"):
        on(function)


@pytest.mark.parametrize("wrap", [contextlib.contextmanager, with_no_name])
def test_a_hidden_generator_is_a_type_error_at_the_call(wrap):
    """A wrapper does not tell before it is called; the patch is off, and the body has not begun."""
    decorated = on(wrap(numbers))
    with pytest.raises(TypeError, match="a generator shares its context"):
        decorated()
    assert not is_on()


def test_a_wrapper_that_runs_the_generator_itself_is_a_function():
    """Its body runs during the call, with the flags in force."""

    def body():
        yield is_on()

    @on
    @functools.wraps(body)
    def collected():
        return list(body())

    assert collected() == [True]


def test_a_wrapper_of_a_coroutine_function_is_run_with_the_patch():
    """One that does not say what it wraps is plain, but what its call makes is a coroutine."""

    async def body():
        await asyncio.sleep(0)
        return is_on()

    assert asyncio.run(on(with_no_name(body))()) is True
    assert asyncio.run(on(lambda: body())()) is True  # noqa: PLW0108  it is no coroutine function


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


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore:.*coroutine.*:UserWarning")
def test_the_decorators_of_torch():
    """Around and below torch.no_grad, torch.inference_mode and torch._dynamo.disable."""
    import torch

    async def body():
        await asyncio.sleep(0)
        return is_on()

    # What torch.compile makes of a coroutine function looks the same; to run it crashes torch 2.13.
    for wrap in (torch.no_grad(), torch.inference_mode(), torch._dynamo.disable):
        assert asyncio.run(on(wrap(body))()) is True
        assert asyncio.run(wrap(on(body))()) is True
    with pytest.raises(TypeError, match="a generator shares its context"):
        on(torch.no_grad()(numbers))
