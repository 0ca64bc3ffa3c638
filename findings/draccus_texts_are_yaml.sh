#!/usr/bin/env bash
# Guess: draccus, which reads a dataclass from the command line, leaves the text of a field of the type str as it is.
# Seen: the text is read as YAML, and what that gives is made a text again: 2.10 becomes 2.1, 1:30 becomes 90, off
# becomes False. A text that begins with the sign of a comment is None, in a field of the type str that allows None.
# draccus 0.11.6. Prints the four.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet draccus==0.11.6
env/bin/python - <<'EOF'
from dataclasses import dataclass

import draccus


@dataclass
class Options:
    text: str | None = None


found = {each: draccus.parse(Options, args=[f"--text={each}"]).text for each in ("2.10", "1:30", "off", "#1")}
print(found)
assert found == {"2.10": "2.1", "1:30": "90", "off": "False", "#1": None}
EOF
