#!/usr/bin/env bash
# Guess: one seed gives one stream of normal numbers: who draws 16 gets the first 15 that another gets, and a batch of noise
# is the noise of its samples drawn one by one, as it is with torch.rand() and with NumPy's generator.
# Seen: on the CPU 16 numbers and more are made by another algorithm than fewer are, in blocks of 16, and where the last
# block is not full, the last 16 are drawn again: even of 16 and 17 numbers only the first agrees. A batch of samples of 8
# or 20 numbers is not what each of them draws alone, a batch of 16 is. Doubles are other numbers again, and so are those
# that fill a transposed tensor.
# torch 2.13.0, numpy 2.4.6, CPU. Prints how many numbers at the beginning agree: 15 and 16: 0, 16 and 17: 1, torch.rand()
# 15, NumPy 15; whether a batch of 4 is four samples, by their length: 8 False, 16 True, 20 False.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'PROGRAM'
import numpy as np
import torch


def agree(draw, first, second):
    pairs = zip(draw(first).tolist(), draw(second).tolist())
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(first, second))


def seeded(draw):
    def drawn(*shape):
        torch.manual_seed(0)
        return draw(*shape)

    return drawn


def numpy_normal(count):
    return np.random.default_rng(0).standard_normal(count)


normal, uniform = seeded(torch.randn), seeded(torch.rand)
found = agree(normal, 15, 16), agree(normal, 16, 17), agree(uniform, 15, 16), agree(numpy_normal, 15, 16)
print("15 and 16: {}, 16 and 17: {}, rand: {}, NumPy: {}".format(*found))
assert found == (0, 1, 15, 15)
by_length = {}
for length in (8, 16, 20):
    batch = normal(4, length)
    torch.manual_seed(0)
    by_length[length] = torch.equal(batch, torch.stack([torch.randn(length) for _ in range(4)]))
print("batches:", by_length)
assert by_length == {8: False, 16: True, 20: False}
double = seeded(lambda count: torch.randn(count, dtype=torch.float64))(20)
turned = seeded(lambda count: torch.empty(count, 2).t().normal_())(20)
assert not torch.allclose(double.float(), normal(20)) and not torch.equal(turned, normal(2, 20))
PROGRAM
