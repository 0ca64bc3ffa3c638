"""What docs/explanations/threads-and-processes.md says: which code sees which flags, and the recipes."""

import asyncio
import functools
import http.client
import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from live_state import LIMIT, PER_CONTEXT, config, default_of, limit, result_in_thread

import dynconf

PATCHED, INSTALLED = 17, 18
HIDDEN = default_of(LIMIT) if PER_CONTEXT else PATCHED
"""What code reads that does not see what a thread has patched, from 2.12 on."""


def seen(where):
    """Return what code that *where* runs sees: what is patched here, assigned here, and installed."""
    with dynconf.patch(recompile_limit=PATCHED):
        patched = where()
    setattr(config(), LIMIT, PATCHED)
    assigned = where()
    dynconf.reset()
    with dynconf.install(recompile_limit=INSTALLED):
        installed = where()
    return patched, assigned, installed


def test_the_same_thread():
    """What everybody expects."""
    assert seen(limit) == (PATCHED, PATCHED, INSTALLED)


def test_threads_and_pools():
    """A new thread, and the thread of a pool, whether it is started before or after."""
    assert seen(lambda: result_in_thread(limit)) == (HIDDEN, HIDDEN, INSTALLED)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(limit).result(60)
        assert seen(lambda: pool.submit(limit).result(60)) == (HIDDEN, HIDDEN, INSTALLED)


class Handler(BaseHTTPRequestHandler):
    """Answers with what is in force."""

    answer = staticmethod(limit)

    def do_GET(self):
        """Answer."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(self.answer()).encode())

    def log_message(self, *_):
        """Say nothing."""


def asked(handler):
    """Return the answer of a server with a thread for each request."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
            connection.request("GET", "/")
            answer = int(connection.getresponse().read())
            connection.close()
        finally:
            server.shutdown()
            thread.join(60)
    return answer


def test_serving_threads():
    """A server starts a thread for each request."""
    assert seen(lambda: asked(Handler)) == (HIDDEN, HIDDEN, INSTALLED)


def test_tasks():
    """A task, and ``asyncio.to_thread``, have the context in which they were made."""

    async def in_task():
        return await asyncio.create_task(asyncio.sleep(0, None)), limit(), await asyncio.to_thread(limit)

    assert seen(lambda: asyncio.run(in_task())[1:]) == ((PATCHED,) * 2, (PATCHED,) * 2, (INSTALLED,) * 2)

    async def later():
        async def work():
            return limit()

        with dynconf.patch(recompile_limit=PATCHED):
            task = asyncio.create_task(work())
        return await task

    assert asyncio.run(later()) == (PATCHED if PER_CONTEXT else default_of(LIMIT))


def test_run_in_executor():
    """The threads of the loop's pool have nothing of the task."""

    async def main():
        return await asyncio.get_running_loop().run_in_executor(None, limit)

    assert seen(lambda: asyncio.run(main())) == (HIDDEN, HIDDEN, INSTALLED)


@pytest.mark.real_torch
def test_backward_on_the_cpu():
    """The backward of tensors on the CPU runs in the thread that calls it, and so do hooks."""
    import torch

    def backward():
        found = []
        x = torch.ones(1, requires_grad=True)
        x.register_hook(lambda _: found.append(limit()))
        (x * 2).sum().backward()
        return found[0]

    assert seen(backward) == (PATCHED, PATCHED, INSTALLED)


@pytest.mark.real_torch
def test_backward_in_threads_of_autograd():
    """A backward within a backward, 60 deep, goes on in a thread of autograd's, as on other devices."""
    import torch

    def backward():
        found = []

        class Nested(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, depth):
                ctx.depth = depth
                return x.clone()

            @staticmethod
            def backward(ctx, grad):
                found.append((threading.get_ident(), limit()))
                if ctx.depth:
                    with torch.enable_grad():
                        Nested.apply(torch.ones(1, requires_grad=True), ctx.depth - 1).sum().backward()
                return grad, None

        Nested.apply(torch.ones(1, requires_grad=True), 70).sum().backward()
        (first, outer), (last, inner) = found[0], found[-1]
        assert first == threading.get_ident()
        assert last != first
        return outer, inner

    assert seen(backward) == ((PATCHED, HIDDEN), (PATCHED, HIDDEN), (INSTALLED, INSTALLED))


class Limits:
    """A dataset of what its workers see."""

    def __len__(self):
        return 1

    def __getitem__(self, _):
        return limit()


def loaded(method, **more):
    """Return what a worker process of a DataLoader sees."""
    from torch.utils.data import DataLoader

    (batch,) = DataLoader(Limits(), num_workers=1, multiprocessing_context=method, **more)
    return int(batch)


@pytest.mark.real_torch
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
def test_forked_workers():
    """A forked process has what the thread that forked had."""
    assert seen(lambda: loaded("fork")) == (PATCHED, PATCHED, INSTALLED)


@pytest.mark.real_torch
@pytest.mark.usefixtures("spawns_warm")
def test_spawned_workers():
    """A spawned process starts from the beginning."""
    with dynconf.patch(recompile_limit=PATCHED), dynconf.install(recompile_limit=INSTALLED):
        assert loaded("spawn") == default_of(LIMIT)


@pytest.mark.real_torch
@pytest.mark.usefixtures("spawns_warm")
def test_recipe_spawned_workers():
    """What is installed when a worker starts is there in all that it loads."""
    install = functools.partial(install_here, {"recompile_limit": PATCHED})
    assert loaded("spawn", worker_init_fn=install) == PATCHED


def install_here(settings, _worker):
    """Install the settings in a worker."""
    dynconf.install(**settings)


def test_recipe_pool():
    """A pool runs a function with the caller's patches."""
    with ThreadPoolExecutor(1) as pool, dynconf.patch(recompile_limit=PATCHED):
        assert pool.submit(dynconf.propagate(limit)).result(60) == PATCHED
        assert list(pool.map(dynconf.propagate(limit), range(2))) == [PATCHED] * 2


def test_recipe_set_up_and_tear_down():
    """An installation that one thread makes holds everywhere, until another one takes it back."""
    before = limit()
    made = result_in_thread(lambda: dynconf.install(recompile_limit=PATCHED))
    assert limit() == PATCHED
    result_in_thread(made.uninstall)
    assert limit() == before


def test_recipe_server():
    """The handler of a server has the flags of the thread that made it."""
    with dynconf.patch(recompile_limit=PATCHED):
        carried = type("Carried", (Handler,), {"answer": staticmethod(dynconf.propagate(limit))})
    assert asked(carried) == PATCHED


@pytest.mark.real_torch
def test_recipe_hook():
    """A hook has the flags of the thread that registered it, wherever autograd runs it."""
    import torch

    found = []
    x = torch.ones(1, requires_grad=True)
    with dynconf.patch(recompile_limit=PATCHED):
        x.register_hook(dynconf.propagate(lambda _: found.append(limit())))
    (x * 2).sum().backward()
    result_in_thread((x * 2).sum().backward)
    assert found == [PATCHED] * 2
