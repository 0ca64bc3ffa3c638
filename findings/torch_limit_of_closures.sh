#!/usr/bin/env bash
# Guess: recompile_limit counts the compilations of one compiled function.
# Seen: it counts those of one piece of Python code. Twelve closures of one factory, each compiled by a torch.compile of its
# own and called once, exhaust the limit of eight together: the last four run eagerly.
# torch 2.13.0, CPU. Prints: compiled 8 of 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch
from torch._dynamo.testing import CompileCounter

counter = CompileCounter()


def factory(name):
    return torch.compile(lambda x: x + len(name), backend=counter)


functions = [factory("a" * length) for length in range(12)]
for each in functions:
    each(torch.ones(3))
print("compiled", counter.frame_count, "of", len(functions))
assert (counter.frame_count, len(functions)) == (8, 12)
EOF
