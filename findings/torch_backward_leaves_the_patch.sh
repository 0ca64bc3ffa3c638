#!/usr/bin/env bash
# Guess: a function that is first called inside `torch._inductor.config.patch(...)` is compiled with that value, all of it.
# Seen: only the forward is. The backward is compiled at the first backward(), with what is in force then. The same value as
# an option of torch.compile holds for both.
# torch 2.13.0, CPU. Prints: patch [7, 64], options [7, 7].
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch
import torch._inductor.config as config
from torch._inductor.custom_graph_pass import CustomGraphPass


class Look(CustomGraphPass):
    """Notes the value with which each graph is compiled."""

    def __call__(self, graph):
        seen.append(config.max_fusion_size)

    def uuid(self):
        return None


def values(options=None, **patched):
    torch._dynamo.reset()
    seen.clear()
    compiled = torch.compile(lambda x: (x.sin() * x).sum(), options=options)
    with config.patch(patched):
        loss = compiled(torch.ones(8, requires_grad=True))
    loss.backward()
    return list(seen)


seen = []
config.post_grad_custom_post_pass = Look()
patch, options = values(max_fusion_size=7), values({"max_fusion_size": 7})
print("patch", patch, "options", options)
assert patch == [7, 64]
assert options == [7, 7]
EOF
