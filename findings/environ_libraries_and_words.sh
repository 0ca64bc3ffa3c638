#!/usr/bin/env bash
# Guess: a library that reads a boolean from a variable takes on, off and the like, and refuses a word that it does not know,
# as environs, decouple, pydantic-settings and Starlette do: a misspelt switch is an error.
# Seen: to environ-config and django-environ each word that they do not know is False, and each has another list: on is False
# to environ-config, and t, which the others take for True, to both. enabled, tru and any other text are False. To
# django-environ each whole number but 0 is True. A float of django-environ's with a comma between thousands, 1,000, is 1.0.
# environ-config 26.1.0, django-environ 0.14.0, environs 15.2.0. Both of the former install a module called environ, so that
# the one replaces the other where both are asked for. Prints what each makes of five words.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet environs==15.2.0
env/bin/python -m pip install --quiet --target for_config environ-config==26.1.0
env/bin/python -m pip install --quiet --target for_django django-environ==0.14.0
cat > by_config.py <<'PROGRAM'
import environ


@environ.config(prefix="")
class Settings:
    word = environ.bool_var()


def read(text):
    return environ.to_config(Settings, {"WORD": text}).word
PROGRAM
cat > by_django.py <<'PROGRAM'
import os

import environ


def read(text):
    os.environ["WORD"] = text
    return environ.Env().bool("WORD")
PROGRAM
cat > by_environs.py <<'PROGRAM'
import os

from environs import Env, EnvError


def read(text):
    os.environ["WORD"] = text
    try:
        return Env().bool("WORD")
    except EnvError:
        return "refused"
PROGRAM
expect() {
    found=$(PYTHONPATH="for_${1#by_}" env/bin/python -c "
from $1 import read
print(*[read(text) for text in ('on', 't', 'enabled', 'tru', '2')])")
    echo "$1: $found"
    test "$found" = "$2"
}
expect by_config "False False False False False"
expect by_django "True False False False True"
expect by_environs "True True refused refused refused"
number=$(PYTHONPATH=for_django RATE=1,000 env/bin/python -c "import environ; print(environ.Env().float('RATE'))")
echo "1,000: $number"
test "$number" = 1.0
