#!/usr/bin/env bash
# Guess: x.half().float() rounds to half precision, compiled or not, for one asks for it to see what a smaller type would
# make of the numbers: the error of quantization, or whether they overflow.
# Seen: inductor takes both casts out. The error is exactly zero, and what is too large for the type is not infinite, by
# isinf() on the half tensor either. What leaves the function as half is rounded; float8 is, too. The flag
# emulate_precision_casts rounds in between; backends other than inductor do anyway.
# torch 2.13.0, CPU, with g++. Prints the errors of 0.1 and whether 70000 overflows: half: plain -2.4e-05 True, aot_eager
# the same, inductor 0 False, with the flag as plain; float8: inductor as plain.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch

x = torch.tensor([0.1, 70000.0])


def tried(x, dtype):
    smaller = x.to(dtype)
    return smaller.float() - x, smaller.float().isinf()


def results(dtype, **arguments):
    torch._dynamo.reset()
    function = torch.compile(tried, **arguments) if arguments else tried
    error, overflows = function(x, dtype)
    found = error[0].item(), overflows[1].item()
    print(dtype, arguments or "plain", *found)
    return found


plain = results(torch.float16)
assert plain[0] != 0 and plain[1]
assert results(torch.float16, backend="aot_eager") == plain
assert results(torch.float16, backend="inductor") == (0, False)
assert results(torch.float16, backend="inductor", options={"emulate_precision_casts": True}) == plain
assert results(torch.float8_e5m2, backend="inductor") == results(torch.float8_e5m2)
isinf = torch.compile(lambda x: x.half().isinf())(x)
assert isinf.tolist() == [False, False]
EOF
