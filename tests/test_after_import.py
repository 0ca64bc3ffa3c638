"""Tests of `dynconf.after_import`."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynconf.after_import import after_import


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


def test_a_module_that_is_being_imported_is_waited_for(module: str, tmp_path: Path) -> None:
    """It is in sys.modules already, but has none of its flags yet."""
    (tmp_path / "imported_late.py").write_text("import registering\nregistering.now()\nvalue = 1\n")
    (tmp_path / "registering.py").write_text("")
    seen: list[object] = []
    registering = importlib.import_module("registering")
    registering.now = lambda: after_import(module, lambda: seen.append(sys.modules[module].value))
    after_import(module, lambda: seen.append("first"))
    importlib.import_module(module)
    assert seen == ["first", 1]
    del sys.modules["registering"]


def test_a_module_that_does_not_exist_is_missing_as_always() -> None:
    """Waiting for it changes nothing."""
    after_import("no_such_module_of_a_test", lambda: None)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("no_such_module_of_a_test")
