#!/usr/bin/env bash
# Guess: `import lightning.fabric` leaves torch alone; Fabric.setup() takes any compiled model and keeps how it was compiled.
# Seen: the import puts a function of Lightning's in the place of torch.compile, which notes its arguments on the model, and
# setup() compiles anew by the note. What was compiled before the import, or by a torch.compile that was imported by name
# before, is refused. And since there is one note for a model, of two compilations of it, one for training and one for
# evaluation say, setup() of the first gives the second.
# lightning-fabric 2.6.6, torch 2.13.0, numpy 2.4.6, CPU. Prints: torch.compile replaced True; compiled before the import:
# RuntimeError; backend of the first compilation after setup(): second.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet lightning-fabric==2.6.6 torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM' 2> errors.txt || { cat errors.txt; exit 1; }
import torch

torchs_own = torch.compile
before = torch.compile(torch.nn.Linear(4, 4), backend="eager")

import lightning_fabric

calls = []


def first(graph, inputs):
    calls.append("first")
    return graph.forward


def second(graph, inputs):
    calls.append("second")
    return graph.forward


fabric = lightning_fabric.Fabric(accelerator="cpu")
replaced = torch.compile is not torchs_own
try:
    fabric.setup(before)
    refused = "taken"
except RuntimeError as error:
    assert "import lightning before" in str(error)
    refused = "RuntimeError"
model = torch.nn.Linear(4, 4)
compiled = torch.compile(model, backend=first)
torch.compile(model, backend=second)
fabric.setup(compiled)(torch.ones(2, 4))
print(f"replaced {replaced}; compiled before the import: {refused}; backend of the first: {calls}")
assert (replaced, refused, calls) == (True, "RuntimeError", ["second"])
PROGRAM
