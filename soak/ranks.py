"""Ranks frozen and killed at random: run as ``python soak/ranks.py [--rounds N] [--seed N] [--short]``.

In each round, four to eight processes on gloo and a store over TCP make the same calls of
`dynconf.distributed`, one after another. Meanwhile some of them are stopped, continued or killed, the host of
the store included; in some calls, one rank makes another call than the others, or gives a wrong argument. It
is a violation if

- a call takes longer than its timeout and ten seconds on a rank that nobody stopped,
- a call ends in anything but a result or an error of dynconf, or a process ends by itself,
- a rank is said not to have come that had come a second before, or
- a call does not end on all ranks alike as long as nobody was stopped or killed.

Prints how much of each was done, and exits with 1 if there are violations.
"""

import argparse
import contextlib
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch._inductor.config
from torch import distributed
from torch.distributed import FileStore, TCPStore  # pyright: ignore[reportPrivateImportUsage]

import dynconf
import dynconf.tools.ranks.distributed

SLACK = 10
"""How many seconds after its timeout a call ends at the latest, as docs/guides/ranks.md says."""

ERRORS = ("", "ConflictError", "InvalidValueError", "MissingRankError")

MISTAKES = ("none", "none", "another call", "a refused call")


@dataclass
class Plan:
    """One round, as all of its processes know it."""

    seed: int
    world: int
    timeout: float
    calls: list[str]
    mistakes: list[str]
    culprits: list[int]
    events: list[tuple[float, str, int]]
    """When, after the start, which rank is stopped, continued or killed."""

    @classmethod
    def by_chance(cls, seed: int) -> "Plan":
        """Return the plan of a round; some of them leave the processes alone."""
        chance = random.Random(seed)  # noqa: S311
        world, count = chance.randint(4, 8), chance.randint(3, 6)
        events: list[tuple[float, str, int]] = []
        if chance.random() < 0.6:
            for rank in chance.sample(range(world), chance.randint(1, 2)):
                moment = chance.uniform(0, 0.8)
                if chance.random() < 0.4:
                    events.append((moment, "kill", rank))
                    continue
                events.append((moment, "stop", rank))
                if chance.random() < 0.7:
                    events.append((moment + chance.uniform(0.01, 3), "continue", rank))
        return cls(
            seed=seed,
            world=world,
            timeout=chance.choice([0.5, 1, 2]),
            calls=chance.choices(["check_consistency", "broadcast", "collect"], k=count),
            mistakes=chance.choices(MISTAKES, k=count),
            culprits=chance.choices(range(world), k=count),
            events=sorted(events),
        )

    def call(self, number: int, rank: int) -> tuple[str, float]:
        """Return the call that a rank makes, and its timeout."""
        name, mistake = self.calls[number], self.mistakes[number]
        if rank == self.culprits[number] and mistake == "another call":
            name = "collect" if name != "collect" else "broadcast"
        is_refused = rank == self.culprits[number] and mistake == "a refused call"
        return name, -1 if is_refused else self.timeout if self.events else 30

    def errors(self, number: int) -> set[str]:
        """Return the errors in which a call ends on all ranks together, if nothing is done to them."""
        if self.mistakes[number] == "another call":
            return {"ConflictError"}
        if self.mistakes[number] == "a refused call":
            return {"ConflictError", "InvalidValueError"}
        before = [call for call, mistake in zip(self.calls[:number], self.mistakes) if mistake == "none"]
        is_error = self.differs and "broadcast" not in before and self.calls[number] == "check_consistency"
        return {"ConflictError" if is_error else ""}

    @property
    def differs(self) -> bool:
        """Whether the ranks begin with different flags."""
        return self.seed % 3 == 0

    @property
    def victims(self) -> set[int]:
        """The ranks to which something is done."""
        return {rank for _, _, rank in self.events}


@dataclass
class Figures:
    """How much was done, and everything that went wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    longest: float = 0
    violations: list[str] = field(default_factory=list)


def run_rank(plan: Plan, rank: int, folder: Path) -> None:
    """Be one of the ranks: make the calls, and note each before and after it."""
    _join(plan, rank, folder)
    if plan.differs:
        dynconf.install(recompile_limit=8 + rank % 2)
    chance = random.Random(plan.seed * 100 + rank)  # noqa: S311
    with (folder / f"{rank}.jsonl").open("w") as file:

        def note(**facts: object) -> None:
            file.write(json.dumps({"at": time.monotonic(), **facts}) + "\n")
            file.flush()

        note(ready=True)
        for number in range(len(plan.calls)):
            time.sleep(chance.uniform(0, 0.1))
            note(call=number)
            error = _attempt(*plan.call(number, rank))
            note(done=number, error=type(error).__name__ if error else "", text=str(error or ""))
            if isinstance(error, dynconf.MissingRankError):
                break
        note(end=True)
    while (folder / "stay").exists():  # the others may need the store
        time.sleep(0.01)


def _join(plan: Plan, rank: int, folder: Path) -> None:
    torch.set_num_threads(1)
    first = FileStore(str(folder / "first"), plan.world)
    if not rank:
        store = TCPStore("127.0.0.1", 0, plan.world, is_master=True, wait_for_workers=False)
        first.set("port", str(store.port))
    else:
        store = TCPStore("127.0.0.1", int(first.get("port")), plan.world, is_master=False)
    distributed.init_process_group("gloo", store=store, rank=rank, world_size=plan.world)
    distributed.barrier()


def _attempt(name: str, timeout: float) -> BaseException | None:
    try:
        getattr(dynconf.distributed, name)(timeout=timeout)
    except BaseException as error:  # noqa: BLE001  it is judged
        return error
    return None


def run_round(plan: Plan, figures: Figures) -> None:
    """Run the ranks of a round, do to them what is planned, and judge their notes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stay").touch()
        pids = [_forked(plan, rank, folder) for rank in range(plan.world)]
        files = [folder / f"{rank}.jsonl" for rank in range(plan.world)]
        _wait(lambda: all(file.exists() for file in files), 60)
        began, stopped = time.monotonic(), set[int]()
        for moment, event, rank in plan.events:
            time.sleep(max(began + moment - time.monotonic(), 0))
            number = {"stop": signal.SIGSTOP, "continue": signal.SIGCONT, "kill": signal.SIGKILL}[event]
            os.kill(pids[rank], number)
            figures.counts[f"{event}s"] += 1
            (stopped.discard if event == "continue" else stopped.add)(rank)
        moving = [rank for rank in range(plan.world) if rank not in stopped]
        limit = len(plan.calls) * (plan.timeout + SLACK) + 20
        _wait(lambda: all(any("end" in note for note in _read(files[rank])) for rank in moving), limit)
        (folder / "stay").unlink()
        ended = _ended(pids, {pids[rank] for rank in stopped})
        notes = [list(_read(file)) for file in files]
    figures.counts["rounds"] += 1
    for violation in _judge(plan, notes, [ended[pid] for pid in pids], moving, figures):
        figures.violations.append(f"seed {plan.seed}: {violation}")


def _judge(
    plan: Plan, notes: list[list[dict[str, Any]]], codes: list[int], moving: list[int], figures: Figures
) -> Iterator[str]:
    for rank in moving:
        if not notes[rank] or "end" not in notes[rank][-1] or codes[rank]:
            yield f"rank {rank} hangs or ended with {codes[rank]} after {notes[rank][-1:]}"
        for note in notes[rank]:
            if "done" in note:
                figures.counts["calls"] += 1
                figures.counts[note["error"] or "results"] += 1
                yield from _judge_call(plan, notes, rank, note, figures)
    for number in range(len(plan.calls)) if not plan.events else ():
        errors = {note["error"] for each in notes for note in each if note.get("done") == number}
        if errors != plan.errors(number):
            yield f"call {number} of {plan.calls} ended in {errors}, not {plan.errors(number)}"


def _judge_call(
    plan: Plan, notes: list[list[dict[str, Any]]], rank: int, note: dict[str, Any], figures: Figures
) -> Iterator[str]:
    number, error, text = note["done"], note["error"], note["text"]
    entered = [{note["call"]: note["at"] for note in each if "call" in note} for each in notes]
    if error not in ERRORS:
        yield f"rank {rank}: {error}: {text}"
    if plan.events and rank not in plan.victims:
        overtime = note["at"] - entered[rank][number] - plan.timeout
        figures.longest = max(figures.longest, overtime)
        if overtime > SLACK:
            yield f"rank {rank} waited {overtime:.1f} s longer than {plan.timeout} s: {text}"
    for blamed in _ranks(text):
        came = entered[blamed].get(number)
        if blamed not in plan.victims and came is not None and came < note["at"] - 1:
            yield f"rank {rank} blames rank {blamed}, which had come: {text}"


def _ranks(text: str) -> Iterator[int]:
    """Yield the ranks that did not come, according to a message."""
    found = re.search(r": ranks? ([\d,-]+) of ranks [\d,-]+ did not come", text)
    for part in found[1].split(",") if found else ():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _read(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text().splitlines() if file.exists() else ():
        with contextlib.suppress(ValueError):  # it was killed while it wrote
            yield json.loads(line)


def _forked(plan: Plan, rank: int, folder: Path) -> int:
    pid = os.fork()
    if not pid:
        code = 1
        try:
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 2)  # torch reports each failure at length
            run_rank(plan, rank, folder)
            code = 0
        finally:
            os._exit(code)
    return pid


def _wait(is_done: Any, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not is_done() and time.monotonic() < end:
        time.sleep(0.01)


def _ended(pids: list[int], stopped: set[int]) -> dict[int, int]:
    """Return the exit codes; processes that are stopped, or do not end by themselves, are killed."""
    codes: dict[int, int] = {}
    end = time.monotonic() + 5
    for pid in pids:
        if pid in stopped:
            os.kill(pid, signal.SIGKILL)
        while not (found := os.waitpid(pid, os.WNOHANG))[0]:
            if time.monotonic() > end:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.005)
        codes[pid] = os.waitstatus_to_exitcode(found[1])
    return codes


def main() -> int:
    """Print the figures and the violations; return 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=250)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--short", action="store_true", help="a few rounds, for the tests")
    options = parser.parse_args()
    dynconf.distributed.RankReport.of_this_rank()  # imports once what all ranks need
    figures = Figures()
    # The short form: a host that is frozen for a while, two ranks that are killed, and mistakes alone.
    for seed in range(3, 6) if options.short else range(options.seed, options.seed + options.rounds):
        run_round(Plan.by_chance(seed), figures)
    for violation in figures.violations[:20]:
        print(violation)
    counts = ", ".join(f"{count} {what}" for what, count in sorted(figures.counts.items()))
    print(f"ranks: {counts}; at most {figures.longest:.1f} s beyond the timeout")
    print(f"ranks: {len(figures.violations)} violations")
    return 1 if figures.violations else 0


if __name__ == "__main__":
    sys.exit(main())
