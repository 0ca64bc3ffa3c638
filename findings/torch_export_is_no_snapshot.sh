#!/usr/bin/env bash
# Guess: torch.export.export(model, ...) takes the model as it is: what the model learns later does not change the
# program, and running the program does not change the model.
# Seen: they share parameters and buffers. A program that was exported as the best one so far goes on learning with the
# model, and running an exported BatchNorm moves the statistics of the model. torch.export.save() and load() part them.
# torch 2.13.0, CPU. Prints the output of the program before and after the model's weight is set from 1 to 5: shared 1 5,
# loaded from a file 1 1; and the model's running mean, after the program has seen 10: 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import io

import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(1))

    def forward(self, x):
        return x * self.weight


def saved(program):
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    return torch.export.load(file)


def outputs(change):
    model = Scale()
    program = change(torch.export.export(model, (torch.ones(1),))).module()
    before = program(torch.ones(1)).item()
    with torch.no_grad():
        model.weight.fill_(5)
    return [before, program(torch.ones(1)).item()]


found = {"shared": outputs(lambda program: program), "loaded from a file": outputs(saved)}
print(found)
assert list(found.values()) == [[1, 5], [1, 1]]
model = torch.nn.BatchNorm1d(1)
torch.export.export(model, (torch.ones(2, 1),)).module()(torch.full((2, 1), 10.0))
print("running mean:", model.running_mean.item())
assert model.running_mean.item() == 1
EOF
