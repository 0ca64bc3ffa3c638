#!/usr/bin/env bash
# Guess: a generator that a loop leaves by `break` is closed in a compiled function as everywhere in CPython, so that its
# `finally` runs, before what comes after the loop.
# Seen: it does not run, neither there nor later, and nothing is said: what it would have put back or closed stays.
# torch 2.13.0, CPython 3.11, backend eager. Prints: plain ['closed', 'after'], compiled ['after'].
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import gc

import torch

log = []


def numbers():
    try:
        yield 1
        yield 2
    finally:
        log.append("closed")


def first(x):
    for number in numbers():
        x = x + number
        break
    log.append("after")
    return x


found = {}
for name, function in {"plain": first, "compiled": torch.compile(first, backend="eager")}.items():
    log.clear()
    function(torch.ones(2))
    gc.collect()
    found[name] = list(log)
print(found)
assert found == {"plain": ["closed", "after"], "compiled": ["after"]}
EOF
