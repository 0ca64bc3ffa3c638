#!/usr/bin/env bash
# Guess: torch.utils.checkpoint trades time for memory and nothing else: a model that is trained with it ends up the same.
# Seen: what a module keeps of its inputs is kept twice, since the layer runs once more in the backward pass. BatchNorm
# takes two steps with its running statistics for each batch, so that a momentum of 0.1 acts as 0.19, and counts two
# batches. spectral_norm() takes two steps as well, and its gradients are those of another weight than the forward pass had.
# It is the same with use_reentrant=True and False. Those of BatchNorm are right, so nothing is to be seen in training.
# torch 2.13.0, numpy 2.4.6, CPU. Prints the running mean after one batch with mean 10, and the batches counted: plain 1 1,
# with use_reentrant True 1.9 2, False 1.9 2; whether the gradients of BatchNorm agree: True, of spectral_norm() False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import torch
from torch.utils.checkpoint import checkpoint


def train(**options):
    layer = torch.nn.BatchNorm1d(1)
    x = torch.tensor([[9.0], [11.0]], requires_grad=True)
    answer = checkpoint(layer, x, **options) if options else layer(x)
    answer.pow(3).sum().backward()
    return round(layer.running_mean.item(), 2), layer.num_batches_tracked.item(), layer.weight.grad.item()


plain, *checkpointed = train(), train(use_reentrant=True), train(use_reentrant=False)
print("plain", plain, "checkpointed", checkpointed)
assert plain[:2] == (1, 1)
assert all(found == (1.9, 2, plain[2]) for found in checkpointed)


def gradient(run):
    torch.manual_seed(0)
    layer = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(4, 4))
    x = torch.ones(1, 4, requires_grad=True)
    run(layer, x).sum().backward()
    return x.grad


same = torch.allclose(gradient(torch.nn.Module.__call__), gradient(lambda *of: checkpoint(*of, use_reentrant=False)))
print("spectral_norm:", same)
assert not same
PROGRAM
