"""Decorating: on exactly while the body's own code runs; the wrapper is of the body's kind."""

import asyncio
import contextvars
import functools
import inspect
import unittest
import unittest.mock
from typing import ClassVar

import pytest
from live_state import RawState, config, result_in_thread, interrupted_at_each_line, PER_CONTEXT

import dynconf
from dynconf.live.binding import bind

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


# -- functions and methods --------------------------------------------------------------------------------


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
    """Anything that can be called can be decorated."""

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


def test_interrupted_calls_restore():
    """At every single line of dynconf's: after an interrupted call nothing stays, or the patch as a whole."""

    @on
    def body():
        return is_on()

    before = RawState()
    for _ in interrupted_at_each_line(body, KeyboardInterrupt):
        while bind().stack.get() is not None:  # interrupted at the first line of leaving: still in as a whole
            assert is_on()
            on.__exit__(None, None, None)
        assert RawState() == before


# -- coroutines -------------------------------------------------------------------------------------------


def test_coroutine_functions():
    """On while the body runs, off while it waits; a patch that the body entered goes with it."""
    seen = []

    @on
    async def body(value):
        seen.append(is_on())
        with dynconf.patch(recompile_limit=3):
            await asyncio.sleep(0)
            seen.append((is_on(), config().recompile_limit if hasattr(config(), "recompile_limit") else 3))
        await asyncio.sleep(0)
        return is_on(), value

    async def main():
        task = asyncio.ensure_future(body(7))
        while not task.done():
            await asyncio.sleep(0)
            assert not is_on()
            assert dynconf.snapshot().values[LIMIT] == 8
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


# -- generators -------------------------------------------------------------------------------------------


@on
def echo(first):
    """Yield what is sent; end on StopIteration-like wishes."""
    received = yield is_on(), first
    while received != "end":
        try:
            received = yield is_on(), received
        except KeyError:
            received = yield is_on(), "thrown"
    return is_on(), "returned"


def test_generators():
    """On while the body runs, off while it is suspended; send, throw and the returned value go through."""
    assert inspect.isgeneratorfunction(echo)
    assert inspect.signature(echo) == inspect.signature(echo.__wrapped__)
    steps = echo(1)
    assert next(steps) == (True, 1)
    assert not is_on()
    assert steps.send(2) == (True, 2)
    assert not is_on()
    assert steps.throw(KeyError()) == (True, "thrown")
    assert not is_on()
    with pytest.raises(StopIteration) as stop:
        steps.send("end")
    assert stop.value.value == (True, "returned")


def test_generators_are_closed_with_the_patch_on():
    """close, and being dropped, run the body's finally under the patch."""
    seen = []

    @on
    def body():
        try:
            yield
        finally:
            seen.append(is_on())

    steps = body()
    next(steps)
    steps.close()
    steps = body()
    next(steps)
    del steps
    assert seen == [True, True]
    body().close()


def test_a_generator_that_raises():
    """What the body raises comes out, whether on its own or thrown in."""
    steps = echo(1)
    next(steps)
    with pytest.raises(LookupError):
        steps.throw(LookupError())
    with pytest.raises(StopIteration):
        next(steps)


def test_interleaved_generators():
    """Several suspended bodies leave nothing in force, in whatever order they go on."""

    def limited(limit):
        @dynconf.patch(recompile_limit=limit)
        def body():
            with dynconf.patch(accumulated_recompile_limit=100 + limit):
                while True:
                    values = dynconf.snapshot().values
                    names = [bind().slot(f"{kind}recompile_limit").name for kind in ("", "accumulated_")]
                    yield tuple(values[name] for name in names)

        return body()

    before = RawState()
    bodies = {limit: limited(limit) for limit in range(1, 5)}
    for limit in (1, 2, 3, 4, 2, 1, 4, 4, 3):
        assert next(bodies[limit]) == (limit, 100 + limit)
        assert RawState() == before
    for body in bodies.values():
        body.close()


def test_changes_made_in_the_body_wait_for_it():
    """What the body assigned to a patched flag is off while it is suspended and back when it goes on."""

    @dynconf.patch(recompile_limit=3)
    def body():
        name = LIMIT
        setattr(config(), name, 4)
        yield
        yield getattr(config(), name)

    before = RawState()
    steps = body()
    next(steps)
    assert RawState() == before
    assert next(steps) == 4
    steps.close()


def test_a_generator_resumed_elsewhere():
    """Started in one context, resumed in a thread or in a copy: it is on in each, and only then."""
    steps = echo(1)
    before = RawState()
    assert contextvars.copy_context().run(next, steps) == (True, 1)
    assert RawState() == before
    assert steps.send(2) == (True, 2)
    assert result_in_thread(lambda: (steps.send(3), is_on())) == ((True, 3), False)
    assert RawState() == before
    contextvars.Context().run(steps.close)


# -- asynchronous generators ------------------------------------------------------------------------------


@on
async def asynchronous(first):
    """Yield what is sent, waiting in between."""
    received = yield is_on(), first
    while True:
        await asyncio.sleep(0)
        try:
            received = yield is_on(), received
        except KeyError:
            await asyncio.sleep(0)
            received = yield is_on(), "thrown"
        if received == "end":
            return


def test_asynchronous_generators():
    """On while the body runs, off while suspended in either way; asend, athrow and aclose go through."""

    async def main():
        steps = asynchronous(1)
        assert await steps.__anext__() == (True, 1)
        assert not is_on()
        assert await steps.asend(2) == (True, 2)
        assert await steps.athrow(KeyError()) == (True, "thrown")
        assert not is_on()
        with pytest.raises(StopAsyncIteration):
            await steps.asend("end")
        steps = asynchronous(1)
        await steps.__anext__()
        with pytest.raises(LookupError):
            await steps.athrow(LookupError())
        steps = asynchronous(1)
        await steps.__anext__()
        await steps.aclose()
        await asynchronous(1).aclose()
        return [value async for value in limited()]

    @on
    async def limited():
        for number in range(3):
            await asyncio.sleep(0)
            yield is_on(), number

    assert inspect.isasyncgenfunction(asynchronous)
    assert asyncio.run(main()) == [(True, number) for number in range(3)]


def test_asynchronous_generators_are_closed_with_the_patch_on():
    """The body's finally runs under the patch, and may wait."""
    seen = []

    @on
    async def body():
        try:
            yield 1
        finally:
            await asyncio.sleep(0)
            seen.append(is_on())

    async def main():
        steps = body()
        await steps.__anext__()
        await steps.aclose()
        async for _ in body():
            break
        await asyncio.sleep(0.01)  # the event loop closes what was dropped
        asyncio.get_running_loop().set_exception_handler(lambda _, told: seen.append(told))
        kept.append(body())  # ... and, when it ends, what is suspended still
        await kept[0].__anext__()

    kept = []
    asyncio.run(main())
    assert seen == [True, True, True]


# -- test classes -----------------------------------------------------------------------------------------


def run(case):
    """Run a test case and return the result, which must be good."""
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    problems = [text for _, text in result.errors + result.failures]
    assert not problems, problems[0]
    return result


class Inherited(unittest.TestCase):
    """A base with a test and a fixture of its own."""

    __test__ = False
    log: list

    def setUp(self):
        self.log.append(("setUp", is_on()))

    def test_inherited(self):
        self.log.append(("inherited", is_on()))


def test_test_cases():
    """On in the tests and what runs around them, inherited ones too; the class is the same object."""

    class Case(Inherited):
        log: ClassVar[list] = []

        @classmethod
        def setUpClass(cls):
            cls.log.append(("setUpClass", is_on()))
            cls.addClassCleanup(lambda: cls.log.append(("class cleanup", is_on())))

        def test_own(self):
            self.addCleanup(self.log.append, "an argument")
            self.addCleanup(lambda: self.log.append(("cleanup", is_on())))
            self.log.append(("own", is_on()))

        def tearDown(self):
            self.log.append(("tearDown", is_on()))

        def helper(self):
            return is_on()

    decorated = on(Case)
    assert decorated is Case
    assert run(Case).testsRun == 2
    assert "an argument" in Case.log
    told = [entry for entry in Case.log if entry != "an argument"]
    assert all(state for _, state in told)
    assert {what for what, _ in told} == {
        "setUpClass", "setUp", "inherited", "own", "tearDown", "cleanup", "class cleanup",
    }  # fmt: skip
    assert not Case().helper()
    assert not hasattr(Inherited.test_inherited, "__wrapped__")


def test_classes_derived_from_a_decorated_one():
    """Their own tests have the patch too, as with torch's."""
    seen = []

    @on
    class Base(unittest.TestCase):
        def __init_subclass__(cls, label="", **kwargs):
            super().__init_subclass__(**kwargs)
            cls.label = label

    class Derived(Base, label="x"):
        def setUp(self):
            seen.append(is_on())

        def test_own(self):
            seen.append(is_on())

    assert Derived.label == "x"
    run(Derived)
    assert seen == [True, True]


def test_asynchronous_test_cases():
    """Each coroutine that unittest runs has the patch on, cleanups too."""
    log = []

    @on
    class Case(unittest.IsolatedAsyncioTestCase):
        async def asyncSetUp(self):
            await asyncio.sleep(0)
            log.append(is_on())

        async def asyncTearDown(self):
            log.append(is_on())

        async def test_waiting(self):
            async def clean():
                await asyncio.sleep(0)
                log.append(is_on())

            self.addAsyncCleanup(clean)
            await asyncio.sleep(0.001)
            log.append(is_on())

    run(Case)
    assert log == [True] * 4


def test_plain_test_classes():
    """Their test* methods are decorated, of whatever kind, and nothing else."""

    @on
    class TestPlain:
        def test_one(self):
            return is_on()

        @staticmethod
        def test_two():
            return is_on()

        @classmethod
        def test_three(cls):
            return is_on(), cls

        async def test_four(self):
            return is_on()

        def helper(self):
            return is_on()

        test_data = 3

    plain = TestPlain()
    assert isinstance(plain, TestPlain)
    assert plain.test_one()
    assert plain.test_two()
    assert plain.test_three() == (True, TestPlain)
    assert asyncio.run(plain.test_four())
    assert not plain.helper()
    assert plain.test_data == 3


def test_a_class_without_tests_is_a_type_error():
    """It stays as it was, and the message says what to do."""

    class Plain:
        def method(self):
            return is_on()

    with pytest.raises(TypeError, match=r"has no test\* methods; decorate its methods instead"):
        on(Plain)
    assert not Plain().method()


def test_the_habit_of_pytorchs_own_tests():
    """`@config.patch(...)` stacked with others on a test method works unchanged as dynconf.patch."""
    log = []

    def logged(function):
        @functools.wraps(function)
        def wrapper(self):
            log.append(function.__name__)
            return function(self)

        return wrapper

    class Case(unittest.TestCase):
        @dynconf.patch(verify_correctness=True, automatic_dynamic_shapes=True)
        @unittest.skipIf(False, "never")
        @logged
        def test_inner(self):
            log.append((is_on(), config().automatic_dynamic_shapes))

        @logged
        @unittest.mock.patch.dict("os.environ", {"X": "1"})
        @dynconf.patch(verify_correctness=True, automatic_dynamic_shapes=False)
        @dynconf.patch({"recompile_limit": 3})
        def test_outer(self):
            log.append((is_on(), config().automatic_dynamic_shapes))

        @unittest.expectedFailure
        @dynconf.patch("verify_correctness", True)
        def test_failing(self):
            assert not is_on()

        @unittest.skip("on purpose")
        @on
        def test_skipped(self):
            raise AssertionError

    result = run(Case)
    assert log == ["test_inner", (True, True), "test_outer", (True, False)]
    assert len(result.expectedFailures) == len(result.skipped) == 1


def test_each_call_is_its_own_where_contexts_are():
    """A decorated function in one thread is not felt in another, from torch 2.12 on."""
    if PER_CONTEXT:
        assert on(lambda: result_in_thread(is_on))() is False
