#!/usr/bin/env bash
# Guess: the item() of a DTensor, and so float() and bool(), is the number of the whole tensor, as sum(), max() and mean()
# are taken over all of it; or it is refused, as tolist() and numpy() are.
# Seen: after a sum, mean, maximum, norm or any(), it is the number of this rank's part: each rank logs another loss, and
# goes another way in an `if`, where the ranks then wait for each other. After a standard deviation, argmax() or
# logsumexp(), and after adding zero, it is that of the whole; after a mean it is where the ranks have parts of different
# sizes. full_tensor().item() always is. torch 2.15.0 does the same, but for any(), which is that of the whole there.
# torch 2.13.0, numpy 2.4.6, CPU, gloo, two ranks. Prints for 0, 1, 2, 3 by rank: sum 1 5, mean 0.5 2.5, max 1 3, any above
# 1 False True, sum + 0 6 6, std 1.29 1.29, full_tensor() 6 6; and the mean of 0, 1, 2: 1 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 numpy==2.4.6
cat >ranks.py <<'PROGRAM'
import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor


def numbers(rank, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    mesh = init_device_mesh("cpu", (2,))
    even = distribute_tensor(torch.arange(4.0), mesh, [Shard(0)])
    uneven = distribute_tensor(torch.arange(3.0), mesh, [Shard(0)])
    found = {
        "sum": even.sum().item(),
        "mean": even.mean().item(),
        "max": float(even.max()),
        "any above 1": bool((even > 1).any()),
        "sum + 0": (even.sum() + 0).item(),
        "std": round(even.std().item(), 2),
        "full_tensor()": even.sum().full_tensor().item(),
        "mean of 3": uneven.mean().item(),
    }
    try:
        even.sum().tolist()
    except RuntimeError:
        found["tolist()"] = "refused"
    torch.save(found, f"{folder}/{rank}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    torch.multiprocessing.spawn(numbers, (os.getcwd(),), 2)
    first, second = (torch.load(str(rank)) for rank in range(2))
    by_rank = {name: (first[name], second[name]) for name in first}
    print(by_rank)
    assert by_rank == {
        "sum": (1, 5),
        "mean": (0.5, 2.5),
        "max": (1, 3),
        "any above 1": (False, True),
        "sum + 0": (6, 6),
        "std": (1.29, 1.29),
        "full_tensor()": (6, 6),
        "mean of 3": (1, 1),
        "tolist()": ("refused", "refused"),
    }
PROGRAM
env/bin/python ranks.py
