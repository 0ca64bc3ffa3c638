#!/usr/bin/env bash
# Guess: where a file sets `flag = true`, dynaconf reads DYNACONF_FLAG=off or FALSE as False, or refuses it; a validator
# with cast=bool, at the latest, does. And settings.flag, in lower case, is settings.FLAG.
# Seen: variables are TOML, and what is no TOML is a text: off and FALSE count as true, and so they do with cast=bool, which
# calls bool(). `@bool off` is False. A name that is a method as well, flag, get, keys or store among them, gives the method in
# lower case, which counts as true whatever the file says.
# dynaconf 3.3.5. Prints each value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet dynaconf==3.3.5
cat > settings.toml <<'TOML'
flag = true
limit = 8
TOML
env/bin/python - <<'PROGRAM'
import os

from dynaconf import Dynaconf, Validator


def flag(text, *validators):
    os.environ["DYNACONF_FLAG"] = text
    return Dynaconf(settings_files=["settings.toml"], validators=validators).FLAG


found = {
    "false": flag("false"),
    "off": flag("off"),
    "FALSE": flag("FALSE"),
    "off, cast=bool": flag("off", Validator("FLAG", cast=bool)),
    "FALSE, cast=bool": flag("FALSE", Validator("FLAG", cast=bool)),
    "@bool off": flag("@bool off"),
}
os.environ["DYNACONF_FLAG"] = "false"
settings = Dynaconf(settings_files=["settings.toml"])
found["settings.FLAG"] = settings.FLAG
found["settings.limit"] = settings.limit
found["settings.flag is a method"] = callable(settings.flag)
for name, value in found.items():
    print(f"{name}: {value!r}")
assert list(found.values()) == [False, "off", "FALSE", True, True, False, False, 8, True]
PROGRAM
