"""``dynconf init``."""

from pathlib import Path

import click

from dynconf.cli import options
from dynconf.cli.command import Command
from dynconf.cli.output import complain
from dynconf.errors import InvalidValueError, StateFileError
from dynconf.template import settings_template
from dynconf.writing import write


@click.command(
    cls=Command,
    examples=("dynconf init", "dynconf init --pyproject", "dynconf init --output other.toml --torch 2.6"),
)
@click.option("--pyproject", is_flag=True, help="Add a [tool.dynconf] table to pyproject.toml.")
@options.everything(help="Include every flag of every module, even no-ops.")
@click.option("--force", is_flag=True, help="Replace an existing dynconf.toml.")
@options.output(help="The file to write; by default, dynconf.toml or pyproject.toml in this folder.")
@options.torch
def init(*, pyproject: bool, everything: bool, force: bool, output: Path | None, torch: str | None) -> None:
    """Write a dynconf.toml to start from.

    Dynamo's useful flags are in it, or with --all those of every module, commented out, each with its default
    and a description. Nothing is set until you remove the # in front of a flag.
    """
    at = options.release(torch)
    path = output or Path("pyproject.toml" if pyproject else "dynconf.toml")
    text = settings_template(at, "tool.dynconf" if pyproject else "", everything=everything)
    if pyproject:
        before = _without_table(path)
        write(path, f"{before.rstrip()}\n\n{text}" if before.strip() else text)
    elif path.exists() and not force:
        raise StateFileError(f"{path} exists already: --force replaces it, -o FILE writes another one")
    else:
        write(path, text)
    complain("note", f"{path}: flags of torch {at.version}, all commented out")


def _without_table(path: Path) -> str:
    """Return the text of a pyproject.toml that has no table of ours yet."""
    from dynconf.sources.files import open_document

    if not path.exists():
        return ""
    document = open_document(path)
    if document.syntax != "toml":
        raise InvalidValueError(f"{path} is not a TOML file, which --pyproject needs")
    if "dynconf" in (document.data.get("tool") or {}):
        raise StateFileError(f"{path} has a [tool.dynconf] table already; edit that one")
    return document.text
