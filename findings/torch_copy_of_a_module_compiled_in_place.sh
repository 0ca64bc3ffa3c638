#!/usr/bin/env bash
# Guess: a copy of a compiled model, for an average of its weights or for a second device, is compiled as the model is,
# however it was compiled.
# Seen: a copy of what torch.compile(model) gives is. A copy of a model on which model.compile() was called runs eagerly,
# without a word; so does the copy that AveragedModel makes.
# torch 2.13.0, CPU, backend eager. Prints the compilations by a model and by its copy, for another shape:
# torch.compile(model) [1, 1], model.compile() [1, 0], AveragedModel of the latter [1, 0].
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import copy

import torch
from torch.optim.swa_utils import AveragedModel

compilations = 0


def backend(graph, inputs):
    global compilations
    compilations += 1
    return graph.forward


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x).relu()


def in_place():
    model = Model()
    model.compile(backend=backend)
    return model


def count(make, duplicate):
    global compilations
    torch._dynamo.reset()
    model = make()
    copied = duplicate(model)
    found = []
    for each, shape in ((model, (4,)), (copied, (2, 4))):
        compilations = 0
        each(torch.ones(shape))
        found.append(compilations)
    return found


found = {
    "torch.compile(model)": count(lambda: torch.compile(Model(), backend=backend), copy.deepcopy),
    "model.compile()": count(in_place, copy.deepcopy),
    "AveragedModel": count(in_place, AveragedModel),
}
print(found)
assert list(found.values()) == [[1, 1], [1, 0], [1, 0]]
EOF
