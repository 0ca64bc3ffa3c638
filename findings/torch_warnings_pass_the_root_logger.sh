#!/usr/bin/env bash
# Guess: that a function has reached recompile_limit and runs eagerly from then on, the warning that matters most, arrives
# where all warnings of a program do: at the handlers of the root logger, one that writes JSON or tells a service, say.
# Seen: it does not. torch's loggers do not propagate; torch writes it to stderr, in a format of its own, by a handler that
# logging.basicConfig(force=True) does not take away either. A handler on the logger torch._dynamo gets it, and unittest's
# assertLogs("torch._dynamo") sees it, while assertLogs() does not.
# torch 2.13.0, CPU, backend eager. Prints how often each sees it: root 0, torch._dynamo 1, stderr 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
cat > work.py <<'PROGRAM'
import logging

import torch
import torch._dynamo


class Collected(logging.Handler):
    def __init__(self):
        super().__init__()
        self.count = 0

    def emit(self, record):
        self.count += "hit config.recompile_limit" in record.getMessage()


root, own = Collected(), Collected()
logging.basicConfig(handlers=[root], force=True)
logging.getLogger("torch._dynamo").addHandler(own)
compiled = torch.compile(lambda x, text: x + len(text), backend="eager")
for length in range(10):
    compiled(torch.ones(1), "a" * length)
print(f"root {root.count}, torch._dynamo {own.count}")
PROGRAM
found="$(env/bin/python work.py 2> errors.txt), stderr $(grep --count "hit config.recompile_limit" errors.txt)"
echo "$found"
test "$found" = "root 0, torch._dynamo 1, stderr 1"
