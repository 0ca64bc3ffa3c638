#!/usr/bin/env bash
# Guess: torch.compile checks its arguments whatever the backend is: a mode or an option that does not exist is an error, and
# so is fullgraph="no".
# Seen: mode and options are checked for the backend inductor alone. aot_eager takes every mode and every option and drops
# them, with a line in the log, so that a run with it tries out nothing of one's settings. fullgraph and disable take any
# object, and a text counts as true: disable="no" compiles nothing, fullgraph="no" makes a graph break an error.
# torch 2.13.0, CPU, with g++. Prints what becomes of each.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'PROGRAM'
import torch


def work(x):
    x = x + 1
    print(end="")
    return x * 2


def outcome(**arguments):
    torch._dynamo.reset()
    graphs = []
    if "backend" not in arguments:
        arguments["backend"] = lambda graph, inputs: graphs.append(graph) or graph.forward
    try:
        torch.compile(work, **arguments)(torch.ones(1))
    except Exception as error:
        return type(error).__name__
    return len(graphs) if graphs or callable(arguments["backend"]) else "taken"


found = {
    "inductor, mode": outcome(backend="inductor", mode="no-such-mode"),
    "aot_eager, mode": outcome(backend="aot_eager", mode="no-such-mode"),
    "inductor, options": outcome(backend="inductor", options={"no_such_option": 1}),
    "aot_eager, options": outcome(backend="aot_eager", options={"no_such_option": 1}),
    "graphs without arguments": outcome(),
    'graphs with disable="no"': outcome(disable="no"),
    'fullgraph="no"': outcome(fullgraph="no"),
}
for name, answer in found.items():
    print(f"{name}: {answer}")
assert list(found.values()) == ["RuntimeError", "taken", "RuntimeError", "taken", 2, 0, "Unsupported"]
PROGRAM
