#!/usr/bin/env bash
# Guess: a model that draws noise draws another one in each session of onnxruntime, as two generators that nobody has
# seeded do; two workers of a service, with a session each, give different samples.
# Seen: all sessions of a process begin with the same numbers, and go through the same sequence. Another process has other
# ones. set_seed() before each session makes them differ.
# torch 2.13.0, onnx 1.23.2, onnxscript 0.7.2, onnxruntime 1.32.0, numpy 2.4.6, CPU. Prints whether two sessions agree in
# the first and in the second draw: True True; the two draws of one session: False; sessions with a seed of their own:
# False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6 onnx==1.23.2 onnxscript==0.7.2 onnxruntime==1.32.0
env/bin/python - <<'EOF'
import contextlib
import io
import warnings

import numpy as np
import onnxruntime
import torch

warnings.simplefilter("ignore")


class Model(torch.nn.Module):
    def forward(self, x):
        return x + torch.randn(8)


def draws(seed=None):
    if seed is not None:
        onnxruntime.set_seed(seed)
    session = onnxruntime.InferenceSession("model.onnx")
    return [session.run(None, {"x": np.zeros(8, dtype=np.float32)})[0].tolist() for _ in range(2)]


with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    torch.onnx.export(Model(), (torch.ones(8),), "model.onnx")
first, second = draws(), draws()
print("agree:", first[0] == second[0], first[1] == second[1])
assert first == second
print("draws of one session agree:", first[0] == first[1])
assert first[0] != first[1]
seeded = draws(1), draws(2)
print("with seeds:", seeded[0] == seeded[1])
assert seeded[0] != seeded[1]
EOF
