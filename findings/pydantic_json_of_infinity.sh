#!/usr/bin/env bash
# Guess: what model_dump_json() writes, model_validate_json() of the same model reads, and gives the same values; or the one
# that cannot be written, as JSON has no infinity, is refused when it is written.
# Seen: infinity and nan are written as null. For a field of the type float that is refused when it is read; for float | None
# it is None from then on, and so it is for Any. With ser_json_inf_nan="strings" they come back as they were, but for Any,
# which gets a text.
# pydantic 2.14.4. Prints what comes back of infinity for each type.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet pydantic==2.14.4
env/bin/python - <<'PROGRAM'
from typing import Any

from pydantic import ConfigDict, ValidationError, create_model


def back(kind, **config):
    made = create_model("Model", __config__=ConfigDict(**config), timeout=(kind, ...))
    text = made(timeout=float("inf")).model_dump_json()
    try:
        return made.model_validate_json(text).timeout
    except ValidationError:
        return "refused"


found = {
    "float": back(float),
    "float | None": back(float | None),
    "Any": back(Any),
    "float, as strings": back(float, ser_json_inf_nan="strings"),
    "float | None, as strings": back(float | None, ser_json_inf_nan="strings"),
    "Any, as strings": back(Any, ser_json_inf_nan="strings"),
}
for name, value in found.items():
    print(f"{name}: {value!r}")
inf = float("inf")
assert list(found.values()) == ["refused", None, None, inf, inf, "Infinity"]
PROGRAM
