"""``dynconf schema``."""

import json
from pathlib import Path
from typing import Annotated

from dynconf.cli.parser import option
from dynconf.schema import settings_schema
from dynconf.writing import STDOUT, write

EXAMPLES = ("dynconf schema -o dynconf.schema.json",)


def schema(
    *, out: Annotated[Path | None, option("-o --output FILE", "Write it to a file, not to stdout.")]
) -> None:
    """Print a JSON Schema for dynconf.toml.

    Editors use it to complete and check the file as you type. Those that use Taplo, such as VS Code with Even
    Better TOML, find it if the first line of dynconf.toml is `#:schema ./dynconf.schema.json`.
    """
    write(out or STDOUT, json.dumps(settings_schema(), indent=2) + "\n")
