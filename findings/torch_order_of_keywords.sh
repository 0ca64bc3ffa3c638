#!/usr/bin/env bash
# Guess: a compiled function that is given the same entries in another order, f(b=..., a=...) for f(a=..., b=...), works on
# them in that order, as Python does.
# Seen: it depends on how the dict is read. A loop over items() and list(d.values()) are guarded, and compile again. Where
# the dict is copied by {**d}, handed on by g(**d) or unpacked by `first, second = d`, the order of the first call holds for
# all later ones: features are concatenated in the wrong order, and nothing is said.
# torch 2.13.0, CPU, backend eager. Prints for each whether the second order is kept: values True, items True, {**d} False,
# handed on False, unpacked False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'PROGRAM'
import torch

a, b = torch.tensor([1.0]), torch.tensor([2.0])


def joined(**features):
    return torch.cat(list(features.values()))


def by_values(**features):
    return torch.cat(list(features.values()))


def by_items(**features):
    return torch.cat([value + 0 for _, value in features.items()])


def with_a_copy(**features):
    return torch.cat(list({**features}.values()))


def handed_on(**features):
    return joined(**features)


def unpacked(**features):
    first, second = features
    return torch.cat([features[first], features[second]])


def kept(function):
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="eager")
    assert compiled(a=a, b=b).tolist() == function(a=a, b=b).tolist() == [1, 2]
    assert function(b=b, a=a).tolist() == [2, 1]
    return compiled(b=b, a=a).tolist() == [2, 1]


found = {each.__name__: kept(each) for each in (by_values, by_items, with_a_copy, handed_on, unpacked)}
print(found)
assert list(found.values()) == [True, True, False, False, False]
PROGRAM
