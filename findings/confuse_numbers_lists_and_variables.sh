#!/usr/bin/env bash
# Guess: confuse, which checks what a program asks of its YAML files, refuses 1.9 for an integer, as it refuses the text
# "8"; and a variable of the environment changes what it names, whatever the name, and leaves the rest of a list alone.
# Seen: 1.9 is 1, and true for an integer stays a boolean. A key with a capital letter cannot be set by any variable. An
# item of a list that is set by a variable is the whole list, where a section keeps its other keys. A variable that is
# empty makes the value None, and one with a list in YAML is a text, though off in a variable is False.
# confuse 2.3.0. Prints: 1.9 1, true True, "8" refused; Rate 1 (the variable says 2), list [9] of [1, 2, 3], section 1
# beside 9, empty None, list in YAML '[4, 5]', off False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet confuse==2.3.0
env/bin/python - <<'EOF'
import os
import pathlib

import confuse


def read(text, name, kind=None, **variables):
    pathlib.Path("config.yaml").write_text(text)
    os.environ.update(variables)
    config = confuse.Configuration("tried", read=False)
    config.set_file("config.yaml")
    config.set_env()
    for variable in variables:
        del os.environ[variable]
    try:
        return config[name].get(kind) if kind else config[name].get()
    except confuse.ConfigError:
        return "refused"


found = {
    "1.9": read("limit: 1.9", "limit", int),
    "true": read("limit: true", "limit", int),
    '"8"': read('limit: "8"', "limit", int),
    "Rate": read("Rate: 1", "Rate", TRIED_RATE="2"),
    "list": read("sizes: [1, 2, 3]", "sizes", TRIED_SIZES__0="9"),
    "section": read("part: {a: 1, b: 2}", "part", confuse.MappingTemplate({"a": int, "b": int}), TRIED_PART__B="9"),
    "empty": read("limit: 1", "limit", TRIED_LIMIT=""),
    "in YAML": read("sizes: [1]", "sizes", TRIED_SIZES="[4, 5]"),
    "off": read("limit: 1", "limit", TRIED_LIMIT="off"),
}
print(found)
assert found == {
    "1.9": 1,
    "true": True,
    '"8"': "refused",
    "Rate": 1,
    "list": [9],
    "section": {"a": 1, "b": 9},
    "empty": None,
    "in YAML": "[4, 5]",
    "off": False,
}
assert found["true"] is True
EOF
