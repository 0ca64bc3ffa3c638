#!/usr/bin/env bash
# Guess: a model that is exported to ONNX gives what it gives in torch, with nan where torch has nan, so that a check of
# the outputs finds a broken input; and angles by atan2 are the same.
# Seen: in onnxruntime on the CPU the maximum of numbers with a nan among them is that of the others, and so is
# max-pooling; the index is that of a number. atan2, which ONNX has no operator for, gives minus pi for a point on the
# left at height zero, where torch gives pi, and zero for nan. Sums, relu and sorting keep the nan.
# torch 2.13.0, onnx 1.23.2, onnxscript 0.7.2, onnxruntime 1.32.0, numpy 2.4.6, CPU. Prints of 1, nan, 2, by torch and by
# onnxruntime: max nan 2, pool nan 2, index 1 2, sum nan nan, relu at the second nan nan; then atan2(0, -1): 3.14 -3.14,
# atan2(nan, 1): nan 0.
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

import onnxruntime
import torch

warnings.simplefilter("ignore")


class Model(torch.nn.Module):
    def forward(self, x, y):
        pooled = torch.nn.functional.max_pool1d(x[None, None], 3)[0, 0, 0]
        relu = torch.nn.functional.relu(x)[1]
        return x.max(), pooled, x.argmax(), x.sum(), relu, torch.atan2(y, y.flip(0))[0]


model = Model()
x, y = torch.ones(3), torch.ones(2)
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    torch.onnx.export(model, (x, y), "model.onnx")
session = onnxruntime.InferenceSession("model.onnx")
names = [each.name for each in session.get_inputs()]


def both(x, y):
    inputs = torch.tensor(x), torch.tensor(y)
    by_runtime = session.run(None, {name: each.numpy() for name, each in zip(names, inputs)})
    return [[str(round(float(each), 2)) for each in outputs] for outputs in (model(*inputs), by_runtime)]


nan = float("nan")
by_torch, by_runtime = both([1.0, nan, 2.0], [nan, 1.0])
print("torch:", *by_torch)
print("onnxruntime:", *by_runtime)
assert by_torch == ["nan", "nan", "1.0", "nan", "nan", "nan"]
assert by_runtime == ["2.0", "2.0", "2.0", "nan", "nan", "0.0"]
by_torch, by_runtime = both([1.0, 3.0, 2.0], [0.0, -1.0])
print("atan2(0, -1):", by_torch[-1], by_runtime[-1])
assert by_torch[:-1] == by_runtime[:-1]
assert (by_torch[-1], by_runtime[-1]) == ("3.14", "-3.14")
EOF
