#!/usr/bin/env bash
# Guess: the cache of compiled graphs (`fx_graph_cache`) is keyed by Inductor's configuration, so a changed flag is a miss.
# Seen: a flag that is a dict or a list and is changed in place is no miss once the key has been made: `get_hash()` stays as
# it was, and the code that was compiled without the change is served. Assigning an equal dict is a miss.
# torch 2.13.0, CPU. Prints (hits, misses): first (0, 1), in place (1, 0), assigned (0, 1).
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
    torch.compile(lambda x: (x.sin() + x.cos()) * 2)(torch.ones(8))
    return counters["inductor"]["fxgraph_cache_hit"], counters["inductor"]["fxgraph_cache_miss"]


first = compiled()
config.post_grad_fusion_options["decompose_mm_pass"] = {}
in_place = compiled()
config.post_grad_fusion_options = {"decompose_mm_pass": {}}
assigned = compiled()
print("first", first, "in place", in_place, "assigned", assigned)
assert first == assigned == (0, 1)
assert in_place == (1, 0)
EOF
