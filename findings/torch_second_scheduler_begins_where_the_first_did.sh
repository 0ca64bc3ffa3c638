#!/usr/bin/env bash
# Guess: a second scheduler on the same optimizer, for the next phase of training, begins with the rate that has been set in
# the groups in between; all schedulers of torch's do the same there.
# Seen: it depends on the scheduler. The first one has left initial_lr in the groups, which LambdaLR and
# CosineAnnealingWarmRestarts compute from: a model that is to be fine-tuned at a hundredth of the rate gets the whole rate.
# StepLR, ExponentialLR and CosineAnnealingLR go on from what is set. With initial_lr deleted from the groups, LambdaLR does
# too.
# torch 2.13.0, numpy 2.4.6, CPU. Prints the rate under a second scheduler, set from 1 to 0.01: LambdaLR 1,
# CosineAnnealingWarmRestarts 1, StepLR 0.01, ExponentialLR 0.01, CosineAnnealingLR 0.01; LambdaLR once initial_lr is gone
# 0.01.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import torch
from torch.optim import lr_scheduler


def rate(name, *arguments, keep=True):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    schedule = getattr(lr_scheduler, name)
    first = schedule(optimizer, *arguments)
    optimizer.step()
    first.step()
    (group,) = optimizer.param_groups
    group["lr"] = 0.01
    if not keep:
        del group["initial_lr"]
    schedule(optimizer, *arguments)
    return group["lr"]


def constant(epoch):
    return 1.0


rates = {
    "LambdaLR": rate("LambdaLR", constant),
    "CosineAnnealingWarmRestarts": rate("CosineAnnealingWarmRestarts", 10),
    "StepLR": rate("StepLR", 5),
    "ExponentialLR": rate("ExponentialLR", 0.9),
    "CosineAnnealingLR": rate("CosineAnnealingLR", 10),
    "without initial_lr": rate("LambdaLR", constant, keep=False),
}
print(rates)
assert list(rates.values()) == [1, 1, 0.01, 0.01, 0.01, 0.01]
PROGRAM
