"""The generated files: what each holds, and writing or checking all of them."""

import difflib
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from dynconf._codegen.annotations import annotation
from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import latest
from dynconf.catalogue.record import Flag
from dynconf.versions import NEWEST

BANNER = "# Generated from dynconf/catalogue by `python -m dynconf._codegen`. DO NOT EDIT.\n"
ROOT = Path(__file__).parents[2]


def fields() -> str:
    """Return the module that holds the fields of the settings model."""
    flags = [flag for flag in FLAGS.values() if flag.public and not flag.renamed]
    body = "".join(
        f"    {flag.name}: Annotated[{annotation(flag.type)}, FromCatalogue({flag.name!r})]"
        f" = flag_field({flag.name!r})\n{_docstring(flag)}\n"
        for flag in _sorted(flags)
    )
    return (
        f'{BANNER}"""Every public flag as a field."""\n\n'
        "from collections.abc import Callable\n"
        "from typing import Annotated, Any, Literal\n\n"
        "from pydantic_settings import BaseSettings\n\n"
        "from dynconf.model.field import FromCatalogue, flag_field\n\n\n"
        'class Fields(BaseSettings):\n    """The fields of `dynconf.DynamoSettings`."""\n\n' + body
    )


def keywords() -> str:
    """Return the module that holds the typed keywords of `patch`, `install` and the settings model."""
    flags = [flag for flag in FLAGS.values() if latest(flag.name).public and not flag.name.startswith("_")]
    body = "".join(
        f"    {flag.name}: {annotation(flag.type)}\n{_docstring(flag)}\n" for flag in _sorted(flags)
    )
    return (
        f'{BANNER}"""Every public flag, old names included, as a typed keyword."""\n\n'
        "from collections.abc import Callable\n"
        "from typing import Any, Literal\n\n"
        "from typing_extensions import TypedDict\n\n\n"
        'class FlagValues(TypedDict, total=False):\n    """Values by flag; give any of them."""\n\n' + body
    )


GENERATED: dict[str, Callable[[], str]] = {
    "dynconf/model/_generated/fields.py": fields,
    "dynconf/model/_generated/keywords.py": keywords,
}
"""Path to what makes the file's content; formatting is left to ruff."""


def write(root: Path = ROOT) -> None:
    """Write every generated file."""
    for path, make in GENERATED.items():
        (root / path).write_text(formatted(path, make()), encoding="utf-8")


def differences(root: Path = ROOT) -> Iterator[str]:
    """Yield a diff for each generated file that is not what would be written now."""
    for path, make in GENERATED.items():
        file = root / path
        now = file.read_text(encoding="utf-8") if file.is_file() else ""
        then = formatted(path, make())
        if now != then:
            yield "".join(
                difflib.unified_diff(now.splitlines(True), then.splitlines(True), path, f"{path} (anew)")
            )


def formatted(path: str, text: str) -> str:
    """Return *text* as ruff formats it under the project's settings; what is no Python stays as it is."""
    if not path.endswith(".py"):
        return text
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(ROOT / path), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def _sorted(flags: list[Flag]) -> list[Flag]:
    return sorted(flags, key=lambda flag: flag.name)


def _docstring(flag: Flag) -> str:
    """Return the text that an editor shows for the flag, as an indented docstring."""
    facts = []
    if flag.renamed:
        facts.append(f"Old name of `{flag.renamed}`.")
    if flag.status_in(NEWEST) == "no-op":
        facts.append("No-op in the newest torch.")
    if flag.since != "2.4" or flag.until:
        facts.append(
            f"In torch {flag.since} to {flag.until}." if flag.until else f"Since torch {flag.since}."
        )
    paragraphs = [flag.summary, flag.details, " ".join(facts)]
    text = "\n\n".join(textwrap.fill(paragraph, 100) for paragraph in paragraphs if paragraph)
    quotes = '"""'
    if "\n" not in text:
        return f"    {quotes}{text}{quotes}\n"
    return textwrap.indent(f"{quotes}{text}\n{quotes}\n", "    ")
