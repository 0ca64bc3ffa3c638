#!/usr/bin/env bash
# Guess: torch.utils.flop_counter.FlopCounterMode counts at least the matrix products of a model, the same ones in
# evaluation as in training, or says which operations it has no formula for.
# Seen: what torch computes in one fused operation counts as nothing: a TransformerEncoderLayer in evaluation, an LSTM
# always, and scaled_dot_product_attention() on the CPU. A product of a matrix and a vector by `@` is nothing either, and as
# a row times a matrix it is counted. Nothing is said.
# torch 2.13.0, numpy 2.4.6, CPU. Prints the operations: encoder layer in training more than 40000, in evaluation 0; LSTM 0;
# attention 0, written out 3200; vector as a column 0, as a row 256.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import torch
from torch.utils.flop_counter import FlopCounterMode

x = torch.ones(2, 5, 16)
layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)


def flops(run):
    with FlopCounterMode(display=False) as counter:
        run()
    return counter.get_total_flops()


def evaluation():
    with torch.no_grad():
        layer.eval()(x)


matrix = torch.ones(8, 16)
found = {
    "training": flops(lambda: layer.train()(x)),
    "evaluation": flops(evaluation),
    "LSTM": flops(lambda: torch.nn.LSTM(16, 16)(x)),
    "attention": flops(lambda: torch.nn.functional.scaled_dot_product_attention(x[None], x[None], x[None])),
    "written out": flops(lambda: (x @ x.mT / 4).softmax(-1) @ x),
    "column": flops(lambda: matrix @ torch.ones(16)),
    "row": flops(lambda: torch.ones(16) @ matrix.mT),
}
print(found)
assert found.pop("training") > 40000
assert found == {"evaluation": 0, "LSTM": 0, "attention": 0, "written out": 3200, "column": 0, "row": 256}
PROGRAM
