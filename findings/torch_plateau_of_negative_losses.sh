#!/usr/bin/env bash
# Guess: ReduceLROnPlateau lowers the rate once the loss has stood still for longer than its patience, whatever the loss is:
# a log-likelihood of densities, an ELBO or a reward is often negative.
# Seen: the threshold is a share of the best value, which lies on the wrong side of a negative one. A loss that stands still
# at -1, or rises little by little, is an improvement in each epoch: the rate is never lowered, and what counts as the best
# gets worse. In the mode "max" it is the same. threshold_mode="abs" is right.
# torch 2.13.0, numpy 2.4.6, CPU. Prints the rate after 12 epochs with patience 2: at 1 0.125, at -1 1, rising from -1 1,
# with "abs" 0.125; "max": at 1 0.125, at -1 1; and the best of the rising one: -0.99945, in place of -1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import torch


def schedule(losses, **options):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=2, **options)
    for loss in losses:
        scheduler.step(loss)
    return optimizer.param_groups[0]["lr"], scheduler.best


rising = [-1 + 0.00005 * epoch for epoch in range(12)]
rates = {
    "at 1": schedule([1.0] * 12)[0],
    "at -1": schedule([-1.0] * 12)[0],
    "rising": schedule(rising)[0],
    "rising, abs": schedule(rising, threshold_mode="abs")[0],
    "max at 1": schedule([1.0] * 12, mode="max")[0],
    "max at -1": schedule([-1.0] * 12, mode="max")[0],
}
best = round(schedule(rising)[1], 5)
print(rates, "best", best)
assert rates == {
    "at 1": 0.125,
    "at -1": 1,
    "rising": 1,
    "rising, abs": 0.125,
    "max at 1": 0.125,
    "max at -1": 1,
}
assert best == -0.99945
PROGRAM
