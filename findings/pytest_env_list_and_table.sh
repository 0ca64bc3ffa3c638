#!/usr/bin/env bash
# Guess: pytest-env sets the same variables whether they stand in pytest.ini or in a table of pyproject.toml; where there are
# both, pytest.ini wins, as it does in pytest, which reads no pyproject.toml then.
# Seen: the table of pyproject.toml wins, and the whole list of pytest.ini is dropped without a word. In the list, a comment
# becomes a part of the value, and each value is formatted, so that JSON is a KeyError before the first test. In the
# table, a boolean becomes True with a capital, which is not the 1 that most variables want, and 1e3 becomes 1000.0.
# pytest 9.2.0, pytest-env 1.8.5. Prints what a test sees of each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet pytest==9.2.0 pytest-env==1.8.5
cat > test_env.py <<'PROGRAM'
import os


def test_env():
    print("seen:", {name: text for name, text in sorted(os.environ.items()) if name.startswith("APP_")})
PROGRAM
seen() {
    env/bin/python -m pytest --quiet -s test_env.py > log.txt 2>&1 || true
    found=$(grep -E "^(seen|KeyError):" log.txt)
    echo "$1: $found"
    test "$found" = "$2"
}
printf '[pytest]\nenv =\n    APP_FLAG=1  # on\n' > pytest.ini
seen "list" "seen: {'APP_FLAG': '1  # on'}"
printf '[pytest]\nenv =\n    APP_JSON={"a": 1}\n' > pytest.ini
seen "JSON in the list" "KeyError: '\"a\"'"
printf '[pytest]\nenv =\n    APP_FLAG=1\n' > pytest.ini
printf '[tool.pytest_env]\nAPP_JSON = '"'"'{"a": 1}'"'"'\nAPP_ON = true\nAPP_RATE = 1e3\n' > pyproject.toml
seen "both" "seen: {'APP_JSON': '{\"a\": 1}', 'APP_ON': 'True', 'APP_RATE': '1000.0'}"
