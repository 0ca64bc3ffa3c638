#!/usr/bin/env bash
# Guess: a library that makes a dataclass of a dict reads "false" for a field of the type bool as False, or refuses it; and
# refuses None for a str and 1.9 for an int.
# Seen: cattrs, mashumaro and typedload call the type of the field: bool("false") is True, str(None) is the text "None", and
# int(1.9) is 1. dacite and msgspec refuse all three, and msgspec that is not strict reads "false" as False.
# cattrs 26.2.1, mashumaro 3.23, typedload 2.41, dacite 1.9.2, msgspec 0.22.0. Prints the three values for each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet cattrs==26.2.1 mashumaro==3.23 typedload==2.41 dacite==1.9.2 msgspec==0.22.0
cat > check.py <<'EOF'
from dataclasses import dataclass

import cattrs
import dacite
import mashumaro
import msgspec
import typedload


@dataclass
class Options(mashumaro.DataClassDictMixin):
    flag: bool = False
    path: str = ""
    limit: int = 0


def load(loader, name, value):
    try:
        return getattr(loader({name: value}), name)
    except (dacite.DaciteError, msgspec.ValidationError):
        return "refused"


called, refused = [True, "None", 1], ["refused"] * 3
loaders = {
    "cattrs": (lambda values: cattrs.structure(values, Options), called),
    "mashumaro": (Options.from_dict, called),
    "typedload": (lambda values: typedload.load(values, Options), called),
    "dacite": (lambda values: dacite.from_dict(Options, values), refused),
    "msgspec": (lambda values: msgspec.convert(values, Options), refused),
    "msgspec, not strict": (lambda values: msgspec.convert(values, Options, strict=False), [False, *refused[:2]]),
}
for name, (loader, expected) in loaders.items():
    found = [load(loader, "flag", "false"), load(loader, "path", None), load(loader, "limit", 1.9)]
    print(f"{name}: {found}")
    assert found == expected
EOF
env/bin/python check.py
