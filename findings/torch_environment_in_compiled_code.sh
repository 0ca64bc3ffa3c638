#!/usr/bin/env bash
# Guess: os.getenv("NAME"), os.environ.get("NAME") and os.environ["NAME"] mean the same in a compiled function.
# Seen: what os.getenv() gives is built into the graph: a variable that changes later is not seen, and nothing is
# compiled again. The other two are guarded, the function is compiled again and sees the new value. But a variable that
# was not there when the function was compiled, is not seen by any of them, nor by `"NAME" in os.environ`.
# torch 2.13.0, CPU, backend eager. Prints what each gives under the value 2: changed from 1: getenv 1, get 2, [] 2;
# new: 1 each, as if there were none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import os

import torch

x = torch.ones(1)


def second(function, first):
    """Compile *function* under the value *first* of NAME, and call it under the value 2."""
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="eager")
    os.environ.pop("NAME", None)
    if first:
        os.environ["NAME"] = first
    compiled(x)
    os.environ["NAME"] = "2"
    return int(compiled(x))


changed = {
    "getenv": second(lambda x: x * int(os.getenv("NAME")), "1"),
    "get": second(lambda x: x * int(os.environ.get("NAME")), "1"),
    "[]": second(lambda x: x * int(os.environ["NAME"]), "1"),
}
new = {
    "getenv": second(lambda x: x * (2 if os.getenv("NAME") else 1), None),
    "get": second(lambda x: x * (2 if os.environ.get("NAME") else 1), None),
    "in": second(lambda x: x * (2 if "NAME" in os.environ else 1), None),
}
print("changed", changed, "new", new)
assert changed == {"getenv": 1, "get": 2, "[]": 2}
assert new == {"getenv": 1, "get": 1, "in": 1}
EOF
