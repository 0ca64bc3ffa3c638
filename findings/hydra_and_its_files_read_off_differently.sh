#!/usr/bin/env bash
# Guess: `flag=off` on Hydra's command line means what `flag: off` means in the YAML file that it overrides.
# Seen: the command line gives the text "off", which is true, and the file gives False. `1:30` is a text there, and ninety
# in the file; `nan` is a number there, and a text in the file.
# hydra-core 1.3.8 with omegaconf 2.3.1. Prints one line for each of the three.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet hydra-core==1.3.8 omegaconf==2.3.1
env/bin/python - <<'EOF'
from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import OmegaConf

parser = OverridesParser.create()
for text, line, file in (("off", "'off'", "False"), ("1:30", "'1:30'", "90"), ("nan", "nan", "'nan'")):
    found = repr(parser.parse_override(f"flag={text}").value()), repr(OmegaConf.create(f"flag: {text}").flag)
    print(f"{text}: command line {found[0]}, file {found[1]}")
    assert found == (line, file)
EOF
