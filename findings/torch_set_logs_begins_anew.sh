#!/usr/bin/env bash
# Guess: torch._logging.set_logs(recompiles=True) turns one log on and leaves the others alone, so that two parts of a program
# may each turn on theirs; what code says, as always in torch.compile's configuration, beats a variable.
# Seen: each call begins anew: the second one turns off what the first has turned on. Where TORCH_LOGS is set, to whatever
# it is, the call does nothing, but for a warning in the log.
# torch 2.13.0, CPU, backend eager. Prints which of two logs have lines: two calls: recompiles alone; one call under
# TORCH_LOGS=graph_breaks: graph_breaks alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
cat > work.py <<'PROGRAM'
import sys

import torch
import torch._logging


def work(x, text):
    x = x + len(text)
    print(end="")
    return x * 2


for name in sys.argv[1:]:
    torch._logging.set_logs(**{name: True})
compiled = torch.compile(work, backend="eager")
for text in ("a", "bb"):
    compiled(torch.ones(1), text)
PROGRAM
logs() {
    grep --only-matching -E "\[__(recompiles|graph_breaks)\]" "$1" | sort --unique | tr -d '\n'
}
env/bin/python work.py graph_breaks 2> log.txt
test "$(logs log.txt)" = "[__graph_breaks]"
env/bin/python work.py graph_breaks recompiles 2> log.txt
echo "two calls: $(logs log.txt)"
test "$(logs log.txt)" = "[__recompiles]"
TORCH_LOGS=graph_breaks env/bin/python work.py recompiles 2> log.txt
echo "under TORCH_LOGS=graph_breaks: $(logs log.txt)"
test "$(logs log.txt)" = "[__graph_breaks]"
grep --quiet "ignoring call to set_logs" log.txt
