"""`make release-check`, its parts that take no time, and the lists that it compares."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from warm import Warm, cold

from dynconf.release import RELEASES, Release

ROOT = Path(__file__).parents[1]
RELEASE = ROOT / "release"


def run(program: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a program of the folder ``release`` with this dynconf."""
    return cold(str(program), *words, PYTHONPATH=str(ROOT))


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., str]:
    """Return what runs git in a repository with the program, a version and its changelog."""
    for name in ("release/__main__.py", "release/clone.py", "release/steps.py", "tests/real_torch.py",
                 "tests/run_real.py", "tests/run_compat.py", "dynconf/version.py"):  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".gitignore").write_text(".cache/\n__pycache__/\n")
    version = re.findall('"(.+)"', (ROOT / "dynconf" / "version.py").read_text(encoding="utf-8"))[-1]
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## Unreleased\n\n## {version}\n\n- a\n")

    def git(*words: str) -> str:
        person = ["-c", "user.name=a", "-c", "user.email=a@b"]
        done = subprocess.run(
            ["git", *person, *words], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "all")
    return git


def rows(text: str) -> dict[str, str]:
    """Return the table: the result of each step."""
    table = text.rpartition("result\n")[2].splitlines()
    return {line.split()[0]: line.split(maxsplit=2)[2] for line in table}


@pytest.mark.usefixtures("project")
def test_a_selection_passes_and_is_no_check(tmp_path: Path) -> None:
    """The table says which steps have not run, and the exit code is not 0."""
    done = run(tmp_path / "release", "--only", "changelog")
    result = rows(done.stdout)
    assert done.returncode == 1
    assert (result.pop("tree"), result.pop("changelog")[:6]) == ("passed", "passed")
    assert {*result.values()} == {"not run"}


@pytest.mark.usefixtures("project")
def test_a_tree_with_changes_is_refused(tmp_path: Path) -> None:
    """Also by a file that git does not know; no step is run."""
    (tmp_path / "new.py").touch()
    done = run(tmp_path / "release", "--only", "changelog")
    assert done.returncode == 1
    assert "new.py" in done.stdout
    assert rows(done.stdout)["tree"] == "FAILED"
    assert rows(done.stdout)["changelog"] == "not run"


def test_lines_above_the_version_are_refused(tmp_path: Path, project: Callable[..., str]) -> None:
    """What is not released yet belongs into the release."""
    file = tmp_path / "CHANGELOG.md"
    file.write_text(file.read_text().replace("Unreleased\n", "Unreleased\n\n- more\n"))
    project("commit", "--quiet", "--all", "--message", "more")
    done = run(tmp_path / "release", "--only", "changelog")
    assert rows(done.stdout)["changelog"].startswith("FAILED")
    assert "begins with ['Unreleased']" in done.stdout


def test_a_version_that_was_released_is_refused(tmp_path: Path, project: Callable[..., str]) -> None:
    """Its tag is on another commit."""
    tag = re.findall(r"^## (.*)", (tmp_path / "CHANGELOG.md").read_text(), re.MULTILINE)[-1]
    project("tag", f"v{tag}")
    project("commit", "--quiet", "--allow-empty", "--message", "later")
    done = run(tmp_path / "release", "--only", "changelog")
    assert f"another commit is tagged v{tag}" in done.stdout


def test_the_oldest_dependencies_are_those_of_the_project(tmp_path: Path) -> None:
    """Each with the bound of pyproject.toml, but for torch."""
    printed = run(RELEASE / "bounds.py", "oldest").stdout.split()
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert len(printed) >= 5
    for each in printed:
        name, _, version = each.removesuffix(".*").partition("==")
        assert re.search(rf'"{name}>={version.removesuffix(".0")}(\.0)?"', project), each


@pytest.fixture
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(RELEASE)


@pytest.mark.usefixtures("_importable")
def test_the_pythons_that_are_promised_are_those_that_are_tried() -> None:
    """In the classifiers, and in the table of what is supported, with the bounds that other pages have."""
    from steps import SUPPORTED

    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    promised = re.findall(r'"Programming Language :: Python :: (\d\.\d+)"', project)
    assert tuple(promised) == SUPPORTED
    table = (ROOT / "docs" / "guides" / "upgrading.md").read_text(encoding="utf-8")
    assert f"| Python | {SUPPORTED[0]} to {SUPPORTED[-1]} |" in table
    oldest = RELEASES[0].rpartition(".")[0]
    assert f"from {oldest} to the newest" in table
    assert f'requires-python = ">={SUPPORTED[0]}"' in project
    assert f'"torch>={oldest}"' in project
    for page in ("README.md", "docs/index.md"):
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        assert f"Python {SUPPORTED[0]} and torch {oldest} or newer ([for how long](" in text


@pytest.mark.usefixtures("_importable")
def test_what_is_gone_must_be_named() -> None:
    """The name of a function, a member, an object, an option: as code, with or without the package."""
    from steps import unnamed

    gone = [
        "dynconf.patch(flags)",
        "dynconf.live.patch.Patch.changes",
        "class dynconf.tools.audit.audit.Audit(object)",
        "dynconf.FLAGS: FlagTable",
        "$ dynconf dump --all",
    ]
    assert unnamed(gone, "- nothing") == gone
    named = "- `dynconf.patch(...)`, `live.patch.Patch.changes`, `tools.audit.audit.Audit`, `FLAGS`, `--all`"
    assert unnamed(gone, named) == []
    assert unnamed(gone, "- patch, `Patch` and `dump` are gone") == gone


@pytest.mark.usefixtures("_importable")
def test_a_parameter_that_is_gone_is_a_line_that_is_gone() -> None:
    """The list of public names has the parameters, and no annotations."""
    from surface import described

    class Thing:
        def method(self, a: int, *, b: str = "") -> None: ...

    Thing.__module__ = "dynconf.thing"
    lines = [*described("dynconf.Thing", Thing)]
    assert lines == ["class dynconf.Thing(object)", "dynconf.Thing.method(self, a, *, b='')"]


@pytest.mark.real_torch
@pytest.mark.since("2.7")  # the program is for nightly builds; before, torch's records have no aliases
def test_a_release_of_the_catalogue_is_no_news(warm: Warm) -> None:
    """The torch at hand differs in nothing from what is known of it, but from other releases."""
    here = Release.at_hand()
    other = "2.15" if here.minor < (2, 10) else "2.4"
    printed = (warm.run(str(RELEASE / "news.py"), each).stdout for each in (here.version, other))
    ours, others = (int(re.findall(r": (\d+) differences", text)[0]) for text in printed)
    assert ours == 0
    assert others > 20
