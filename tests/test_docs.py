"""The documents: each block of Python runs as printed, and each test that is named exists."""

import re
from pathlib import Path

import pytest
from conftest import ROOT

import dynconf

DOCS = ("threads-and-processes", "distributed")  # that of the plugin has a test of its own, beside it
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def text_of(name):
    """Return the text of a document."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.real_torch
@pytest.mark.parametrize(
    ("name", "block"), [(name, block) for name in DOCS for block in BLOCK.findall(text_of(name))]
)
def test_each_block_runs_on_its_own(name, block):
    """In the order of the document or not."""
    try:
        exec(compile(block, f"docs/{name}.md", "exec"), {"__name__": "a_document"})  # noqa: S102  that is the test
    finally:
        dynconf.reset()


def test_the_tests_that_are_named_exist():
    """A statement without its test is a promise."""
    named = set(re.findall(r"`(test_\w+)`", text_of("threads-and-processes")))
    recipes = (Path(__file__).parent / "live" / "test_recipes.py").read_text(encoding="utf-8")
    assert len(named) > 10
    assert {name for name in named if f"def {name}(" not in recipes} == set()
