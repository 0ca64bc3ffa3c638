"""Tests of `dynconf.live.after_import`."""

import contextlib
import importlib
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dynconf.live.after_import import after_import


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return the name of a module that has not been imported yet."""
    (tmp_path / "imported_late.py").write_text("value = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "imported_late"
    sys.modules.pop("imported_late", None)


def test_actions_come_right_after_the_import(module: str) -> None:
    """Actions run in order, once, on the complete module, whose loader and file are the usual ones."""
    seen: list[object] = []
    after_import(module, lambda: seen.append(sys.modules[module].value))
    after_import(module, lambda: seen.append("second"))
    assert seen == []
    imported = importlib.import_module(module)
    assert seen == [1, "second"]
    assert type(imported.__spec__.loader).__name__ == "SourceFileLoader"
    importlib.reload(imported)
    assert seen == [1, "second"]


def test_a_module_that_is_there_is_not_waited_for(module: str) -> None:
    """The action runs at once."""
    importlib.import_module(module)
    seen: list[int] = []
    after_import(module, lambda: seen.append(1))
    assert seen == [1]


def test_a_module_that_another_thread_imports_meanwhile_is_not_missed(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is there when the action is noted, although it was not when `after_import` began."""

    class ImportedMeanwhile(list[object]):
        def __contains__(self, finder: object) -> bool:
            importlib.import_module(module)
            return super().__contains__(finder)

    monkeypatch.setattr(sys, "meta_path", ImportedMeanwhile(sys.meta_path))
    seen: list[int] = []
    after_import(module, lambda: seen.append(1))
    assert seen == [1]


@pytest.mark.parametrize("others", [[], ["first"]], ids=["nobody waits for it", "others wait for it"])
def test_a_module_that_registers_itself_is_waited_for(module: str, tmp_path: Path, others: list[str]) -> None:
    """It is in sys.modules already, but has none of its flags yet."""
    (tmp_path / "imported_late.py").write_text("import registering\nregistering.now()\nvalue = 1\n")
    (tmp_path / "registering.py").write_text("")
    seen: queue.SimpleQueue[object] = queue.SimpleQueue()
    registering = importlib.import_module("registering")
    registering.now = lambda: after_import(module, lambda: seen.put(sys.modules[module].value))
    for other in others:
        after_import(module, lambda other=other: seen.put(other))
    importlib.import_module(module)
    assert [seen.get(timeout=30) for _ in (*others, 1)] == [*others, 1]
    del sys.modules["registering"]


@pytest.fixture
def slow_import(module: str, tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Return a function that lets another thread finish the import of the module, which has begun."""
    (tmp_path / "imported_late.py").write_text("import signals\nsignals.wait()\nvalue = 1\n")
    (tmp_path / "signals.py").write_text("")
    signals = importlib.import_module("signals")
    began, may_go_on = threading.Event(), threading.Event()

    def wait() -> None:
        began.set()
        may_go_on.wait(30)
        if failing:
            raise ImportError("on purpose")

    def finish(*, fails: bool = False) -> None:
        failing.extend([1] * fails)
        may_go_on.set()
        importing.join()
        failing.clear()

    failing: list[int] = []
    signals.wait = wait
    importing = threading.Thread(target=_import_quietly, args=(module,))
    importing.start()
    assert began.wait(30)
    yield finish
    finish()
    del sys.modules["signals"]


def _import_quietly(module: str) -> None:
    with contextlib.suppress(ImportError):
        importlib.import_module(module)


@pytest.mark.parametrize("fails", [False, True], ids=["succeeds", "fails"])
def test_a_module_that_another_thread_is_importing_is_waited_for(
    module: str, slow_import: Callable[..., None], *, fails: bool
) -> None:
    """Also by the first action, which is registered when the finders have been asked; until it succeeds."""
    seen: queue.SimpleQueue[object] = queue.SimpleQueue()
    after_import(module, lambda: seen.put(sys.modules[module].value))
    assert seen.empty()
    slow_import(fails=fails)
    if fails:
        assert seen.empty()
        importlib.import_module(module)
    assert seen.get(timeout=30) == 1
    assert seen.empty()


def test_finders_without_find_spec_are_passed_over(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python imports what another finder has found, too."""
    seen: list[int] = []
    after_import(module, lambda: seen.append(sys.modules[module].value))
    own = next(
        at for at, each in enumerate(sys.meta_path) if type(each).__module__ == after_import.__module__
    )
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path[: own + 1], object(), *sys.meta_path[own + 1 :]])
    importlib.import_module(module)
    assert seen == [1]


def test_a_module_that_does_not_exist_is_missing_as_always() -> None:
    """Waiting for it changes nothing."""
    after_import("no_such_module_of_a_test", lambda: None)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("no_such_module_of_a_test")
