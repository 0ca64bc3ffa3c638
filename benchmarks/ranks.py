"""What `check_consistency` costs on 16 ranks of gloo, on one machine, compared with reducing one number."""

import os
import socket
import statistics
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection

import torch
from ratio import Ratio, report
from torch import distributed

import dynconf

RANKS = 16
ROUNDS = 15


def seconds(work: Callable[[], object]) -> float:
    """Return how long a call takes, from when all ranks are there."""
    distributed.barrier()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rank(number: int, port: int, answer: Connection) -> None:
    """Measure both in turns, as one of the ranks."""
    torch.set_num_threads(1)
    store = f"tcp://127.0.0.1:{port}"
    distributed.init_process_group("gloo", init_method=store, rank=number, world_size=RANKS)
    one = torch.ones(1)
    sides = dynconf.distributed.check_consistency, lambda: distributed.all_reduce(one)
    pairs = [tuple(map(seconds, sides)) for _ in range(ROUNDS)]
    if number == 0:
        answer.send(pairs[1:])  # without what is loaded by the first call
    distributed.destroy_process_group()
    os._exit(0)  # the threads of gloo belong to no fork


def ratios() -> Iterator[Ratio]:
    """Fork the ranks, so that torch is imported once, and take the times of the first."""
    dynconf.snapshot()  # for what all of them load
    processes = get_context("fork")
    answer, sent = processes.Pipe(duplex=False)
    with socket.create_server(("127.0.0.1", 0)) as free:
        _, port = free.getsockname()
    ranks = [processes.Process(target=rank, args=(each, port, sent)) for each in range(RANKS)]
    for each in ranks:
        each.start()
    pairs = answer.recv()
    for each in ranks:
        each.join()
    ours, theirs = (statistics.median(side) * 1e3 for side in zip(*pairs, strict=True))
    ratio = statistics.median(one / two for one, two in pairs)
    yield Ratio(f"check_consistency() on {RANKS} ranks / all_reduce()", ours, theirs, "ms", ratio, 25)


if __name__ == "__main__":
    report(ratios())
