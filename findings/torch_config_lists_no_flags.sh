#!/usr/bin/env bash
# Guess: dir(), vars() and inspect.getmembers() of a config module list its flags, so that they can be completed, found and
# documented.
# Seen: they list none: flags are found by __getattr__ alone, and torch defines no __dir__. `get_config_copy()` has them.
# torch 2.13.0. Prints: dir 0, vars 0, getmembers 0, get_config_copy more than 100.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import inspect

import torch._dynamo.config as config

flags = {name for name in config.get_config_copy() if name != "TYPE_CHECKING"}
places = {
    "dir": dir(config),
    "vars": vars(config),
    "getmembers": dict(inspect.getmembers(config)),
    "get_config_copy": config.get_config_copy(),
}
found = {place: len(flags & set(names)) for place, names in places.items()}
print(found)
assert found["dir"] == found["vars"] == found["getmembers"] == 0
assert found["get_config_copy"] > 100
EOF
