#!/usr/bin/env bash
# Guess: pytest-dotenv loads the .env file beside pytest.ini, wherever pytest is started, since that folder is pytest's
# root; and it can be installed beside pytest-env, for the one reads a file and the other a list.
# Seen: it goes by the working directory: started from above, as an editor or a workspace of several projects does, the same
# tests run without the variables, and nothing is said. And with both plugins pytest does not start, for any test: each
# declares --envfile.
# pytest 9.2.0, pytest-dotenv 0.5.2, pytest-env 1.8.5. Prints FLAG as a test sees it: in the project 1, from above None; then
# the error with both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet pytest==9.2.0 pytest-dotenv==0.5.2
mkdir project
echo FLAG=1 > project/.env
echo "[pytest]" > project/pytest.ini
cat > project/test_flag.py <<'PROGRAM'
import os


def test_flag(pytestconfig):
    assert pytestconfig.rootpath.name == "project"
    print("seen:", os.environ.get("FLAG"))
PROGRAM
python=$PWD/env/bin/python
expect() {
    found=$("$python" -m pytest --quiet -s "$2" | grep "^seen: ")
    echo "$1: $found"
    test "$found" = "seen: $3"
}
expect "from above" project None
cd project
expect "in the project" . 1
"$python" -m pip install --quiet pytest-env==1.8.5
"$python" -m pytest --quiet > log.txt 2>&1 && exit 1
grep "option names" log.txt
