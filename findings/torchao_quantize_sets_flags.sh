#!/usr/bin/env bash
# Guess: torchao's `quantize_(model, ...)` changes the model that it is given, and nothing else.
# Seen: it also turns on three flags of Inductor for everything that is compiled from then on: coordinate_descent_tuning,
# coordinate_descent_check_all_directions and force_fuse_int_mm_with_mul. `set_inductor_config=False` in the configuration
# leaves them alone.
# torch 2.13.0, torchao 0.18.0, CPU. Prints what has changed: by default the three, with set_inductor_config=False nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 torchao==0.18.0
for keep in True False; do
    env/bin/python - "$keep" <<'EOF'
import sys

import torch
import torch._inductor.config as config
from torchao.quantization import Int8WeightOnlyConfig, quantize_

by_default = sys.argv[1] == "True"
before = config.get_config_copy()
model = torch.nn.Sequential(torch.nn.Linear(32, 32))
quantize_(model, Int8WeightOnlyConfig() if by_default else Int8WeightOnlyConfig(set_inductor_config=False))
changed = sorted(name for name, value in config.get_config_copy().items() if value != before[name])
print("by default:" if by_default else "set_inductor_config=False:", changed)
tuned = ["coordinate_descent_check_all_directions", "coordinate_descent_tuning", "force_fuse_int_mm_with_mul"]
assert changed == (tuned if by_default else [])
EOF
done
