#!/usr/bin/env bash
# Guess: a tensor of unsigned bytes, as images, masks and labels are read, is compared with a number as Python and NumPy
# compare: no byte is -100, the mark of labels that are to be left out, and each is above -1 and below 300.
# Seen: the number is cut to a byte first, in compiled code too. Label 156 counts as -100, 0 as 256, none is above -1;
# clamp(min=-1) makes everything 255, and where() with -1 gives 255. Nothing is said, whereas fill_() and clamp(max=) of 300
# are refused. It is the same with int8. A tensor with a dimension in place of the number, torch.isin() and a float do well.
# torch 2.13.0, numpy 2.4.6, CPU, with g++. Prints for 0, 156, 255, by torch, compiled and by NumPy: == -100: F T F, F T F,
# F F F; > -1: F F F, F F F, T T T; < 300: T F F, T F F, T T T; clamp(min=-1): 255 255 255; with a tensor of -100: F F F.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import numpy as np
import torch

array = np.array([0, 156, 255], dtype=np.uint8)
labels = torch.from_numpy(array)


def compare(x):
    return x == -100, x > -1, x < 300


plain = [answers.tolist() for answers in compare(labels)]
compiled = [answers.tolist() for answers in torch.compile(compare)(labels)]
numpy = [answers.tolist() for answers in compare(array)]
print("torch", plain, "\ncompiled", compiled, "\nnumpy", numpy)
assert plain == compiled == [[False, True, False], [False, False, False], [True, False, False]]
assert numpy == [[False, False, False], [True, True, True], [True, True, True]]

clamped = labels.clamp(min=-1).tolist()
chosen = torch.where(labels == 0, -1, labels).tolist()
signed = (torch.tensor([-56], dtype=torch.int8) == 200).item()
print("clamp", clamped, "where", chosen, "int8", signed)
assert (clamped, chosen, signed) == ([255, 255, 255], [255, 156, 255], True)
sound = [
    (labels == torch.tensor([-100])).any().item(),
    torch.isin(labels, torch.tensor([-100])).any().item(),
    (labels == -100.0).any().item(),
]
print("tensor, isin, float:", sound)
assert sound == [False, False, False]
for refused in (lambda: labels.clone().fill_(300), lambda: labels.clamp(max=300)):
    try:
        refused()
    except RuntimeError as error:
        print(error)
    else:
        raise AssertionError
PROGRAM
