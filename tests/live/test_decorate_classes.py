"""Decorating test classes: on in the tests and in what runs around them; the class stays the same object."""

import asyncio
import functools
import unittest
import unittest.mock
from typing import ClassVar

import pytest
from live_state import LIMIT, config, is_on, torch_reads

import dynconf

pytestmark = pytest.mark.usefixtures("restored")

on = dynconf.patch(verify_correctness=True)


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


def test_a_class_that_is_not_collected_is_a_type_error():
    """It stays as it was: one without tests, with a name that pytest does not look for, or an `__init__`."""

    class Plain:
        def step(self):
            return is_on()

    class Model(Plain):
        test_step = Plain.step

    class TestBench(Model):
        def __init__(self):
            super().__init__()

    for each in (Plain, Model, TestBench):
        with pytest.raises(
            TypeError, match=r"neither a unittest\.TestCase nor .*; decorate its methods instead"
        ):
            on(each)
        assert not each().step()


def test_a_class_that_says_it_is_for_tests_is_one():
    """A class with `__test__ = True` is collected, whatever its name."""

    @on
    class Checks:
        __test__ = True

        def test_step(self):
            return is_on()

    assert Checks().test_step()


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


# -- the more specific setting wins -----------------------------------------------------------------------


def reads(log):
    """Return a method that notes the limit."""
    return lambda self: log.append(torch_reads(LIMIT))


def test_a_derived_class_wins_over_its_base():
    """For its own tests and the inherited ones, whoever overrides what; one that is not decorated, too."""
    log = []

    @dynconf.patch(recompile_limit=3, verify_correctness=True)
    class Base(unittest.TestCase):
        test_inherited = reads(log)

        def __init_subclass__(cls, label="", **kwargs):
            super().__init_subclass__(**kwargs)
            cls.label = label

        @classmethod
        def setUpClass(cls):
            log.append(torch_reads(LIMIT))

        def setUp(self):
            log.append(torch_reads(LIMIT))

    @dynconf.patch(recompile_limit=4)
    class Derived(Base):
        test_own = reads(log)

        @classmethod
        def setUpClass(cls):
            log.append(torch_reads(LIMIT))
            super().setUpClass()
            log.append(torch_reads(LIMIT))

        def setUp(self):
            log.append(is_on())

    class Further(Derived, label="x"):
        test_further = reads(log)

        def setUp(self):
            super().setUp()

    run(Derived)
    assert log == [4, 4, 4, True, 4, True, 4]
    log.clear()
    run(Further)
    assert log == [4, 4, 4, True, 4, True, 4, True, 4]
    assert Further.label == "x"
    log.clear()
    run(Base)
    assert log == [3, 3, 3]


def test_the_nearest_of_several_decorators_wins():
    """As for functions."""
    log = []

    @dynconf.patch(recompile_limit=3)
    @dynconf.patch(recompile_limit=4)
    class Case(unittest.TestCase):
        test = reads(log)

    @dynconf.patch(recompile_limit=3)
    class TestBase:
        def test(self):
            return torch_reads(LIMIT)

    @dynconf.patch(recompile_limit=4)
    class TestDerived(TestBase):
        def test_own(self):
            return torch_reads(LIMIT)

    @dynconf.patch(recompile_limit=5)
    class TestFurther(TestDerived):
        @dynconf.patch(recompile_limit=6)
        def test_own(self):
            return torch_reads(LIMIT)

    run(Case)
    assert log == [4]
    assert (TestBase().test(), TestDerived().test(), TestDerived().test_own()) == (3, 4, 4)
    assert (TestFurther().test(), TestFurther().test_own()) == (5, 6)


def test_what_setting_up_sets_wins_over_the_class():
    """Set in setUpClass it holds for the class, in setUp for the test, and none of it longer."""
    log = []

    @on
    @dynconf.patch(recompile_limit=3)
    class Case(unittest.TestCase):
        @classmethod
        def setUpClass(cls):
            setattr(config(), LIMIT, 4)

        def setUp(self):
            log.append(torch_reads(LIMIT))
            if "one" in self.id():
                setattr(config(), LIMIT, 5)
                patch = dynconf.patch(verify_correctness=False)
                patch.__enter__()
                self.addCleanup(patch.__exit__, None, None, None)

        def test_one(self):
            log.append((torch_reads(LIMIT), is_on()))
            setattr(config(), LIMIT, 6)

        def test_two(self):
            log.append((torch_reads(LIMIT), is_on()))

    run(Case)
    assert log == [4, (5, False), 4, (4, True)]


def test_a_set_up_that_fails():
    """Whatever fails, the patch is gone afterwards."""

    @on
    class Case(unittest.TestCase):
        def setUp(self):
            assert is_on()
            raise LookupError

        def test(self):
            pass

    @on
    class Whole(unittest.TestCase):
        @classmethod
        def setUpClass(cls):
            assert is_on()
            raise LookupError

        def test(self):
            pass

    for case in (Case, Whole):
        result = unittest.TestResult()
        unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
        assert len(result.errors) == 1
        assert not is_on()
    with pytest.raises(LookupError):
        Case("test").debug()


def test_an_asynchronous_test_case_with_more_specific_settings():
    """Its tests run in a context of their own, in which the same holds."""
    log = []

    @dynconf.patch(recompile_limit=3)
    class Base(unittest.IsolatedAsyncioTestCase):
        async def test(self):
            await asyncio.sleep(0)
            log.append(torch_reads(LIMIT))

    @dynconf.patch(recompile_limit=4)
    class Derived(Base):
        async def asyncSetUp(self):
            await asyncio.sleep(0)
            log.append(torch_reads(LIMIT))
            setattr(config(), LIMIT, 5)

    run(Base)
    run(Derived)
    assert log == [3, 4, 5]
