#!/usr/bin/env bash
# Guess: torch.manual_seed() takes 64 bits, says so, and gives them back by initial_seed(), so that seeds which differ give
# different numbers: run << 32 | rank, or the first eight bytes of a hash, are good seeds.
# Seen: on the CPU the upper half is not looked at. All runs of one rank draw the same numbers, and so do -1 and
# 0xffffffff, whether by the global generator or by one of one's own; initial_seed() and the state of the generator tell
# them apart, though. numpy.random.default_rng heeds all bits, of longer seeds too.
# torch 2.13.0, numpy 2.4.6, CPU. Prints how many of 8 runs draw different numbers: global 1, own 1, randperm 1, numpy 8.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
env/bin/python - <<'EOF'
import numpy
import torch


def by_global(seed):
    torch.manual_seed(seed)
    assert torch.initial_seed() == seed
    return torch.randn(4).tolist()


def by_own(seed):
    return torch.rand(4, generator=torch.Generator().manual_seed(seed)).tolist()


def by_order(seed):
    return torch.randperm(1000, generator=torch.Generator().manual_seed(seed)).tolist()


def by_numpy(seed):
    return numpy.random.default_rng(seed).random(4).tolist()


seeds = [run << 32 | 3 for run in range(8)]
found = [len({tuple(draw(seed)) for seed in seeds}) for draw in (by_global, by_own, by_order, by_numpy)]
print("global, own, randperm, numpy:", *found)
assert found == [1, 1, 1, 8]
assert by_own(-1) == by_own(0xFFFFFFFF)
states = {bytes(torch.Generator().manual_seed(seed).get_state().numpy()) for seed in seeds}
print("states:", len(states))
assert len(states) == 8
EOF
