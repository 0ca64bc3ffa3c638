"""``dynconf init``."""

import json
from pathlib import Path

import click

from dynconf.cli import options
from dynconf.cli.command import command
from dynconf.cli.output import complain
from dynconf.errors import InvalidValueError, StateFileError
from dynconf.store.writing import STDOUT, write
from dynconf.tools.show.template import settings_template, with_table

PROJECT = "pyproject.toml"
"""The file in which flags are in a table of their own."""


@command(
    "dynconf init",
    "dynconf init --pyproject",
    "dynconf init --output other.toml --torch 2.6",
    "dynconf init --schema -o dynconf.schema.json",
)
@click.option("--pyproject", is_flag=True, help="Add a [tool.dynconf] table to pyproject.toml.")
@options.everything(help="Include every flag of every module, even no-ops.")
@click.option("--schema", is_flag=True, help="Print or write a JSON Schema for dynconf.toml instead.")
@click.option("--force", is_flag=True, help="Replace an existing dynconf.toml.")
@options.output(help="The file to write; by default, dynconf.toml or pyproject.toml in this folder.")
@options.torch
def init(
    *, pyproject: bool, everything: bool, schema: bool, force: bool, output: Path | None, torch: str | None
) -> None:
    """It contains the thirty flags that people set most often, or with --all every flag by module, commented
    out, each with its default and a description. Nothing is set until you remove the # in front of a flag.

    With the schema, editors complete and check the file as you type. Those that use Taplo, such as VS Code
    with Even Better TOML, find it if the first line of dynconf.toml is `#:schema ./dynconf.schema.json`.
    """
    if schema:
        if pyproject or everything or force or torch:
            raise InvalidValueError("--schema is for every release and file: it takes no option but --output")
        from dynconf.tools.show.schema import settings_schema

        write(output or STDOUT, json.dumps(settings_schema(), indent=2) + "\n")
        return
    path = output or Path(PROJECT if pyproject else "dynconf.toml")
    _check_name(path, pyproject=pyproject)
    at = options.release(torch)
    text = settings_template(at, "tool.dynconf" if pyproject else "", everything=everything)
    if pyproject:
        write(path, with_table(path, text))
    elif path.exists() and not force:
        raise StateFileError(f"{path} exists already: --force replaces it, -o FILE writes another one")
    else:
        write(path, text)
    complain("note", f"{path}: flags of torch {at.version}, all commented out")


def _check_name(path: Path, *, pyproject: bool) -> None:
    """Raise `InvalidValueError` for a name under which the file would be read differently."""
    if str(path) == STDOUT:
        return
    if pyproject != (path.name == PROJECT):
        right = f"--pyproject writes a {PROJECT}" if pyproject else f"add --pyproject to write a {PROJECT}"
        raise InvalidValueError(f"-o {path}: {right}, which has the flags in its table [tool.dynconf]")
    if path.suffix not in ("", ".toml"):
        raise InvalidValueError(f"-o {path}: {path.suffix} is not a suffix of settings files: use .toml")
