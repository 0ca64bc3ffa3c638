"""The pytest plugin: flags for a test, and no flags of it in the next one.

``@pytest.mark.dynconf(recompile_limit=17)`` and the fixture ``dynconf_patch`` set flags until the test ends.
A test that leaves the live configuration changed is reported by name, and the configuration is put back. That
loads neither torch nor pydantic: while no config module of torch is loaded, there is nothing to do.
"""

import sys
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from dynconf.errors import LeakWarning

if TYPE_CHECKING:
    from dynconf.live.baseline import Baseline
    from dynconf.live.patch import Patch
    from dynconf.origin import Caller

_MECHANICS = "torch.utils._config_module"
"""The module that torch makes its config modules with: where it is not loaded, none of them is."""
_MARKER = "_dynconf_marker"
_MODES = ("error", "warn", "off")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for leaks, on the command line and in the ini file."""
    group = parser.getgroup("dynconf", "torch.compile's configuration")
    group.addoption(
        "--dynconf-leaks",
        choices=_MODES,
        help="What to do about tests that leave the live configuration changed; by default, warn.",
    )
    parser.addini("dynconf_leaks", "error, warn or off: see --dynconf-leaks", default="warn")


def pytest_configure(config: pytest.Config) -> None:
    """Describe the marker, and start looking for leaks."""
    config.addinivalue_line(
        "markers",
        "dynconf(**flags): set flags of torch's config modules for the test, as dynconf.patch(**flags) does.",
    )
    mode = config.getoption("--dynconf-leaks") or config.getini("dynconf_leaks")
    if mode not in _MODES:
        raise pytest.UsageError(f"dynconf_leaks: {mode!r} is not valid: expected one of {', '.join(_MODES)}")
    if mode != "off":
        config.pluginmanager.register(_Leaks(mode), "dynconf-leaks")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Have a marked test use the fixture that enters its patches: before its own, after those it shares."""
    names = getattr(item, "fixturenames", None)
    if names is None or _MARKER in names or item.get_closest_marker("dynconf") is None:
        return  # what is parametrized shares the names
    known = item._fixtureinfo.name2fixturedefs  # type: ignore[attr-defined]
    shared = [name for name in names if name in known and known[name][-1].scope != "function"]
    names.insert(len(shared), _MARKER)


@pytest.fixture(name=_MARKER)
def _marker(request: pytest.FixtureRequest) -> Iterator[None]:
    """Enter a patch for each marker of the test, the outermost first, those of its parameters last."""
    from dynconf.origin import Caller

    path, line, _ = request.node.reportinfo()
    here = Caller.at(str(path), (line or 0) + 1)
    parameters = getattr(request.node, "callspec", None)
    markers = reversed(list(request.node.iter_markers("dynconf")))
    markers = sorted(markers, key=lambda marker: parameters is not None and marker in parameters.marks)
    with ExitStack() as entered:
        patches = [
            entered.enter_context(_patch(marker.args, marker.kwargs, here, "pytest.mark.dynconf"))
            for marker in markers
        ]
        if hasattr(request.instance, "asyncSetUp"):
            # An IsolatedAsyncioTestCase runs these in a context that was copied when it was made.
            for name in ("asyncSetUp", request.function.__name__, "asyncTearDown"):
                method = getattr(request.instance, name)
                for patch in reversed(patches):  # the closest marker counts, so it is entered last
                    method = patch(method)
                setattr(request.instance, name, method)
        yield


@pytest.fixture
def dynconf_patch() -> "Iterator[Callable[..., Patch]]":
    """Return a function that takes what `dynconf.patch` takes, and sets it until the test ends."""
    with ExitStack() as entered:

        def patch(*changes: Any, **flags: Any) -> "Patch":
            from dynconf.origin import caller

            return entered.enter_context(_patch(changes, flags, caller(), "dynconf_patch"))

        yield patch


def _patch(arguments: tuple[Any, ...], flags: dict[str, Any], here: "Caller", function: str) -> "Patch":
    from dynconf.live.patch import patch_of
    from dynconf.sources.calls import changes_of, has_state

    changes = changes_of(arguments, flags, function)
    if has_state(changes):
        made: Patch = changes.patch()
        return made
    return patch_of(changes, here)


class _Leaks:
    """Compares the live configuration before and after each test, and puts it back."""

    def __init__(self, mode: str) -> None:
        self._is_error = mode == "error"
        self._before: Baseline | None = None  # what each test has to leave behind
        self._revoke: dict[Any, Callable[[], None]] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Generator[None, None, None]:
        """Take the state before the first test that finds a config module loaded."""
        if self._before is None and (raw_state := _raw_state()):
            self._before = raw_state()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        """Expect what a fixture for several tests sets, until that fixture ends."""
        if fixturedef.scope == "function":
            return (yield)
        raw_state = _raw_state()
        before = raw_state() if raw_state else None
        result = yield
        if raw_state := _raw_state():
            self._before = self._before or raw_state.as_imported()
            self._revoke[fixturedef] = self._before.accept(before or raw_state.as_imported())
        return result

    def pytest_fixture_post_finalizer(self, fixturedef: Any) -> None:
        """Expect again what was there before the fixture."""
        revoke = self._revoke.pop(fixturedef, None)
        if revoke is not None:
            revoke()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, None, None]:
        """Report what the test has left behind, and put the state back."""
        try:
            result = yield
        except BaseException:
            complaint = self._complaint(item)
            if complaint:  # the error of the teardown must not be hidden by another one
                item.add_report_section("teardown", "dynconf", complaint)
            raise
        complaint = self._complaint(item)
        if complaint and self._is_error:
            pytest.fail(complaint, pytrace=False)
        elif complaint:
            path, line, _ = item.reportinfo()
            warnings.warn_explicit(LeakWarning(complaint), LeakWarning, str(path), (line or 0) + 1)
        return result

    def _complaint(self, item: pytest.Item) -> str:
        """Put the state back; return what was wrong with it, in words."""
        raw_state = _raw_state()
        if raw_state is None:
            return ""
        self._before = self._before or raw_state.as_imported()
        leaks, deleted = self._before.put_back()
        if not leaks and not deleted:
            return ""
        from dynconf.flags.types import shown

        found = [f"{leak.flag} {shown(leak.old)} -> {shown(leak.new)} ({leak.origin})" for leak in leaks]
        found += [f"{name} deleted, as monkeypatch and mock.patch do when they undo" for name in deleted]
        return (
            f"{item.nodeid} left torch's configuration changed, and dynconf put it back: {'; '.join(found)}"
        )


def _raw_state() -> "type[Baseline] | None":
    """Return the class of raw states; None as long as no config module of torch is loaded."""
    if _MECHANICS not in sys.modules:
        return None
    from dynconf.live.baseline import Baseline

    return Baseline
