#!/usr/bin/env bash
# Guess: what a distribution gives the probability 0 has the log-probability minus infinity, so impossible data are found by
# isinf(), and a likelihood is about the same in each type.
# Seen: Bernoulli, Categorical and Multinomial cut probabilities off at the epsilon of their type. The impossible has a
# finite log-probability: -15.9 in float32, -36.0 in float64, and in bfloat16 -4.8, that is 0.8 percent, so that a sum over
# data depends on the type by 20 for each such event, and ratios of importance are finite. Poisson and Geometric say minus
# infinity, and so does a Categorical that is given by logits.
# torch 2.13.0, numpy 2.4.6, CPU. Prints the log-probabilities: Bernoulli and Categorical -15.9 in float32, -36.0 in
# float64, -4.8 in bfloat16; Multinomial -15.9, Poisson, Geometric and Categorical by logits -inf.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import torch
from torch.distributions import Bernoulli, Categorical, Geometric, Multinomial, Poisson

one = torch.tensor(1)
by_type = {}
for dtype in (torch.float32, torch.float64, torch.bfloat16):
    bernoulli = Bernoulli(torch.tensor(0.0, dtype=dtype)).log_prob(one.to(dtype))
    categorical = Categorical(torch.tensor([1.0, 0.0], dtype=dtype)).log_prob(one)
    by_type[dtype] = round(bernoulli.item(), 1), round(categorical.item(), 1)
others = {
    "Multinomial": Multinomial(1, torch.tensor([1.0, 0.0])).log_prob(torch.tensor([0.0, 1.0])),
    "Poisson": Poisson(torch.tensor(0.0)).log_prob(one),
    "Geometric": Geometric(torch.tensor(1.0)).log_prob(one),
    "logits": Categorical(logits=torch.tensor([0.0, -torch.inf])).log_prob(one),
}
others = {name: round(value.item(), 1) for name, value in others.items()}
print(by_type, others)
assert by_type == {torch.float32: (-15.9,) * 2, torch.float64: (-36.0,) * 2, torch.bfloat16: (-4.8,) * 2}
assert others == {"Multinomial": -15.9, "Poisson": -torch.inf, "Geometric": -torch.inf, "logits": -torch.inf}
PROGRAM
