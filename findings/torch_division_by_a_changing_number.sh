#!/usr/bin/env bash
# Guess: `try: 1 / n` with `except ZeroDivisionError`, and math.sqrt(n) with `except ValueError`, handle the zero and the
# negative number in a compiled function as in any other.
# Seen: the first call may be any number, zero included. Once the number has changed, it is a variable of the graph, what
# is computed of it is no longer in the `try`, and the error passes its `except`. `if n == 0` holds.
# torch 2.13.0, CPU, backend eager. Prints for 0 after 7 and 8: plain 100, compiled ZeroDivisionError, compiled with if
# 100, compiled as the first call 100; for the root of -1: plain 100, compiled ValueError.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import math

import torch


def divided(x, n):
    try:
        return x * (1 / n)
    except ZeroDivisionError:
        return x * 100


def guarded(x, n):
    return x * 100 if n == 0 else x * (1 / n)


def rooted(x, n):
    try:
        return x * math.sqrt(n)
    except ValueError:
        return x * 100


def last(function, *numbers):
    torch._dynamo.reset()
    function = torch.compile(function, backend="eager")
    for number in numbers:
        try:
            found = function(torch.ones(1), number).item()
        except (ZeroDivisionError, ValueError) as error:
            found = type(error).__name__
    return found


found = [divided(torch.ones(1), 0).item(), last(divided, 7, 8, 0), last(guarded, 7, 8, 0), last(divided, 0)]
print("zero:", *found)
assert found == [100, "ZeroDivisionError", 100, 100]
found = [rooted(torch.ones(1), -1).item(), last(rooted, 7, 8, -1)]
print("root:", *found)
assert found == [100, "ValueError"]
EOF
