#!/usr/bin/env bash
# Guess: the mode "max-autotune-no-cudagraphs" compiles without CUDA graphs, and the mode "default" with Inductor's
# defaults.
# Seen: a mode sets what it turns on and leaves all else as it is. Where CUDA graphs have been turned on for the process, by
# the flag or by TORCHINDUCTOR_CUDAGRAPHS=1, both modes compile with them. Only an option turns them off for one function.
# torch 2.13.0, CPU, with g++. Prints triton.cudagraphs as compiled under TORCHINDUCTOR_CUDAGRAPHS=1: True, True, False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
cat > check.py <<'EOF'
import torch
import torch._inductor.config as config
from torch._inductor.custom_graph_pass import CustomGraphPass

seen = []


class Look(CustomGraphPass):
    def __call__(self, graph):
        seen.append(config.triton.cudagraphs)

    def uuid(self):
        return None


config.post_grad_custom_pre_pass = Look()
for how in ({"mode": "max-autotune-no-cudagraphs"}, {"mode": "default"}, {"options": {"triton.cudagraphs": False}}):
    torch._dynamo.reset()
    torch.compile(lambda x: x.relu() + 1, **how)(torch.ones(3))
    print(how, seen[-1])
assert seen == [True, True, False]
EOF
TORCHINDUCTOR_CUDAGRAPHS=1 env/bin/python check.py
