#!/usr/bin/env bash
# Guess: the stances fail_on_recompile and eager_on_recompile are about compiling again, so a service may set one of them
# when it starts: what has never been compiled is compiled at its first call, once.
# Seen: a first compilation counts as one more. Under eager_on_recompile nothing is ever compiled, without a word, and under
# fail_on_recompile the first call is the error, about a recompilation of what was never compiled.
# torch 2.13.0, CPU, backend eager. Prints: eager_on_recompile: compiled 0 times in 3 calls; fail_on_recompile: the error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch
from torch._dynamo.testing import CompileCounter

counter = CompileCounter()
function = torch.compile(lambda x: x + 1, backend=counter)
torch.compiler.set_stance("eager_on_recompile")
for _ in range(3):
    function(torch.ones(3))
print(f"eager_on_recompile: compiled {counter.frame_count} times in 3 calls")
assert counter.frame_count == 0
torch.compiler.set_stance("fail_on_recompile")
try:
    function(torch.ones(3))
    error = "none"
except RuntimeError as caught:
    error = str(caught)
print("fail_on_recompile:", error.partition(" filename")[0])
assert "Detected recompile" in error
torch.compiler.set_stance("default")
function(torch.ones(3))
assert counter.frame_count == 1
EOF
