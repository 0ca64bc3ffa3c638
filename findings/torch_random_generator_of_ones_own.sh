#!/usr/bin/env bash
# Guess: a random.Random(seed) of one's own, which a model keeps so that its augmentation or layer drop is repeatable, goes
# on from call to call in a compiled function, as the functions of the module `random` do; or it breaks the graph, and
# fullgraph=True tells.
# Seen: what it draws at the first call is compiled in, with fullgraph=True as well: each later call gets the same number,
# the generator has moved on by one draw in all, and a new seed is not seen. random.random() draws anew.
# torch 2.13.0, CPU, backend eager. Prints how many numbers differ in five calls: plain 5, compiled 1, compiled with
# random.random() 5; and whether the number after seed(1) is the first of seed 1: False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import random

import torch


class Jitter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.own = random.Random(0)

    def forward(self, x):
        return x * self.own.random()


def of_the_module(x):
    return x * random.random()


def distinct(function):
    return len({function(torch.ones(1, dtype=torch.float64)).item() for _ in range(5)})


model = Jitter()
fast = torch.compile(model, backend="eager", fullgraph=True)
found = distinct(Jitter()), distinct(fast), distinct(torch.compile(of_the_module, backend="eager"))
print("plain, compiled, compiled with the module's:", *found)
assert found == (5, 1, 5)

expected = random.Random(0)
expected.random()
assert model.own.random() == expected.random()

model.own.seed(1)
heeded = fast(torch.ones(1, dtype=torch.float64)).item() == random.Random(1).random()
print("new seed:", heeded)
assert not heeded
EOF
