#!/usr/bin/env bash
# Guess: a compiled function sees what is changed on a class, as it sees what is changed on an object or in a module, so
# that unittest.mock's patch.object(Model, "forward") or a switch on a class of settings holds from the next call on.
# Seen: a method that is replaced on its class goes on as it was when compiled, and so does an inherited attribute that
# the object's own class is given later. A method replaced on the object, a function replaced in a module and an attribute
# that was the class's own before are seen.
# torch 2.13.0, CPU, backend eager. Prints whether each is seen: method of the class False, forward of a module's class False,
# inherited attribute False, own attribute True, method of the object True, function of a module True.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'PROGRAM'
import types

import torch

x = torch.ones(1)


class Base:
    scale = 1

    def work(self, x):
        return x + 0


class Derived(Base):
    pass


class Own:
    scale = 1


class Layer(torch.nn.Module):
    def forward(self, x):
        return x + 0


module = types.ModuleType("module")
module.work = lambda x: x + 0
first, second, derived, own, layer = Base(), Base(), Derived(), Own(), Layer()


def fivefold(*arguments):
    return arguments[-1] * 5


def seen(function, change):
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="eager")
    assert compiled(x).item() == function(x).item() == 1
    change()
    assert function(x).item() == 5
    return compiled(x).item() == 5


found = {
    "inherited attribute": seen(lambda x: x * derived.scale, lambda: setattr(Derived, "scale", 5)),
    "own attribute": seen(lambda x: x * own.scale, lambda: setattr(Own, "scale", 5)),
    "method of the object": seen(lambda x: second.work(x), lambda: setattr(second, "work", fivefold)),
    "method of the class": seen(lambda x: first.work(x), lambda: setattr(Base, "work", fivefold)),
    "forward of a module's class": seen(lambda x: layer(x), lambda: setattr(Layer, "forward", fivefold)),
    "function of a module": seen(lambda x: module.work(x), lambda: setattr(module, "work", fivefold)),
}
for name, answer in found.items():
    print(f"{name}: seen {answer}")
assert list(found.values()) == [False, True, True, False, False, True]
PROGRAM
