#!/usr/bin/env bash
# Guess: a learning rate that is given to an optimizer as a tensor, as torch advises for a compiled step, is a default
# like a number: each group of parameters has its own, and one can be changed, or scheduled by a function of its own.
# Seen: all groups hold the one tensor. LambdaLR with a function for each group gives every group the rate of the last,
# and state_dict() holds the same tensor too, so that a state kept in memory changes with training. Given with each group,
# the tensors are their own.
# torch 2.13.0, CPU. Prints the rates of two groups under the factors 1 and 2: number 0.1 0.2, tensor 0.2 0.2, a tensor
# for each 0.1 0.2; and the rate of a state_dict after a change to 5: number 0.1, tensor 5.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch


def groups(*rates):
    parameters = [torch.nn.Parameter(torch.ones(1)) for _ in range(2)]
    if len(rates) == 1:
        return torch.optim.SGD([{"params": [each]} for each in parameters], lr=rates[0])
    return torch.optim.SGD([{"params": [each], "lr": rate} for each, rate in zip(parameters, rates)])


def scheduled(*rates):
    optimizer = groups(*rates)
    torch.optim.lr_scheduler.LambdaLR(optimizer, [lambda epoch: 1, lambda epoch: 2])
    return [round(float(group["lr"]), 3) for group in optimizer.param_groups]


def kept(rate):
    optimizer = groups(rate)
    state = optimizer.state_dict()
    if isinstance(rate, float):
        optimizer.param_groups[0]["lr"] = 5.0
    else:
        optimizer.param_groups[0]["lr"].fill_(5)
    return round(float(state["param_groups"][1]["lr"]), 3)


found = {
    "number": scheduled(0.1),
    "tensor": scheduled(torch.tensor(0.1)),
    "a tensor for each": scheduled(torch.tensor(0.1), torch.tensor(0.1)),
}
print(found)
assert list(found.values()) == [[0.1, 0.2], [0.2, 0.2], [0.1, 0.2]]
found = {"number": kept(0.1), "tensor": kept(torch.tensor(0.1))}
print("kept:", found)
assert found == {"number": 0.1, "tensor": 5}
EOF
