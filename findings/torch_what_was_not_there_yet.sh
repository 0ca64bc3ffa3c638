#!/usr/bin/env bash
# Guess: `try: return d[key]` with `except KeyError: return default` means in a compiled function what `d[key] if key in d
# else default` means: when the key comes in later, the function is compiled again. That holds for collections.ChainMap too,
# by which defaults are put under what the user has set.
# Seen: what an `except` was run for is not guarded. A key that comes in later is not seen by `try`, nor in the first layer of
# a ChainMap, which looks keys up by `try`, so that what the user sets later is not seen. The same holds for an attribute
# and AttributeError; `in` and hasattr() on an object see both. On a module, hasattr() does not see it either.
# torch 2.13.0, CPU, backend eager. Prints for each whether what comes in after the first call is seen: try False, in True,
# ChainMap False; attribute by try False, by hasattr True; module by try False, by hasattr False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'PROGRAM'
import collections
import types

import torch

x = torch.ones(1)
by_try, by_in = {}, {}
layers = collections.ChainMap({}, {"scale": 1})
settings, others = types.SimpleNamespace(), types.SimpleNamespace()
module, other_module = types.ModuleType("module"), types.ModuleType("other_module")


def key_by_try(x):
    y = x + 0
    try:
        scale = by_try["scale"]
    except KeyError:
        scale = 1
    return y * scale


def key_by_in(x):
    return x * (by_in["scale"] if "scale" in by_in else 1)


def attribute_by_try(x):
    y = x + 0
    try:
        scale = settings.scale
    except AttributeError:
        scale = 1
    return y * scale


def attribute_by_hasattr(x):
    return x * (others.scale if hasattr(others, "scale") else 1)


def module_by_try(x):
    y = x + 0
    try:
        scale = module.scale
    except AttributeError:
        scale = 1
    return y * scale


def module_by_hasattr(x):
    return x * (other_module.scale if hasattr(other_module, "scale") else 1)


def in_layers(x):
    return x * layers["scale"]


def seen(function, add):
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="eager")
    assert compiled(x).item() == function(x).item() == 1
    add()
    assert function(x).item() == 5
    return compiled(x).item() == 5


found = {
    "key by try": seen(key_by_try, lambda: by_try.update(scale=5)),
    "key by in": seen(key_by_in, lambda: by_in.update(scale=5)),
    "ChainMap": seen(in_layers, lambda: layers.update(scale=5)),
    "attribute by try": seen(attribute_by_try, lambda: setattr(settings, "scale", 5)),
    "attribute by hasattr": seen(attribute_by_hasattr, lambda: setattr(others, "scale", 5)),
    "module by try": seen(module_by_try, lambda: setattr(module, "scale", 5)),
    "module by hasattr": seen(module_by_hasattr, lambda: setattr(other_module, "scale", 5)),
}
for name, answer in found.items():
    print(f"{name}: seen {answer}")
assert list(found.values()) == [False, True, False, False, True, False, False]
PROGRAM
