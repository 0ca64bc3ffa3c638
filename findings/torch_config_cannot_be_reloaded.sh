#!/usr/bin/env bash
# Guess: `importlib.reload(torch._dynamo.config)`, by hand or by an autoreloader, gives every flag its default again, as for
# any module of assignments.
# Seen: AttributeError about `__spec__`: torch has put all that it found in the module, the attributes of the import system
# included, behind its own lookup, which knows flags only. What was set stays set.
# torch 2.13.0. Prints: torch._dynamo.config.__spec__ does not exist; recompile_limit 77.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import importlib

import torch._dynamo.config as config

config.recompile_limit = 77
try:
    importlib.reload(config)
except AttributeError as error:
    print(f"{error}; recompile_limit {config.recompile_limit}")
    assert "__spec__" in str(error)
else:
    raise SystemExit("it can be reloaded now")
assert config.recompile_limit == 77
EOF
