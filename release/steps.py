"""The steps of a release's check. Each raises if something is wrong, and may return details for the table."""

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from clone import ROOT, Clone, Problem, requirements

sys.path.insert(0, str(ROOT / "tests"))

from real_torch import environment
from run_real import pythons

from dynconf.release import RELEASES

SUPPORTED = ("3.10", "3.11", "3.12", "3.13")
"""The Pythons with which a wheel is tried."""

READ_THE_SOURCE = (
    "tests/codegen",
    "tests/catalogue/modules/test_records.py",
    "tests/catalogue/modules/test_upstream.py",
    "tests/test_architecture.py",
    "tests/test_release_check.py",
)
"""Tests of the generator and of this folder, which the wheel lacks, and of the layout of the source."""

TESTS = (
    *("-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "-p", "no:cacheprovider"),
    *("--ignore", "tests/test_typing.py"),
)


def changelog(clone: Clone) -> str:
    """The version is in CHANGELOG.md, nothing is left under "Unreleased", and no tag has the version."""
    sections = re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", clone.text("CHANGELOG.md"), re.MULTILINE)
    filled = [heading for heading, text in sections if text.strip()]
    if filled[:1] != [clone.version]:
        raise Problem(f"CHANGELOG.md begins with {filled[:1]}, the version is {clone.version}")
    tagged = _git(clone, "rev-parse", "--quiet", "--verify", f"v{clone.version}^{{commit}}")
    if tagged and tagged != _git(clone, "rev-parse", "HEAD"):
        raise Problem(f"another commit is tagged v{clone.version}")
    return clone.version


def surface(clone: Clone) -> str:
    """The list of public names is up to date; those that are gone since the last tag are in CHANGELOG.md."""
    clone.run(clone.python, "release/surface.py", "--check")
    tag = _git(clone, "describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^")
    if not tag:
        return "no earlier release"
    before = _git(clone, "show", f"{tag}:release/surface.txt").splitlines()
    gone = sorted({*before} - {*clone.text("release/surface.txt").splitlines()})
    section = clone.text("CHANGELOG.md").partition(f"\n## {clone.version}\n")[2].partition("\n## ")[0]
    silent = unnamed(gone, section)
    if silent:
        raise Problem(f"changed since {tag}, and not in CHANGELOG.md:\n" + "\n".join(silent))
    return f"{len(gone)} lines changed since {tag}"


def unnamed(lines: list[str], section: str) -> list[str]:
    """Return the lines of ``surface.txt`` whose name, or option, a section of CHANGELOG.md does not have."""
    names = {
        line: line.split()[-1] if line[0] == "$" else re.findall(r"[\w.]+", line.partition("dynconf.")[2])[0]
        for line in lines
    }
    return [line for line, name in names.items() if f"`{name}" not in section.replace("dynconf.", "")]


def build(clone: Clone) -> str:
    """Build the sdist, and the wheel from it."""
    return ", ".join(f"{path.name} {path.stat().st_size // 1024} kB" for path in clone.distributions)


def contents(clone: Clone) -> str:
    """The wheel holds the package, its licence and SECURITY.md, and no more; the sdist holds the tree."""
    wheel, sdist = clone.distributions
    tracked = set(_git(clone, "ls-files").splitlines())
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
        information = {name.partition(".dist-info/")[2] for name in archive.namelist()} - {""}
    package = {name for name in tracked if name.startswith("dynconf/") and "/_codegen/" not in name}
    _same("the wheel", inside, package | {"torch_dynconf.py", "dynconf/SECURITY.md"})
    _same(
        "its information",
        information,
        {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"},
    )
    with tarfile.open(sdist) as archive:
        unpacked = {name.partition("/")[2] for name in archive.getnames()}
    here = {name for name in tracked if not name.startswith((".ci/", ".github/"))}
    _same("the sdist", unpacked, here | {"PKG-INFO"})
    assert {"py.typed", "SECURITY.md"} <= {Path(name).name for name in inside}
    return f"{len(inside)} files, {len(unpacked)} in the sdist"


def metadata(clone: Clone) -> None:
    """The metadata is valid, and the README renders."""
    clone.run(clone.python, "-m", "twine", "check", "--strict", *clone.distributions)


def bare(clone: Clone) -> str:
    """Under every Python, without torch: the commands that need none work."""
    wheel, _ = clone.distributions
    for version, path in _pythons().items():
        python = clone.environment(f"bare-{version}", path)
        clone.run(python, "-m", "pip", "install", "--quiet", *requirements(clone.text("pyproject.toml")))
        clone.run(python, "-m", "pip", "install", "--quiet", "--no-deps", wheel)
        for words in (["dump"], ["check"], ["explain", "recompile_limit"], ["--version"]):
            clone.run(python.parent / "dynconf", *words, cwd=clone.scratch)
    return " ".join(_pythons())


def wheel(clone: Clone) -> str:
    """Under every Python, the wheel passes the tests in a folder without the package."""
    tests = clone.scratch / "wheel-tests"
    package = shutil.ignore_patterns("dynconf", "torch_dynconf.py", ".git", ".venv", ".cache", "release")
    shutil.copytree(clone.folder, tests, ignore=package)
    failures = []
    for version, path in _pythons().items():
        python = clone.environment(f"wheel-{version}", path)
        pip = (python, "-m", "pip", "install", "--quiet")
        clone.run(*pip, "--no-deps", clone.distributions[0])
        clone.run(*pip, "--constraint", "constraints.txt", "pytest")  # with its command
        site = subprocess.run(
            [python, "-c", "import site; print(site.getsitepackages()[0])"],
            capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip
        _borrow(Path(site), _tested(clone, version, path))
        clone.run(python, "-c", f"import dynconf; assert dynconf.__file__.startswith({site!r})", cwd=tests)
        ignored = [word for path in READ_THE_SOURCE for word in ("--ignore", path)]
        try:
            clone.run(python, *TESTS, *ignored, cwd=tests)
        except subprocess.CalledProcessError:
            failures.append(version)
    if failures:
        raise Problem(f"tests of the wheel failed on Python {', '.join(failures)}")
    return " ".join(_pythons())


def sdist(clone: Clone) -> None:
    """The tests of the sdist pass where it was unpacked."""
    with tarfile.open(clone.distributions[1]) as archive:
        archive.extractall(clone.scratch / "sdist", filter="data")
    (folder,) = (clone.scratch / "sdist").iterdir()
    clone.run(clone.python, *TESTS, cwd=folder)


def _target(*words: str) -> Callable[[Clone], None]:
    """Return a step that runs a target of the Makefile."""
    return lambda clone: clone.make(*words)


STEPS: dict[str, Callable[[Clone], str | None]] = {
    "changelog": changelog,
    "surface": surface,
    "build": build,
    "contents": contents,
    "metadata": metadata,
    "bare": bare,
    "check": _target("check"),
    "docs": _target("docs"),
    "sdist": sdist,
    "wheel": wheel,
    "oldest": _target("oldest"),
    "newest": _target("newest"),
    "compat": _target("compat"),
    "tools": _target("tools"),
    "real": _target("compat", f"REAL={RELEASES[0]} {RELEASES[-1]}"),
    "pythons": _target("pythons"),
    "bench": _target("bench"),
    "soak": _target("soak"),
}
"""The steps by name, the quick ones first."""


def _git(clone: Clone, *words: str) -> str:
    """Return the answer of git, empty if it has none."""
    command = ["git", *words]
    done = subprocess.run(command, cwd=clone.folder, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _same(name: str, found: set[str], wanted: set[str]) -> None:
    if found != wanted:
        raise Problem(f"{name} lacks {sorted(wanted - found)} and has {sorted(found - wanted)} besides")


def _pythons() -> dict[str, str]:
    """Return the supported Pythons that this machine has."""
    return {version: path for version, path in sorted(pythons().items()) if version in SUPPORTED}


def _tested(clone: Clone, version: str, path: str) -> Path:
    """Return the Python of an environment with torch and what the tests need."""
    if version == "{}.{}".format(*sys.version_info):
        return clone.python
    pinned = re.search(r"^torch==(\S+)$", clone.text("constraints.txt"), re.MULTILINE)
    assert pinned is not None
    return environment(pinned[1], path)


def _borrow(site: Path, lender: Path) -> None:
    """Let an environment import what another one has; its own packages come first."""
    (theirs,) = (lender.parents[1] / "lib").glob("python3*/site-packages")
    (site / "borrowed.pth").write_text(f"{theirs}\n", encoding="utf-8")
