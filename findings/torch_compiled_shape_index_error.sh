#!/usr/bin/env bash
# Guess: a compiled function that asks for a dimension in `try: x.shape[5]` and catches the IndexError goes on, as it does
# uncompiled, and as it does with any list.
# Seen: the IndexError of a shape passes its `except` and ends the call. That of a list is caught.
# torch 2.13.0, CPU, backend eager. Prints: plain shape: caught, compiled shape: IndexError, compiled list: caught.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import torch


def of_shape(x):
    try:
        return x * x.shape[5]
    except IndexError:
        return x


def of_list(x):
    try:
        return x * [1, 2][5]
    except IndexError:
        return x


def outcome(function):
    try:
        function(torch.ones(2))
    except IndexError:
        return "IndexError"
    return "caught"


compiled = {name: torch.compile(each, backend="eager") for name, each in {"shape": of_shape, "list": of_list}.items()}
found = [outcome(of_shape), outcome(compiled["shape"]), outcome(compiled["list"])]
print(found)
assert found == ["caught", "IndexError", "caught"]
EOF
