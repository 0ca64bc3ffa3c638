#!/usr/bin/env bash
# Guess: `torch.set_num_threads(n)`, by which one finds the best number of threads, has nothing to do with compilation.
# Seen: the number of threads is guarded, as grad mode is. Each new number compiles every function again, and beyond
# recompile_limit numbers the function runs eagerly, with one warning in the log, so that what is measured is no longer it.
# torch 2.13.0, CPU. Prints how often a function is compiled for ten numbers of threads: 8 (the limit).
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
double = torch.compile(lambda x: x * 2, backend=counter)
for threads in range(1, 11):
    torch.set_num_threads(threads)
    double(torch.ones(3))
print("compiled", counter.frame_count)
assert counter.frame_count == torch._dynamo.config.recompile_limit == 8
EOF
