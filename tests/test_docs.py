"""The pages of the site and the README: blocks of code run as printed, links and named tests exist."""

import re
from pathlib import Path

import pytest
import tomli
from conftest import ROOT
from pages import blocks, printed_by, refused_calls, run_session, said_by_comments

import dynconf
from dynconf.live.layers import DEFAULTS, HOLDS

DOCS = ROOT / "docs"
GENERATED = ("codes", "command-line", "flags", "_build")
"""Folders whose pages are made from the program, and are not there before the site is built."""

PAGES = {
    str(path.relative_to(DOCS)): path.read_text(encoding="utf-8")
    for path in sorted(DOCS.rglob("*.md"))
    if not {*path.relative_to(DOCS).parts} & {*GENERATED}
}
README = {"../README.md": (ROOT / "README.md").read_text(encoding="utf-8")}
PROGRAMS = [
    (name, block)
    for name, text in (PAGES | README).items()
    for block in blocks(text, "python")
    if name != "guides/pytest.md"  # that of the plugin has a test of its own, beside it
]
SESSIONS = [(name, block) for name, text in (PAGES | README).items() for block in blocks(text, "console")]


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")  # torch's own, while it imports what compiles
@pytest.mark.filterwarnings("ignore::FutureWarning:lightning")  # and Lightning's
@pytest.mark.filterwarnings("ignore:.*httpx")  # of Starlette, which prefers another one
@pytest.mark.parametrize(("name", "block"), PROGRAMS, ids=lambda text: text.split("\n\n")[-1][:40])
def test_each_program_runs_on_its_own(name, block):
    """A block needs none of those before it, and prints what its comments say."""
    assert said_by_comments(block) or name not in README
    for package in re.findall(r"^ *(?:import|from) (\w+)", block, re.MULTILINE):
        pytest.importorskip(package)
    try:
        assert printed_by(block, f"docs/{name}") == said_by_comments(block)
    finally:
        for layer in (HOLDS, DEFAULTS):
            for change in layer.entered:
                change.uninstall()
        dynconf.reset()


@pytest.mark.real_torch
@pytest.mark.since("2.7")  # before, plain torch has another name for one of the flags
@pytest.mark.parametrize(("name", "block"), SESSIONS, ids=lambda text: text.partition("\n")[0][:60])
def test_a_session_prints_what_it_shows(name, block, tmp_path, warm_python):
    """Its commands run in one folder; `cat` shows a file that is made first."""
    for line, printed, said in run_session(block, tmp_path, warm_python):
        assert printed == said, line


@pytest.mark.parametrize("name", PAGES)
def test_commands_and_settings_are_such(name, tmp_path):
    """Commands and options in scripts exist, and settings files are read without a mistake."""
    assert list(refused_calls(PAGES[name])) == []
    for block in blocks(PAGES[name], "toml"):
        tables = tomli.loads(block)
        if "tool" not in tables:
            file = tmp_path / "dynconf.toml"
            file.write_text(block)
            dynconf.load(file, missing="skip", trust=True)


def test_every_block_has_a_language():
    """Text that is not run says so."""
    kinds = {kind for text in PAGES.values() for kind in re.findall(r"^```+(\S+)$", text, re.MULTILINE)}
    assert kinds <= {
        *("python", "console", "sh", "toml", "text", "yaml", "docker"),
        *("{toctree}", "{eval-rst}", "{include}", "{literalinclude}", "{upgrading}"),
    }


def test_the_tests_that_are_named_exist():
    """A statement without its test is a promise."""
    named = {name for page in PAGES.values() for name in re.findall(r"`(test_\w+)`", page)}
    files = [file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py")]
    written = {
        name for file in files for name in re.findall(r'(?:^def |")(test_\w+)[("]', file, re.MULTILINE)
    }
    assert len(named) > 30
    assert named - written == set()


def test_links_lead_to_files():
    """Those between pages, and from the other documents to pages; generated ones are checked in the site."""
    others = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("*.md")}
    for name, text in {**others, **{f"docs/{name}": text for name, text in PAGES.items()}}.items():
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            path = (ROOT / name).parent / target
            if not target.startswith("http") and not {*Path(target).parts} & {*GENERATED}:
                assert path.exists(), f"{name}: {target}"
