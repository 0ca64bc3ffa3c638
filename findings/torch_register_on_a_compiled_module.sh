#!/usr/bin/env bash
# Guess: what torch.compile(model) gives stands for the model: what is set, registered or added on it is set, registered
# or added on the model.
# Seen: an assignment goes through to the model, and so do methods that the model's own class defines. register_buffer(),
# add_module() and register_parameter() put theirs on the wrapper, where forward() does not find it: an AttributeError, or
# a parameter that never gets a gradient. len() works for a compiled Sequential, an index and a loop are TypeErrors.
# torch 2.13.0, CPU, backend eager. Prints what the model has got: assigned True, buffer False, module False, parameter
# False; and: len works, index TypeError, loop TypeError.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch

model = torch.nn.Sequential(torch.nn.Linear(2, 2))
compiled = torch.compile(model, backend="eager")
compiled.assigned = torch.nn.Parameter(torch.ones(2))
compiled.register_buffer("buffer", torch.ones(2))
compiled.add_module("module", torch.nn.ReLU())
compiled.register_parameter("parameter", torch.nn.Parameter(torch.ones(2)))
found = {name: hasattr(model, name) for name in ("assigned", "buffer", "module", "parameter")}
print(found)
assert list(found.values()) == [True, False, False, False]
found = {}
for name, use in (("len", len), ("index", lambda each: each[0]), ("loop", list)):
    try:
        use(compiled)
        found[name] = "works"
    except TypeError:
        found[name] = "TypeError"
print(found)
assert found == {"len": "works", "index": "TypeError", "loop": "TypeError"}
EOF
