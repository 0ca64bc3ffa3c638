#!/usr/bin/env bash
# Guess: in pydantic-settings, a value means the same in a variable of the environment as on the command line, and the same
# as the entry of a dict as in a dict that is written as JSON.
# Seen: the text null is a text in a variable, and None on the command line, where a field of the type str refuses it. The
# keys of a dict that is set entry by entry are made lower case, those in JSON are not. And Literal[0, 1] and Literal[True]
# cannot be set from either, since 1 and true arrive as texts, which are no such literal.
# pydantic-settings 2.16.3, pydantic 2.14.4. Prints each pair.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet pydantic-settings==2.16.3 pydantic==2.14.4
env/bin/python - <<'EOF'
import contextlib
import io
import os
from typing import Literal

from pydantic import ValidationError
from pydantic_settings import BaseSettings, CliApp, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="APP_", env_nested_delimiter="__")
    name: str | None = "unset"
    path: str = "unset"
    options: dict[str, int] = {}
    level: Literal[0, 1] = 0
    on: Literal[True] | None = None


def show(field, make):
    try:
        return getattr(make(), field)
    except ValidationError:
        return "refused"


def variable(field, text, entry=""):
    name = f"APP_{field}{entry}"
    os.environ[name] = text
    try:
        return show(field, Settings)
    finally:
        del os.environ[name]


def option(field, text):
    return show(field, lambda: CliApp.run(Settings, cli_args=[f"--{field}={text}"]))


found = {
    "null for str | None": (variable("name", "null"), option("name", "null")),
    "null for str": (variable("path", "null"), option("path", "null")),
    "MaxFusion=1, by entry and in JSON": (
        variable("options", "1", "__MaxFusion"),
        variable("options", '{"MaxFusion": 1}'),
    ),
    "1 for Literal[0, 1]": (variable("level", "1"), option("level", "1")),
    "true for Literal[True]": (variable("on", "true"), option("on", "true")),
}
for name, pair in found.items():
    print(f"{name}: {pair}")
assert list(found.values()) == [
    ("null", None),
    ("null", "refused"),
    ({"maxfusion": 1}, {"MaxFusion": 1}),
    ("refused", "refused"),
    ("refused", "refused"),
]
EOF
