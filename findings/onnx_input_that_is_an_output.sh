#!/usr/bin/env bash
# Guess: the inputs of an exported model are called what the parameters of forward() are called, so a caller may write
# session.run(None, {"x": ...}).
# Seen: an input that the model also returns as it is, a mask or a cache say, is called x_orig, and the output has its
# name: the call is an error about a missing input. Names that are given by input_names stay.
# torch 2.13.0, onnx 1.23.2, onnxscript 0.7.2, onnxruntime 1.32.0, numpy 2.4.6, CPU. Prints the inputs and outputs: x and
# mask_orig, mul and mask; with names x and mask, y and kept.
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
    def forward(self, x, mask):
        return x * mask, mask


def names(**arguments):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        torch.onnx.export(Model(), (torch.ones(2), torch.ones(2)), "model.onnx", **arguments)
    session = onnxruntime.InferenceSession("model.onnx")
    found = [each.name for each in session.get_inputs()], [each.name for each in session.get_outputs()]
    print(*found)
    return found


assert names() == (["x", "mask_orig"], ["mul", "mask"])
given = {"input_names": ["x", "mask"], "output_names": ["y", "kept"]}
assert names(**given) == (["x", "mask"], ["y", "kept"])
EOF
