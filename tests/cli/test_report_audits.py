"""``dynconf report FILE``: audits, for people and for programs."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from dynconf.provenance import Kind

HOSTILE = "a\x1b[2J\x07\u202e\nb\x9b31m"
CHANGE: dict[str, Any] = {
    "count": 1, "flag": "verbose", "before": False, "after": True, "how": "assignment", "by_torch": False,
    "kind": "assignment", "file": "train.py", "line": 7, "rank": 0, "pid": 1,
}  # fmt: skip


@pytest.fixture(autouse=True)
def _files() -> None:
    own = {**CHANGE, "count": 290, "how": "patch", "by_torch": True, "file": "torch/x.py"}
    Path("audit.0.1.jsonl").write_text(f"{json.dumps(CHANGE)}\n{json.dumps(own)}\n")
    Path("audit.1.2.jsonl").write_text(json.dumps({**CHANGE, "rank": 1, "count": 4}) + "\n")


def test_one_file_is_a_table(run_cli) -> None:
    """The changes of torch itself are one closing line, or with --all rows; JSON has the same."""
    done = run_cli("report", "audit.0.1.jsonl")
    assert (done.code, done.err) == (0, "")
    title, row, end = done.out.splitlines()
    assert (title.split()[0], end) == ("flag", "changes by torch itself: 290; --all lists them")
    assert row.split() == ["verbose", "False", "->", "True", "train.py:7", "(assignment)"]
    rows = run_cli("report", "--all", "audit.0.1.jsonl").out.splitlines()[1:]
    assert [row.split("  ")[1].rstrip() for row in rows] == ["False -> True", "False -> True (290 writes)"]
    data = json.loads(run_cli("report", "audit.0.1.jsonl", "--format", "json").out)
    change = {"flag": "verbose", "change": "False -> True", "count": 1, "by": "train.py:7 (assignment)"}
    assert data == {"changes": [{**change, "ranks": [0], "by_torch": False}], "by_torch": 290}
    Path("audit.0.1.jsonl").write_text("")  # as of a process that changed nothing
    done = run_cli("report", "audit.0.1.jsonl")
    assert (done.code, done.out) == (0, "nothing changed the configuration\n")


def test_many_files_are_one_table(run_cli) -> None:
    """Counts are added, and the ranks named; a folder stands for the files in it."""
    for words in (("audit.0.1.jsonl", "audit.1.2.jsonl"), (".",)):
        row = run_cli("report", *words).out.splitlines()[1].split()
        assert row[4:] == ["(5", "writes)", "train.py:7", "(assignment)", "0,", "1"]


def test_a_bad_file_is_an_error_of_a_line(run_cli) -> None:
    """Nothing of the good files is shown then."""
    Path("bad.jsonl").write_text("hello\n")
    said = run_cli("report", "audit.0.1.jsonl", "bad.jsonl").refused()
    assert said.count("\n") == 1
    assert said.startswith("dynconf: error: bad.jsonl:1 is not a line of an audit: ")


def test_hostile_content_stays_on_its_line(run_cli) -> None:
    """In every text of a file, and in its name."""
    texts = dict.fromkeys(("flag", "how", "file", "name", "raw", "before", "after"), HOSTILE)
    nothing = dict.fromkeys(("file", "line", "name", "raw"))
    kinds = [
        {**CHANGE, **fields, "kind": kind}
        for kind in (*get_args(Kind), HOSTILE)
        for fields in (texts, nothing)
    ]
    Path(f"{HOSTILE}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in kinds))
    Path(f"{HOSTILE}.bad").write_text("x")
    for words in (("report", "."), ("report", "--format=json", "."), ("report", f"{HOSTILE}.bad")):
        done = run_cli(*words)
        assert done.code == 2 * words[-1].endswith(".bad")
        assert all(line.isprintable() for line in [*done.out.split("\n"), *done.err.split("\n")])
