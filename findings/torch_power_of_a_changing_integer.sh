#!/usr/bin/env bash
# Guess: (-1) ** step alternates in sign, compiled or not: an integer that changes from call to call becomes a variable of
# the graph, on which all arithmetic of Python's is done as Python does it.
# Seen: from the second value on the sign is a minus for good: the minus is taken for one in front of the power. The
# backends eager and aot_eager do so without a word, inductor ends in a RecursionError about nothing of the user's. With
# -1.0 in place of -1 it is an error, and so is the square of a float that changes, once that is negative. pow(-1, step)
# is right. In torch 2.14.1 and 2.15.0 it is no longer.
# torch 2.13.0, CPU. Prints for steps 2 to 5, by backend: eager and aot_eager 1 -1 -1 -1, inductor 1 and errors; pow() 1
# -1 1 -1; then -1.0: 1 and errors; then the squares of 1.5, 2.5 and -3.5: 2.25 6.25 and an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import logging

import torch

logging.disable(logging.CRITICAL)


def results(function, numbers, backend="eager"):
    torch._dynamo.reset()
    function = torch.compile(function, backend=backend)
    found = []
    for number in numbers:
        try:
            found.append(function(torch.ones(1), number).item())
        except RuntimeError:
            found.append("error")
    return found


def alternating(x, step):
    return x * (-1) ** step


steps = range(2, 6)
for backend, expected in (
    ("eager", [1, -1, -1, -1]),
    ("aot_eager", [1, -1, -1, -1]),
    ("inductor", [1, "error", "error", "error"]),
):
    found = results(alternating, steps, backend)
    print(f"{backend}:", *found)
    assert found == expected
found = results(lambda x, step: x * pow(-1, step), steps)
print("pow():", *found)
assert found == [1, -1, 1, -1]
found = results(lambda x, step: x * (-1.0) ** step, steps)
print("-1.0:", *found)
assert found == [1, "error", "error", "error"]
found = results(lambda x, number: x * number**2, [1.5, 2.5, -3.5])
print("squares:", *found)
assert found == [2.25, 6.25, "error"]
EOF
