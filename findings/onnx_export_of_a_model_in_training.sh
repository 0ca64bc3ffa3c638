#!/usr/bin/env bash
# Guess: torch.onnx.export() makes a model for inference, as it has always done by default, whatever mode the model is
# in; or it takes the mode as it is, for all layers.
# Seen: the exporter that is the default now leaves dropout in a model that is in training mode, and onnxruntime drops at
# each run; batch normalization is exported for inference, with the running statistics. A warning names the mode, and not
# that only half of it is taken. The former exporter, dynamo=False, writes both for inference.
# torch 2.13.0, onnx 1.23.2, onnxscript 0.7.2, onnxruntime 1.32.0, numpy 2.4.6, CPU. Prints whether the outputs of dropout
# are its inputs, and whether those of the normalization are: now False True, former True True, now after eval() True
# True.
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
    def __init__(self):
        super().__init__()
        self.dropout = torch.nn.Dropout(0.5)
        self.norm = torch.nn.BatchNorm1d(2)

    def forward(self, x):
        return self.dropout(x), self.norm(x)


def unchanged(model, **arguments):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        torch.onnx.export(model, (torch.ones(64, 2),), "model.onnx", **arguments)
    session = onnxruntime.InferenceSession("model.onnx")
    x = np.arange(128, dtype=np.float32).reshape(64, 2)
    outputs = session.run(None, {session.get_inputs()[0].name: x})
    return [bool(np.allclose(x, output, rtol=1e-3)) for output in outputs]


found = {
    "now": unchanged(Model().train()),
    "former": unchanged(Model().train(), dynamo=False),
    "now, after eval()": unchanged(Model().eval()),
}
print(found)
assert list(found.values()) == [[False, True], [True, True], [True, True]]
EOF
