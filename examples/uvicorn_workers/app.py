"""A server whose workers compile, all with the flags of the ``dynconf.toml`` beside this file.

Run in this folder: dynconf run -m uvicorn --workers 2 app:app
It needs uvicorn. Threads of a worker see the flags, too, because they are installed for the process. A
request that sets flags for itself, as `dynconf.patch` does, changes them for no other one.
"""

import os
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import torch

import dynconf

compiled = torch.compile(lambda x: x.sin() + x.cos(), backend="eager")

Send = Callable[[dict[str, Any]], Awaitable[None]]


async def app(scope: dict[str, Any], _: object, send: Send) -> None:
    """Answer with the process and the limit that a thread of it sees."""
    if scope["type"] != "http":
        return
    with dynconf.patch(capture_scalar_outputs=True):
        compiled(torch.ones(3))
    limits: list[int] = []
    thread = threading.Thread(target=lambda: limits.append(dynconf.snapshot()["recompile_limit"]))
    thread.start()
    thread.join()
    text = f"{os.getpid()} {limits[0]}\n"
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": text.encode()})
