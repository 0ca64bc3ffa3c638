#!/usr/bin/env bash
# Guess: `torch._dynamo.config.get_hash()` is for comparing configurations, so two processes that set nothing agree.
# Seen: they do not, unless PYTHONHASHSEED is fixed: some flags are sets, and their items are hashed in the order of the
# process. The config of Inductor, which has no such flag, agrees.
# torch 2.13.0, CPython 3.11. Prints: dynamo: 6 or fewer distinct hashes, more than 1; inductor: 1; dynamo, seed 0: 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3.11 -m venv env
env/bin/python -m pip install --quiet torch==2.13.0
hashes() {
    for _ in 1 2 3 4 5 6; do
        env/bin/python -c "import torch._$1.config as config; print(config.get_hash().hex())"
    done | sort -u | wc -l
}
dynamo=$(hashes dynamo) inductor=$(hashes inductor) seeded=$(PYTHONHASHSEED=0 hashes dynamo)
echo "dynamo: $dynamo; inductor: $inductor; dynamo, seed 0: $seeded"
test "$dynamo" -gt 1
test "$inductor" -eq 1
test "$seeded" -eq 1
