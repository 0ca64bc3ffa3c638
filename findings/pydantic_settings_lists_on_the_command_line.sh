#!/usr/bin/env bash
# Guess: on the command line of pydantic-settings, an option of the type list[str] that is given once is one item, as it
# stands, since more items are said by giving it again; and each word of the choices that --help shows is taken.
# Seen: a text is split at commas, also inside of braces and parentheses, so that one regular expression becomes two broken
# ones; blanks around are dropped. For a list of an Enum, --help shows the names, and only values are taken; for a single
# Enum, either is.
# pydantic-settings 2.16.3, pydantic 2.14.4. Prints what becomes of each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet pydantic-settings==2.16.3 pydantic==2.14.4
env/bin/python - <<'PROGRAM'
import contextlib
import enum
import io

from pydantic import ValidationError
from pydantic_settings import BaseSettings, CliApp


class Color(enum.Enum):
    RED = "#f00"
    BLUE = "#00f"


class Settings(BaseSettings):
    skip: list[str] = []
    color: Color = Color.RED
    colors: list[Color] = []


def read(field, text):
    try:
        return getattr(CliApp.run(Settings, cli_args=[f"--{field}", text]), field)
    except ValidationError:
        return "refused"


shown = io.StringIO()
with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
    CliApp.run(Settings, cli_args=["--help"])
found = {
    "conv[0-9]{1,2}": read("skip", "conv[0-9]{1,2}"),
    "f(a, b)": read("skip", "f(a, b)"),
    "color BLUE": read("color", "BLUE"),
    "color #00f": read("color", "#00f"),
    "colors BLUE": read("colors", "BLUE"),
    "colors #00f": read("colors", "#00f"),
}
for name, value in found.items():
    print(f"{name}: {value}")
assert "--colors list[{RED,BLUE}]" in " ".join(shown.getvalue().split())
assert list(found.values()) == [
    ["conv[0-9]{1", "2}"],
    ["f(a", "b)"],
    Color.BLUE,
    Color.BLUE,
    "refused",
    [Color.BLUE],
]
PROGRAM
