#!/usr/bin/env bash
# Guess: a range that is marked with torch.profiler.record_function shows in the profile of a compiled model as in that of
# the model before, or at least around its first and last kernel.
# Seen: it is gone, as a `with` and as a decorator, with every backend; a line in the log says so, once in a process. The
# flag capture_profiler_record_function, off by default, brings both back.
# torch 2.13.0, CPU, backend eager. Prints which ranges the profile has: plain: block and decorator; compiled: none; with
# the flag: block.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch
from torch.profiler import profile, record_function


@record_function("decorator")
def inner(x):
    return x * 2


def function(x):
    with record_function("block"):
        x = x + 1
    return inner(x)


def ranges(function):
    x = torch.ones(3)
    function(x)
    with profile() as measured:
        function(x)
    found = {event.key for event in measured.key_averages()} & {"block", "decorator"}
    return sorted(found)


def compiled():
    torch._dynamo.reset()
    return torch.compile(function, backend="eager")


found = ranges(function)
print("plain:", found)
assert found == ["block", "decorator"]
found = ranges(compiled())
print("compiled:", found)
assert found == []
with torch._dynamo.config.patch(capture_profiler_record_function=True):
    found = ranges(compiled())
print("with the flag:", found)
assert found == ["block", "decorator"]
EOF
