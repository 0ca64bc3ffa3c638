"""``dynconf schema``."""

import json
from pathlib import Path

import click

from dynconf.cli import options
from dynconf.cli.command import Command
from dynconf.schema import settings_schema
from dynconf.writing import STDOUT, write


@click.command(cls=Command, examples=("dynconf schema -o dynconf.schema.json",))
@options.output(help="Write to a file instead of stdout.")
def schema(output: Path | None) -> None:
    """Print a JSON Schema for dynconf.toml.

    Editors use it to complete and check the file as you type. Those that use Taplo, such as VS Code with Even
    Better TOML, find it if the first line of dynconf.toml is `#:schema ./dynconf.schema.json`.
    """
    write(output or STDOUT, json.dumps(settings_schema(), indent=2) + "\n")
