#!/usr/bin/env bash
# Guess: a flag of torch that is assigned when the application starts holds in its requests, in any framework.
# Seen: in an aiohttp application it does. Under uvicorn, what a Starlette (or FastAPI) lifespan assigns does not reach a
# single request: the lifespan is a task of its own, requests descend from the server's, and from torch 2.12 on flags are
# context variables.
# torch 2.13.0, starlette 1.10.0, uvicorn 0.54.0, aiohttp 3.14.5. Prints: starlette 8, aiohttp 99.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0 starlette==1.10.0 uvicorn==0.54.0 aiohttp==3.14.5
cat > starlette_app.py <<'EOF'
import contextlib
import socket
import threading
import time
import urllib.request

import torch._dynamo.config as config
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route


@contextlib.asynccontextmanager
async def lifespan(app):
    config.recompile_limit = 99
    yield


async def limit(request):
    return PlainTextResponse(str(config.recompile_limit))


def ask():
    while not server.started:
        time.sleep(0.05)
    print(urllib.request.urlopen(f"http://127.0.0.1:{listening.getsockname()[1]}/").read().decode())
    server.should_exit = True


listening = socket.socket()
listening.bind(("127.0.0.1", 0))
app = Starlette(routes=[Route("/", limit)], lifespan=lifespan)
server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
threading.Thread(target=ask).start()
server.run([listening])
EOF
cat > aiohttp_app.py <<'EOF'
import asyncio

import torch._dynamo.config as config
from aiohttp import ClientSession, web


async def start(app):
    config.recompile_limit = 99


async def limit(request):
    return web.Response(text=str(config.recompile_limit))


async def main():
    app = web.Application()
    app.on_startup.append(start)
    app.router.add_get("/", limit)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{runner.addresses[0][1]}/") as answer:
        print(await answer.text())
    await runner.cleanup()


asyncio.run(main())
EOF
starlette=$(env/bin/python starlette_app.py) aiohttp=$(env/bin/python aiohttp_app.py)
echo "starlette $starlette, aiohttp $aiohttp"
test "$starlette" = 8
test "$aiohttp" = 99
