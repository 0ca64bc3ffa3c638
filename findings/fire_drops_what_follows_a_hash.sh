#!/usr/bin/env bash
# Guess: Fire, which turns functions into commands, hands a text on the command line to the function as a text, or as a
# whole Python literal.
# Seen: what follows the sign of a comment behind a word is dropped: of run#2, run is left. A version of two parts is a
# number: 2.10 is 2.1. True is True, but true is a text, and so is false, which counts as true.
# fire 0.7.1. Prints the four.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet fire==0.7.1
env/bin/python - <<'EOF'
import fire

found = []
for each in ("run#2", "2.10", "True", "false"):
    fire.Fire(lambda text: found.append(text), command=[f"--text={each}"])
print(found)
assert found == ["run", 2.1, True, "false"]
EOF
