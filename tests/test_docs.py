"""The documents: each block of Python runs as printed, and each test that is named exists."""

import re
import shlex

import pytest
from conftest import ROOT
from spelling import spelled

import dynconf
from dynconf.live.layers import DEFAULTS, HOLDS

# That of the plugin has a test of its own, beside it.
DOCS = (
    "explanations/threads-and-processes", "guides/ranks", "guides/audit", "guides/upgrading", "guides/libraries",
    "guides/leaving",
)  # fmt: skip
CONSOLE = re.compile(r"```console\n\$ dynconf (.*)\n((?s:.*?))```")
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def text_of(name):
    """Return the text of a document."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.real_torch
@pytest.mark.parametrize(
    ("name", "block"), [(name, block) for name in DOCS for block in BLOCK.findall(text_of(name))]
)
def test_each_block_runs_on_its_own(name, block):
    """A block needs none of those before it."""
    try:
        exec(compile(spelled(block), f"docs/{name}.md", "exec"), {"__name__": "a_document"})  # noqa: S102  that is the test
    finally:
        for layer in (HOLDS, DEFAULTS):
            for entered in layer.entered:
                entered.change.uninstall()
        dynconf.reset()


@pytest.mark.since("2.7")  # before, plain torch has another name for one of the flags
def test_leaving_prints_what_it_shows(run_cli):
    """The commands of that page, in a folder without settings."""
    shown = CONSOLE.findall(text_of("guides/leaving"))
    assert len(shown) == 2
    for command, output in shown:
        assert run_cli(*shlex.split(command)).out == output


def test_the_tests_that_are_named_exist():
    """A statement without its test is a promise."""
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    named = {name for page in pages for name in re.findall(r"`(test_\w+)`", page)}
    files = [file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py")]
    written = {
        name for file in files for name in re.findall(r'(?:^def |")(test_\w+)[("]', file, re.MULTILINE)
    }
    assert len(named) > 30
    assert named - written == set()
