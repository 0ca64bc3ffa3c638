"""Shared by all tests: a clean environment, the command line in-process, and real config modules at will.

``--torch-release 2.6.0`` runs the tests against that release's own config module, under a stand-in for the
rest of torch; tests that need all of torch carry the mark ``real_torch`` and are skipped then. ``--generic``
has dynconf treat every config module as one that it does not know.
"""

import gc
import importlib
import importlib.util
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from unittest import mock

import hypothesis
import pytest

from dynconf.release import Release, minor

if TYPE_CHECKING:
    from ranks import Ranks
    from warm import Warm

# The first example may import torch, so there is no deadline. A run answers the same every time, from few
# examples; `make soak` runs the property tests with many, and looks for new ones.
hypothesis.settings.register_profile("search", deadline=None, max_examples=200)
hypothesis.settings.register_profile(
    "dynconf", deadline=None, max_examples=30, derandomize=True, database=None
)
hypothesis.settings.load_profile("dynconf")

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "torch"
FOREIGN = (
    "TORCH",
    "DYNCONF",
    "PT2_",
    "UNSAFE_SKIP_FSDP",
    "FAKE_",
    "AOT_",
    "PARTITIONER_",
    "ENABLE_AOT_",
    "CI",
)
"""How variables begin that could reach a flag; none of them is the test's unless it sets it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for another release."""
    parser.addoption("--torch-release", metavar="X.Y.Z", help="run against this release's config module")
    parser.addoption("--generic", action="store_true", help="as if no config module had a known shape")


def pytest_configure(config: pytest.Config) -> None:
    """Clear the environment before torch can read it, and put the stand-in up where one is asked for."""
    config.addinivalue_line("markers", "real_torch: needs all of torch, not only its config module")
    config.addinivalue_line("markers", "known_shape: is about what is not promised at the generic level")
    config.addinivalue_line("markers", "since(release): is about something that torch has from then on")
    config.addinivalue_line("markers", "catalogued: is about a torch that is not newer than the catalogue")
    for name in [name for name in os.environ if name.startswith(FOREIGN)]:
        del os.environ[name]
    # A shell starts its background jobs with Ctrl-C ignored, and nohup whatever it starts with the end of the
    # terminal ignored; programs that the tests start inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    gc.disable()  # until all tests are collected: nothing of what that makes is garbage
    release = config.getoption("--torch-release")
    if release:
        from dynconf._codegen import stub, upstream

        stub.install(upstream.fetch(release, CACHE), release)
    if config.getoption("--generic"):  # before a test module binds anything
        from dynconf.live import binding

        binding.known_storage = lambda _module, _release: None
        binding._told.append("the tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs all of torch where only a stand-in is there, and what is newer than torch here."""
    at_hand = Release.at_hand()
    for item in items:
        mark = item.get_closest_marker("since")
        if mark and at_hand.minor < minor(mark.args[0]):
            reason = f"torch {mark.args[0]} is the first that has what this is about"
            item.add_marker(pytest.mark.skip(reason=reason))
        if at_hand.is_beyond_catalogue and item.get_closest_marker("catalogued"):
            item.add_marker(pytest.mark.skip(reason="the catalogue ends before this torch"))
    # First what starts many threads: in each, every flag is read that any test has installed before.
    many_threads = ("test_stale_caches.py", "test_interruptions.py")
    items.sort(key=lambda item: item.path.name not in many_threads)
    if config.getoption("--generic"):
        skip = pytest.mark.skip(reason="is not promised at the generic level")
        for item in items:
            # `_make_closure_patcher` writes past the methods of its module.
            if item.get_closest_marker("known_shape") or "closure" in item.name:
                item.add_marker(skip)
    if config.getoption("--torch-release"):
        skip = pytest.mark.skip(reason="needs all of torch; this run has a release's config module only")
        for item in items:
            if item.get_closest_marker("real_torch"):
                item.add_marker(skip)


def pytest_collection_finish() -> None:
    """Freeze all loaded objects: the garbage collector takes half a second to go through torch."""
    gc.freeze()
    gc.set_threshold(100_000)  # tests leave little behind
    gc.enable()


def pytest_sessionfinish() -> None:
    """Collect garbage once: pytest would do it five times, through all of torch."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _as_if_new(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Give each test a clean environment and its own working directory."""
    for name in [name for name in os.environ if name.startswith(FOREIGN)]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    yield
    if "torch" in sys.modules and sys.float_info.min / 2 == 0:
        # What Inductor compiled has turned denormal numbers off for this thread; hypothesis would complain.
        sys.modules["torch"].set_flush_denormal(False)
    if "torch._dynamo.config" in sys.modules:
        from dynconf.live.chain import PER_CONTEXT, SHARED
        from dynconf.live.install import reset

        reset()
        for chain in (PER_CONTEXT, SHARED):
            chain.top.set(None)  # what a test entered and did not leave


@dataclass(frozen=True)
class Done:
    """The result of a command."""

    code: int
    out: str
    err: str

    def refused(self) -> str:
        """Check that it was bad input, and that there is no result; return what was said of it."""
        assert (self.code, self.out) == (2, ""), self
        return self.err


@pytest.fixture
def run_cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Return a function that runs a dynconf command in this process."""

    def run(*arguments: str) -> Done:
        from dynconf.cli import main

        capsys.readouterr()
        with mock.patch.object(sys, "argv", ["dynconf", *arguments]):
            try:
                main()
                code = 0
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return run


@pytest.fixture
def here() -> Callable[[], int]:
    """Return a function that returns the line of its caller."""
    return lambda: sys._getframe(1).f_lineno


@pytest.fixture(scope="session")
def ranks(warm: "Warm") -> Iterator["Ranks"]:
    """Return ranks that share one import of torch."""
    from ranks import Ranks

    made = Ranks(warm)
    yield made
    made.close()


@pytest.fixture(scope="session")
def warm() -> Iterator["Warm"]:
    """Return a runner of programs that share one import of torch and dynconf; warm.py says which cannot."""
    from warm import Warm

    from dynconf.catalogue.modules import MODULES
    from dynconf.cli import COMMANDS

    made = Warm(
        "torch._dynamo", "torch._functorch.config", "torch._inductor.config",
        "torch._dynamo.repro.after_dynamo",  # which the first compilation imports
        "dynconf.tools.ranks.distributed", "dynconf.settings",
        *(f"dynconf.cli.{name}".replace("-", "_") for name in COMMANDS),
        *(f"dynconf.catalogue.modules.{name}" for name in MODULES),
    )  # fmt: skip
    yield made
    made.close()


@pytest.fixture(scope="session")
def warm_python(warm: "Warm", tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return a command that behaves like ``python``, for programs that start Python themselves."""
    from warm_python import WarmPython

    made = WarmPython(warm, tmp_path_factory.mktemp("warm"))
    yield str(made.command)
    made.close()


@pytest.fixture(scope="session")
def quick_torch(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a folder for PYTHONPATH, whose torch is config modules only, and takes no seconds."""
    from live.futures import build

    folder = tmp_path_factory.mktemp("torch")
    build("version only", folder, Release.at_hand().version)
    return str(folder)


@contextmanager
def fresh_config(environ: dict[str, str] | None = None, *, module: str = "dynamo") -> Iterator[ModuleType]:
    """Execute the source of torch's config module again, in that environment, under a name of its own.

    This is the real module, read in milliseconds; any number of environments can be tried in one process.
    """
    from dynconf.catalogue.modules import catalogue

    config = importlib.import_module(catalogue(module).module)
    name = f"{config.__name__}_of_a_test"
    spec = importlib.util.spec_from_file_location(name, config.__file__)
    assert spec is not None
    assert spec.loader is not None
    fresh = importlib.util.module_from_spec(spec)
    sys.modules[name] = fresh
    mechanics = sys.modules["torch.utils._config_module"]
    # Most of the time would go into reading the comments of the source, which say the same each time.
    comments = "get_assignments_with_compile_ignored_comments"
    ignored = vars(config)["_compile_ignored_keys"]
    try:
        with (
            mock.patch.dict(os.environ, environ or {}),
            mock.patch.object(mechanics, comments, return_value=set(ignored)),
        ):
            spec.loader.exec_module(fresh)
        yield fresh
    finally:
        del sys.modules[name]


@pytest.fixture
def registry():
    """Return torch's registry of backends; backends that a test registers are removed again."""
    import torch._dynamo
    from torch._dynamo.backends import registry

    torch._dynamo.list_backends()  # registers torch's own
    # torch 2.4 has one table only.
    tables = [vars(registry)[name] for name in ("_BACKENDS", "_COMPILER_FNS") if name in vars(registry)]
    before = [dict(table) for table in tables]
    yield registry
    for table, content in zip(tables, before, strict=True):
        table.clear()
        table.update(content)


@pytest.fixture
def register(registry):
    """Return a function that registers a backend for one test and returns its name."""
    return lambda compiler: registry.register_backend(compiler).__name__
