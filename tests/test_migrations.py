"""The migrations of real projects: each block runs as printed, and leaves nothing."""

import re

import pytest
from conftest import ROOT

import dynconf

PAGE = (ROOT / "examples" / "migrations.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?): .*?```python\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))
ROWS = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.startswith("| ")][1:]


def test_every_project_of_the_table_has_its_section():
    """In the same order, with the number that the page gives."""
    assert [row[0].strip() for row in ROWS] == list(SECTIONS)
    assert len(SECTIONS) == 23
    assert PAGE.startswith("# Migrations")
    assert "Twenty-three fragments" in PAGE


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::dynconf.DynconfWarning", "ignore::DeprecationWarning:torch")
@pytest.mark.parametrize("project", SECTIONS)
def test_each_block_runs(project):
    """On a CPU; every flag of it is in this release, or skipped as the block says."""
    with dynconf.preserve() as left:
        exec(compile(SECTIONS[project], "migrations.md", "exec"), {"__name__": "a_document"})  # noqa: S102
    assert left == []
