#!/usr/bin/env bash
# Guess: `layer.compile()` compiles what `torch.compile(layer)` compiles; it only leaves the type of the layer alone.
# Seen: for torch's own layers and containers (Linear, Sequential, TransformerEncoderLayer) it compiles nothing, without a
# warning, and no graph break is counted. Modules of one's own inside of a Sequential are compiled, each by itself.
# torch 2.13.0, CPU. Prints the graphs by torch.compile(layer) and by layer.compile(): (1, 0), (1, 0), (1, 0), own (1, 1),
# two own in a Sequential (1, 2).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch
from torch._dynamo.testing import CompileCounter
from torch._dynamo.utils import counters


class Own(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x).relu()


def graphs(layer, in_place):
    torch._dynamo.reset()
    counter = CompileCounter()
    if in_place:
        layer.compile(backend=counter)
    else:
        layer = torch.compile(layer, backend=counter)
    layer(torch.ones(2, 4))
    assert not counters["graph_break"]
    return counter.frame_count


layers = {
    "Linear": (torch.nn.Linear(4, 4), (1, 0)),
    "Sequential": (torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()), (1, 0)),
    "TransformerEncoderLayer": (torch.nn.TransformerEncoderLayer(4, 2), (1, 0)),
    "own": (Own(), (1, 1)),
    "two own": (torch.nn.Sequential(Own(), Own()), (1, 2)),
}
for name, (layer, expected) in layers.items():
    found = graphs(layer, False), graphs(layer, True)
    print(name, found)
    assert found == expected
EOF
