#!/usr/bin/env bash
# Guess: an option of the type `bool | str` takes 1 and 0 as it takes on and off: as booleans, or as texts.
# Seen: on, off, yes, no, true and false become booleans; 1 and 0 stay texts, so that 0 counts as true in an `if`. With the
# type `str | bool`, which Python holds to be equal, all stay texts. The type `bool` refuses 1 and 0.
# jsonargparse 4.53.0. Prints: bool | str: off False, 0 '0'; str | bool: off 'off'; bool: 0 refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet jsonargparse==4.53.0
env/bin/python - <<'EOF'
from typing import Union

from jsonargparse import ArgumentError, ArgumentParser


def read(kind, text):
    parser = ArgumentParser(exit_on_error=False)
    parser.add_argument("--flag", type=kind)
    try:
        return repr(parser.parse_args([f"--flag={text}"]).flag)
    except ArgumentError:
        return "refused"


either, other = Union[bool, str], Union[str, bool]
found = {
    "bool | str: off": read(either, "off"),
    "bool | str: 0": read(either, "0"),
    "str | bool: off": read(other, "off"),
    "bool: 0": read(bool, "0"),
}
print(found)
assert either == other
assert list(found.values()) == ["False", "'0'", "'off'", "refused"]
EOF
