"""``dynconf schema``."""

import json
from pathlib import Path

import click

from dynconf.cli import options
from dynconf.cli.command import Command
from dynconf.store.writing import STDOUT, write
from dynconf.tools.show.schema import settings_schema


@click.command(cls=Command, examples=("dynconf schema -o dynconf.tools.show.schema.json",))
@options.output(help="Write to a file instead of stdout.")
def schema(output: Path | None) -> None:
    """Print a JSON Schema for dynconf.toml.

    Editors use it to complete and check the file as you type. Those that use Taplo, such as VS Code with Even
    Better TOML, find it if the first line of dynconf.toml is `#:schema ./dynconf.schema.json`.
    """
    write(output or STDOUT, json.dumps(settings_schema(), indent=2) + "\n")
