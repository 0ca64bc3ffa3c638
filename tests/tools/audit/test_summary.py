"""The summary of an audit, for people."""

from pathlib import Path
from typing import Any

import pytest

from dynconf.provenance import Origin
from dynconf.tools.audit.summary import Record, Summary, place, record_of
from dynconf.tools.audit.writes import ConfigWrite


def record(before: object, after: object, *, how: str = "assignment", by_torch: bool = False) -> Record:
    """Return a change of one flag by one line."""
    write = ConfigWrite(
        "verbose", before, after, how, Origin("assignment", file="a.py", line=1), by_torch, "", 0.0
    )
    return record_of(write)


def row(*changes: tuple[object, object], **settings: Any) -> tuple[str, str, str]:
    """Return the only row of the table."""
    summary = Summary()
    for before, after in changes:
        summary.add(record(before, after, **settings))
    (line,) = summary.shown(everything=True)
    return line.row()


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ([(8, 64)], "8 -> 64"),
        ([(8, 64), (64, 8)] * 5, "8 -> 64 -> 8 (10 writes)"),
        ([(8, 64)] * 3, "8 -> 64 (3 writes)"),
        ([(8, 8)], "8, unchanged"),
        ([(8, 8), (8, 64), (64, 64)], "8 -> 64 (3 writes)"),
        ([(8, 64), (16, 64)], "8 -> 64, 16 -> 64 (2 writes)"),
        ([(each, each + 1) for each in range(1000)], "0 -> 1 -> 2 -> 3, ... (1000 writes)"),
        ([(False, 0), (0, False)], "False -> 0 -> False (2 writes)"),
    ],
)
def test_the_values_of_many_changes_are_a_few_words(changes: list[tuple[object, object]], text: str) -> None:
    """Each different change once, those that changed nothing only where there is no other."""
    assert row(*changes) == ("verbose", text, "a.py:1 (assignment)")


def test_a_variable_that_is_not_set_has_no_value() -> None:
    """None as the value of a flag is something else."""
    assert row((None, "1"), ("1", None), how="os.environ")[1] == "unset -> '1' -> unset (2 writes)"
    assert row((None, "1"))[1] == "None -> '1'"


def test_what_torch_puts_back_is_its_own() -> None:
    """An assignment that stays was asked for from outside; a patch is always taken back."""
    cases = [
        ([(1, 2)], {"how": "patch"}, True),
        ([(1, 2), (2, 1)], {}, True),
        ([(1, 1)], {}, True),
        ([(1, 2)], {}, False),
    ]
    for changes, settings, is_own in cases:
        summary = Summary()
        for before, after in changes:
            summary.add(record(before, after, by_torch=True, **settings))
        assert bool(summary.shown()) is not is_own
        assert bool(summary.closing("")) is is_own


def test_values_of_any_kind_become_short_data() -> None:
    """What cannot be written as JSON, or is long, is text."""

    class Hostile:
        def __repr__(self) -> str:
            raise RuntimeError

    endless: list[Any] = []
    endless.append(endless)
    for value in (10**5000, "x" * 10_000, Hostile(), endless, float("nan"), b"\xff", object):
        shown = record(value, value)["after"]
        assert len(str(shown)) <= 1_000


def test_equal_values_are_shown_as_what_they_are() -> None:
    """However often the same line has made an equal change."""
    for value in (0, False, 0.0, -0.0, 1, True, (1,), (True,), "1"):
        assert str(record(value, value)["after"]) == str(value)


def test_the_source_of_a_setting_is_its_place() -> None:
    """A variable or an option has no line; a path is shown from a folder of the search path."""
    import sys

    def by(origin: Origin) -> str:
        summary = Summary()
        summary.add(record_of(ConfigWrite("verbose", 1, 2, "dynconf.install", origin, False, "", 0.0)))
        return summary.shown()[0].by

    folder = max(sys.path, key=len)
    assert (
        by(Origin("file", "verbose", "true", "x/dynconf.toml", 3))
        == "x/dynconf.toml:3 (verbose) (dynconf.install)"
    )
    assert by(Origin("option", "verbose", "1")) == "option --set verbose=1 (dynconf.install)"
    assert by(Origin("env", "TORCH_X", "1")) == "environment TORCH_X=1 (dynconf.install)"
    assert by(Origin("install", None, None, f"{folder}/lib/a.py", 4)) == "lib/a.py:4 (dynconf.install)"


def test_a_path_is_that_from_the_working_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where pytest has put its folder on the search path, but not that of an installed package."""
    packages = Path(".venv/site-packages").absolute()
    for folder in (Path("other").absolute(), packages):
        monkeypatch.syspath_prepend(folder)
    for file, shown in (("other/test_b.py", "other/test_b.py:1"), (packages / "a/b.py", "a/b.py:1")):
        assert place(Origin("assignment", file=str(Path(file).absolute()), line=1)) == shown


def test_it_is_shown_while_other_threads_change_flags() -> None:
    """It has the changes up to then; each one more is by a line that has not changed anything yet."""
    summary = Summary()

    class ShownWhileChanging:
        def __repr__(self) -> str:
            summary.add(record(8, 64, how=f"{len(summary.shown(everything=True))} earlier"))
            return "8"

    summary.add(record(1, 2, by_torch=True) | {"before": ShownWhileChanging()})
    summary.shown()
    assert summary.closing("") == []
    assert len(summary.as_json(everything=True)["changes"]) > 1
