#!/usr/bin/env bash
# Guess: vars(settings) holds in a compiled function what it holds elsewhere, also as keywords, f(**vars(settings)), and
# an entry that comes in later is seen, as hasattr() sees it.
# Seen: of an object that is made in the compiled function, the vars that leave it, to be returned or written as JSON, are
# empty; a copy by dict() has them. Of an object that was there before, what has been set on it later is not seen by `in`,
# len(), get() and as keywords; a sum of the values and hasattr() see it.
# torch 2.13.0, CPU, backend eager. Prints: made in the function: vars {}, JSON {}, dict() {'rate': 1}; set later: in
# False, len 1, get None, keywords {'rate': 1}, values 3, hasattr True.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import json

import torch


class Settings:
    def __init__(self):
        self.rate = 1


def compiled(function):
    torch._dynamo.reset()
    compiled = torch.compile(lambda x: (x * 2, function()), backend="eager", fullgraph=True)
    return lambda: compiled(torch.ones(1))[1]


def written(x):
    return x * 2, json.dumps(vars(Settings()))


def later(read):
    global settings
    settings = Settings()
    call = compiled(read)
    call()
    settings.size = 2
    return call()


settings = Settings()
found = {
    "vars": compiled(lambda: vars(Settings()))(),
    "JSON": torch.compile(written, backend="eager")(torch.ones(1))[1],
    "dict()": compiled(lambda: dict(vars(Settings())))(),
}
print("made in the function:", found)
assert found == {"vars": {}, "JSON": "{}", "dict()": {"rate": 1}}
found = {
    "in": later(lambda: "size" in vars(settings)),
    "len": later(lambda: len(vars(settings))),
    "get": later(lambda: vars(settings).get("size")),
    "keywords": later(lambda: dict(**vars(settings))),
    "values": later(lambda: sum(vars(settings).values())),
    "hasattr": later(lambda: hasattr(settings, "size")),
}
print("set later:", found)
assert found == {"in": False, "len": 1, "get": None, "keywords": {"rate": 1}, "values": 3, "hasattr": True}
EOF
