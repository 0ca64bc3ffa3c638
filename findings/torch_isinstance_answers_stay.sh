#!/usr/bin/env bash
# Guess: isinstance(obj, Protocol) and isinstance(obj, AbstractClass) are asked anew in a compiled function, or guarded by
# what they depend on: a plugin that registers its class later, or an object that is given the method later, is taken for
# what it is from then on.
# Seen: the answer to the first call stays as long as the object's class is the same. Class.register(), and a method or
# attribute that is set on the object, are not seen. functools.singledispatch, which chooses by class too, is guarded: a
# function that is registered later is called.
# torch 2.13.0, CPU, backend eager. Prints whether the later one is seen: register() False, protocol False, singledispatch
# True.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import abc
import functools
import typing

import torch


class Scaled(abc.ABC):
    pass


@typing.runtime_checkable
class HasScale(typing.Protocol):
    scale: float


class Plugin:
    pass


@functools.singledispatch
def scaled(obj):
    return False


def seen(function, change):
    torch._dynamo.reset()
    compiled = torch.compile(lambda x: (x * 2, function()), backend="eager")
    x = torch.ones(1)
    assert compiled(x)[1] is False
    change()
    assert function() is True
    return compiled(x)[1]


plugin = Plugin()
found = {
    "register()": seen(lambda: isinstance(plugin, Scaled), lambda: Scaled.register(Plugin)),
    "protocol": seen(lambda: isinstance(plugin, HasScale), lambda: setattr(plugin, "scale", 2.0)),
    "singledispatch": seen(lambda: scaled(plugin), lambda: scaled.register(Plugin, lambda obj: True)),
}
print(found)
assert list(found.values()) == [False, False, True]
EOF
