#!/usr/bin/env bash
# Guess: ExportedProgram.run_decompositions() writes the same computation in simpler operators, so a program that is
# trained afterwards has the gradients of the model.
# Seen: what torch.no_grad() and detach() keep out of the gradients, a teacher or a normalization say, is trained along:
# both are dropped, the outputs agree, and nothing is said. With an empty table of decompositions detach() is kept, and
# no_grad() is not. Without run_decompositions() both hold.
# torch 2.13.0, CPU. Prints the gradient, which is 1: exported: no_grad 1, detach 1; decomposed: no_grad 4, detach 4; by
# an empty table: no_grad 4, detach 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'EOF'
import warnings

import torch

warnings.simplefilter("ignore")


class Model(torch.nn.Module):
    def __init__(self, way):
        super().__init__()
        self.way = way
        self.weight = torch.nn.Parameter(torch.ones(1))

    def forward(self, x):
        if self.way == "detach":
            target = (x * self.weight).detach()
        else:
            with torch.no_grad():
                target = x * self.weight
        return target * 3 + self.weight


def gradients(change):
    found = {}
    for way in ("no_grad", "detach"):
        model = change(torch.export.export(Model(way), (torch.ones(1),))).module()
        output = model(torch.ones(1))
        assert output.item() == 4
        output.backward()
        found[way] = model.weight.grad.item()
    return found


for name, change, expected in (
    ("exported", lambda program: program, [1, 1]),
    ("decomposed", lambda program: program.run_decompositions(), [4, 4]),
    ("by an empty table", lambda program: program.run_decompositions({}), [4, 1]),
):
    found = gradients(change)
    print(f"{name}:", found)
    assert list(found.values()) == expected
EOF
