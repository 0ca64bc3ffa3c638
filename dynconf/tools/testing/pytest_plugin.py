"""The pytest plugin: flags for one test, and none of them in the next.

``@pytest.mark.dynconf(recompile_limit=17)`` and the fixture ``dynconf_patch`` set flags until the test ends.
Where a project asks for it, a test that leaves the live configuration changed is reported by name, and the
configuration is restored::

    LeakWarning: verbose False -> True (assignment at tests/test_model.py:12):
    tests/test_model.py::test_fast, or a fixture, left it so, and dynconf restored it

pytest loads the plugin in every session, most of which have nothing to do with torch. So the plugin loads
neither torch nor pydantic, and does nothing until the tests have loaded a config module of torch.

Leaks are found by comparing a `Baseline` that is taken once, before the first test, with the state after each
test. Fixtures of a wider scope are why that is not all: a session fixture that sets a flag is no leak of the
test that happens to request it first. So whatever such a fixture changes is added to the expected state until
the fixture ends.

What is set while tests are collected is part of the expected state: a library may set flags as it is
imported. Only what a module of tests assigns in its own lines is reported, when that has been collected.
"""

import inspect
import sys
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from contextvars import copy_context
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from dynconf.errors import ContextWarning, DynconfError, LeakWarning
from dynconf.live.after_import import after_import
from dynconf.live.torch.restoring import MECHANICS
from dynconf.provenance import Caller, Origin, caller

if TYPE_CHECKING:
    from dynconf.live.patch import Patch
    from dynconf.tools.baseline import Baseline

_MARKER_FIXTURE = "_dynconf_marker"
_MODES = ("error", "warn", "off")

_SETTINGS = "dynconf"
"""The name of the settings among the data that pytest-xdist sends to its workers."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for leaks to the command line and the ini file."""
    group = parser.getgroup("dynconf", "torch.compile's configuration")
    group.addoption(
        "--dynconf-leaks",
        choices=_MODES,
        help="How to report tests that leave the live configuration changed; by default, they may.",
    )
    # Only the project itself can ask for it: the plugin is in every environment with a package that uses
    # dynconf, and a library that sets a flag as it is imported is no defect of somebody else's test.
    parser.addini("dynconf_leaks", "error, warn or off: see --dynconf-leaks", default="off")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and the hooks that find leaks, and follow the process that controls this one."""
    config.addinivalue_line(
        "markers",
        "dynconf(**flags): set flags of torch's config modules for the test, as dynconf.patch(**flags) does.",
    )
    mode = config.getoption("--dynconf-leaks") or config.getini("dynconf_leaks")
    if mode not in _MODES:
        raise pytest.UsageError(f"dynconf_leaks: {mode!r} is not valid: expected one of {', '.join(_MODES)}")
    if mode != "off":
        config.pluginmanager.register(_LeakHooks(mode), "dynconf-leaks")
    if settings := getattr(config, "workerinput", {}).get(_SETTINGS):
        from dynconf.tools.run.children import install_in_worker

        install_in_worker(settings, Caller.at("pytest-xdist", 0))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Have a worker of pytest-xdist install what is installed in this process, which controls it."""
    if "dynconf.live.install" in sys.modules:
        from dynconf.tools.run.children import installed_settings

        node.workerinput[_SETTINGS] = installed_settings()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Add the fixture that enters the patches of a marked test.

    An autouse fixture would run for every test. It goes before the test's own fixtures, which are to see the
    flags, and after those of a wider scope, which the test shares with others. Why not when the test is
    collected? The hooks of a project may add markers until here.
    """
    names = getattr(item, "fixturenames", None)
    # The items of a parametrized test share one list of names, so it may have the fixture already.
    if names is None or _MARKER_FIXTURE in names or item.get_closest_marker("dynconf") is None:
        return
    known = item._fixtureinfo.name2fixturedefs  # type: ignore[attr-defined]
    shared = [at for at, name in enumerate(names) if name in known and known[name][-1].scope != "function"]
    names.insert(max(shared, default=-1) + 1, _MARKER_FIXTURE)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Fail a test to which a fixture has added the marker: the flags would have been set before that."""
    names = getattr(item, "fixturenames", None)
    if names is not None and _MARKER_FIXTURE not in names and item.get_closest_marker("dynconf"):
        message = "a fixture has added the marker dynconf, which is too late: use the fixture dynconf_patch"
        pytest.fail(message, pytrace=False)


@pytest.fixture(name=_MARKER_FIXTURE)
def _enter_markers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Enter a patch for each marker of the test, so that the closest marker wins."""
    # pytest yields the closest marker first, except that those of a pytest.param follow the test's own.
    callspec = getattr(request.node, "callspec", None)
    markers = reversed(list(request.node.iter_markers("dynconf")))
    markers = sorted(markers, key=lambda marker: callspec is not None and marker in callspec.marks)
    with ExitStack() as stack:
        line = _line_of(request.node)
        for marker in markers:
            try:
                stack.enter_context(_patch(marker.args, marker.kwargs, line, "pytest.mark.dynconf"))
            except (DynconfError, TypeError) as mistake:  # a traceback would show plugins, and not the marker
                text = f"{type(mistake).__name__}: {mistake}"
                raise pytest.fail.Exception(text, pytrace=False) from None
        case: Any = request.instance
        if hasattr(case, "_asyncioTestContext"):
            # From Python 3.11 on, an IsolatedAsyncioTestCase runs all of the test in a context that it copied
            # when it was made, before the patches were entered.
            case._asyncioTestContext = copy_context()
        yield


@pytest.fixture
def dynconf_patch(request: pytest.FixtureRequest) -> "Iterator[Callable[..., Patch]]":
    """Return a function with the parameters of `dynconf.patch` that sets flags until the test ends."""
    is_asynchronous = inspect.iscoroutinefunction(getattr(request.node, "obj", None))  # doctests have none
    stack = ExitStack()

    def patch(*changes: Any, **flags: Any) -> "Patch":
        __tracebackhide__ = True
        return stack.enter_context(_patch(changes, flags, caller(), "dynconf_patch"))

    yield patch
    with warnings.catch_warnings():
        if is_asynchronous:  # left out here, but the context in which such a test has entered it ends with it
            warnings.simplefilter("ignore", ContextWarning)
        stack.close()


def _patch(arguments: tuple[Any, ...], flags: dict[str, Any], call_site: Caller, function: str) -> "Patch":
    from dynconf.live.patch import patch_of_call

    __tracebackhide__ = True  # so that a report ends at the line of the test that has the mistake
    try:
        return patch_of_call(function, arguments, flags, call_site)
    except (DynconfError, TypeError) as mistake:
        raise mistake.with_traceback(None) from None


def _line_of(item: pytest.Item) -> Caller:
    path, line, _ = item.reportinfo()
    return Caller.at(str(path), (line or 0) + 1)


class _LeakHooks:
    """Compares the live configuration with the expected state after each test, and restores it."""

    def __init__(self, mode: str) -> None:
        # So that leaks name the line that assigned.
        after_import(MECHANICS, lambda: import_module("dynconf.live.assignments").watch_assignments())
        self._is_error = mode == "error"
        self._expected: Baseline | None = None
        self._forget_fixture: dict[Any, Callable[[], None]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Report the flags that a module of tests assigns while it is imported; they stay as they are."""
        report = yield
        if isinstance(collector, pytest.Module) and (baseline := _baseline()):
            file = str(collector.path)
            if changed := baseline.assigned_in(file):
                found = "; ".join(_in_words(*each) for each in changed)
                message = (
                    f"{collector.nodeid} sets flags while it is imported, and all tests have them: {found};"
                    " use `pytestmark = pytest.mark.dynconf(...)`"
                )
                try:
                    if self._is_error:
                        raise LeakWarning(message)
                    Caller.at(file, changed[0][-1].line or 1).warn(LeakWarning(message))
                except LeakWarning:  # an error by a filter of pytest, too
                    report.outcome, report.longrepr = "failed", message
        return report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Generator[None, None, None]:
        """Take the expected state before the first test that finds a config module loaded."""
        __tracebackhide__ = True
        if self._expected is None and (baseline := _baseline()):
            self._expected = baseline()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        """Add the changes of a fixture that several tests share to the expected state."""
        __tracebackhide__ = True
        if fixturedef.scope == "function":
            return (yield)
        before = baseline() if (baseline := _baseline()) else None
        result = yield
        if baseline := _baseline():  # the fixture may have imported torch itself
            self._expected = self._expected or baseline.as_imported()
            self._forget_fixture[fixturedef] = self._expected.accept(before or baseline.as_imported())
        return result

    def pytest_fixture_post_finalizer(self, fixturedef: Any) -> None:
        """Take the changes of a fixture that has ended out of the expected state."""
        if forget := self._forget_fixture.pop(fixturedef, None):
            forget()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, None, None]:
        """Restore the expected state after the test's own fixtures, and report what had changed."""
        try:
            result = yield
        except BaseException:
            # The teardown has failed already; a second error would hide the first.
            if message := self._restore(item):
                item.add_report_section("teardown", "dynconf", message)
            raise
        if message := self._restore(item):
            if self._is_error:
                pytest.fail(message, pytrace=False)
            _line_of(item).warn(LeakWarning(message))
        return result

    def _restore(self, item: pytest.Item) -> str:
        """Restore the expected state; return a message if the test left another one, else an empty text."""
        baseline = _baseline()
        if baseline is None:
            return ""
        from dynconf.tools.report import waiting

        # The test may have imported the first config module itself.
        self._expected = self._expected or baseline.as_imported()
        # So it may have had `dynconf run` install what has waited for the module.
        self._expected.adopt(waiting.installations)
        leaks, deleted = self._expected.put_back()
        if not leaks and not deleted:
            return ""
        found = "; ".join(
            [_in_words(*each) for each in leaks]
            + [f"{each.flag} deleted, as monkeypatch and mock.patch do when they undo" for each in deleted]
        )
        return f"{found}: {item.nodeid}, or a fixture, left it so, and dynconf restored it"


def _in_words(flag: str, before: object, after: object, origin: Origin) -> str:
    from dynconf.catalogue.flags.types import short_repr

    return f"{flag} {short_repr(before)} -> {short_repr(after)} ({origin})"


def _baseline() -> "type[Baseline] | None":
    """Return `Baseline`, or None while no config module of torch is loaded."""
    if MECHANICS not in sys.modules:
        return None
    from dynconf.tools.baseline import Baseline

    return Baseline
