#!/usr/bin/env bash
# Guess: ruamel.yaml gives a boolean of the file as a boolean, also where it has an anchor so that it can be said once.
# Seen: in its round-trip mode, the default, `flag: &on true` and each alias to it are ScalarBoolean, an int that is no
# bool: isinstance(..., bool) is False, JSON has 1, `is True` does not hold, and pydantic in strict mode refuses it for a bool
# and takes it for an int. An anchored number or text is still an int or a str.
# ruamel.yaml 0.19.1, pydantic 2.14.4. Prints what it is, with and without an anchor.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet ruamel.yaml==0.19.1 pydantic==2.14.4
env/bin/python - <<'PROGRAM'
import json

from pydantic import TypeAdapter, ValidationError
from ruamel.yaml import YAML

document = YAML().load("plain: true\nanchored: &on true\nalias: *on\n")


def strict(kind, value):
    try:
        TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError:
        return "refused"
    return "taken"


found = {}
for name, value in document.items():
    found[name] = (isinstance(value, bool), json.dumps(value), strict(bool, value), strict(int, value))
    print(f"{name}: {found[name]}")
assert found == {
    "plain": (True, "true", "taken", "refused"),
    "anchored": (False, "1", "refused", "taken"),
    "alias": (False, "1", "refused", "taken"),
}
PROGRAM
