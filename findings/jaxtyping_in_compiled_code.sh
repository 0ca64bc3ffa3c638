#!/usr/bin/env bash
# Guess: jaxtyping's shapes, which are checked when a function runs, are checked in a compiled function too, or not at
# all, as `assert isinstance(x, Float[Tensor, "2 2"])` tells right from wrong in plain code.
# Seen: in a compiled function such an isinstance() is False for every tensor, the right ones included, and nothing is
# said: a branch on it goes the wrong way. A function that is decorated with jaxtyped and beartype raises TypeCheckError,
# for arguments that it takes in plain code. A check by beartype of torch.Tensor alone works.
# torch 2.13.0, jaxtyping 0.3.11, beartype 0.23.1, numpy 2.4.6, CPU, backend eager. Prints whether a tensor of 2 by 2 is
# one: plain True, compiled False; decorated: plain taken, compiled TypeCheckError; beartype alone: compiled taken.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6 jaxtyping==0.3.11 beartype==0.23.1
env/bin/python - <<'EOF'
import logging

import torch
from beartype import beartype
from jaxtyping import Float, TypeCheckError, jaxtyped
from torch import Tensor

logging.disable(logging.CRITICAL)


def told(x):
    return x * 2, isinstance(x, Float[Tensor, "2 2"])


@jaxtyped(typechecker=beartype)
def double(x: Float[Tensor, "n n"]) -> Float[Tensor, "n n"]:
    return x * 2


@beartype
def double_any(x: Tensor) -> Tensor:
    return x * 2


def taken(function):
    try:
        function(torch.ones(2, 2))
    except TypeCheckError as error:
        return type(error).__name__
    return "taken"


def compiled(function):
    return torch.compile(function, backend="eager")


x = torch.ones(2, 2)
found = told(x)[1], compiled(told)(x)[1]
print("plain, compiled:", *found)
assert found == (True, False)
found = taken(double), taken(compiled(lambda x: double(x) + 1)), taken(compiled(lambda x: double_any(x) + 1))
print("decorated:", *found)
assert found == ("taken", "TypeCheckError", "taken")
EOF
