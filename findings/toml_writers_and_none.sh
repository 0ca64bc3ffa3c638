#!/usr/bin/env bash
# Guess: TOML has no null, so a library that writes TOML refuses None; at the least it leaves the entry out.
# Seen: tomlkit and tomli_w refuse. toml leaves the entry out, but in a list it writes the text "None". rtoml writes the
# text "null" in both places. What is read back is a text that counts as true.
# rtoml 0.14.0, toml 0.10.2, tomlkit 0.15.2, tomli_w 1.2.0. Prints what is read back of an entry and of a list.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet rtoml==0.14.0 toml==0.10.2 tomlkit==0.15.2 tomli_w==1.2.0
env/bin/python - <<'EOF'
import tomllib

import rtoml
import toml
import tomli_w
import tomlkit


def back(writer, values):
    try:
        return tomllib.loads(writer.dumps(values))
    except (TypeError, tomlkit.exceptions.ConvertError):
        return "refused"


expected = {
    rtoml: [{"limit": "null"}, {"limits": ["null"]}],
    toml: [{}, {"limits": ["None"]}],
    tomlkit: ["refused", "refused"],
    tomli_w: ["refused", "refused"],
}
for writer, values in expected.items():
    found = [back(writer, {"limit": None}), back(writer, {"limits": [None]})]
    print(writer.__name__, found)
    assert found == values
EOF
