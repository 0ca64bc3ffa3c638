#!/usr/bin/env bash
# Guess: a text that one YAML library has written, quoted as it holds fit, is a text for every other one.
# Seen: each quotes what it would misread itself. PyYAML leaves 12e03, say a commit, bare, and ruamel.yaml and OmegaConf (so
# Hydra too) read a number. ruamel.yaml leaves off and 1:30 bare, which are False and 90 to PyYAML and OmegaConf. OmegaConf
# leaves 0o17 bare, which is 15 to ruamel.yaml. Each reads what it has written itself.
# PyYAML 6.0.4, ruamel.yaml 0.19.1, omegaconf 2.3.1. Prints what changes, for each writer and reader.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet PyYAML==6.0.4 ruamel.yaml==0.19.1 omegaconf==2.3.1
env/bin/python - <<'EOF'
import io

import ruamel.yaml
import yaml
from omegaconf import OmegaConf

texts = ["12e03", "off", "1:30", "0o17", "nan", "2026-11-28", "null"]


def ruamel_write(values):
    stream = io.StringIO()
    ruamel.yaml.YAML().dump(values, stream)
    return stream.getvalue()


write = {
    "PyYAML": yaml.safe_dump,
    "ruamel": ruamel_write,
    "OmegaConf": lambda values: OmegaConf.to_yaml(OmegaConf.create(values)),
}
read = {
    "PyYAML": yaml.safe_load,
    "ruamel": ruamel.yaml.YAML(typ="safe", pure=True).load,
    "OmegaConf": lambda text: OmegaConf.to_container(OmegaConf.create(text)),
}
expected = {
    ("PyYAML", "ruamel"): {"12e03": 12000.0, "0o17": 15},
    ("PyYAML", "OmegaConf"): {"12e03": 12000.0},
    ("ruamel", "PyYAML"): {"off": False, "1:30": 90},
    ("ruamel", "OmegaConf"): {"off": False, "1:30": 90},
    ("OmegaConf", "ruamel"): {"0o17": 15},
}
for writer in write:
    for reader in read:
        values = {text: read[reader](write[writer]({"value": text}))["value"] for text in texts}
        changed = {text: value for text, value in values.items() if value != text}
        print(f"{writer}, then {reader}: {changed}")
        assert changed == expected.get((writer, reader), {})
EOF
