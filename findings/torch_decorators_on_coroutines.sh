#!/usr/bin/env bash
# Guess: @torch.no_grad(), @torch.inference_mode() and @torch.compiler.set_stance("force_eager") hold for the body of an
# `async def`, as they hold for that of a function, and of a generator, which they take care of.
# Seen: they hold while the coroutine is made, and are over before its first line: gradients are recorded, and functions are
# compiled. Nothing warns.
# torch 2.13.0, CPU. Prints whether each holds in a function, a generator and a coroutine: True, True, False for all three.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import asyncio

import torch
from torch._dynamo.testing import CompileCounter


def compiles():
    torch._dynamo.reset()
    counter = CompileCounter()
    torch.compile(lambda x: x + 1, backend=counter)(torch.ones(3))
    return counter.frame_count == 1


decorators = {
    "no_grad": (torch.no_grad(), lambda: not torch.is_grad_enabled()),
    "inference_mode": (torch.inference_mode(), torch.is_inference_mode_enabled),
    "set_stance": (lambda body: torch.compiler.set_stance("force_eager")(body), lambda: not compiles()),
}
for name, (decorator, holds) in decorators.items():

    def function():
        return holds()

    def generator():
        yield holds()

    async def coroutine():
        return holds()

    found = decorator(function)(), next(decorator(generator)()), asyncio.run(decorator(coroutine)())
    print(name, found)
    assert found == (True, True, False)
EOF
