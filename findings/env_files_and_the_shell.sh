#!/usr/bin/env bash
# Guess: a variable that is set in the shell beats the line of a .env file, whatever starts the program; so one run with
# another setting is `VERBOSE=1 TOOL run ...`.
# Seen: Honcho and Poe the Poet set what the file says in place of what the shell says, and do not tell. python-dotenv's
# command line does so too, though its load_dotenv() does not. uv keeps the shell's.
# python-dotenv 1.2.4, honcho 2.0.0, poethepoet 0.49.0, uv 0.13.8. Prints who wins with each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet 'python-dotenv[cli]==1.2.4' honcho==2.0.0 poethepoet==0.49.0 uv==0.13.8
echo VERBOSE=file > .env
cat > pyproject.toml <<'TOML'
[tool.poe]
envfile = ".env"
tasks.show = "python show.py"
TOML
echo 'import os; print(os.environ["VERBOSE"])' > show.py
echo 'import dotenv; dotenv.load_dotenv(".env"); import show' > loaded.py
export PATH="$PWD/env/bin:$PATH" VERBOSE=shell
expect() {
    wanted=$1 name=$2
    shift 2
    found=$("$@")
    echo "$name: $found"
    test "$found" = "$wanted"
}
expect shell "load_dotenv()" python loaded.py
expect file "dotenv run" dotenv run -- python show.py
expect file honcho honcho run python show.py
expect file poe poe --quiet show
expect shell uv uv run --quiet --no-project --python python --env-file .env python show.py
