#!/usr/bin/env bash
# Guess: a block that has been compiled with a backend, options or disable=True of its own keeps them when a compiled
# function calls it; and if the outer one won, it would win in everything.
# Seen: backend, options (a mode is a set of options) and disable=True of the inner one are dropped without a word: the
# block becomes a part of the outer graph. Its fullgraph=True is kept, and is an error where the outer function asks for
# nothing of the sort. Only torch.compiler.disable keeps a block out.
# torch 2.13.0, CPU, with g++. Prints max_fusion_size as compiled: alone 7, called by a compiled function 64; then the outer
# graph's operations, of three: disable=True 3, torch.compiler.disable 1; then: fullgraph of the inner one: Unsupported.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
cat > check.py <<'EOF'
import torch
import torch._inductor.config as config
from torch._dynamo.testing import CompileCounter
from torch._inductor.custom_graph_pass import CustomGraphPass

seen = []


class Look(CustomGraphPass):
    def __call__(self, graph):
        seen.append(config.max_fusion_size)

    def uuid(self):
        return None


def block(x):
    return x.relu() + 1


def noisy(x):
    print(end="")
    return x + 1


config.post_grad_custom_pre_pass = Look()
x = torch.ones(3)
inner = torch.compile(block, options={"max_fusion_size": 7})
inner(x)
torch.compile(lambda x: inner(x) * 2)(x)
print("max_fusion_size: alone, called:", seen)
assert seen == [7, 64]

found = []
for unit in (torch.compile(block, disable=True), torch.compiler.disable(block)):
    counter = CompileCounter()
    torch.compile(lambda x, unit=unit: unit(x) * 2, backend=counter)(x)
    found.append(counter.op_count)
print("operations: disable=True, torch.compiler.disable:", found)
assert found == [3, 1]

whole = torch.compile(noisy, backend="eager", fullgraph=True)
try:
    torch.compile(lambda x: whole(x) * 2, backend="eager")(x)
    result = "compiled"
except torch._dynamo.exc.Unsupported:
    result = "Unsupported"
print("fullgraph of the inner one:", result)
assert result == "Unsupported"
EOF
env/bin/python check.py
