#!/usr/bin/env bash
# Guess: torch.autocast computes in the smaller type with the weights as they are at each call; where it begins, around one
# step or around the whole loop, is a matter of taste. Its cache of cast weights is cleared when a weight changes.
# Seen: the cache is kept until autocast ends. In a loop inside of it the model answers as before its first step: the
# optimizer changes the weights, and the loss does not move. So it is after load_state_dict(). Weights that need no gradient
# are cast anew; cache_enabled=False, or entering autocast at each step, is right.
# torch 2.13.0, numpy 2.4.6, CPU. Prints the model's answers in three steps, which take 0.5 from the weight: around each
# step 1 0.5 0, around the loop 1 1 1, the weight after it -0.5, without the cache 1 0.5 0; after loading 5: 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import torch


def model():
    layer = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.ones_(layer.weight)
    return layer


def step(layer):
    layer.zero_grad()
    answer = layer(torch.ones(1, 1))
    answer.sum().backward()
    torch.optim.SGD(layer.parameters(), lr=0.5).step()
    return answer.item()


def autocast(**options):
    return torch.autocast("cpu", dtype=torch.bfloat16, **options)


def around_each():
    layer = model()
    answers = []
    for _ in range(3):
        with autocast():
            answers.append(step(layer))
    return answers, layer.weight.item()


def around_the_loop(**options):
    layer = model()
    with autocast(**options):
        answers = [step(layer) for _ in range(3)]
    return answers, layer.weight.item()


def after_loading():
    layer = model()
    with autocast():
        layer(torch.ones(1, 1))
        layer.load_state_dict({"weight": torch.full((1, 1), 5.0)})
        return layer(torch.ones(1, 1)).item()


found = around_each(), around_the_loop(), around_the_loop(cache_enabled=False), after_loading()
print("each step {}, loop {}, without the cache {}, after loading {}".format(*found))
assert found == (([1, 0.5, 0], -0.5), ([1, 1, 1], -0.5), ([1, 0.5, 0], -0.5), 1)
frozen = model().requires_grad_(False)
with autocast():
    frozen(torch.ones(1, 1))
    frozen.weight.fill_(5)
    assert frozen(torch.ones(1, 1)).item() == 5
PROGRAM
