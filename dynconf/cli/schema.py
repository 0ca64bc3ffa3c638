"""``dynconf schema``."""

from dynconf.cli.output import print_json


def schema() -> None:
    """Print a JSON Schema by which an editor completes and checks dynconf.toml."""
    from dynconf.model.schema import settings_schema  # noqa: PLC0415  each command loads only what it uses

    print_json(settings_schema())
