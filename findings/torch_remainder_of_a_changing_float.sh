#!/usr/bin/env bash
# Guess: t % 1.0, the phase of a cycle say, is computed in a compiled function for each t, as t * 2 and math.sin(t) are.
# Seen: once t changes, it is 0 where it is given back as a number: that is what is left of an integer. Where it is
# multiplied with a tensor, compilation ends in an AttributeError about a class of torch's own. t - t // 1 is right. Under
# the backend eager all of it is, so that what one looks for is not to be found with it.
# torch 2.13.0, CPU, backends eager and aot_eager; inductor does as the latter. Prints the remainders of 1.25, 2.5 and
# 3.75: eager 0.25 0.5 0.75, aot_eager 0.25 0 0; as factors: aot_eager 0.25 and errors, by // 0.25 0.5 0.75.
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


def results(function, backend):
    torch._dynamo.reset()
    function = torch.compile(function, backend=backend)
    found = []
    for time in (1.25, 2.5, 3.75):
        try:
            found.append(float(function(torch.ones(1), time)))
        except RuntimeError as error:
            assert "AttributeError" in str(error)
            found.append("error")
    print(backend, *found)
    return found


def remainder(x, time):
    kept.append(x * time)
    return time % 1.0


kept = []
assert results(remainder, "eager") == [0.25, 0.5, 0.75]
assert results(remainder, "aot_eager") == [0.25, 0, 0]
assert results(lambda x, time: x * (time % 1.0), "aot_eager") == [0.25, "error", "error"]
assert results(lambda x, time: x * (time - time // 1), "aot_eager") == [0.25, 0.5, 0.75]
EOF
