#!/usr/bin/env bash
# Guess: a line of a .env file means the same to all that read such files: a comment behind a value is dropped, and JSON, as
# DYNCONF_CONFIG and many another variable takes it, may stand there as it is.
# Seen: python-decouple and django-environ keep the comment as a part of the value. Honcho and Poe the Poet take the quotes
# out of the JSON, Honcho the blanks too; uv refuses it and leaves out all the lines that follow, with a warning. Honcho
# also cuts a value at a hash with no blank before it. JSON in single quotes is the same for all.
# python-dotenv 1.2.4, python-decouple 3.8, django-environ 0.14.0, honcho 2.0.0, poethepoet 0.49.0, uv 0.13.8. Prints the
# values by each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet python-dotenv==1.2.4 python-decouple==3.8 django-environ==0.14.0 honcho==2.0.0 \
    poethepoet==0.49.0 uv==0.13.8
cat > .env <<'LINES'
COMMENT=1 # more
HASH=run#2
QUOTED='{"a": 1}'
BARE={"a": 1}
AFTER=1
LINES
cat > pyproject.toml <<'TOML'
[tool.poe]
envfile = ".env"
tasks.show = "python show.py"
TOML
cat > show.py <<'PROGRAM'
import json
import os

names = ("COMMENT", "HASH", "QUOTED", "BARE", "AFTER")
print(json.dumps([os.environ.get(name) for name in names]))
PROGRAM
cat > libraries.py <<'PROGRAM'
import json
import os

import decouple
import dotenv
import environ

names = ("COMMENT", "HASH", "QUOTED", "BARE", "AFTER")
by_dotenv = dotenv.dotenv_values(".env")
by_decouple = decouple.RepositoryEnv(".env").data
environ.Env.read_env(".env")
for found in (by_dotenv, by_decouple, os.environ):
    print(json.dumps([found.get(name) for name in names]))
PROGRAM
PATH="$PWD/env/bin:$PATH"
{
    python libraries.py
    honcho run python show.py
    poe --quiet show
    uv run --quiet --no-project --python python --env-file .env python show.py
} > values.txt
python - <<'PROGRAM'
import json

readers = ("python-dotenv", "python-decouple", "django-environ", "honcho", "poe", "uv")
found = dict(zip(readers, map(json.loads, open("values.txt")), strict=True))
for reader, values in found.items():
    print(f"{reader}: {values}")
quoted = bare = '{"a": 1}'
assert found == {
    "python-dotenv": ["1", "run#2", quoted, bare, "1"],
    "python-decouple": ["1 # more", "run#2", quoted, bare, "1"],
    "django-environ": ["1 # more", "run#2", quoted, bare, "1"],
    "honcho": ["1", "run", quoted, "{a:1}", "1"],
    "poe": ["1", "run#2", quoted, "{a: 1}", "1"],
    "uv": ["1", "run#2", quoted, None, None],
}
PROGRAM
