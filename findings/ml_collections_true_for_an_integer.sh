#!/usr/bin/env bash
# Guess: an ml_collections.ConfigDict, which refuses a value of another type, refuses True for an integer as it refuses
# 0 for a boolean.
# Seen: it takes True, and the integer is a boolean from then on; a number becomes 1.0.
# ml_collections 1.1.0. Prints: limit True, rate 1.0, flag refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet ml_collections==1.1.0
env/bin/python - <<'EOF'
import ml_collections

config = ml_collections.ConfigDict({"limit": 8, "rate": 0.5, "flag": True})
config.limit = True
config.rate = True
try:
    config.flag = 0
    refused = False
except TypeError:
    refused = True
print("limit", config.limit, "rate", config.rate, "flag", "refused" if refused else "taken")
assert config.limit is True and config.rate == 1.0 and refused
EOF
