"""``dynconf schema``."""

from dynconf.cli.output import print_json
from dynconf.schema import settings_schema

OPTIONS = ()


def schema() -> None:
    """Print a JSON Schema for dynconf.toml, for editors.

    An editor that knows it completes and checks the file while you type.
    """
    print_json(settings_schema())
