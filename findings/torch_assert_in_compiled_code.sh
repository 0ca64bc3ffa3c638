#!/usr/bin/env bash
# Guess: `assert x.isfinite().all(), "..."` raises an AssertionError in a compiled function as well, which a caller, a test
# or an `except AssertionError` around it can catch.
# Seen: it raises a RuntimeError, which passes all three, the `except` in the function itself included: the condition has
# become an operator of the graph. With a message that is made from an f-string, or as `if not ...: raise
# AssertionError`, it is an AssertionError: those break the graph.
# torch 2.13.0, CPU, backend eager. Prints: plain AssertionError, compiled RuntimeError, caught in the function: plain yes,
# compiled RuntimeError, with an f-string AssertionError, by raise AssertionError.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'PROGRAM'
import torch


def check(x):
    assert x.isfinite().all(), "not finite"
    return x + 1


def check_with_numbers(x):
    assert x.isfinite().all(), f"not finite, of {len(x)}"
    return x + 1


def check_by_raise(x):
    if not x.isfinite().all():
        raise AssertionError("not finite")
    return x + 1


def check_and_catch(x):
    try:
        assert x.isfinite().all()
    except AssertionError:
        return "caught"
    return x + 1


def outcome(function):
    try:
        return function(torch.tensor([float("nan")]))
    except Exception as error:
        return type(error).__name__


def compiled(function):
    torch._dynamo.reset()
    return torch.compile(function, backend="eager")


found = {
    "plain": outcome(check),
    "compiled": outcome(compiled(check)),
    "caught in the function, plain": outcome(check_and_catch),
    "caught in the function, compiled": outcome(compiled(check_and_catch)),
    "with an f-string": outcome(compiled(check_with_numbers)),
    "by raise": outcome(compiled(check_by_raise)),
}
for name, answer in found.items():
    print(f"{name}: {answer}")
assert list(found.values()) == [
    "AssertionError",
    "RuntimeError",
    "caught",
    "RuntimeError",
    "AssertionError",
    "AssertionError",
]
PROGRAM
