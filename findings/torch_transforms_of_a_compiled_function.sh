#!/usr/bin/env bash
# Guess: torch.func.grad, vmap and jvp of a compiled function run compiled code, or are refused; and forward-mode AD sees
# through it, whatever the backend.
# Seen: under the transforms nothing is compiled, in no call, and nothing is said; torch.compile around the transform
# compiles. Forward-mode AD with dual tensors finds no tangent behind inductor: it is None, which stands for zero, in
# place of an error. The backends eager and aot_eager give it.
# torch 2.13.0, CPU, with g++. Prints the graphs compiled: grad 0, vmap 0, jvp 0, torch.compile around grad 1; the
# tangent: eager 2, aot_eager 2, inductor None.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch
import torch.autograd.forward_ad as forward_ad
from torch._dynamo.testing import CompileCounter


def function(x):
    return (x * x).sum()


x = torch.ones(1)
graphs = {}
for name, call in {
    "grad": lambda compiled: torch.func.grad(compiled)(x),
    "vmap": lambda compiled: torch.func.vmap(compiled)(torch.ones(3, 1)),
    "jvp": lambda compiled: torch.func.jvp(compiled, (x,), (x,)),
}.items():
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(function, backend=counter)
    for _ in range(2):
        call(compiled)
    graphs[name] = counter.frame_count
counter = CompileCounter()
torch.compile(torch.func.grad(function), backend=counter)(x)
graphs["torch.compile around grad"] = counter.frame_count
print("graphs:", graphs)
assert list(graphs.values()) == [0, 0, 0, 1]
tangents = {}
for backend in ("eager", "aot_eager", "inductor"):
    torch._dynamo.reset()
    compiled = torch.compile(function, backend=backend)
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(compiled(forward_ad.make_dual(x, x))).tangent
    tangents[backend] = None if tangent is None else tangent.item()
print("tangents:", tangents)
assert tangents == {"eager": 2.0, "aot_eager": 2.0, "inductor": None}
EOF
