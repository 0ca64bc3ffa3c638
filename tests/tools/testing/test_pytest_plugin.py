"""The pytest plugin: markers, the fixture, and tests that leave the live configuration changed."""

import importlib.metadata
import re
import sys
import textwrap
from pathlib import Path

import pytest
from live_state import A_SET, LIMIT, RawState, default_of

import dynconf
from dynconf.catalogue.modules import MODULES
from dynconf.live.binding import bind
from dynconf.live.torch.storage import ABSENT

pytest_plugins = ("pytester",)

HEAD = f"""
import asyncio, threading, unittest, warnings
from unittest import mock
import pytest
import torch._dynamo.config as config
import dynconf

LIMIT = {LIMIT!r}

def limit():
    return dynconf.snapshot()[LIMIT]
"""


@pytest.fixture(scope="module")
def _all_imported():
    """Import the modules that the first run in this process would otherwise import and forget again."""
    for name in dynconf.__all__:
        getattr(dynconf, name)
    for module in ("dynconf.tools.baseline", "dynconf.tools.testing.pytest_plugin"):
        importlib.import_module(module)
    for module in MODULES:
        bind(module)


@pytest.fixture(name="pytester")
def _pytester(_all_imported, pytester):
    """Give the runs a root of their own, whatever lies above it, in a project that asks for leaks."""
    pytester.makeini("[pytest]\ndynconf_leaks = warn")
    return pytester


@pytest.fixture
def run(pytester):
    """Return a function that runs a test file in this process with the plugin, and leaves nothing behind."""
    before = RawState()

    def run_file(source, *arguments, plugins=PLUGINS):
        pytester.makepyfile(HEAD + source)
        return pytester.runpytest_inprocess(*plugins, *arguments)

    yield run_file
    after = RawState()
    if bind().storage.unset is ABSENT:
        # Torch 2.4 and 2.5 store the container itself. One that was changed in place is put back as a copy.
        before.raw[A_SET] = after.raw[A_SET]
    assert after == before


def complaints(result):
    """Return the leaks that a run warns of, by test."""
    leak = re.compile(r"LeakWarning: (.*): \S*?::(\S+), or a fixture, left")
    return {test: found for found, test in leak.findall("\n".join(result.outlines))}


OTHERS = ("-pno:asyncio", "-pno:anyio", "-pno:hydra_pytest", "-pno:hypothesispytest")
"""Plugins that each run would import again."""

PLUGINS = (
    "-pno:dynconf",  # the entry point, where it is installed
    "-pdynconf.tools.testing.pytest_plugin",
    *OTHERS,
    "-pno:cacheprovider",
    "-Wdefault",
    "-Wignore:Module already imported",
)

LEAKING = """
def test_clean():
    with config.patch({LIMIT: 5}), dynconf.patch(recompile_limit=6):
        assert limit() == 6

def test_assigns():
    config.verbose = True

def test_next():
    assert not config.verbose

def test_enters():
    dynconf.patch(recompile_limit=64).__enter__()

def test_installs():
    dynconf.install(recompile_limit=65, functorch={"cse": False})

def test_changes_in_place():
    config.traceable_tensor_subclasses.add(dict)

class TestOld(unittest.TestCase):
    def test_leaks(self):
        config.verbose = True
        self.addCleanup(lambda: None)

    def test_cleans_up(self):
        config.verbose = True
        self.addCleanup(setattr, config, "verbose", False)

def test_the_end():
    assert limit() == dynconf.FLAGS["recompile_limit"].default
    assert not config.traceable_tensor_subclasses
"""
LEAKERS = {"test_assigns", "test_enters", "test_installs", "test_changes_in_place", "TestOld::test_leaks"}


def test_each_leaking_test_is_named_and_the_next_one_is_clean(run):
    """The default is a warning with flags, old and new values, and the origin of the new one."""
    result = run(LEAKING)
    result.assert_outcomes(passed=9, warnings=5)
    found = complaints(result)
    assert set(found) == LEAKERS
    default = default_of(LIMIT)
    assert re.fullmatch(r"verbose False -> True \(assignment at .*:\d+\)", found["test_assigns"])
    assert found["test_enters"].startswith(f"recompile_limit {default} -> 64 (patch at ")
    assert found["test_changes_in_place"] == f"{A_SET} set() -> {{<class 'dict'>}} (assignment)"
    assert f"recompile_limit {default} -> 65 (install at " in found["test_installs"]
    assert "functorch.cse True -> False (install at " in found["test_installs"]


@pytest.mark.parametrize("wanted", ["--dynconf-leaks=error", "-Werror::dynconf.errors.LeakWarning"])
def test_the_leaking_tests_are_errors_if_wanted(run, wanted):
    """The option, or an ordinary filter of pytest, fails exactly these, and the others pass."""
    result = run(LEAKING, wanted, "-rE")
    result.assert_outcomes(passed=9, errors=5)
    errors = [line.partition("::")[2] for line in result.outlines if line.startswith("ERROR ")]
    assert {line.partition(" - ")[0] for line in errors} >= LEAKERS


@pytest.mark.parametrize("wanted", ["warn", "error", "-Werror::dynconf.errors.LeakWarning"])
def test_what_a_module_of_tests_sets_while_it_is_imported_is_reported(run, pytester, wanted):
    """With its line, whatever its conftest and what it imports do; all tests have it, and it stays."""
    pytester.makeconftest("import torch._dynamo.config\ntorch._dynamo.config.suppress_errors = True")
    pytester.makepyfile(library="import torch._dynamo.config\ntorch._dynamo.config.verify_correctness = True")
    source = "import library\nconfig.verbose = True\nconfig.dynamic_shapes = config.dynamic_shapes\n"
    with dynconf.preserve():
        result = run(
            f"{source}def test_it(): assert config.verbose",
            wanted if wanted.startswith("-W") else f"--dynconf-leaks={wanted}",
        )
    result.assert_outcomes(**({"passed": 1, "warnings": 1} if wanted == "warn" else {"errors": 1}))
    said = (
        "sets flags while it is imported, and all tests have them:"
        rf" verbose False -> True \(assignment at .*\.py:{HEAD.count(chr(10)) + 1}\); use `pytestmark"
    )
    assert re.search(said, str(result.stdout))


def test_the_ini_file_decides_too(run, pytester):
    """``dynconf_leaks``, which the option overrides; a word that is none of the three is a mistake."""
    pytester.makeini("[pytest]\ndynconf_leaks = error")
    leak = "def test_leak(): config.verbose = True"
    run(leak).assert_outcomes(passed=1, errors=1)
    run(leak, "--dynconf-leaks=warn").assert_outcomes(passed=1, warnings=1)
    pytester.makeini("[pytest]\ndynconf_leaks = loud")
    result = run(leak)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines("*dynconf_leaks: 'loud' is not valid: expected one of error, warn, off")


def test_switched_off_nothing_is_looked_at(run):
    """--dynconf-leaks=off keeps the state as the test left it."""
    tests = "def test_leak(): config.verbose = True\ndef test_next(): assert config.verbose"
    run(tests, "--dynconf-leaks=off").assert_outcomes(passed=2)
    dynconf.reset("verbose")


def test_what_torch_leaves_behind_is_no_leak(run):
    """An override that changes nothing is removed, and not mentioned."""
    run(
        """
        def test_patch():
            with config.patch(verbose=True, traceable_tensor_subclasses={dict}): pass
            config.reorderable_logging_functions
            setattr(config, LIMIT, getattr(config, LIMIT))
        def test_next():
            assert dynconf.origin("verbose").kind == "default"
        """.replace("\n        ", "\n"),
        "-Werror::dynconf.DynconfWarning",
    ).assert_outcomes(passed=2)


UNDOING = """
def read(name):
    return getattr(config, name)

@pytest.mark.parametrize("flag", FLAGS)
def test_monkeypatch(monkeypatch, flag):
    monkeypatch.setattr(config, flag, 33)

@pytest.mark.parametrize("flag", FLAGS)
def test_mock(flag):
    with mock.patch.object(config, flag, 34):
        pass

@pytest.mark.parametrize("flag", FLAGS)
def test_delattr(flag):
    delattr(config, flag)

@pytest.mark.parametrize("flag", FLAGS)
def test_all_are_there(flag):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert read(flag) == 8
"""


@pytest.mark.since("2.7")  # the first whose recompile_limit has an alias
@pytest.mark.real_torch
def test_flags_that_monkeypatch_and_mock_delete_are_brought_back(run):
    """A flag and an alias come back, with the value of the flag behind the alias, and the test is named.

    What monkeypatch does with a flag that was never installed depends on the release of pytest.
    """
    with dynconf.install(recompile_limit=8):
        pass
    flags = "FLAGS = ['recompile_limit', 'cache_size_limit']\n"
    result = run(flags + UNDOING, "-Wignore:torch:FutureWarning")
    result.assert_outcomes(passed=8, warnings=4)
    deleted = "torch._dynamo.config.{} deleted, as monkeypatch and mock.patch do when they undo"
    assert complaints(result) == {
        "test_monkeypatch[cache_size_limit]": deleted.format("cache_size_limit"),
        "test_mock[cache_size_limit]": deleted.format("cache_size_limit"),
        "test_delattr[recompile_limit]": deleted.format("recompile_limit"),
        "test_delattr[cache_size_limit]": deleted.format("cache_size_limit"),
    }


MARKED = """
pytestmark = pytest.mark.dynconf(recompile_limit=17, functorch={"cse": False})

@pytest.fixture
def seen():
    return limit()

@pytest.fixture(scope="module")
def shared():
    with config.patch(verbose=True):
        yield limit()

def test_of_the_module(seen, shared):
    assert (limit(), seen) == (17, 17)
    assert dynconf.snapshot()["functorch.cse"] is False
    assert dynconf.origin(LIMIT).line == test_of_the_module.__code__.co_firstlineno
    assert dynconf.origin(LIMIT).file == __file__

@pytest.mark.dynconf({"cache_size_limit": 18})
def test_the_closest_marker_wins(seen):
    assert (limit(), seen) == (18, 18)
    assert dynconf.snapshot()["functorch.cse"] is False

@pytest.mark.dynconf("recompile_limit", 19)
class TestClass(unittest.TestCase):
    def setUp(self):
        self.seen = limit()

    def test_method(self):
        assert (limit(), self.seen) == (19, 19)

@pytest.mark.dynconf(dynconf.DynamoSettings(recompile_limit=20))
def test_settings(shared):
    assert limit() == 20
    assert shared == 8, "fixtures of several tests are set up before the marker counts"

@pytest.mark.parametrize(
    "number", [8, *(pytest.param(each, marks=pytest.mark.dynconf(recompile_limit=each)) for each in (5, 6))]
)
@pytest.mark.dynconf(recompile_limit=8, inductor={"triton.cudagraphs": True, "max_autotune": True})
def test_parameters(number, request):
    assert limit() == number
    assert dynconf.snapshot()["inductor.triton.cudagraphs"]
    assert len(set(request.fixturenames)) == len(request.fixturenames)
"""


def test_markers(run):
    """A marker covers the test and its own fixtures; the closest wins, flag by flag."""
    run(MARKED, "--dynconf-leaks=error").assert_outcomes(passed=7)


def test_a_mistake_is_shown_at_the_test(run):
    """A wrong flag fails it; the report has no lines of what looks it up."""
    source = """
        @pytest.mark.dynconf(recompil_limit=1)
        def test_marker(): ...

        def test_fixture(dynconf_patch):
            dynconf_patch(recompil_limit=2)
    """
    result = run(textwrap.dedent(source))
    result.assert_outcomes(failed=1, errors=1)
    result.stdout.fnmatch_lines("*UnknownFlagError: *recompil_limit*did you mean 'recompile_limit'*")
    result.stdout.fnmatch_lines("test_a_mistake*.py:*: UnknownFlagError")
    result.stdout.no_fnmatch_line("*dynconf/live/*")
    result.stdout.no_fnmatch_line("*plugin.py*")


def test_markers_of_doctests(run):
    """The mark of a module is for its doctests too, which have no function."""
    document = """
        pytestmark = pytest.mark.dynconf(recompile_limit=17)

        def test_function():
            '''
            >>> limit()
            17
            '''
    """
    run(textwrap.dedent(document), "--doctest-modules", "--dynconf-leaks=error").assert_outcomes(passed=2)


FIXTURE = """
def test_fixture(dynconf_patch):
    dynconf_patch(recompile_limit=21)
    one = dynconf_patch("recompile_limit", 22)
    assert limit() == 22
    assert dynconf.origin(LIMIT).file == __file__
    one.__exit__(None, None, None)
    assert limit() == 21
    with pytest.raises(dynconf.UnknownFlagError, match="did you mean"):
        dynconf_patch(recompil_limit=3)
    with pytest.raises(TypeError, match="dynconf_patch: expected"):
        dynconf_patch(1, 2, 3)

def test_after():
    assert limit() == 8

@pytest.mark.dynconf(recompile_limit=5)
def test_failing(dynconf_patch):
    dynconf_patch(recompile_limit=6)
    raise ZeroDivisionError

def test_after_failing():
    assert limit() == 8
"""


def test_the_fixture(run):
    """Its flags hold until the test ends, however it ends."""
    run(FIXTURE, "--dynconf-leaks=error").assert_outcomes(passed=3, failed=1)


SHARED = """
@pytest.fixture(scope="session", autouse=True)
def session():
    with dynconf.install(recompile_limit=40):
        yield

@pytest.fixture(scope="class")
def of_class():
    with config.patch(verbose=True), dynconf.patch(specialize_int=True):
        yield

def setup_module():
    config.traceable_tensor_subclasses = {list}

def teardown_module():
    config.traceable_tensor_subclasses = set()

def test_one():
    assert limit() == 40

def test_two():
    config.traceable_tensor_subclasses.add(dict)

class TestClass:
    def test_three(self, of_class):
        assert config.verbose and config.specialize_int and config.traceable_tensor_subclasses == {list}

    def test_four(self, of_class):
        config.verbose = False

    def test_five(self, of_class):
        assert config.verbose and config.specialize_int

class TestUnit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(dynconf.patch(recompile_limit=41))

    def test_six(self):
        assert limit() == 41

    test_seven = test_six

@pytest.fixture(scope="module")
def leaking():
    config.verbose = True

@pytest.fixture
def asks_late(request):
    config.specialize_int = True
    request.getfixturevalue("late")
    yield
    config.specialize_int = False

@pytest.fixture(scope="class")
def late():
    with dynconf.patch(recompile_limit=42):
        yield

def test_eight(asks_late):
    assert limit() == 42

def test_nine(leaking):
    assert limit() == 40 and not config.specialize_int

def test_ten(leaking):
    assert config.verbose
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="enterClassContext is new in Python 3.11")
def test_fixtures_of_several_tests_may_set_flags(run):
    """Until they end; if they do not put them back, the last test that they are for is named."""
    result = run(SHARED)
    result.assert_outcomes(passed=10, warnings=3)
    found = complaints(result)
    assert found["test_two"].startswith(f"{A_SET} {{<class 'list'>}} -> ")
    assert found["TestClass::test_four"].startswith("verbose True -> False (")
    assert found["test_ten"].startswith("verbose False -> True (assignment at ")


ASYNC = """
import asyncio
import pytest_asyncio

@pytest_asyncio.fixture
async def resource():
    await asyncio.sleep(0)
    return limit()

@pytest.mark.dynconf(recompile_limit=17)
@pytest.mark.asyncio
async def test_marker(resource):
    await asyncio.sleep(0)
    assert (limit(), resource) == (17, 17)

@pytest.mark.asyncio
async def test_fixture(dynconf_patch):
    dynconf_patch(recompile_limit=18)
    await asyncio.sleep(0)
    assert limit() == 18

@pytest.mark.asyncio(loop_scope="module")
async def test_leaks():
    config.verbose = True
    dynconf.patch(recompile_limit=19).__enter__()

@pytest.mark.asyncio(loop_scope="module")
async def test_next():
    assert not config.verbose
    assert limit() == 8

@pytest.mark.asyncio(loop_scope="module")
async def test_leaks_for_the_process():
    dynconf.install(recompile_limit=20)
"""


@pytest.mark.since("2.12")  # before, patches belong to the process, not to a context
def test_asynchronous_tests(run, pytester):
    """With pytest-asyncio and any loop, flags that a test sets in its own context end with it."""
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\ndynconf_leaks = warn")
    result = run(ASYNC, plugins=[each for each in PLUGINS if "asyncio" not in each])
    result.assert_outcomes(passed=5, warnings=1)
    assert set(complaints(result)) == {"test_leaks_for_the_process"}


ISOLATED = """
import contextvars, functools

seen = []

def plain(function):
    async def wrapper(self):
        return await function(self)
    return wrapper

@pytest.fixture(autouse=True, scope="class")
def of_class():
    yield
    seen.append(("of class", limit()))

@pytest.mark.dynconf(recompile_limit=17)
class TestIsolated(unittest.IsolatedAsyncioTestCase):
    def __init__(self, *args):
        super().__init__(*args)
        self.addCleanup(self.see, "made before")

    def see(self, where):
        seen.append((where, limit()))

    async def see_later(self, where):
        await asyncio.sleep(0)
        self.see(where)

    def setUp(self):
        self.see("setUp")
        self.addCleanup(self.see, "cleanup")
        self.addAsyncCleanup(self.see_later, "async cleanup")

    async def asyncSetUp(self):
        await self.see_later("asyncSetUp")

    async def asyncTearDown(self):
        await self.see_later("asyncTearDown")

    def tearDown(self):
        self.see("tearDown")

    async def test_method(self):
        await self.see_later("test")

    test_alias = test_method

    @plain
    async def test_without_wraps(self):
        await self.see_later("test")

    test_partial = functools.partialmethod(see_later, "test")

    def test_sync(self):
        self.see("test")

    async def test_tasks(self):
        await asyncio.gather(self.see_later("test"), asyncio.create_task(self.see_later("test")))
        await asyncio.to_thread(self.see, "test")

    async def test_subtests(self):
        with self.subTest(1):
            self.see("test")

    @unittest.skip("for a reason")
    async def test_skipped(self):
        pass

@pytest.mark.dynconf(recompile_limit=17, verbose=True)
class TestCloser(unittest.IsolatedAsyncioTestCase):
    @pytest.mark.dynconf(recompile_limit=18)
    async def test_closer(self):
        assert (limit(), config.verbose) == (18, True)
        with dynconf.patch(recompile_limit=19):
            await asyncio.sleep(0)
            assert limit() == 19
        assert limit() == 18

class TestUnmarked(unittest.IsolatedAsyncioTestCase):
    async def test_next(self):
        assert limit() == 8

@dynconf.patch(recompile_limit=16)
@pytest.mark.dynconf(recompile_limit=17, verbose=True)
class TestDecorated(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        assert (limit(), config.verbose) == (17, True)

    async def test_async(self):
        self.setUp()

    test_sync = setUp
@dynconf.patch(recompile_limit=16)
@pytest.mark.dynconf(recompile_limit=17, verbose=True)
class TestPlain(unittest.TestCase):
    def test_sync(self):
        assert (limit(), config.verbose) == (17, True)

def test_seen():
    assert {where for where, _ in seen} == {
        "setUp", "asyncSetUp", "test", "asyncTearDown", "tearDown", "cleanup", "async cleanup", "made before",
        "of class",
    }
    assert {value for where, value in seen if where != "of class"} == {17}
    assert {value for where, value in seen if where == "of class"} == {8}
"""


def test_a_marker_applies_to_all_of_an_isolated_asynchronous_test(run):
    """Whatever kinds of methods it has; it ranks above a decorator of the class, as in any test case."""
    strict = ("--dynconf-leaks=error", "-Werror::dynconf.DynconfWarning", "-Werror::RuntimeWarning")
    run(ISOLATED, *strict).assert_outcomes(passed=13, skipped=1)


HOOKS = """
import pytest

def pytest_collection_modifyitems(items):
    for item in items:
        if item.originalname in ("test_of_the_collection", "test_parameters"):
            item.add_marker(pytest.mark.dynconf(recompile_limit=17))

def pytest_runtest_setup(item):
    if item.name == "test_of_the_setup":
        item.add_marker(pytest.mark.dynconf(recompile_limit=18))
"""

ADDED = """
@pytest.fixture
def own():
    return limit()

@pytest.fixture(scope="module")
def shared():
    return limit()

def test_of_the_collection(own, shared):
    assert (limit(), own, shared) == (17, 17, 8)

@pytest.mark.parametrize("number", [17, pytest.param(5, marks=pytest.mark.dynconf(recompile_limit=5))])
def test_parameters(own, number):
    assert limit() == own == number

def test_of_the_setup(shared, own):
    assert (limit(), own, shared) == (18, 18, 8)

def test_next(own):
    assert limit() == own == 8
"""


def test_markers_that_hooks_add_count(run, pytester):
    """From the collection to the set-up of the test."""
    pytester.makeconftest(HOOKS)
    run(ADDED, "--dynconf-leaks=error").assert_outcomes(passed=5)


def test_a_marker_that_a_fixture_adds_is_too_late(run):
    """The test fails, because its flags would not be set."""
    result = run("""
@pytest.fixture
def fast(request):
    request.node.add_marker(pytest.mark.dynconf(recompile_limit=17))

def test_late(fast):
    pass
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*use the fixture dynconf_patch*"])


def test_an_error_in_the_teardown_is_not_hidden(run):
    """The leak is told beside it."""
    result = run(
        """
@pytest.fixture
def broken():
    yield
    raise ZeroDivisionError("in the fixture")

def test_leak(broken):
    config.verbose = True

def test_next():
    assert not config.verbose
""",
        "--dynconf-leaks=error",
    )
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(
        ["*ZeroDivisionError: in the fixture", "* dynconf teardown -*", "*verbose False -> True*"]
    )


WITHOUT_TORCH = """
import sys, warnings
from dynconf.errors import LeakWarning

def test_one(pytestconfig):
    assert pytestconfig.pluginmanager.has_plugin("dynconf-leaks")

def test_two():
    heavy = {"torch", "pydantic", "pydantic_settings", "dynconf.live.patch", "dynconf.catalogue.catalogue"}
    assert not heavy & set(sys.modules)

def test_three():
    warnings.warn(LeakWarning("as the plugin does"))
"""

FIRST_USE = """
import sys

def test_imports_and_leaks():
    import torch._dynamo.config as config
    config.verbose = True

def test_next():
    assert sys.modules["torch._dynamo.config"].verbose is False
"""


def test_nothing_is_loaded_until_it_is_used(pytester):
    """Neither torch nor pydantic, and neither by xdist, to whose first process warnings of leaks are sent."""
    pytester.makepyfile(WITHOUT_TORCH)
    result = pytester.runpytest_subprocess("-n1", *OTHERS, timeout=120)
    result.assert_outcomes(passed=3, warnings=1)
    result.stdout.fnmatch_lines("*LeakWarning: as the plugin does")


@pytest.mark.real_torch
def test_a_module_that_a_test_imports_is_put_back(pytester, warm):
    """To how it is imported."""
    pytester.makepyfile(test_torch=FIRST_USE)
    # pytest would execute torch._inductor.test_operators for its asserts, and torch minds a second time.
    done = warm.run("-m", "pytest", "--assert=plain", *OTHERS)
    assert "2 passed, 1 warning" in done.stdout
    change = r"verbose False -> True \(assignment at .*test_torch.py:\d+\)"
    assert re.search(f"{change}: test_torch.py::test_imports_and_leaks, or a fixture, left", done.stdout)


@pytest.mark.real_torch
def test_what_run_installs_during_a_test_is_no_leak_of_that_test(pytester, warm):
    """It only imports the modules for which the settings wait; the tests after it have them, too."""
    pytester.makepyfile(
        test_torch="""
def test_imports():
    import torch._dynamo.config as config
    assert config.recompile_limit == 3
    config.verbose = True

def test_imports_more():
    import torch._inductor.config as config
    assert config.max_autotune

def test_later():
    import torch._dynamo, torch._inductor
    assert torch._dynamo.config.recompile_limit == 3
    assert torch._inductor.config.max_autotune
    assert not torch._dynamo.config.verbose
"""
    )
    settings = ("--set", "recompile_limit=3", "--set", "inductor.max_autotune=true")
    done = warm.run("-m", "dynconf", "run", *settings, "-m", "pytest", "--assert=plain", *OTHERS)
    assert "3 passed, 1 warning" in done.stdout
    assert "LeakWarning: verbose False -> True" in done.stdout


def test_a_project_that_does_not_ask_is_left_alone(pytester, run):
    """A library that sets a flag as it is imported, in whichever test, does so for the tests after it."""
    pytester.makeini("[pytest]\nfilterwarnings = error")
    pytester.makepyfile(library="import torch._dynamo.config as config\nconfig.verbose = True")
    run(
        """
def test_first():
    import library

def test_second(pytestconfig, dynconf_patch):
    assert config.verbose
    assert not pytestconfig.pluginmanager.has_plugin("dynconf-leaks")
    config.verbose = False
    dynconf.reset("verbose")
"""
    ).assert_outcomes(passed=2)


def test_what_a_test_costs(run, monkeypatch):
    """One reading of the overrides, and nothing of a flag that did not change."""
    from dynconf.live.torch import slot
    from dynconf.tools import baseline

    reads = []
    read = baseline.Baseline._changed
    monkeypatch.setattr(baseline.Baseline, "_changed", lambda self: reads.append(self) or read(self))
    monkeypatch.setattr(slot.Slot, "read", None)
    monkeypatch.setattr(slot.Slot, "overruled_by", None)
    run("@pytest.mark.parametrize('_', range(50))\ndef test_nothing(_): pass").assert_outcomes(passed=50)
    assert len(reads) == 50


def test_dynconf_may_be_imported_before_pytest(pytester):
    """Pytest does not warn of it, as with ``dynconf run -m pytest``."""
    pytester.makepyfile("def test_nothing(): pass")
    program = f"import dynconf, pytest; raise SystemExit(pytest.main(['-Werror', *{OTHERS}]))"
    assert pytester.run(sys.executable, "-c", program).ret == 0


def test_the_document(run):
    """The example in docs/guides/pytest.md runs as printed."""
    text = (Path(__file__).parents[3] / "docs" / "guides" / "pytest.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    run(example, "--dynconf-leaks=error", "--strict-markers").assert_outcomes(passed=2)
