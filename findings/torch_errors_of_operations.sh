#!/usr/bin/env bash
# Guess: a compiled function that tries an operation, `try: x @ y`, and does something else on RuntimeError goes on where
# shapes do not fit, as it does uncompiled; and dropout(p=2.0) is a ValueError for its caller, as it is without
# compilation.
# Seen: neither. The error of an operation is one of compilation: a TorchRuntimeError, which passes every `except` of the
# function, though it is a RuntimeError, and ends the call. The caller gets that class whatever was raised, so that
# `except ValueError` around the call is passed too. An error that the function raises by itself is caught as ever.
# torch 2.13.0, CPU, backend eager. Prints: plain: caught, ValueError; compiled: TorchRuntimeError, TorchRuntimeError;
# raised in the function: caught.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import logging

import torch

logging.disable(logging.CRITICAL)


def tried(x, y):
    try:
        return x @ y
    except RuntimeError:
        return "caught"


def dropped(x, p):
    return torch.nn.functional.dropout(x, p)


def raising(x, y):
    try:
        if x.shape != y.shape:
            raise RuntimeError("shapes differ")
        return x + y
    except RuntimeError:
        return "caught"


def told(function, *args):
    try:
        return function(*args)
    except (RuntimeError, ValueError) as error:
        return type(error).__name__


def compiled(function):
    return torch.compile(function, backend="eager")


x, y = torch.ones(3), torch.ones(4)
found = [told(tried, x, y), told(dropped, x, 2.0)]
print("plain:", *found)
assert found == ["caught", "ValueError"]
found = [told(compiled(tried), x, y), told(compiled(dropped), x, 2.0)]
print("compiled:", *found)
assert found == ["TorchRuntimeError", "TorchRuntimeError"]
found = told(compiled(raising), x, y)
print("raised in the function:", found)
assert found == "caught"
EOF
