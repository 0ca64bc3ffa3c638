#!/usr/bin/env bash
# Guess: torch.distributed.checkpoint.load() fills in what save() wrote, key by key, whether a value is a tensor or a
# number, or says what it cannot fill in, as it does where a tensor has another shape.
# Seen: under a key that is a whole number, a tensor is filled in, and a number is not: it arrives under the key as a
# text, beside the old value, which stays. And a tensor of another dtype is taken without a word: fractions that are
# loaded into integers lose what is behind the point.
# torch 2.13.0, CPU, one process. Prints what {0: a tensor of 0.5, 1: 7, "last": 7} is after loading into zeros: 0: 0.5,
# 1: 0, last: 7 and '1': 7; into integers: 0: 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import warnings

import torch
import torch.distributed.checkpoint as checkpoint

warnings.simplefilter("ignore")


def loaded(dtype):
    state = {"layers": {0: torch.zeros(1, dtype=dtype), 1: 0, "last": 0}}
    checkpoint.load(state, checkpoint_id="saved")
    state["layers"][0] = state["layers"][0].item()
    print(dtype, state["layers"])
    return state["layers"]


checkpoint.save({"layers": {0: torch.tensor([0.5]), 1: 7, "last": 7}}, checkpoint_id="saved")
assert loaded(torch.float32) == {0: 0.5, 1: 0, "last": 7, "1": 7}
assert loaded(torch.int64)[0] == 0
EOF
