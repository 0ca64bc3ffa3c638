#!/usr/bin/env bash
# Guess: `accelerate launch --dynamo_backend inductor` compiles as torch.compile(model) does, and as Accelerator(
# dynamo_backend="inductor") does without the launcher: after the second batch size or length, sizes are dynamic. And
# ACCELERATE_DYNAMO_BACKEND, which the launcher sets for its workers, may be set in the shell.
# Seen: under the launcher dynamic=False is passed, so that each size is compiled anew until recompile_limit is reached, and
# then the model runs eagerly; that holds too where only the code asks for a backend. The switch
# --dynamo_use_dynamic can say True, and nothing says what torch takes by default. The launcher overwrites the shell's
# variable with NO, and does not tell.
# accelerate 1.15.0, torch 2.13.0, numpy 2.4.6, CPU, backend eager. Prints the graphs for six sizes: by the launcher 6, by code
# 2, by code under the launcher 6, by the shell's variable 2, by the same under the launcher: not compiled.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet accelerate==1.15.0 torch==2.13.0 numpy==2.4.6
cat > train.py <<'PROGRAM'
import sys

import torch
from accelerate import Accelerator
from torch._dynamo.utils import counters

arguments = {"dynamo_backend": sys.argv[1]} if sys.argv[1:] else {}
model = Accelerator(cpu=True, **arguments).prepare(torch.nn.Linear(4, 4))
for size in range(2, 8):
    model(torch.ones(size, 4))
print("graphs:", counters["stats"]["unique_graphs"])
PROGRAM
export HF_HUB_OFFLINE=1 PATH="$PWD/env/bin:$PATH"
expect() {
    wanted=$1 name=$2
    shift 2
    found=$("$@" 2> log.txt | grep "^graphs: ")
    echo "$name: $found"
    test "$found" = "graphs: $wanted"
}
launch=(accelerate launch --cpu --num_processes 1)
expect 6 "launcher" "${launch[@]}" --dynamo_backend eager train.py
expect 2 "code" python train.py eager
expect 6 "code under the launcher" "${launch[@]}" train.py eager
expect 2 "variable" env ACCELERATE_DYNAMO_BACKEND=EAGER python train.py
expect 0 "variable under the launcher" env ACCELERATE_DYNAMO_BACKEND=EAGER "${launch[@]}" train.py
