#!/usr/bin/env bash
# Guess: a whole number that changes from call to call is compiled for two or three times; from then on it is a variable of
# the graph, wherever it is kept.
# Seen: that holds for an argument, and for an object that the function closes over. A counter that is reached through a
# global name, on the very same object, or that is kept on a module is compiled in as it is: each call compiles again, until
# recompile_limit is reached and the function runs eagerly for good. For modules the flag allow_unspec_int_on_nn_module
# helps.
# torch 2.13.0, CPU, backend eager. Prints how often twelve calls compile: argument 2, closed over 2, global 8 (the limit),
# module 8, module with the flag fewer than 8.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import logging

import torch
import torch._dynamo.config as config
from torch._dynamo.testing import CompileCounter

logging.getLogger("torch._dynamo").setLevel(logging.ERROR)


class State:
    def __init__(self):
        self.step = 0


class Steps(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def forward(self, x):
        self.step += 1
        return x * self.step


state = State()


def through_global(x):
    state.step += 1
    return x * state.step


def closed_over(state):
    def function(x):
        state.step += 1
        return x * state.step

    return function


def compiled(function, *more):
    torch._dynamo.reset()
    counter = CompileCounter()
    function = torch.compile(function, backend=counter)
    for call in range(12):
        function(torch.ones(3), *(each + call for each in more))
    return counter.frame_count


found = {"argument": compiled(lambda x, step: x * step, 2), "closed over": compiled(closed_over(State()))}
found |= {"global": compiled(through_global), "module": compiled(Steps())}
print(found)
assert list(found.values()) == [2, 2, 8, 8]
with config.patch(allow_unspec_int_on_nn_module=True):
    count = compiled(Steps())
print("module with the flag:", count)
assert count < 8
EOF
