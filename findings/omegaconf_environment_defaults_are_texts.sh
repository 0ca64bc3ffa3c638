#!/usr/bin/env bash
# Guess: `flag: ${oc.env:DEBUG,False}` is False where there is no such variable, and `limit: ${oc.env:LIMIT,8}` is 8.
# Seen: both are texts, though the same words without oc.env are not, and `if cfg.flag` holds. A default of null is None.
# oc.decode around it gives the boolean and the number; a variable that holds off stays a text with it as well.
# omegaconf 2.3.1. Prints the values.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet omegaconf==2.3.1
env/bin/python - <<'EOF'
import os

from omegaconf import OmegaConf

os.environ["SWITCH"] = "off"
config = OmegaConf.create("""
plain: False
flag: ${oc.env:DEBUG,False}
limit: ${oc.env:LIMIT,8}
nothing: ${oc.env:DEBUG,null}
decoded: ${oc.decode:${oc.env:DEBUG,False}}
number: ${oc.decode:${oc.env:LIMIT,8}}
switch: ${oc.decode:${oc.env:SWITCH}}
""")
found = OmegaConf.to_container(config, resolve=True)
print(found)
expected = {"plain": False, "flag": "False", "limit": "8", "nothing": None, "decoded": False, "number": 8, "switch": "off"}
assert found == expected
assert config.flag
EOF
