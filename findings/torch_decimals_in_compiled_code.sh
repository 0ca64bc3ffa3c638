#!/usr/bin/env bash
# Guess: a decimal.Decimal, as configurations and schedules in exact steps hold it, is to torch.compile what any object of
# the standard library is: guarded, like Fraction, or a graph break.
# Seen: what a comparison with it has given is compiled in, with no guard on the value: of another Decimal the answer to
# the first is given. float(decimal) ends the call with an internal error, a RecursionError, which no `fullgraph` was
# asked for. Fractions do well in both.
# torch 2.13.0, CPU, backend eager. Prints whether 1.5 and then 0.5 are above 1: Fraction True False, Decimal True True;
# and float() of them: Fraction 1.5 0.5, Decimal InternalTorchDynamoError, twice.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import logging
from decimal import Decimal
from fractions import Fraction

import torch

logging.disable(logging.CRITICAL)


def results(function, kind):
    torch._dynamo.reset()
    function = torch.compile(function, backend="eager")
    found = []
    for text in ("1.5", "0.5"):
        try:
            found.append(function(torch.ones(1), kind(text)).item())
        except RuntimeError as error:
            found.append(type(error).__name__)
    return found


def above(x, limit):
    return x > 0 if limit > 1 else x < 0


def times(x, factor):
    return x * float(factor)


for kind, expected in ((Fraction, [True, False]), (Decimal, [True, True])):
    found = results(above, kind)
    print(kind.__name__, "above 1:", *found)
    assert found == expected
for kind, expected in ((Fraction, [1.5, 0.5]), (Decimal, ["InternalTorchDynamoError"] * 2)):
    found = results(times, kind)
    print(kind.__name__, "float():", *found)
    assert found == expected
EOF
