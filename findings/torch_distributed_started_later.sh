#!/usr/bin/env bash
# Guess: `if torch.distributed.is_initialized():` in a compiled function, around the reduction of a loss or a metric, is
# asked at each call, or guarded as grad mode is.
# Seen: the answer is built into the graph. Of a function that has run once before init_process_group(), to warm it up or
# to try the model out, each rank computes alone from then on, and nothing is said; after destroy_process_group() it is
# the other way round.
# torch 2.13.0, CPU, backend eager. Prints the answers: plain, before the start, after it, and after the end: False True
# False; compiled before the start and asked again after it: False False; compiled after it, and asked again after the
# end: True True.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch
import torch.distributed as dist


def started(x):
    return x + 1 if dist.is_initialized() else x * 2


def answer(function):
    return function(torch.zeros(1)).item() == 1


early = torch.compile(started, backend="eager")
found = {"plain": [answer(started)], "compiled": [answer(early)]}
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
found["plain"].append(answer(started))
found["compiled"].append(answer(early))
torch._dynamo.reset()
late = torch.compile(started, backend="eager")
found["compiled after the start"] = [answer(late)]
dist.destroy_process_group()
found["plain"].append(answer(started))
found["compiled after the start"].append(answer(late))
print(found)
assert found["plain"] == [False, True, False]
assert found["compiled"] == [False, False]
assert found["compiled after the start"] == [True, True]
EOF
