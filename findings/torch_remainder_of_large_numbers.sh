#!/usr/bin/env bash
# Guess: x % period lies between 0 and the period, compiled or not, so that a phase can be taken of a time in seconds or
# of an index that is held as float32.
# Seen: under inductor on the CPU it is x - floor(x / period) * period, in float32: for a time of this century it may be
# negative, or many times the period. Uncompiled it is what it should be, and so are the backend aot_eager, torch.fmod and
# float64.
# torch 2.13.0, CPU with vector instructions, with g++. Prints the remainders of 1e9 and 2e9 by 7: plain 6 5, aot_eager 6
# 5, inductor 64 128 (7 is the bound), by fmod 6 5; by twice pi: plain 4.2 2.0, inductor below zero.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import math

import torch

x = torch.tensor([1e9, 2e9] * 64)


def results(function, backend=None):
    if backend:
        torch._dynamo.reset()
        function = torch.compile(function, backend=backend)
    found = function(x)[:2].tolist()
    print(backend or "plain", *found)
    return found


assert results(lambda x: x % 7) == [6, 5]
assert results(lambda x: x % 7, "aot_eager") == [6, 5]
assert all(each > 7 for each in results(lambda x: x % 7, "inductor"))
assert results(lambda x: torch.fmod(x, 7), "inductor") == [6, 5]
assert [round(each, 1) for each in results(lambda x: x % (2 * math.pi))] == [4.2, 2.0]
assert all(each < 0 for each in results(lambda x: x % (2 * math.pi), "inductor"))
assert torch.compile(lambda x: x.double() % 7)(x)[:2].tolist() == [6, 5]
EOF
