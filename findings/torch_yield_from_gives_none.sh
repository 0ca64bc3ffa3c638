#!/usr/bin/env bash
# Guess: `total = yield from parts()` gives in a compiled function what the generator parts() returns, since generators
# are traced there and the items that it yields all arrive.
# Seen: it gives None, whether the function returns a number or a tensor, and nothing is said: the code that follows works
# with None. The same value is there on StopIteration, by next(), and send() through `yield from` arrives. torch 2.14.1
# gives the value.
# torch 2.13.0, CPU, backend eager. Prints: plain 1 2 3, compiled 1 2 None; by StopIteration: compiled 3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch


def parts(x):
    yield x
    yield x * 2
    return x * 3


def with_total(x):
    total = yield from parts(x)
    yield total


def listed(x):
    return list(with_total(x))


def by_hand(x):
    generator = parts(x)
    next(generator)
    next(generator)
    try:
        next(generator)
    except StopIteration as stop:
        return stop.value


def told(found):
    return [each if each is None else each.item() for each in found]


x = torch.ones(1)
compiled = torch.compile(listed, backend="eager", fullgraph=True)
found = told(listed(x)), told(compiled(x))
print("plain, compiled:", *found)
assert found == ([1, 2, 3], [1, 2, None])
found = torch.compile(by_hand, backend="eager", fullgraph=True)(x).item()
print("by StopIteration:", found)
assert found == 3
EOF
