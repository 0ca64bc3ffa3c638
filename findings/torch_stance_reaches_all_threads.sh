#!/usr/bin/env bash
# Guess: `torch.compiler.set_stance("force_eager")` and `torch._dynamo.config.disable = True`, both written in a worker
# thread, reach equally far.
# Seen: the stance is the process's: the main thread compiles no more. The flag is the thread's own: the main thread goes on
# compiling.
# torch 2.13.0, CPU. Prints how often the main thread compiles: stance 0, flag 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
env/bin/python - <<'EOF'
import threading

import torch
import torch._dynamo.config as config


def compilations_after(change):
    calls = []
    compiled = torch.compile(lambda x: x.sin(), backend=lambda graph, _: calls.append(graph) or graph)
    thread = threading.Thread(target=change)
    thread.start()
    thread.join()
    compiled(torch.ones(3))
    return len(calls)


stance = compilations_after(lambda: torch.compiler.set_stance("force_eager"))
torch.compiler.set_stance("default")
flag = compilations_after(lambda: setattr(config, "disable", True))
print("stance", stance, "flag", flag)
assert (stance, flag) == (0, 1)
EOF
