#!/usr/bin/env bash
# Guess: torchdiffeq solves each row of a batch to the tolerances that are asked for, since no row depends on another: a
# sample that is tested alone gives about what it gave in its batch.
# Seen: the step is chosen by the error of the whole batch, as a root mean square. Of a row that moves among ones that stand
# still, as events are rare, next to nothing is seen: its result is off by a hundred times the tolerance and more, and the
# larger the batch the worse. A norm in the options that takes the largest error gives what the row gives alone.
# torchdiffeq 0.2.5, torch 2.13.0, numpy 2.4.6, scipy 1.17.1, CPU, tolerances 0.001. Prints the error of one row, whose
# value is 1.2: alone 0.02, among 100 rows that stand still 0.19, among 10000 0.95, there with the norm 0.02.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6 scipy==1.17.1 torchdiffeq==0.2.5
env/bin/python - <<'PROGRAM'
import math

import torch
from torchdiffeq import odeint


def error(rows, **options):
    moves = torch.zeros(rows, 1, dtype=torch.float64)
    moves[0] = 1
    start = torch.ones_like(moves)
    times = torch.tensor([0.0, 1.0], dtype=torch.float64)
    end = odeint(lambda t, y: torch.sin(10 * t) * y * moves, start, times, rtol=1e-3, atol=1e-3, **options)[-1]
    return abs(end[0].item() - math.exp((1 - math.cos(10)) / 10))


errors = [round(error(rows), 2) for rows in (1, 100, 10000)]
largest = round(error(10000, options={"norm": lambda y: y.abs().max()}), 2)
print("alone {}, among 100 {}, among 10000 {},".format(*errors), "with the norm", largest)
assert errors == [0.02, 0.19, 0.95] and largest == 0.02
PROGRAM
