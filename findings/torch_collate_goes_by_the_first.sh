#!/usr/bin/env bash
# Guess: the DataLoader makes of numbers what torch.tensor() makes of them, and refuses samples that do not have the same
# fields, as it refuses tensors of different sizes.
# Seen: the first sample of the batch decides. Numbers are float64 if the first is a float, and float32 if it is an integer
# and a later one is not, so that in a shuffled epoch the type changes from batch to batch, and a compiled model is compiled
# for both. Fields that the first sample does not have are dropped without a word; one that a later sample lacks is a
# KeyError.
# torch 2.13.0, numpy 2.4.6, CPU, backend eager. Prints the types of batches of 1 and 2.5, in both orders: float32 and
# float64, by torch.tensor() float32 twice; the compilations: 2; the fields of {"x"} and {"x", "weight"}: x, in the other
# order a KeyError.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import torch
from torch._dynamo.testing import CompileCounter
from torch.utils.data import DataLoader


def batch(samples):
    return next(iter(DataLoader(samples, batch_size=len(samples))))


orders = [1, 2.5], [2.5, 1]
types = [batch(order).dtype for order in orders]
direct = [torch.tensor(order).dtype for order in orders]
counter = CompileCounter()
double = torch.compile(lambda x: x * 2, backend=counter)
for order in orders:
    double(batch(order))
print("types", types, "torch.tensor", direct, "compilations", counter.frame_count)
assert types == [torch.float32, torch.float64] and direct == [torch.float32] * 2 and counter.frame_count == 2

plain, weighted = {"x": 1}, {"x": 2, "weight": 3}
fields = list(batch([plain, weighted]))
print("fields", fields)
assert fields == ["x"]
try:
    batch([weighted, plain])
except KeyError as error:
    print("KeyError", error)
else:
    raise AssertionError
PROGRAM
