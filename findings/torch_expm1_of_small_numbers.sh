#!/usr/bin/env bash
# Guess: torch.expm1(x) is exact for small x, compiled or not, since that is all that it is for; atanh(x) and elu(x) are
# about x there.
# Seen: inductor on the CPU computes exp(x) - 1 in the tensor's own type. In float32, 1e-7 becomes 1.19e-7 and 1e-8 becomes
# zero; in float64 it is 1e-16. atanh() and the negative side of elu() and celu() go the same way. The backend aot_eager is
# right, and so are log1p(), sinh() and tanh() under inductor. In torch 2.15.0 expm1() and elu() are right.
# torch 2.13.0, numpy 2.4.6, CPU, with g++. Prints each of 1e-8 (elu: of -1e-8), divided by it: plain 1, aot_eager 1,
# inductor expm1 0, atanh 0, elu 0, log1p 1, sinh 1, tanh 1; expm1 of 1e-7: 1.19; of 1e-16 in float64: 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import torch


def small(x):
    elu = -torch.nn.functional.elu(-x)
    return torch.expm1(x), torch.atanh(x), elu, torch.log1p(x), torch.sinh(x), torch.tanh(x)


def ratios(function, number, dtype=torch.float32):
    x = torch.full((8,), number, dtype=dtype)
    return [round((result / x)[0].item(), 2) for result in function(x)]


plain, inductor = ratios(small, 1e-8), ratios(torch.compile(small), 1e-8)
aot_eager = ratios(torch.compile(small, backend="aot_eager"), 1e-8)
print("plain", plain, "aot_eager", aot_eager, "inductor", inductor)
assert plain == aot_eager == [1] * 6 and inductor == [0, 0, 0, 1, 1, 1]
larger, double = ratios(torch.compile(small), 1e-7)[0], ratios(torch.compile(small), 1e-16, torch.float64)[0]
print("1e-7:", larger, "1e-16 in float64:", double)
assert (larger, double) == (1.19, 0) and ratios(small, 1e-16, torch.float64)[0] == 1
PROGRAM
