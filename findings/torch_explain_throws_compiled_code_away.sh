#!/usr/bin/env bash
# Guess: torch._dynamo.explain(f)(x) and torch.export.export(model, ..., strict=True) look at f and at the model, and leave
# what else has been compiled in the process alone.
# Seen: both reset Dynamo. Each function that had been compiled, however unrelated, is compiled again at its next call, so
# that a look into a running service is a stall of all of it. Export with strict=False resets nothing.
# torch 2.13.0, CPU, backend eager. Prints how often an unrelated function has been compiled: before 1, after explain 2,
# after the strict export 3, after the other 3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import warnings

import torch
from torch._dynamo.testing import CompileCounter

warnings.simplefilter("ignore")
x = torch.ones(3)
counter = CompileCounter()
unrelated = torch.compile(lambda x: x + 1, backend=counter)
found = []


def call():
    unrelated(x)
    found.append(counter.frame_count)


call()
torch._dynamo.explain(lambda x: x * 2)(x)
call()
for strict in (True, False):
    torch.export.export(torch.nn.Linear(3, 3), (x,), strict=strict)
    call()
print("before, after explain, strict export, export:", found)
assert found == [1, 2, 3, 3]
EOF
