#!/usr/bin/env bash
# Guess: an option of click's that stands for one of several values, `--fast` with flag_value="fast", gives "fast" where its
# variable is 1 and is not given where it is 0; all releases of click 8 agree in that.
# Seen: under 0 the value is the text "False", which is none of the values and counts as true. A text that is neither a
# word for on or off nor the value itself is ignored. Before 8.3, 0 gave "fast", and before 8.2 the text "0". And `--no-cache`
# with flag_value=False turns the cache on where its variable is 1, in all of them: the variable holds the value, not
# whether the option is given.
# click 8.1.8, 8.2.1 and 8.5.1. Prints for each what becomes of 1, 0 and other, and of 1 for --no-cache.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet click==8.1.8
cat > tool.py <<'PROGRAM'
import json
import os

import click


@click.command()
@click.option("--fast", "mode", flag_value="fast", envvar="FAST")
@click.option("--no-cache", "cache", flag_value=False, default=True, envvar="NO_CACHE")
def tool(mode, cache):
    return mode, cache


def read(**variables):
    os.environ.update(variables)
    try:
        return tool.main([], standalone_mode=False)
    finally:
        for name in variables:
            del os.environ[name]


modes = [read(FAST=text)[0] for text in ("1", "0", "other")]
print(json.dumps([*modes, read(NO_CACHE="1")[1]]))
PROGRAM
expect() {
    env/bin/python -m pip install --quiet "click==$1"
    found=$(env/bin/python tool.py)
    echo "$1: $found"
    test "$found" = "$2"
}
expect 8.1.8 '["1", "0", "other", true]'
expect 8.2.1 '["fast", "fast", "fast", true]'
expect 8.5.1 '["fast", "False", null, true]'
