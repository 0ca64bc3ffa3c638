#!/usr/bin/env bash
# Guess: torch.set_flush_denormal(True), which by its documentation disables denormal numbers on the CPU and returns True
# where it could, holds for what torch computes from then on.
# Seen: it sets the mode of the thread that calls it. The threads among which torch divides a large operation keep theirs if
# they are there already: of one result the first part is flushed and the rest is not, so that a network of tiny activations
# is as slow as before, and the same row gives zero or not by its place in the batch. Called before the first large
# operation it holds for all.
# torch 2.13.0, numpy 2.4.6, CPU (x86), two threads. Prints how much of a product of a million is zero: called after a large
# operation 50 %, before it 100 %.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import subprocess
import sys

program = """
import torch

torch.set_num_threads(2)
if {late}:
    torch.ones(1_000_000) + 1
assert torch.set_flush_denormal(True)
small = torch.full((1_000_000,), 1e-20)
print(round((small * small == 0).double().mean().item() * 100))
"""
late, early = (
    int(subprocess.check_output([sys.executable, "-c", program.format(late=late)])) for late in (True, False)
)
print(f"after a large operation {late} %, before {early} %")
assert (late, early) == (50, 100)
PROGRAM
