"""Real ranks for tests: processes of one group, forked from a process that has imported their modules.

``Ranks(warm).run(8, program)`` runs the text of a program in eight of them, each in a group on gloo. The
parent starts no thread before it forks. Run as a script, this file is that parent.
"""

import importlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

from spelling import spelled
from warm import Warm

from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.release import Release

SECONDS = 300  # where many processes share few cores, a training of five seconds has taken more than sixty


class Ranks:
    """The parent of ranks."""

    def __init__(self, warm: Warm) -> None:
        asked, self._ask = map(os.fdopen, os.pipe(), "rw")
        self._told, told = map(os.fdopen, os.pipe(), "rw")
        with asked, told:
            files = [asked.fileno(), told.fileno(), 2]
            self._parent = warm.start(__file__, files=files, environ=os.environ)

    def run(self, world: int, program: str) -> list[Any]:
        """Run a program in each rank; return the value of its variable ``result``, or its error, by rank.

        The program finds ``rank``, ``world``, ``dynconf``, ``torch`` and ``distributed``; torch's own
        flags are spelled as the release at hand has them. A DynconfError that
        it raises is returned as class and message, followed by warnings of dynconf if there were any.
        """
        print(json.dumps([world, spelled(program)]), file=self._ask, flush=True)
        done: list[Any] = json.loads(self._told.readline())
        return done

    def close(self) -> None:
        """End the parent."""
        self._ask.close()
        self._parent.wait(SECONDS)
        self._told.close()


def _serve() -> None:
    # Once, for all ranks:
    for module in ("torch._inductor.config", "torch.distributed", "dynconf.tools.ranks.distributed"):
        importlib.import_module(module)
    for name in MODULES:
        catalogue(name).at(Release.at_hand())
    for line in sys.stdin:
        world, program = json.loads(line)
        with tempfile.TemporaryDirectory() as folder:
            ranks = [_forked(rank, world, program, Path(folder)) for rank in range(world)]
            end = time.monotonic() + SECONDS
            running = set(ranks)
            while running and time.monotonic() < end:
                running -= {pid for pid in running if os.waitpid(pid, os.WNOHANG)[0]}
                time.sleep(0.005)
            for pid in running:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            files = [Path(folder, str(rank)) for rank in range(world)]
            results = [json.loads(file.read_text()) if file.exists() else "hangs" for file in files]
        sys.stdout.write(f"{json.dumps(results)}\n")
        sys.stdout.flush()


def _forked(rank: int, world: int, program: str, folder: Path) -> int:
    pid = os.fork()
    if not pid:
        try:
            result = _in_group(rank, world, program, folder)
            part = Path(folder, f".{rank}")
            part.write_text(json.dumps(result))
            part.rename(Path(folder, str(rank)))
        finally:
            os._exit(0)
    return pid


def _in_group(rank: int, world: int, program: str, folder: Path) -> Any:
    import torch
    from torch import distributed

    import dynconf

    names: dict[str, Any] = {"rank": rank, "world": world, "result": None}
    names |= {"torch": torch, "distributed": distributed, "dynconf": dynconf}
    torch.set_num_threads(1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", dynconf.DynconfWarning)
        try:
            distributed.init_process_group(
                "gloo", init_method=f"file://{folder}/store", rank=rank, world_size=world
            )
            exec(program, names)  # noqa: S102  it is the test's
            result = names["result"]
        except dynconf.DynconfError as error:
            result = [type(error).__name__, str(error)]
        except BaseException:  # noqa: BLE001  the test shows it
            return traceback.format_exc()
    told = [str(each.message) for each in caught if isinstance(each.message, dynconf.DynconfWarning)]
    return [result, told] if told else result


if __name__ == "__main__":
    _serve()
