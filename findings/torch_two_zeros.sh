#!/usr/bin/env bash
# Guess: a number is compiled in only together with a guard that tells it from every other number; and -0.0, by which
# copysign, atan2 and 1/x tell the side of a limit, is another one than 0.0.
# Seen: the guard is `==`, to which both zeros are one. What was compiled for 0.0 answers for -0.0, and the other way round,
# as an argument and as a global.
# torch 2.13.0, CPU, backend eager. Prints 1/x at 0.0 and at -0.0: plain inf -inf, compiled inf inf, compiled for -0.0 first:
# -inf at 0.0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'PROGRAM'
import torch


def limit(x, at):
    return x / torch.full((1,), at)


def answers(function, *numbers):
    return [function(torch.ones(1), number).item() for number in numbers]


plain = answers(limit, 0.0, -0.0)
compiled = answers(torch.compile(limit, backend="eager"), 0.0, -0.0)
torch._dynamo.reset()
reverse = answers(torch.compile(limit, backend="eager"), -0.0, 0.0)
print(f"plain {plain}, compiled {compiled}, compiled for -0.0 first {reverse}")
inf = float("inf")
assert (plain, compiled, reverse) == ([inf, -inf], [inf, inf], [-inf, -inf])
PROGRAM
