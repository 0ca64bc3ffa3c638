#!/usr/bin/env bash
# Guess: the lines that `codegen_config()` writes give back what they were written from.
# Seen: an empty set is written as empty braces, which make a dict.
# torch 2.13.0. Prints: the line, and dict.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch
import torch._dynamo.config as config

config.allowed_functions_module_string_ignorelist = set()
lines = config.codegen_config()
exec(lines)
kind = type(config.allowed_functions_module_string_ignorelist).__name__
print(f"{lines}: {kind}")
assert kind == "dict"
EOF
