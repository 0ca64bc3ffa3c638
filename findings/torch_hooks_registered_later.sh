#!/usr/bin/env bash
# Guess: a forward hook that is registered on a layer runs from the next call of the model on, compiled or not: profilers,
# pruning and quantization are attached so to a model that has already run.
# Seen: of a compiled model it never runs, for the flag skip_nnmodule_hook_guards, which is on, leaves hooks out of the
# guards. A hook that was there when the model was compiled and is removed stops, though. With the flag off, or on what
# torch.compile(model) gives, a new hook runs.
# torch 2.13.0, CPU, backend eager. Prints whether the hook has run: on a layer False, on the compiled module itself True, on
# a layer with the flag off True; then that a removed hook has stopped: True.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'PROGRAM'
import torch
import torch._dynamo

x = torch.ones(1)


def fivefold(module, inputs, output):
    return output * 5


def compiled_model():
    torch._dynamo.reset()
    model = torch.nn.Sequential(torch.nn.ReLU())
    return model, torch.compile(model, backend="eager")


def runs(compiled, register):
    assert compiled(x).item() == 1
    register(fivefold)
    return compiled(x).item() == 5


found = {}
model, compiled = compiled_model()
found["on a layer"] = runs(compiled, model[0].register_forward_hook)
model, compiled = compiled_model()
found["on the compiled module itself"] = runs(compiled, compiled.register_forward_hook)
with torch._dynamo.config.patch(skip_nnmodule_hook_guards=False):
    model, compiled = compiled_model()
    found["on a layer with the flag off"] = runs(compiled, model[0].register_forward_hook)
model, compiled = compiled_model()
handle = model[0].register_forward_hook(fivefold)
assert compiled(x).item() == 5
handle.remove()
found["removed, has stopped"] = compiled(x).item() == 1
print(found)
assert list(found.values()) == [False, True, True, True]
PROGRAM
