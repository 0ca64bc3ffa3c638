#!/usr/bin/env bash
# Guess: a part of a loss that is switched off by the factor 0 is still computed, and a nan or an infinity in it makes the
# whole nan, compiled or not: 0 * nan is nan. And 0 is the same factor as 0.0.
# Seen: under inductor a tensor times the integer 0 is zero, whatever the tensor holds: log(0) * 0 looks sound, and a check
# of the loss by isnan() is False, while its gradients are nan. Times 0.0 it is nan, and so it is with the backend
# aot_eager. Where the factor is an argument, 0 gives zero at the first call, and nan once another factor has been given.
# torch 2.13.0, CPU, with g++. Prints the loss and its gradient: plain nan nan, inductor 0.0 nan, with 0.0 nan nan; for the
# factors 0, 1, 0 as an argument: 0.0 -inf nan; aot_eager: nan.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch


def switched_off(x):
    return (x.log() * 0).sum()


def switched_off_by_a_float(x):
    return (x.log() * 0.0).sum()


def weighted(x, factor):
    return (x.log() * factor).sum()


def loss_and_gradient(function):
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    loss = function(x)
    loss.backward()
    return f"{loss.item()} {x.grad[0].item()}"


found = [
    loss_and_gradient(switched_off),
    loss_and_gradient(torch.compile(switched_off)),
    loss_and_gradient(torch.compile(switched_off_by_a_float)),
]
print("plain, inductor, 0.0:", found)
assert found == ["nan nan", "0.0 nan", "nan nan"]

run = torch.compile(weighted)
found = [str(run(torch.tensor([0.0, 1.0]), factor).item()) for factor in (0, 1, 0)]
print("as an argument:", found)
assert found == ["0.0", "-inf", "nan"]

torch._dynamo.reset()
found = torch.compile(switched_off, backend="aot_eager")(torch.tensor([0.0, 1.0])).item()
print("aot_eager:", found)
assert found != found
EOF
