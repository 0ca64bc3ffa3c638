"""The clone in which a release is checked: its environment and its distributions, made when first needed."""

import re
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[1]


def requirements(project: str) -> list[str]:
    """Return the requirements in the text of a ``pyproject.toml`` but for torch."""
    listed = re.search(r"^dependencies = \[\n(.*?)^\]", project, re.MULTILINE | re.DOTALL)
    assert listed is not None
    return [each for each in re.findall(r'"(.*)"', listed[1]) if not each.startswith("torch")]


class Problem(Exception):
    """A reason not to release, in words."""


@dataclass
class Clone:
    """A fresh clone, and a scratch folder beside it."""

    folder: Path
    scratch: Path
    log: IO[str] = field(init=False)
    """Where the step that is running writes."""

    def run(self, *command: object, cwd: Path | None = None) -> None:
        """Run a command, whose output goes to the log.

        Raises:
            CalledProcessError: If it fails.
        """
        words = [str(word) for word in command]
        self.log.write(f"$ {' '.join(words)}\n")
        self.log.flush()
        subprocess.run(words, cwd=cwd or self.folder, stdout=self.log, stderr=subprocess.STDOUT, check=True)

    def make(self, *words: str) -> None:
        """Run targets of the Makefile."""
        self.run("make", *words)

    @cached_property
    def python(self) -> Path:
        """The Python of the clone's environment, with everything for tests and for building."""
        self.make(".venv/.ready")
        python = self.folder / ".venv" / "bin" / "python"
        pip = (python, "-m", "pip", "install", "--quiet", "--constraint", "constraints.txt")
        self.run(*pip, "--editable", ".[release]")
        return python

    @cached_property
    def distributions(self) -> tuple[Path, Path]:
        """The wheel and the sdist that it was built from."""
        self.run(self.python, "-m", "build", "--quiet", "--outdir", self.scratch / "dist")
        (wheel,) = (self.scratch / "dist").glob("*.whl")
        (sdist,) = (self.scratch / "dist").glob("*.tar.gz")
        return wheel, sdist

    def text(self, path: str) -> str:
        """Return the text of a file."""
        return (self.folder / path).read_text(encoding="utf-8")

    @cached_property
    def version(self) -> str:
        """The version that is to be released."""
        found = re.search(r'__version__ = "(.*)"', self.text("dynconf/version.py"))
        assert found is not None
        return found[1]

    def environment(self, name: str, python: str) -> Path:
        """Return the Python of a new environment that has nothing but pip."""
        folder = self.scratch / "environments" / name
        self.run(python, "-m", "venv", folder)
        return folder / "bin" / "python"
