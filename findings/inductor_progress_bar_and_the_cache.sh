#!/usr/bin/env bash
# Guess: `torch._inductor.config.verbose_progress`, which prints a progress bar, has nothing to do with compiled code.
# Seen: it is a part of the key of the cache of compiled graphs: a process that turns it on compiles everything again.
# torch 2.13.0, CPU. Prints (hits, misses): first (0, 1), again (1, 0), with the bar (0, 1).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
export TORCHINDUCTOR_CACHE_DIR=$folder/cache
env/bin/python - <<'EOF'
import torch
import torch._functorch.config
import torch._inductor.config as config
from torch._dynamo.utils import counters

torch._functorch.config.enable_autograd_cache = False


def compiled():
    torch._dynamo.reset()
    counters.clear()
    torch.compile(lambda x: x.sin() + 1)(torch.ones(8))
    return counters["inductor"]["fxgraph_cache_hit"], counters["inductor"]["fxgraph_cache_miss"]


first, again = compiled(), compiled()
config.verbose_progress = True
bar = compiled()
print("first", first, "again", again, "with the bar", bar)
assert (first, again, bar) == ((0, 1), (1, 0), (0, 1))
EOF
