#!/usr/bin/env bash
# Guess: an exported program refuses what it was not exported for, as it does a tensor of another size, another integer
# and another text.
# Seen: it takes a tensor of another dtype, a tensor that asks for gradients and an integer or a tensor in the place of
# None, and does what it has recorded: a branch on any of these stays the one of the example, so that integers go through
# the code for floats, and an optional mask is not looked at. That holds for strict=True as well. A None in the place of a
# tensor is an error, though one about an attribute of None.
# torch 2.13.0, CPU. Prints: size refused, integer refused, text refused; dtype, gradients and None taken, with the result
# of the example's branch.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch


class Model(torch.nn.Module):
    def forward(self, x, mask, times, name):
        if mask is not None:
            return x * 1000
        if not x.is_floating_point():
            return x * 100
        if x.requires_grad:
            return x * 10
        return x * times


def result(program, *args):
    try:
        return program(*args)[0].item()
    except AssertionError:
        return "refused"


x = torch.ones(3)
calls = {
    "size": ((torch.ones(4), None, 2, "a"), "refused"),
    "integer": ((x, None, 3, "a"), "refused"),
    "text": ((x, None, 2, "b"), "refused"),
    "dtype": ((x.int(), None, 2, "a"), 2),
    "gradients": ((x.clone().requires_grad_(), None, 2, "a"), 2),
    "None": ((x, x, 2, "a"), 2),
}
for strict in (False, True):
    program = torch.export.export(Model(), (x, None, 2, "a"), strict=strict).module()
    found = {name: result(program, *args) for name, (args, _) in calls.items()}
    print(f"strict={strict}:", found)
    assert found == {name: expected for name, (_, expected) in calls.items()}
EOF
