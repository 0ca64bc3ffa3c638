"""The environment with which the process was started, before any code in it wrote ``os.environ``.

A user exports ``TORCHINDUCTOR_COMPILE_THREADS=8``, and a library writes ``os.environ[...] = "1"`` before
torch reads it. Only the operating system still has the 8.
"""

import functools
import os
from collections.abc import Mapping
from pathlib import Path


@functools.cache
def environment_at_start() -> Mapping[str, str]:
    """Return the variables with which the process was started, or those of now where nobody kept them.

    Linux keeps them in the memory of the process. Programs that change their title, such as those that use
    setproctitle, overwrite that memory, so the absence of a variable means nothing.
    """
    try:
        content = Path("/proc/self/environ").read_bytes()
    except OSError:
        return dict(os.environ)
    pairs = (entry.partition(b"=") for entry in content.split(b"\0") if b"=" in entry)
    return {os.fsdecode(name): os.fsdecode(text) for name, _, text in pairs}


def text_at_start(name: str, text: str) -> str | None:
    """Return another, non-empty text that the variable had when the process was started, if there was one.

    *text* is what is read now; one that is not the process's own, as from a file, is compared with nothing.
    """
    before = environment_at_start().get(name, "")
    return before if before.strip() and before != text and os.environ.get(name) == text else None


_RANK_VARIABLES = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
"""The variables in which torchrun, srun and the launchers of MPI pass the rank, innermost first."""


def launched_rank() -> str | None:
    """Return the rank that a launcher has given this process, as digits; None if none has."""
    texts = (os.environ.get(name, "") for name in _RANK_VARIABLES)
    return next((text for text in texts if text.isdecimal()), None)
