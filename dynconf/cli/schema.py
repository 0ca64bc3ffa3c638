"""``dynconf schema``."""

from dynconf.cli.output import print_json
from dynconf.schema import settings_schema

OPTIONS = ()


def schema() -> None:
    """Print a JSON Schema for dynconf.toml.

    Editors use it to complete and check the file as you type.
    """
    print_json(settings_schema())
