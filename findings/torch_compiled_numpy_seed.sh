#!/usr/bin/env bash
# Guess: np.random.seed(0) before a call makes np.random.rand() inside of a compiled function repeatable.
# Seen: there it does nothing. The numbers come from torch's generator, which torch.manual_seed(0) seeds, and which in plain
# NumPy does nothing. The flag use_numpy_random_stream, off by default, gives NumPy's numbers.
# torch 2.13.0, numpy 2.4.6, CPU, backend eager. Prints which seed makes two calls equal: plain np; compiled torch; with the
# flag np.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'EOF'
import numpy as np
import torch
import torch._dynamo.config as config


def noise():
    return float(np.random.rand(1)[0])




def works(seed, function):
    calls = []
    for _ in range(2):
        seed(0)
        calls.append(function())
    return calls[0] == calls[1]


def seeds(function):
    return [name for name, seed in {"np": np.random.seed, "torch": torch.manual_seed}.items() if works(seed, function)]


compiled = torch.compile(noise, backend="eager")
found = {"plain": seeds(noise), "compiled": seeds(compiled)}
torch._dynamo.reset()
config.use_numpy_random_stream = True
found["with the flag"] = seeds(compiled)
print(found)
assert found == {"plain": ["np"], "compiled": ["torch"], "with the flag": ["np"]}
EOF
