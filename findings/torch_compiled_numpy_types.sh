#!/usr/bin/env bash
# Guess: NumPy code inside of torch.compile, which runs it as torch operations, gives what NumPy gives, with its types.
# Seen: results are narrower, or others, without a word. Two arrays of integers divided give float32 (NumPy: float64),
# so does where() of a float and an integer; the cumulative sum of int8 stays int8 and wraps around (NumPy: int64); the
# sign of nan is zero (NumPy: nan).
# torch 2.13.0, numpy 2.4.6, CPU, backend eager. Prints one line for each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'EOF'
import numpy as np
import torch

cases = {
    "integers divided": (lambda a: a / a, np.ones(3, np.int32)),
    "where": (lambda a: np.where(a > 0, 1, 0.5), np.ones(1, np.float32)),
    "cumulative sum": (lambda a: np.cumsum(a), np.array([100, 100], np.int8)),
    "sign of nan": (lambda a: np.sign(a), np.array([np.nan])),
}
found = {}
for name, (function, array) in cases.items():
    torch._dynamo.reset()
    plain, compiled = function(array), torch.compile(function, backend="eager")(array)
    found[name] = [(str(each.dtype), each.tolist()) for each in (plain, compiled)]
    print(name, found[name])
assert [each[0] for each in found["integers divided"]] == ["float64", "float32"]
assert [each[0] for each in found["where"]] == ["float64", "float32"]
assert found["cumulative sum"] == [("int64", [100, 200]), ("int8", [100, -56])]
assert str(found["sign of nan"][0][1]) == "[nan]" and found["sign of nan"][1][1] == [0.0]
EOF
