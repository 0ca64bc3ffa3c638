#!/usr/bin/env bash
# Guess: a function that reads settings once, under functools.lru_cache as FastAPI's and pydantic's pages advise, gives
# compiled functions the settings that it gives everybody else.
# Seen: Dynamo looks through the cache and traces the function itself. A compiled function reads the variable anew, a model
# whose code is partly compiled works with two values of one setting, and cached objects are made a second time. A warning
# says so, once in a process.
# torch 2.13.0, CPU, backend eager. Prints the limit, read under 8, after the variable has become 9: plain 8, compiled 9;
# then how often the function ran: plain 1, after the compiled call 2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'PROGRAM'
import functools
import os
import warnings

import torch

runs = []


@functools.lru_cache
def limit():
    runs.append(1)
    return int(os.environ["LIMIT"])


def scaled(x):
    return x * limit()


os.environ["LIMIT"] = "8"
x = torch.ones(1)
assert scaled(x).item() == 8
os.environ["LIMIT"] = "9"
before = len(runs)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    compiled = torch.compile(scaled, backend="eager")(x).item()
plain = scaled(x).item()
print(f"plain {plain}, compiled {compiled}; ran {before}, then {len(runs)}")
assert (plain, compiled, before, len(runs)) == (8, 9, 1, 2)
assert any("lru_cache" in str(each.message) for each in caught)
PROGRAM
